package dev.mayfly.engine.local;

import dev.mayfly.engine.Alarm.Kind;
import dev.mayfly.engine.BuildProgress;
import dev.mayfly.engine.SweepRun;
import dev.mayfly.engine.SweepStats;
import dev.mayfly.engine.archive.ArchiveStatus;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.sweep.BackgroundTask;
import dev.mayfly.expiry.Deadline;
import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Scheduler of background work: sweep, index builds, lazy indexes, feed trimming, transaction
 * timeouts, and reclaiming the space of dropped collections and swept documents. {@link
 * BackgroundTask Tasks} do the work in bounded slices.
 *
 * <p>The policy and its numbers are in the description of {@code dev.mayfly.engine.sweep}.
 *
 * <p>{@link #round} runs one slice of every task in the calling thread, without delays. Safe for
 * many threads.
 */
public final class Maintenance {
  private static final Logger LOG = System.getLogger(Maintenance.class.getName());

  static final long MAX_DELAY_NANOS = 60_000_000_000L;

  static final long SHORT_DELAY_NANOS = 10_000_000_000L;
  private static final int MIN_WORKERS = 2;
  private static final int MAX_WORKERS = 8;
  private static final int ARCHIVERS = 2;
  private static final long MAX_CLOSE_SECONDS = 30;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final LocalEngine engine;
  private final Map<LocalCollection, CollectionTasks> collections = new ConcurrentHashMap<>();
  private final Map<Integer, CollectionTasks> byId = new ConcurrentHashMap<>();
  private final ReentrantLock rounds = new ReentrantLock();
  private final TransactionTimeouts timeouts = new TransactionTimeouts();
  private final BackgroundTask transactions;
  private final BackgroundTask purge;
  private final List<BackgroundTask> housekeeping;
  private final BackgroundTask marks;
  private final AtomicLong sweptDocuments = new AtomicLong();
  private final AtomicLong sweptBytes = new AtomicLong();
  private final AtomicLong passes = new AtomicLong();
  private final AtomicLong batches = new AtomicLong();
  private final AtomicLong sweepNanos = new AtomicLong();
  private volatile Consumer<SweepRun> onSweep = _ -> {};
  private volatile Consumer<SweepRun> onSweepSlice = _ -> {};
  private volatile boolean paused;

  /** Guarded by this. */
  private @Nullable Threads threads;

  /** Threads of the background tasks. */
  private record Threads(
      ScheduledThreadPoolExecutor workers,
      ScheduledThreadPoolExecutor housekeeping,
      ScheduledThreadPoolExecutor reclaimer,
      ScheduledThreadPoolExecutor archivers) {
    static Threads start() {
      int half = Runtime.getRuntime().availableProcessors() / 2;
      return new Threads(
          threads("mayfly-keeper-", Math.clamp(half, MIN_WORKERS, MAX_WORKERS)),
          threads("mayfly-housekeeper-", 1),
          threads("mayfly-reclaimer-", 1),
          threads("mayfly-archiver-", ARCHIVERS));
    }

    private static ScheduledThreadPoolExecutor threads(String name, int count) {
      ScheduledThreadPoolExecutor made =
          new ScheduledThreadPoolExecutor(
              count,
              Thread.ofPlatform().daemon().name(name, 0).factory(),
              new ThreadPoolExecutor.DiscardPolicy());
      made.setRemoveOnCancelPolicy(true);
      made.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
      return made;
    }

    void shutdown() {
      List.of(workers, housekeeping, reclaimer, archivers)
          .forEach(ScheduledThreadPoolExecutor::shutdown);
    }

    /** Waits for slices in progress, but not for a compaction, which may take long. */
    void await() throws InterruptedException {
      boolean done =
          workers.awaitTermination(MAX_CLOSE_SECONDS, TimeUnit.SECONDS)
              && housekeeping.awaitTermination(MAX_CLOSE_SECONDS, TimeUnit.SECONDS)
              && archivers.awaitTermination(MAX_CLOSE_SECONDS, TimeUnit.SECONDS);
      if (!done) {
        LOG.log(
            Logger.Level.WARNING,
            "background work did not end within {0} seconds and is abandoned",
            MAX_CLOSE_SECONDS);
      }
    }
  }

  Maintenance(LocalEngine engine) {
    this.engine = engine;
    this.marks = task(Kind.RECLAIM, () -> "", new MarkSync());
    this.transactions = task(Kind.TRANSACTIONS, () -> "", timeouts);
    this.purge =
        task(
            Kind.PURGE,
            () -> "",
            periodic(MAX_DELAY_NANOS, () -> engine.registry().purgeDropped()));
    BackgroundTask log =
        task(
            Kind.TRIM,
            () -> "",
            periodic(MAX_DELAY_NANOS, () -> engine.registry().trimCatalogLog(slice(1))));
    BackgroundTask time = task(Kind.CLOCK, () -> "", periodic(SHORT_DELAY_NANOS, this::keepTime));
    this.housekeeping = List.of(time, purge, transactions, log);
  }

  BackgroundTask task(Kind kind, Supplier<String> subject, BackgroundTask.Work work) {
    return new BackgroundTask(
        kind, subject, new BackgroundTask.Reporting(engine.alarms(), engine::now), work);
  }

  private boolean keepTime() {
    engine.keepTime();
    return false;
  }

  /** Work that runs periodically. */
  private static BackgroundTask.Work periodic(long nanos, BooleanSupplier slice) {
    return new BackgroundTask.Work() {
      @Override
      public boolean slice() {
        return slice.getAsBoolean();
      }

      @Override
      public long idle() {
        return nanos;
      }
    };
  }

  /** Aborts transactions that exceed their lifetime. */
  private final class TransactionTimeouts implements BackgroundTask.Work {
    private volatile long wakeAt = Long.MIN_VALUE;

    @Override
    public boolean slice() {
      wakeAt = Long.MIN_VALUE;
      return engine.transactions().cleanUp(engine.settings().slice());
    }

    @Override
    public long idle() {
      wakeAt = Long.MAX_VALUE;
      wakeAt = engine.transactions().nextDeadline();
      return delayNanos(wakeAt, engine.now());
    }
  }

  /** Flushes marks of the sweep to disk: the compaction filter does not use them before. */
  private final class MarkSync implements BackgroundTask.Work {
    @Override
    public boolean slice() {
      List<ShardOwner> waiting = new ArrayList<>();
      for (LocalCollection collection : collections.keySet()) {
        for (ShardOwner owner : collection.owners()) {
          owner.markSynced();
          if (owner.hasUnsyncedMarks() && engine.dropsInCompaction()) {
            waiting.add(owner);
          }
        }
      }
      // if all shards share one log, the sync of the last ticket is enough
      List<Long> tickets = waiting.stream().map(ShardOwner::ticketMarks).toList();
      for (int i = waiting.size() - 1; i >= 0; i--) {
        waiting.get(i).syncMarks(tickets.get(i));
      }
      return false;
    }

    @Override
    public long idle() {
      return SHORT_DELAY_NANOS;
    }
  }

  /** Starts the tasks of a collection. */
  synchronized void add(LocalCollection collection) {
    CollectionTasks tasks = new CollectionTasks(engine, this, collection);
    collections.put(collection, tasks);
    byId.put(collection.state().id(), tasks);
    if (threads != null) {
      start(tasks, threads);
    }
  }

  private static void start(CollectionTasks tasks, Threads on) {
    tasks.tasks().forEach(backgroundTask -> backgroundTask.start(on.workers()));
    tasks.shards().forEach(shard -> shard.reclaimer().start(on.reclaimer()));
    tasks.archiveTask().start(on.archivers());
  }

  /** Ends the tasks of a collection that was dropped. */
  synchronized void remove(LocalCollection collection) {
    CollectionTasks released = collections.remove(collection);
    if (released != null) {
      byId.remove(collection.state().id());
      released.end();
    }
    purge.wake();
  }

  void changed(LocalCollection collection) {
    CollectionTasks tasks = collections.get(collection);
    if (tasks != null) {
      tasks.wake();
    }
  }

  /** Runs one slice of every task of every collection; returns whether work remains. */
  boolean round() {
    rounds.lock();
    try {
      Round round = new Round();
      housekeeping.forEach(backgroundTask -> round.run(backgroundTask, true));
      collections.forEach(
          (collection, tasks) -> {
            tasks
                .tasks()
                .forEach(
                    backgroundTask ->
                        round.run(backgroundTask, collections.containsKey(collection)));
            round.deliver(tasks.archiveTask());
            if (tasks.caughtUp()) {
              tasks.shards().forEach(shard -> reclaim(shard.reclaimer()));
            }
          });
      return round.more();
    } finally {
      rounds.unlock();
    }
  }

  /** One round. The failure of a task does not stop the others, and is thrown at the end. */
  private static final class Round {
    private boolean more;
    private @Nullable RuntimeException failure;
    private @Nullable Error error;

    void run(BackgroundTask backgroundTask, boolean matters) {
      try {
        more |= backgroundTask.runSlice();
      } catch (RuntimeException failed) {
        // the tasks of a collection that was dropped meanwhile may fail
        failure = matters ? failed : failure;
      } catch (Error failed) {
        error = failed;
      }
    }

    /** A target that cannot be reached is no failure of the round; the task has reported it. */
    void deliver(BackgroundTask archiveTask) {
      try {
        more |= archiveTask.runSlice();
      } catch (RuntimeException failed) {
        LOG.log(Logger.Level.DEBUG, "expired documents were not delivered", failed);
      }
    }

    boolean more() {
      if (error != null) {
        throw error;
      }
      if (failure != null) {
        throw failure;
      }
      return more;
    }
  }

  /** Ignores a failure, which is reported already: a later round tries again. */
  private static void reclaim(BackgroundTask reclaimer) {
    try {
      reclaimer.runSlice();
    } catch (RuntimeException failed) {
      LOG.log(Logger.Level.DEBUG, "compaction failed, space was not reclaimed", failed);
    }
  }

  int slice(int cost) {
    return Math.max(engine.settings().slice() / cost, 1);
  }

  /**
   * Counts the documents that a slice of the sweep has removed, and reports them to the observer.
   */
  void sweptSlice(SweepRun batch) {
    batches.incrementAndGet();
    sweptDocuments.addAndGet(batch.swept().documents());
    sweptBytes.addAndGet(batch.swept().bytes());
    sweepNanos.addAndGet(batch.nanos());
    report(onSweepSlice, batch);
  }

  /**
   * Reports to the observer what the sweep has removed from a shard, by one rule, until it caught
   * up.
   */
  void sweptRun(SweepRun run) {
    report(onSweep, run);
  }

  /** Ignores exceptions of the observer. */
  private static void report(Consumer<SweepRun> observer, SweepRun run) {
    try {
      observer.accept(run);
    } catch (RuntimeException failed) {
      LOG.log(Logger.Level.WARNING, "an observer of the sweep threw an exception", failed);
    }
  }

  /** Called when a shard of a collection has nothing more to sweep for now. */
  void caughtUp(LocalCollection collection) {
    passes.incrementAndGet();
    CollectionTasks tasks = collections.get(collection);
    if (tasks != null) {
      tasks.swept();
    }
  }

  /** Called after a slice of the sweep of a collection. */
  void sweeping(LocalCollection collection) {
    CollectionTasks tasks = collections.get(collection);
    if (tasks != null) {
      tasks.sweeping();
    }
  }

  /** Replaces the observer of runs of the sweep. */
  void onSweep(Consumer<SweepRun> observer) {
    onSweep = observer;
  }

  /** Replaces the observer of slices of the sweep. */
  void onSweepSlice(Consumer<SweepRun> observer) {
    onSweepSlice = observer;
  }

  /**
   * The oldest instant that an open cursor or transaction may read. The sweep keeps documents that
   * were live at this instant.
   */
  long horizon() {
    return engine.openReads().horizon(engine.confirmedNow());
  }

  List<BuildProgress> builds(LocalCollection collection) {
    CollectionTasks tasks = collections.get(collection);
    return tasks == null ? List.of() : tasks.builds();
  }

  /** Returns how far the delivery of the expired documents of a collection is. */
  ArchiveStatus archiveStatus(LocalCollection collection) {
    CollectionTasks tasks = collections.get(collection);
    return tasks == null ? ArchiveStatus.NONE : tasks.archiveStatus(engine.now());
  }

  /** As {@link #archiveStatus(LocalCollection)}, of all collections together. */
  ArchiveStatus archiveStatus() {
    ArchiveStatus all = ArchiveStatus.NONE;
    long now = engine.now();
    for (CollectionTasks tasks : collections.values()) {
      all = all.plus(tasks.archiveStatus(now));
    }
    return all;
  }

  SweepStats stats() {
    long now = engine.confirmedNow();
    long due = nextDue(now);
    return new SweepStats(
        sweptDocuments.get(),
        sweptBytes.get(),
        passes.get(),
        batches.get(),
        sweepNanos.get(),
        Math.max(now - due, 0),
        due);
  }

  private long nextDue(long now) {
    long due = Deadline.NEVER;
    for (CollectionTasks tasks : collections.values()) {
      for (ShardTasks shard : tasks.shards()) {
        due = Math.min(due, shard.nextDue(now));
      }
    }
    return due;
  }

  boolean paused() {
    return paused;
  }

  void pause(boolean on) {
    paused = on;
    wake();
  }

  /** Called when a document was written that is due for the sweep at an instant. */
  void due(int collection, long at) {
    CollectionTasks tasks = byId.get(collection);
    if (tasks != null) {
      tasks.due(at);
    }
  }

  /** Called when a transaction was started that times out at an instant. */
  void transactionDue(long at) {
    if (at < timeouts.wakeAt) {
      transactions.wake();
    }
  }

  /** Wakes all tasks. */
  void wake() {
    housekeeping.forEach(BackgroundTask::wake);
    collections.values().forEach(CollectionTasks::wake);
  }

  synchronized void start() {
    Threads started = Threads.start();
    threads = started;
    housekeeping.forEach(backgroundTask -> backgroundTask.start(started.housekeeping()));
    marks.start(started.housekeeping());
    collections.values().forEach(tasks -> start(tasks, started));
  }

  /** Returns the delay until an instant, in nanoseconds; a minute at most. */
  static long delayNanos(long until, long now) {
    return until - now > MAX_DELAY_NANOS / NANOS_PER_MILLI
        ? MAX_DELAY_NANOS
        : Math.max(until - now, 0) * NANOS_PER_MILLI;
  }

  void close() {
    Threads running = stop();
    if (running != null) {
      engine.store().abortReclaims();
      try {
        running.await();
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private synchronized @Nullable Threads stop() {
    collections.values().forEach(CollectionTasks::end);
    housekeeping.forEach(BackgroundTask::end);
    marks.end();
    if (threads != null) {
      threads.shutdown();
    }
    return threads;
  }
}
