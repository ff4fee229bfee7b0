package dev.mayfly.mql.pipeline;

import dev.mayfly.mql.rows.Rows;
import dev.mayfly.query.Collation;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Optional;

/**
 * What surrounds a pipeline: the collections that it reads and writes.
 *
 * <p>A collection that does not exist reads as an empty one. Rows that take long to come are where
 * an operation is to be interrupted.
 */
public interface PipelineSource {
  /** A collection, and the pipeline that makes a view of it; none when it is asked for itself. */
  record Origin(Target collection, Pipeline view) {}

  /** What a name stands for: itself, or a view over another collection. */
  default Origin resolve(Target name) {
    return new Origin(name, Pipeline.EMPTY);
  }

  /** The documents that a query asks for, in its order. */
  Rows read(Target collection, Query query);

  /** How many documents {@link #read} would give. */
  long count(Target collection, Query query);

  /** True when an index gives the documents in the order of the query, so that none sorts them. */
  boolean ordered(Target collection, Query query);

  /** True when documents can be found by the value at this path without reading all of them. */
  boolean indexed(Target collection, FieldPath path);

  /** What a server can tell about itself or about a collection. */
  Rows source(Target collection, Stage.Source source);

  /**
   * Starts to replace the whole collection by other documents; readers see all of them or none.
   *
   * <p>Indexes and options of a collection that exists are kept.
   */
  Replacement replace(Target collection);

  /**
   * True when no two documents have the same values at all of these paths.
   *
   * @param collation by which values are the same
   */
  boolean unique(Target collection, List<FieldPath> paths, Collation collation);

  /**
   * Changes the one document that passes the filter, or adds one, with no other write between.
   *
   * @param change may be asked more than once, when other writers are in the way
   */
  void change(Target collection, Filter which, Change change);

  /** An id for a document that has none. */
  Value newId();

  /** Documents on their way into a collection. */
  interface Replacement extends AutoCloseable {
    void add(Document document);

    /** Makes the new documents visible in place of the old ones. */
    void finish();

    /** Forgets what was added, when it was not finished. */
    @Override
    void close();
  }

  /** What becomes of a document. */
  @FunctionalInterface
  interface Change {
    /** The document to be stored; empty to leave all as it is. */
    Optional<Document> apply(Optional<Document> before);
  }
}
