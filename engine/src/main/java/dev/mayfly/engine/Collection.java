package dev.mayfly.engine;

import dev.mayfly.query.Filter;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Collection of documents (a container in Cosmos DB) with its rules of time to live. Safe for many
 * threads.
 *
 * <p>Reads and writes with an {@link OperationContext} happen at the instant of the operation.
 * Those without are operations of their own and read the clock once.
 *
 * <pre>{@code
 * things.insert(Document.writer().put("_id", 1).put("n", 0).build());
 * DocumentKey key = DocumentKey.of(Value.of(1));
 * StoredDocument found = things.read(key).orElseThrow();
 * things.write(new Write.Delete(key, found.version()));  // fails if it has changed since
 * }</pre>
 */
public interface Collection {
  Namespace namespace();

  CollectionSpec spec();

  /** Returns whether the collection was dropped or the engine closed. */
  boolean dropped();

  /** Returns a number that no other collection of this engine ever has. A rename keeps it. */
  long id();

  /** Returns an id that is unique among all engines. A rename keeps it. */
  UUID uuid();

  /** Begins an operation that may block: reads the clock. */
  OperationContext operation();

  /** Inserts a document durably: on return it survives a power failure. */
  default WriteOutcome insert(Document document) {
    return write(new Write.Insert(document));
  }

  /** Does one write durably. Throws if it fails. */
  default WriteOutcome write(Write write) {
    return write(List.of(write), Grouping.ATOMIC, Durability.SYNCED).only();
  }

  /** Does several writes and returns the outcome of each. */
  default WriteResult write(List<Write> writes, Grouping grouping, Durability durability) {
    return write(operation(), writes, grouping, durability, null);
  }

  /** As {@link #write(OperationContext, List, Grouping, Durability, Retry)}, on its own. */
  default WriteResult write(
      List<Write> writes, Grouping grouping, Durability durability, @Nullable Retry retry) {
    return write(operation(), writes, grouping, durability, retry);
  }

  /** Decides one write without blocking, as an operation of its own. */
  default WriteResult writeDeferred(
      List<Write> writes, Durability durability, @Nullable Retry retry, PendingCommit pending) {
    OperationContext operation = OperationContext.begin(() -> operation().now(), pending);
    return write(operation, writes, Grouping.ATOMIC, durability, retry);
  }

  /**
   * Does several writes, except those that were done when the command was first sent.
   *
   * <p>They are decided at the instant of the operation. A write to a document that a transaction
   * has locked waits for the end of the transaction, and is decided at a new instant then. If the
   * operation must stop meanwhile, nothing is written.
   *
   * <p>If the operation must not block, the writes are only decided: {@link PendingCommit} commits
   * them, together with the writes of other requests.
   *
   * @throws EngineException TRANSACTION_TOO_OLD if the session has sent a later command
   * @throws WouldBlock if the operation must not block and would wait for a disk, a transaction or
   *     the shard; always for several writes. A durable write does not block here: its pending
   *     commit waits for the disk
   */
  WriteResult write(
      OperationContext operation,
      List<Write> writes,
      Grouping grouping,
      Durability durability,
      @Nullable Retry retry);

  /**
   * Returns the outcome of a write if it was done when it was first sent. To be called before the
   * search for the document to write, which may no longer exist.
   *
   * @throws EngineException TRANSACTION_TOO_OLD if the session has sent a later command
   */
  Optional<WriteOutcome.Repeated> receipt(ByteKey session, long number, int statement);

  /** Returns the live document of a key, if there is one. */
  default Optional<StoredDocument> read(DocumentKey key) {
    return read(operation(), key);
  }

  /**
   * Returns the live document of a key, if there is one. If the collection has a sliding rule, the
   * life of the document starts again; the returned deadline is the one before.
   *
   * @throws WouldBlock if the operation must not block, and the record is not in memory or a touch
   *     has to be persisted. The read costs nothing then
   */
  Optional<StoredDocument> read(OperationContext operation, DocumentKey key);

  /** As {@link #read(OperationContext, DocumentKey)}, but does not extend a sliding life. */
  Optional<StoredDocument> peek(OperationContext operation, DocumentKey key);

  /** As {@link #peek(OperationContext, DocumentKey)}, as of now. */
  default Optional<StoredDocument> peek(DocumentKey key) {
    return peek(operation(), key);
  }

  /** As {@link #query(OperationContext, Query)}, as of now. */
  default Cursor query(Query query) {
    return query(operation(), query);
  }

  /**
   * Returns the live documents of a query, as of the instant of an operation. The cursor must be
   * closed. It keeps its instant, however long it is open.
   *
   * @throws EngineException BAD_HINT
   * @throws WouldBlock if the operation must not block, as all methods that return a cursor
   */
  Cursor query(OperationContext operation, Query query);

  /**
   * As {@link #query(OperationContext, Query)}, but never sorts: documents have the order of the
   * query only if an index or the ids give it. The query is planned once.
   */
  Cursor.Planned queryUnsorted(OperationContext operation, Query query);

  /** As {@link #resume(OperationContext, Query, byte[])}, as of now. */
  default Cursor resume(Query query, byte[] place) {
    return resume(operation(), query, place);
  }

  /**
   * Returns the live documents of a query after a place of {@link Cursor#place}. The skip of the
   * query is done already; its limit counts from the place.
   *
   * @throws EngineException BAD_HINT if the place is not of this query, or its index was dropped
   */
  Cursor resume(OperationContext operation, Query query, byte[] place);

  /** As {@link #arrivals(OperationContext, Query, long)}, as of now. */
  default Cursor arrivals(Query query, long after) {
    return arrivals(operation(), query, after);
  }

  /**
   * Returns the live documents of a capped collection in insertion order, after an arrival number
   * of {@link Cursor#arrival}: the next documents of a tailable cursor.
   */
  Cursor arrivals(OperationContext operation, Query query, long after);

  /** Returns the newest arrival number: later calls of {@link #arrivals} see all up to it. */
  long lastArrival();

  /**
   * Returns the newest arrival number that a capped collection has removed to make room; below all
   * arrival numbers if none was removed since the engine was opened.
   */
  long lastDeparted();

  /** Waits for an arrival after a number. Returns false after the timeout. */
  boolean awaitArrival(long after, Duration most) throws InterruptedException;

  /**
   * Returns the live documents whose partition key begins with these values, in storage order: by
   * shard, then by partition key and id.
   *
   * @param partition empty for all documents
   */
  Cursor records(OperationContext operation, List<Value> partition);

  /** As {@link #records(OperationContext, List)}, as of now. */
  default Cursor records(List<Value> partition) {
    return records(operation(), partition);
  }

  /** Returns those of {@link #records(List)} after a key, whether or not it exists. */
  Cursor records(OperationContext operation, List<Value> partition, DocumentKey after);

  /** As {@link #records(OperationContext, List, DocumentKey)}, as of now. */
  default Cursor records(List<Value> partition, DocumentKey after) {
    return records(operation(), partition, after);
  }

  /** Returns the plan of a query, without running it. */
  Explanation explain(OperationContext operation, Query query);

  /** As {@link #explain(OperationContext, Query)}, as of now. */
  default Explanation explain(Query query) {
    return explain(operation(), query);
  }

  /** Charges request units to the throughput of this collection. */
  void spend(double units);

  /** Returns the number of matching live documents. */
  default long count(Filter filter) {
    return count(operation(), filter);
  }

  /** Returns the number of matching documents that are live at the instant of an operation. */
  long count(OperationContext operation, Filter filter);

  /** As {@link #usage(OperationContext)}, as of now. */
  default Usage usage() {
    return usage(operation());
  }

  /** Returns live documents and their bytes. Expired documents do not count, swept or not. */
  Usage usage(OperationContext operation);

  /**
   * Returns the expiry of this collection: forecast, what-if, guarded change, undo, backlog. Its
   * reports are as of the instant of an operation. Its changes read the clock under the locks of
   * the collection, as {@link #alter} does, so that no document that was reported as expired before
   * the change is live after it.
   */
  ExpiryService expiry(OperationContext operation);

  /** As {@link #expiry(OperationContext)}; each call of the service is an operation of its own. */
  ExpiryService expiry();

  /** Changes the collection by one write to the catalog, however many documents it has. */
  void alter(UnaryOperator<CollectionSpec> change);

  /** Returns the change feeds of this collection, one per shard. */
  List<FeedReader> feeds();

  /** Returns the position of the newest change in any of its feeds. */
  long lastPosition();

  /**
   * Waits for writes that have begun: afterwards the feeds contain their changes, and all with
   * lower positions.
   */
  void settle();

  /** Returns the builds in progress. */
  List<BuildProgress> builds();

  /** Returns why the last build failed, if it did; its index was dropped. */
  Optional<EngineException> buildFailure();

  /** As {@link #awaitBuilt(OperationContext, String)}, however long it takes. */
  default void awaitBuilt(String index) {
    awaitBuilt(operation(), index);
  }

  /**
   * Waits until an index is built or the operation must stop. The build continues then. Without
   * background threads, this thread does the work.
   *
   * @throws EngineException the failure of the build, whose index was dropped; CLOSED if the
   *     collection or the index was dropped meanwhile
   */
  void awaitBuilt(OperationContext operation, String index);

  /**
   * Checks the consistency of records, index entries, lanes and counts. Writers wait meanwhile.
   *
   * @param repair whether to correct what disagrees with the documents
   */
  CheckReport check(boolean repair);

  /** Returns whether the collection uses a shard of the store. */
  boolean hasShard(int number);

  /**
   * Removes all changes from the feeds without reading them, because some are damaged. Readers get
   * TRIMMED and have to start again.
   */
  void cutFeed();

  /** Returns about how many bytes documents, indexes and changes take on disk. */
  long bytesOnDisk();

  /** Returns how much of {@link #bytesOnDisk()} an index takes; 0 if it does not exist. */
  long bytesOnDisk(String index);

  /**
   * Compacts the shards to free the space of deleted and swept documents. Takes long. Reads and
   * writes continue meanwhile.
   */
  void compact();
}
