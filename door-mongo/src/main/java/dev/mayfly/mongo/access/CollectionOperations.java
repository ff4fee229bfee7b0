package dev.mayfly.mongo.access;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Explanation;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.mongo.collection.Validator;
import dev.mayfly.mongo.cursor.Tail;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Optional;

/**
 * Reads and writes of one operation on the live documents of one collection, inside or outside a
 * transaction. For one thread.
 */
public interface CollectionOperations {
  Namespace namespace();

  CollectionSpec spec();

  /** The validator for writes; accepts everything if the request bypasses validation. */
  Validator validator();

  /** Reads a document by its {@code _id}. */
  Optional<Document> read(Value id);

  /** Runs a query; the caller closes the rows. */
  FoundRows query(Query query);

  /**
   * Rows of a query with an order.
   *
   * @param inOrder whether they have its order, skip and limit; if not, the caller sorts
   */
  record UnsortedRows(FoundRows rows, boolean inOrder) {}

  /** As {@link #query}, in order only if no sort is needed; the caller closes the rows. */
  UnsortedRows queryUnsorted(Query query);

  /** Opens a tailable cursor on a capped collection; the caller closes it. */
  Tail tail(Query query);

  /** The plan by which {@link #query} would find its documents. */
  Explanation explain(Query query);

  /** Whether the plan of a query returns documents in its order, without a sort. */
  default boolean ordered(Query query) {
    return !explain(query).sorts();
  }

  /** The number of documents that {@link #query} would return. */
  long count(Query query);

  /** The recorded outcome of a retried statement, if it was executed before. */
  Optional<WriteOutcome.Repeated> receipt(Statement statement);

  /** Executes several writes and returns the outcome of each. */
  List<WriteOutcome> write(List<Write> writes, Grouping grouping, Statement statement);

  /** Executes one write and returns its outcome. */
  default WriteOutcome write(Write write, Statement statement) {
    return write(List.of(write), Grouping.ATOMIC, statement).getFirst();
  }
}
