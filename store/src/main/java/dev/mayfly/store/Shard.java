package dev.mayfly.store;

import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Handle of one owner on one shard. Safe for use by many threads. Reads are not fenced: they see
 * every commit that returned before, by any owner.
 *
 * <p>{@link #commit}, {@link #sync} and {@link Reader#read} may block. Event loops call {@link
 * #tryCommit}, {@link #trySync}, {@link #readIfCached} and {@link #nonBlockingSnapshot} instead.
 * These have no default on purpose: a store must decide what it can do without waiting.
 *
 * <pre>{@code
 * Shard shard = store.own(1);
 * Batch batch = new Batch().put(Space.RECORDS, key, value);
 * long ticket = shard.commit(batch); // visible, survives a crash
 * shard.sync(ticket); // survives loss of power, too
 *
 * byte[] read = shard.readIfCached(Space.RECORDS, key);
 * if (Shard.isNotCached(read)) {
 *   read = onAnotherThread(() -> shard.read(Space.RECORDS, key));
 * }
 * }</pre>
 */
public interface Shard extends Reader {
  /** The result of {@link #readIfCached} if it had to wait. Compare by {@link #isNotCached}. */
  byte[] NOT_CACHED = {};

  /** Returns whether a result of {@link #readIfCached} is {@link #NOT_CACHED}. */
  @SuppressWarnings("ReferenceEquality") // a stored value may be empty, too
  static boolean isNotCached(byte @Nullable [] read) {
    return read == NOT_CACHED;
  }

  int number();

  /** Returns the epoch under which this handle commits. */
  long epoch();

  /**
   * Reads without waiting for a disk or a network: returns the value of a key, null if the key does
   * not exist, or {@link #NOT_CACHED} if memory does not hold the answer. After NOT_CACHED, call
   * {@link #read} on a thread that may block.
   *
   * <p>A networked store answers from a cache of this process that its own commits keep current,
   * and returns NOT_CACHED for everything else. Returning NOT_CACHED always is correct, and slower.
   */
  byte @Nullable [] readIfCached(Space space, byte[] key);

  /**
   * Returns whether a read of what is not in memory is a request over a network. If so, callers
   * read ahead and ask for many keys at the same time; {@link Reader#readAll} also makes what it
   * returns available to {@link #readIfCached}, as far as memory allows.
   */
  default boolean isRemote() {
    return false;
  }

  Snapshot snapshot();

  /**
   * As {@link #snapshot}, for an event loop: its reads and scans never wait for a disk or a
   * network. They throw {@link NotCachedException} instead. Empty if the store cannot scan without
   * waiting; the caller then reads on a thread that may block.
   */
  Optional<Snapshot> nonBlockingSnapshot();

  /**
   * Applies a batch completely or not at all; its operations take effect in the order they were
   * added. When this returns, the batch is visible to every reader and survives a crash of the
   * process; {@link #sync} makes it survive loss of power. Commits of one shard survive in their
   * order: one is never lost while a later one is kept. The batch may be reused afterwards.
   *
   * @return a ticket for {@link #sync}; later commits have higher ones
   * @throws StoreException {@code FENCED} if this handle is no longer the owner: nothing was
   *     written
   */
  long commit(Batch batch);

  /**
   * Commits as {@link #commit} does, but never waits for a disk, a network or a write stall.
   * Returns empty if it had to; nothing was written then.
   *
   * <p>A networked store, whose every commit is a round trip, always returns empty: the caller then
   * commits on a thread that may block.
   */
  OptionalLong tryCommit(Batch batch);

  /**
   * Returns when the commit with this ticket, and all before it, survive loss of power. Concurrent
   * callers share the cost of one flush to disk.
   */
  void sync(long ticket);

  /**
   * As {@link #sync}, without waiting: returns whether the commit with this ticket, and all before
   * it, survive loss of power. Does not start a flush; {@link #wakeAfterFlush} does.
   *
   * <p>A networked store returns what it knows from the replies to its own requests.
   *
   * @throws StoreException if a flush of this commit has failed; the commit may be lost then
   */
  boolean trySync(long ticket);

  /**
   * As {@link #trySync}, but the calling thread may flush by itself if no flush is running and
   * flushes are short at present. For an event loop that has nothing else to do.
   *
   * <p>A store that cannot flush in the calling thread does as {@link #trySync} does.
   */
  default boolean trySyncHere(long ticket) {
    return trySync(ticket);
  }

  /**
   * Has the store flush soon, and calls {@code wake} at the end of each flush, successful or not,
   * until {@link #trySync} with this ticket no longer returns false. One flush calls the same
   * object once, no matter how many tickets it waits for. So an event loop is woken once for all
   * replies that wait for the disk.
   *
   * <p>Returns at once. If there is nothing to wait for, {@code wake} is called before this
   * returns.
   *
   * @param wake must return at once and throw nothing; called in any thread
   */
  void wakeAfterFlush(long ticket, Runnable wake);

  /**
   * Returns the ticket of the last commit that is known to survive loss of power, 0 if none is:
   * {@link #sync} returns at once for it and all before it. Never waits. Never decreases while the
   * store is open; every sync of this shard advances it, and it may advance without one.
   *
   * <p>To do something only after a commit is on disk: commit, keep the ticket, and act when this
   * has reached it.
   */
  long syncedThrough();

  /**
   * Guarantees that reads that begin from now on return no entry that a compaction has dropped.
   * Before this call, a store may return such an entry from a cache. Call it before the filter and
   * the readers forget why such entries are expired.
   */
  default void forgetDropped() {}

  /**
   * Removes all entries in a range, like a commit that deletes them. Some stores free the space at
   * once, without visiting each entry; others free it as after any delete. Snapshots taken before
   * still see the entries.
   *
   * @throws StoreException {@code FENCED} if this handle is no longer the owner: nothing was
   *     removed
   */
  default void erase(Space space, Range range) {
    erase(new Batch().deleteRange(space, range));
  }

  /**
   * As {@link #erase(Space, Range)}, for several ranges together.
   *
   * @param ranges contains range deletes only
   */
  default void erase(Batch ranges) {
    commit(ranges);
  }
}
