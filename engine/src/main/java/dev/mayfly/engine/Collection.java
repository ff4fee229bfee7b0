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
 * A collection of documents that live exactly as long as they should.
 *
 * <p>Every operation asks the clock once, at its entry. Safe for many threads.
 */
public interface Collection {
  Namespace namespace();

  CollectionSpec spec();

  /** Whether it was dropped, or the engine closed: it can no longer be written to. */
  boolean dropped();

  /** A number that no other collection has or will have; a rename keeps it. */
  long id();

  /** As {@link #id()}, told apart from all collections of all engines. */
  UUID uuid();

  /** Inserts a document; it survives a loss of power when this returns. */
  WriteOutcome insert(Document document);

  /** Does one write, which survives a loss of power when this returns; throws when refused. */
  WriteOutcome write(Write write);

  /** Does several writes and says what became of each. */
  WriteResult write(List<Write> writes, Grouping grouping, Durability durability);

  /**
   * Does several writes, but those that were done when they were first sent.
   *
   * @throws EngineException TRANSACTION_TOO_OLD when the session has moved on
   */
  WriteResult write(
      List<Write> writes, Grouping grouping, Durability durability, @Nullable Retry retry);

  /**
   * As {@link #write(List, Grouping, Durability, Retry)}, for who may not wait for ever. A write to
   * a document that a transaction holds waits until it lets go.
   *
   * @param check called now and then while a write waits; what it throws ends the wait, and nothing
   *     was written
   */
  WriteResult write(
      List<Write> writes,
      Grouping grouping,
      Durability durability,
      @Nullable Retry retry,
      Runnable check);

  /**
   * Decides a write as {@link #write(List, Grouping, Durability, Retry, Runnable)} does, and
   * commits it together with others when the pledge is kept.
   *
   * @throws WouldBlock when it would have to wait: for a disk, for a transaction, for the shard;
   *     several writes at a time always have to. A write that is to survive a loss of power is
   *     decided and committed without a wait; its pledge is kept when the disk has it
   */
  WriteResult writeDeferred(
      List<Write> writes, Durability durability, @Nullable Retry retry, PendingCommit pending);

  /**
   * What became of a write that may have been sent before, if it was done then: to be asked before
   * looking for the document to write to, which may no longer be found.
   *
   * @throws EngineException TRANSACTION_TOO_OLD when the session has moved on
   */
  Optional<WriteOutcome.Repeated> receipt(ByteKey session, long number, int statement);

  /** The live document of that key, if there is one. */
  Optional<StoredDocument> read(DocumentKey key);

  /** As {@link #read}, for who must not wait for a disk. What had to wait has cost nothing yet. */
  TryRead tryRead(DocumentKey key);

  /**
   * The live documents of a query, as they are now. The cursor must be closed.
   *
   * @throws EngineException BAD_HINT
   */
  Cursor query(Query query);

  /**
   * The live documents of a query behind a place that {@link Cursor#place} gave, as they are now.
   * What the query skips is behind it; its limit counts from there.
   *
   * @throws EngineException BAD_HINT when the place is none of this query, or what it was found by
   *     is gone
   */
  Cursor resume(Query query, byte[] place);

  /**
   * The live documents of a capped collection in the order of their arrival, those after {@link
   * Cursor#arrival} alone: where who follows a collection goes on.
   */
  Cursor arrivals(Query query, long after);

  /** The newest arrival: {@link #arrivals} called from now on has it and all before it. */
  long lastArrival();

  /**
   * The last arrival that had to make room in a capped collection, with all before it; far below
   * any when none had to since the engine was opened.
   */
  long lastDeparted();

  /** Waits until a document has arrived after another; false when the time has run out. */
  boolean awaitArrival(long after, Duration most) throws InterruptedException;

  /**
   * The live documents whose partition key begins with these values, all when there are none, in
   * the order they lie: shard by shard, there by partition key and id.
   */
  Cursor records(List<Value> partition);

  /** Those of {@link #records(List)} that lie behind a key, whether or not there is such one. */
  Cursor records(List<Value> partition, DocumentKey after);

  /** How a query would find its documents, without looking at any. */
  Explanation explain(Query query);

  /** Takes what an operation has cost, here or in a collection that belongs to this one. */
  void spend(double units);

  /** How many live documents match. */
  long count(Filter filter);

  /** Documents and bytes that are live now; expired ones do not count, swept or not. */
  Usage usage();

  /** Returns the expiry of this collection: forecast, what-if, guarded change, undo, backlog. */
  ExpiryService expiry();

  /** Changes the collection: one write to the catalog, whatever it holds. */
  void alter(UnaryOperator<CollectionSpec> change);

  /** The feeds of this collection, one per shard. */
  List<FeedReader> feeds();

  /** The position of the newest change in any of its feeds. */
  long lastPosition();

  /**
   * Returns when the writes that had begun are done: their changes, and all with lower positions,
   * can be read from the feeds.
   */
  void settle();

  /** What is being built, and how far it is. */
  List<BuildProgress> builds();

  /** Why the last build failed, if it did: its index was given up. */
  Optional<EngineException> buildFailure();

  /**
   * Waits until an index is built. Where the engine has no thread for it, this one does the work.
   *
   * @throws EngineException why it could not be built and was given up; CLOSED when the collection
   *     or the index went away meanwhile
   */
  void awaitBuilt(String index);

  /**
   * As {@link #awaitBuilt(String)}, for who may not wait for ever. The build goes on all the same.
   *
   * @param check called now and then; what it throws ends the wait
   */
  void awaitBuilt(String index, Runnable check);

  /**
   * Compares all that is stored of this collection with itself, and if wanted puts right what
   * disagrees with the documents. Holds writers off meanwhile.
   */
  CheckReport check(boolean repair);

  /** Whether it keeps its documents in a shard of the store. */
  boolean hasShard(int number);

  /**
   * Cuts off all changes that the feed still tells, and removes them without reading them: some of
   * them are damaged. Who follows the feed has to begin anew, as after a trim.
   */
  void cutFeed();

  /** How much of the disk its documents, indexes and changes take, approximately. */
  long bytesOnDisk();

  /** How much of {@link #bytesOnDisk()} the entries of an index take; 0 when there is no such. */
  long bytesOnDisk(String index);

  /**
   * Gives back the space of all that has been deleted or swept, as far as the store can; takes
   * long. Reads and writes go on meanwhile.
   */
  void compact();
}
