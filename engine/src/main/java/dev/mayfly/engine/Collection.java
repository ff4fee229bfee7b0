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
 * Collection of documents (a container in Cosmos DB) with its rules of time to live. Every
 * operation reads the clock once, at its entry. Safe for many threads.
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

  /** Inserts a document durably: on return it survives a power failure. */
  WriteOutcome insert(Document document);

  /** Does one write durably. Throws if it fails. */
  WriteOutcome write(Write write);

  /** Does several writes and returns the outcome of each. */
  WriteResult write(List<Write> writes, Grouping grouping, Durability durability);

  /**
   * Does several writes, except those that were done when the command was first sent.
   *
   * @throws EngineException TRANSACTION_TOO_OLD if the session has sent a later command
   */
  WriteResult write(
      List<Write> writes, Grouping grouping, Durability durability, @Nullable Retry retry);

  /**
   * As {@link #write(List, Grouping, Durability, Retry)}, with a check that can end the wait. A
   * write to a document that a transaction has locked waits for the end of the transaction.
   *
   * @param check called repeatedly while a write waits; if it throws, nothing is written
   */
  WriteResult write(
      List<Write> writes,
      Grouping grouping,
      Durability durability,
      @Nullable Retry retry,
      Runnable check);

  /**
   * Decides a write as {@link #write(List, Grouping, Durability, Retry, Runnable)} does, without
   * blocking. {@link PendingCommit} commits it, together with the writes of other requests.
   *
   * @throws WouldBlock if it would wait for a disk, a transaction or the shard; always for several
   *     writes. A durable write does not block here: its pending commit waits for the disk
   */
  WriteResult writeDeferred(
      List<Write> writes, Durability durability, @Nullable Retry retry, PendingCommit pending);

  /**
   * Returns the outcome of a write if it was done when it was first sent. To be called before the
   * search for the document to write, which may no longer exist.
   *
   * @throws EngineException TRANSACTION_TOO_OLD if the session has sent a later command
   */
  Optional<WriteOutcome.Repeated> receipt(ByteKey session, long number, int statement);

  /** Returns the live document of a key, if there is one. */
  Optional<StoredDocument> read(DocumentKey key);

  /** As {@link #read}, without blocking. A read that would block costs nothing. */
  TryRead tryRead(DocumentKey key);

  /**
   * Returns the live documents of a query, as of now. The cursor must be closed.
   *
   * @throws EngineException BAD_HINT
   */
  Cursor query(Query query);

  /**
   * Returns the live documents of a query after a place of {@link Cursor#place}, as of now. The
   * skip of the query is done already; its limit counts from the place.
   *
   * @throws EngineException BAD_HINT if the place is not of this query, or its index was dropped
   */
  Cursor resume(Query query, byte[] place);

  /**
   * Returns the live documents of a capped collection in insertion order, after an arrival number
   * of {@link Cursor#arrival}: the next documents of a tailable cursor.
   */
  Cursor arrivals(Query query, long after);

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
  Cursor records(List<Value> partition);

  /** Returns those of {@link #records(List)} after a key, whether or not it exists. */
  Cursor records(List<Value> partition, DocumentKey after);

  /** Returns the plan of a query, without running it. */
  Explanation explain(Query query);

  /** Charges request units to the throughput of this collection. */
  void spend(double units);

  /** Returns the number of matching live documents. */
  long count(Filter filter);

  /** Returns live documents and their bytes. Expired documents do not count, swept or not. */
  Usage usage();

  /** Returns the expiry of this collection: forecast, what-if, guarded change, undo, backlog. */
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

  /**
   * Waits until an index is built. Without background threads, this thread does the work.
   *
   * @throws EngineException the failure of the build, whose index was dropped; CLOSED if the
   *     collection or the index was dropped meanwhile
   */
  void awaitBuilt(String index);

  /**
   * As {@link #awaitBuilt(String)}, with a check that can end the wait. The build continues.
   *
   * @param check called repeatedly; if it throws, the wait ends
   */
  void awaitBuilt(String index, Runnable check);

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
