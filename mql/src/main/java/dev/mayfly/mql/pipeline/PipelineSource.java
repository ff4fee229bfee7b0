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
 * Collections that a pipeline reads and writes; implemented by the door. Views are resolved before
 * the pipeline runs ({@link ResolvedNames}).
 *
 * <p>A collection that does not exist reads as an empty one. Rows that take long check for the
 * interruption of the operation.
 */
public interface PipelineSource {
  /** Returns the documents of a query, in its order. */
  Rows read(Target collection, Query query);

  /**
   * Rows of a query with an order.
   *
   * @param inOrder whether they have the order, skip and limit of the query; if not, they are those
   *     of {@link Query#unordered}
   */
  record PlannedRows(Rows rows, boolean inOrder) {}

  /** Returns the documents of a query; in its order only if no sort is needed for that. */
  PlannedRows readUnsorted(Target collection, Query query);

  /** Returns the number of documents that {@link #read} would return. */
  long count(Target collection, Query query);

  /**
   * Returns whether an index serves the order of the query, so that no sort is needed. For explain:
   * it plans the query and does not run it.
   */
  boolean ordered(Target collection, Query query);

  /** Returns whether an index finds documents by the value at this path. */
  boolean indexed(Target collection, FieldPath path);

  /** Returns the rows of a stage that reads from the server, such as {@code $collStats}. */
  Rows source(Target collection, Stage.Source source);

  /**
   * Starts to replace all documents of a collection; readers see the old or the new ones.
   *
   * <p>An existing collection keeps its indexes and options.
   */
  Replacement replace(Target collection);

  /**
   * Returns whether no two documents can have the same values at all these paths.
   *
   * @param collation by which values are equal
   */
  boolean unique(Target collection, List<FieldPath> paths, Collation collation);

  /**
   * Atomically updates the one document that matches the filter, or inserts one.
   *
   * @param change may be called more than once if other writers interfere
   */
  void change(Target collection, Filter which, Change change);

  /** Returns an id for a document without one. */
  Value newId();

  /** New documents of a collection that is being replaced. */
  interface Replacement extends AutoCloseable {
    void add(Document document);

    /** Makes the new documents visible in place of the old ones. */
    void finish();

    /** Discards the new documents unless {@link #finish} was called. */
    @Override
    void close();
  }

  /** Computes the new state of a document. */
  @FunctionalInterface
  interface Change {
    /** Returns the document to store; empty to change nothing. */
    Optional<Document> apply(Optional<Document> before);
  }
}
