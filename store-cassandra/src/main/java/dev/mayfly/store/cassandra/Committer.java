package dev.mayfly.store.cassandra;

import dev.mayfly.store.Batch;
import dev.mayfly.store.Range;
import dev.mayfly.store.Space;
import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import dev.mayfly.store.StoreStats;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Committer of a cell: a thread that takes all batches that wait, writes them as one log entry and
 * commits it by Paxos. One entry is in flight at a time. The condition on the epoch is part of
 * every commit, so a cell that another server has claimed cannot be written.
 *
 * <p>If Paxos does not answer, the same statement is sent again: the row of the cell then shows
 * whether the first one was applied. After a while the callers fail with UNSURE, and the cell is in
 * doubt: it answers no read and takes no commit until the statement is answered. Safe for many
 * threads.
 */
final class Committer implements AutoCloseable {
  /** Bytes of one entry, unless a single commit has more. */
  private static final long MAX_ENTRY_BYTES = 4 << 20;

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long IDLE_MILLIS = 100;
  private static final long ROOM_NANOS = 5_000_000;

  /** Pause before a statement without an answer is sent again. */
  private static final long RETRY_NANOS = 100_000_000;

  private final Cell cell;
  private final long epoch;
  private final LongSupplier ticker;
  private final LongSupplier micros;
  private final Admission admission;
  private final LongAdder entryBytes = new LongAdder();
  private final LongAdder commitNanos = new LongAdder();
  private final BlockingQueue<Request> queue = new LinkedBlockingQueue<>();
  private final Thread thread;

  /** Epochs of the shards. Used by the thread only. */
  private final Map<Integer, Long> epochs;

  private long previousEpoch;
  private long flushed;
  private volatile long tickets;

  /** What a caller wants committed. */
  private interface Work {
    /**
     * Checks that it may be committed and adds it to an entry. Called in the committer's thread.
     *
     * @return the result for the caller; null for a ticket
     */
    @Nullable Long addTo(Entry entry);
  }

  private record Request(Work work, CompletableFuture<Long> done) {}

  /** The changes of an entry that is being made. */
  private static final class Entry {
    private final List<LogEntry.ShardChange> shards = new ArrayList<>();
    private final List<LogEntry.OwnChange> own = new ArrayList<>();
    private final Map<Integer, Long> epochs = new HashMap<>();
    private long bytes;
    private long flushed;

    boolean isEmpty() {
      return shards.isEmpty() && own.isEmpty() && flushed == 0;
    }
  }

  /** A batch of a shard with the epoch of its owner. */
  record Fenced(int shard, long epoch, Batch batch) {}

  /**
   * @param row of the cell after it was claimed
   * @param micros the clock of this machine in microseconds
   */
  Committer(
      Cell cell, CellRow row, Map<Integer, Long> epochs, LongSupplier ticker, LongSupplier micros) {
    this.cell = cell;
    this.epoch = row.epoch();
    this.previousEpoch = row.made();
    this.flushed = row.flushed();
    this.epochs = new HashMap<>(epochs);
    this.ticker = ticker;
    this.micros = micros;
    this.admission = new Admission(cell.limits().unflushedBytes());
    this.thread =
        Thread.ofPlatform().daemon().name("mayfly-commit-" + cell.number()).unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  /** Returns the epoch of the cell under which it commits. */
  long epoch() {
    return epoch;
  }

  /** Delays commits when checkpoints are slower. */
  Admission admission() {
    return admission;
  }

  /** Returns the bytes of all entries. */
  long entryBytes() {
    return entryBytes.sum();
  }

  /** Returns the number of commits of callers and their total duration. */
  StoreStats.Timed commits() {
    return new StoreStats.Timed(tickets, commitNanos.sum());
  }

  /** Returns the ticket of the last commit. Every commit survives loss of power. */
  long lastTicket() {
    return tickets;
  }

  /** Commits batches of different shards, all or none. Returns a ticket. */
  long commit(List<Fenced> batches) {
    long start = ticker.getAsLong();
    awaitRoom(batches);
    long ticket =
        await(
            entry -> {
              for (Fenced batch : batches) {
                check(batch.shard(), batch.epoch(), entry);
              }
              for (Fenced batch : batches) {
                if (!batch.batch().isEmpty()) {
                  entry.shards.add(new LogEntry.ShardChange(batch.shard(), batch.batch()));
                  entry.bytes += batch.batch().bytes();
                }
              }
              return null;
            });
    commitNanos.add(ticker.getAsLong() - start);
    return ticket;
  }

  /**
   * Waits while checkpoints are slower than writes, so that memory and the time of a take-over are
   * bounded.
   */
  private void awaitRoom(List<Fenced> batches) {
    long unflushed = cell.view().memtable().bytes();
    long bytes = 0;
    for (Fenced batch : batches) {
      bytes += batch.batch().bytes();
    }
    long now = ticker.getAsLong();
    long admitted = now + admission.pause(bytes, unflushed);
    long end = now + PATIENCE_NANOS;
    while (admission.isFull(cell.view().memtable().bytes())) {
      if (ticker.getAsLong() - end > 0) {
        throw new StoreException(
            Reason.UNAVAILABLE, "Cassandra is slower than the writes; nothing was written");
      }
      LockSupport.parkNanos(this, ROOM_NANOS);
    }
    for (long left = admitted - ticker.getAsLong(); left > 0; ) {
      LockSupport.parkNanos(this, left);
      left = admitted - ticker.getAsLong();
    }
  }

  private void check(int shard, long owner, Entry entry) {
    long current = epoch(shard, entry);
    if (owner != current) {
      throw new StoreException(
          Reason.FENCED, "epoch " + owner + " was followed by epoch " + current);
    }
  }

  /** Begins the next epoch of a shard and returns it. */
  long own(int shard) {
    return await(entry -> nextEpoch(shard, entry));
  }

  private long nextEpoch(int shard, Entry entry) {
    long next = epoch(shard, entry) + 1;
    entry.epochs.put(shard, next);
    byte[] value = ByteBuffer.allocate(Long.BYTES).putLong(next).array();
    entry.own.add(LogEntry.OwnChange.put(Directory.epochKey(shard), value));
    return next;
  }

  /** Returns the epoch of a shard after the changes of an entry. */
  private long epoch(int shard, Entry entry) {
    Long changed = entry.epochs.get(shard);
    return changed == null ? epochs.getOrDefault(shard, 0L) : changed;
  }

  /** Removes all keys of a shard and fences its owner. */
  void drop(int shard) {
    Batch all = new Batch();
    for (Space space : Space.values()) {
      all.deleteRange(space, Range.all());
    }
    await(
        entry -> {
          entry.shards.add(new LogEntry.ShardChange(shard, all));
          return nextEpoch(shard, entry);
        });
  }

  /** Commits changes of the store's own keys. */
  void commitOwn(List<LogEntry.OwnChange> changes) {
    await(
        entry -> {
          entry.own.addAll(changes);
          return null;
        });
  }

  /** As {@link #commitOwn}, and records that entries up to a number are in leaves. */
  void commitFlushed(List<LogEntry.OwnChange> changes, long through) {
    await(
        entry -> {
          entry.own.addAll(changes);
          entry.flushed = through;
          return null;
        });
  }

  private long await(Work work) {
    Request request = new Request(work, new CompletableFuture<>());
    var _ = cell.view();
    queue.add(request);
    if (!cell.isOpen()) {
      // the thread may have ended before it saw the request
      refuseWaiting();
    }
    try {
      return request.done().join();
    } catch (CompletionException failure) {
      if (failure.getCause() instanceof StoreException refused) {
        throw new StoreException(refused.reason(), String.valueOf(refused.getMessage()), refused);
      }
      throw failure;
    }
  }

  private void run() {
    try {
      while (cell.isOpen()) {
        Request first = queue.poll(IDLE_MILLIS, TimeUnit.MILLISECONDS);
        if (first != null) {
          commitGroup(first);
        }
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error failure) {
      cell.close(new StoreException(Reason.IO, "the committer failed", failure));
    } finally {
      refuseWaiting();
    }
  }

  private void refuseWaiting() {
    for (Request left = queue.poll(); left != null; left = queue.poll()) {
      try {
        var _ = cell.view();
        left.done().completeExceptionally(closedNow());
      } catch (StoreException reason) {
        left.done().completeExceptionally(reason);
      }
    }
  }

  private static StoreException closedNow() {
    return new StoreException(Reason.CLOSED, "the store is closed");
  }

  /** Commits a request and those that wait after it as one entry. */
  private void commitGroup(Request first) {
    Entry entry = new Entry();
    List<Request> group = new ArrayList<>();
    List<@Nullable Long> results = new ArrayList<>();
    for (Request next = first; next != null; next = nextFor(entry)) {
      try {
        results.add(next.work().addTo(entry));
        group.add(next);
      } catch (StoreException refused) {
        next.done().completeExceptionally(refused);
      }
    }
    try {
      if (!entry.isEmpty()) {
        commit(entry, group);
      }
    } catch (StoreException failure) {
      if (failure.reason() != Reason.UNAVAILABLE) {
        cell.close(failure);
      }
      group.forEach(request -> request.done().completeExceptionally(failure));
      return;
    }
    for (int i = 0; i < group.size(); i++) {
      long ticket = tickets + 1;
      tickets = ticket;
      Long result = results.get(i);
      group.get(i).done().complete(result == null ? ticket : result);
    }
  }

  private @Nullable Request nextFor(Entry entry) {
    return entry.bytes < MAX_ENTRY_BYTES ? queue.poll() : null;
  }

  private void commit(Entry entry, List<Request> group) {
    Cell.View before = cell.lastKnown();
    LogEntry next =
        new LogEntry(
            before.entry() + 1,
            epoch,
            previousEpoch,
            Math.max(before.stamp() + 2, micros.getAsLong()),
            entry.shards,
            entry.own);
    long end = ticker.getAsLong() + PATIENCE_NANOS;
    byte[] body = next.encode();
    repeat(end, () -> cell.tables().putLog(cell.number(), next, body));
    long through = Math.max(flushed, entry.flushed);
    move(next, through, new Patience(end, group));
    entryBytes.add(body.length);
    previousEpoch = epoch;
    flushed = through;
    epochs.putAll(entry.epochs);
    cell.apply(next);
    cell.inDoubt(false);
  }

  /** How long the callers of an entry wait for its outcome. */
  private final class Patience {
    private final long end;
    private final List<Request> group;

    Patience(long end, List<Request> group) {
      this.end = end;
      this.group = group;
    }

    /** Called after an attempt without an answer: ends the wait of the callers in time. */
    void afterAttempt(StoreException failure) {
      if (!cell.isOpen()) {
        throw unsure(failure);
      }
      if (ticker.getAsLong() - end > 0) {
        cell.inDoubt(true);
        StoreException unsure = unsure(failure);
        group.forEach(request -> request.done().completeExceptionally(unsure));
        refuseWaiting();
      }
      LockSupport.parkNanos(this, RETRY_NANOS);
    }

    private static StoreException unsure(StoreException failure) {
      return new StoreException(
          Reason.UNSURE, "Cassandra did not answer a commit; it may be written", failure);
    }
  }

  /** Moves the row of the cell to an entry. */
  private void move(LogEntry entry, long through, Patience patience) {
    boolean unanswered = false;
    while (true) {
      try {
        Tables.Refused refused = cell.tables().commit(cell.number(), entry, through);
        if (refused == null
            || (unanswered && refused.epoch() == epoch && refused.last() == entry.number())) {
          return;
        }
        throw new StoreException(
            unanswered ? Reason.UNSURE : Reason.FENCED,
            "another server has claimed the cell, in epoch " + refused.epoch());
      } catch (StoreException failure) {
        if (failure.reason() != Reason.UNAVAILABLE) {
          throw failure;
        }
        unanswered = true;
        patience.afterAttempt(failure);
      }
    }
  }

  /** Repeats a statement until it is answered. Nothing is committed yet if it fails. */
  private void repeat(long end, Runnable statement) {
    while (true) {
      try {
        statement.run();
        return;
      } catch (StoreException failure) {
        if (ticker.getAsLong() - end > 0 || !cell.isOpen()) {
          throw failure;
        }
        LockSupport.parkNanos(this, RETRY_NANOS);
      }
    }
  }

  /** Waits for the commit in progress. Call after the cell was closed. */
  @Override
  public void close() {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
