package dev.mayfly.mongo.access;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Explanation;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.OperationContext;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.Transaction;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.mongo.collection.Validator;
import dev.mayfly.mongo.cursor.Tail;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Optional;

/**
 * Reads and writes of a collection in a transaction or snapshot: as of one instant, with the
 * transaction's own writes.
 */
final class TransactionOperations implements CollectionOperations {
  private final Transaction transaction;
  private final Collection collection;
  private final Validator validator;
  private final QueryTracker queryTracker;
  private final OperationContext operation;

  TransactionOperations(
      Transaction transaction,
      Collection collection,
      Validator validator,
      QueryTracker queryTracker) {
    this.transaction = transaction;
    this.collection = collection;
    this.validator = validator;
    this.queryTracker = queryTracker;
    this.operation = queryTracker.operation();
  }

  @Override
  public Namespace namespace() {
    return collection.namespace();
  }

  @Override
  public CollectionSpec spec() {
    return collection.spec();
  }

  @Override
  public Validator validator() {
    return validator;
  }

  @Override
  public Optional<Document> read(Value id) {
    queryTracker.point();
    return transaction
        .read(operation, collection, DocumentKey.of(id))
        .map(StoredDocument::document);
  }

  @Override
  public FoundRows query(Query query) {
    return NearestFirst.of(query, this, this::found);
  }

  @Override
  public UnsortedRows queryUnsorted(Query query) {
    if (NearestFirst.serves(query)) {
      return new UnsortedRows(query(query.unordered()), false);
    }
    Cursor.Planned planned = transaction.queryUnsorted(operation, collection, query);
    return new UnsortedRows(rows(planned.cursor()), planned.inOrder());
  }

  private FoundRows found(Query query) {
    return rows(transaction.query(operation, collection, query));
  }

  private FoundRows rows(Cursor cursor) {
    return EngineRows.of(cursor, queryTracker, () -> {});
  }

  @Override
  public Tail tail(Query query) {
    throw new CommandException(
        ErrorCode.OPERATION_NOT_SUPPORTED_IN_TRANSACTION,
        "a tailable cursor cannot be opened in a transaction");
  }

  @Override
  public Explanation explain(Query query) {
    return collection.explain(operation, query);
  }

  @Override
  public long count(Query query) {
    long count = 0;
    try (FoundRows found = query(query.withoutTouch())) {
      while (found.next()) {
        count++;
      }
    }
    return count;
  }

  @Override
  public Optional<WriteOutcome.Repeated> receipt(Statement statement) {
    return Optional.empty();
  }

  /** Ordered in any case: the first write error aborts the transaction. */
  @Override
  public List<WriteOutcome> write(List<Write> writes, Grouping grouping, Statement statement) {
    return transaction.write(operation, collection, writes).outcomes();
  }
}
