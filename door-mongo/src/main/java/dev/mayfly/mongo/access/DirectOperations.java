package dev.mayfly.mongo.access;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.Explanation;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Retry;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.mongo.collection.Validator;
import dev.mayfly.mongo.command.Operation;
import dev.mayfly.mongo.cursor.Tail;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Hint;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Optional;

/** Reads and writes of a collection outside a transaction. */
public final class DirectOperations implements CollectionOperations {
  private final Engine engine;
  private final Collection collection;
  private final Validator validator;
  private final Durability durability;
  private final Optional<SessionWrite> session;
  private final QueryTracker queryTracker;
  private final Operation operation;

  /**
   * Operations on a collection.
   *
   * @param durability of its writes when they return
   * @param session set if the writes are retryable
   * @param operation the operation that reads and writes
   */
  DirectOperations(
      Engine engine,
      Collection collection,
      Validator validator,
      Durability durability,
      Optional<SessionWrite> session,
      QueryTracker queryTracker,
      Operation operation) {
    this.engine = engine;
    this.collection = collection;
    this.validator = validator;
    this.durability = durability;
    this.session = session;
    this.queryTracker = queryTracker;
    this.operation = operation;
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
    Optional<StoredDocument> found = collection.read(operation, DocumentKey.of(id));
    queryTracker.point();
    return found.map(StoredDocument::document);
  }

  @Override
  public FoundRows query(Query query) {
    if (NearestFirst.serves(query)) {
      operation.mayWait();
    }
    return NearestFirst.of(query, this, this::found);
  }

  @Override
  public UnsortedRows queryUnsorted(Query query) {
    operation.mayWait();
    if (NearestFirst.serves(query)) {
      return new UnsortedRows(query(query.unordered()), false);
    }
    Cursor.Planned planned = collection.queryUnsorted(operation, query);
    return new UnsortedRows(rows(planned.cursor()), planned.inOrder());
  }

  private FoundRows found(Query query) {
    return rows(collection.query(operation, query));
  }

  private FoundRows rows(Cursor cursor) {
    return EngineRows.of(
        cursor, queryTracker, new CursorDependencies(collection, cursor::explain)::check);
  }

  @Override
  public Tail tail(Query query) {
    operation.mayWait();
    return new CappedTail(engine, collection, query, operation);
  }

  @Override
  public Explanation explain(Query query) {
    return collection.explain(operation, query);
  }

  @Override
  public long count(Query query) {
    operation.mayWait();
    if (query.skip() == 0
        && query.limit() == Query.NO_LIMIT
        && !(query.hint() instanceof Hint.Index)
        && query.filter().equals(Filter.all())) {
      return collection.count(operation, query.filter());
    }
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
    operation.mayWait();
    return session.isPresent() && statement.retryable()
        ? collection.receipt(session.get().session(), session.get().number(), statement.number())
        : Optional.empty();
  }

  @Override
  public List<WriteOutcome> write(List<Write> writes, Grouping grouping, Statement statement) {
    Retry retry = session.isPresent() && statement.retryable() ? session.get().of(statement) : null;
    operation.renewIfOld();
    return collection.write(operation, writes, grouping, durability, retry).outcomes();
  }
}
