package dev.mayfly.engine.local;

import dev.mayfly.engine.Alarm.Kind;
import dev.mayfly.engine.BuildProgress;
import dev.mayfly.engine.SweepRun;
import dev.mayfly.engine.SweepStats;
import dev.mayfly.engine.shard.OpenReads;
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
 * Background work: sweeps, builds, follows lazy indexes, trims feeds, ends transactions, frees the
 * space of what was dropped and of what was swept. All of it is done in bounded slices by {@link
 * BackgroundTask tasks}.
 *
 * <p>The policy and its numbers are in the description of {@code dev.mayfly.engine.sweep}.
 *
 * <p>{@link #round} does one slice of every task in the calling thread, without rests.
 */
public final class Maintenance {
  private static final Logger LOG = System.getLogger(Maintenance.class.getName());

  static final long LONGEST_NAP_NANOS = 60_000_000_000L;

  static final long BRIEF_NAP_NANOS = 10_000_000_000L;
  private static final int FEWEST_WORKERS = 2;
  private static final int MOST_WORKERS = 8;
  private static final long LONGEST_CLOSE_SECONDS = 30;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final LocalEngine engine;
  private final Map<LocalCollection, CollectionTasks> kept = new ConcurrentHashMap<>();
  private final Map<Integer, CollectionTasks> byId = new ConcurrentHashMap<>();
  private final ReentrantLock rounds = new ReentrantLock();
  private final Ending ending = new Ending();
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

  /** The threads of the background. */
  private record Threads(
      ScheduledThreadPoolExecutor workers,
      ScheduledThreadPoolExecutor housekeeping,
      ScheduledThreadPoolExecutor reclaimer) {
    static Threads start() {
      int half = Runtime.getRuntime().availableProcessors() / 2;
      return new Threads(
          threads("mayfly-keeper-", Math.clamp(half, FEWEST_WORKERS, MOST_WORKERS)),
          threads("mayfly-housekeeper-", 1),
          threads("mayfly-reclaimer-", 1));
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
      List.of(workers, housekeeping, reclaimer).forEach(ScheduledThreadPoolExecutor::shutdown);
    }

    /** Waits for slices in progress, which are short; not for a compaction. */
    void await() throws InterruptedException {
      boolean done =
          workers.awaitTermination(LONGEST_CLOSE_SECONDS, TimeUnit.SECONDS)
              && housekeeping.awaitTermination(LONGEST_CLOSE_SECONDS, TimeUnit.SECONDS);
      if (!done) {
        LOG.log(Logger.Level.WARNING, "background work did not end in time and is left behind");
      }
    }
  }

  Maintenance(LocalEngine engine) {
    this.engine = engine;
    this.marks = chore(Kind.RECLAIM, () -> "", new Marking());
    this.transactions = chore(Kind.TRANSACTIONS, () -> "", ending);
    this.purge =
        chore(
            Kind.PURGE,
            () -> "",
            seldom(LONGEST_NAP_NANOS, () -> engine.registry().purgeDropped()));
    BackgroundTask log =
        chore(
            Kind.TRIM,
            () -> "",
            seldom(LONGEST_NAP_NANOS, () -> engine.registry().trimChronicle(slice(1))));
    BackgroundTask time = chore(Kind.CLOCK, () -> "", seldom(BRIEF_NAP_NANOS, this::keepTime));
    this.housekeeping = List.of(time, purge, transactions, log);
  }

  BackgroundTask chore(Kind kind, Supplier<String> subject, BackgroundTask.Work work) {
    return new BackgroundTask(
        kind, subject, new BackgroundTask.Reporting(engine.alarms(), engine::now), work);
  }

  private boolean keepTime() {
    engine.keepTime();
    return false;
  }

  /** Work that is looked after now and then. */
  private static BackgroundTask.Work seldom(long nanos, BooleanSupplier slice) {
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

  /** Ends transactions that have lasted too long. */
  private final class Ending implements BackgroundTask.Work {
    private volatile long wakeAt = Long.MIN_VALUE;

    @Override
    public boolean slice() {
      wakeAt = Long.MIN_VALUE;
      return engine.transactions().tend(engine.settings().slice());
    }

    @Override
    public long idle() {
      wakeAt = Long.MAX_VALUE;
      wakeAt = engine.transactions().nextDeadline();
      return napNanos(wakeAt, engine.now());
    }
  }

  /** Has marks of the sweep flushed to disk when nobody else does: compactions wait for them. */
  private final class Marking implements BackgroundTask.Work {
    @Override
    public boolean slice() {
      List<ShardOwner> waiting = new ArrayList<>();
      for (LocalCollection collection : kept.keySet()) {
        for (ShardOwner owner : collection.owners()) {
          owner.markSynced();
          if (owner.marksWait() && engine.dropsInCompaction()) {
            waiting.add(owner);
          }
        }
      }
      // a store with one log for all has nothing left to do after the last ticket
      List<Long> tickets = waiting.stream().map(ShardOwner::ticketMarks).toList();
      for (int i = waiting.size() - 1; i >= 0; i--) {
        waiting.get(i).syncMarks(tickets.get(i));
      }
      return false;
    }

    @Override
    public long idle() {
      return BRIEF_NAP_NANOS;
    }
  }

  synchronized void keep(LocalCollection collection) {
    CollectionTasks tasks = new CollectionTasks(engine, this, collection);
    kept.put(collection, tasks);
    byId.put(collection.state().id(), tasks);
    if (threads != null) {
      start(tasks, threads);
    }
  }

  private static void start(CollectionTasks tasks, Threads on) {
    tasks.chores().forEach(backgroundTask -> backgroundTask.start(on.workers()));
    tasks.shards().forEach(shard -> shard.reclaimer().start(on.reclaimer()));
  }

  synchronized void release(LocalCollection collection) {
    CollectionTasks released = kept.remove(collection);
    if (released != null) {
      byId.remove(collection.state().id());
      released.end();
    }
    purge.wake();
  }

  void changed(LocalCollection collection) {
    CollectionTasks tasks = kept.get(collection);
    if (tasks != null) {
      tasks.wake();
    }
  }

  /** Does one slice of everything for every collection; true while there is more to do. */
  boolean round() {
    rounds.lock();
    try {
      Round round = new Round();
      housekeeping.forEach(backgroundTask -> round.run(backgroundTask, true));
      kept.forEach(
          (collection, tasks) -> {
            tasks
                .chores()
                .forEach(backgroundTask -> round.run(backgroundTask, kept.containsKey(collection)));
            if (tasks.caughtUp()) {
              tasks.shards().forEach(shard -> reclaim(shard.reclaimer()));
            }
          });
      return round.more();
    } finally {
      rounds.unlock();
    }
  }

  /** A round by hand: one that fails stops no other, and is thrown at the end. */
  private static final class Round {
    private boolean more;
    private @Nullable RuntimeException failure;
    private @Nullable Error error;

    void run(BackgroundTask backgroundTask, boolean matters) {
      try {
        more |= backgroundTask.byHand();
      } catch (RuntimeException failed) {
        // one that was dropped under our hands does not matter
        failure = matters ? failed : failure;
      } catch (Error failed) {
        error = failed;
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

  /** A failure is reported already; the space comes back with a later round. */
  private static void reclaim(BackgroundTask reclaimer) {
    try {
      reclaimer.byHand();
    } catch (RuntimeException failed) {
      LOG.log(Logger.Level.DEBUG, "space was not reclaimed", failed);
    }
  }

  int slice(int cost) {
    return Math.max(engine.settings().slice() / cost, 1);
  }

  /** Counts what a slice of the sweep has removed, and reports it. */
  void sweptSlice(SweepRun batch) {
    batches.incrementAndGet();
    sweptDocuments.addAndGet(batch.swept().documents());
    sweptBytes.addAndGet(batch.swept().bytes());
    sweepNanos.addAndGet(batch.nanos());
    report(onSweepSlice, batch);
  }

  /** Reports what was swept of a shard by one rule until the sweep had caught up. */
  void sweptRun(SweepRun run) {
    report(onSweep, run);
  }

  /** The sweep goes on whatever observers do. */
  private static void report(Consumer<SweepRun> observer, SweepRun run) {
    try {
      observer.accept(run);
    } catch (RuntimeException failed) {
      LOG.log(Logger.Level.WARNING, "an observer of the sweep failed", failed);
    }
  }

  /** Notes that a shard of a collection has nothing more to sweep for now. */
  void caughtUp(LocalCollection collection) {
    passes.incrementAndGet();
    CollectionTasks tasks = kept.get(collection);
    if (tasks != null) {
      tasks.swept();
    }
  }

  /** Sets the observer of runs of the sweep, in place of any before. */
  void onSweep(Consumer<SweepRun> observer) {
    onSweep = observer;
  }

  /** Sets the observer of slices of the sweep, in place of any before. */
  void onSweepSlice(Consumer<SweepRun> observer) {
    onSweepSlice = observer;
  }

  /** What was live at this instant is left alone: somebody may still read it. */
  long horizon() {
    return Math.max(
        engine.openReads().oldest(), engine.confirmedNow() - OpenReads.LONGEST_READ_MILLIS);
  }

  List<BuildProgress> builds(LocalCollection collection) {
    CollectionTasks tasks = kept.get(collection);
    return tasks == null ? List.of() : tasks.builds();
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
    for (CollectionTasks tasks : kept.values()) {
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

  /** Notes that a document of a collection will be due at an instant. */
  void due(int collection, long at) {
    CollectionTasks tasks = byId.get(collection);
    if (tasks != null) {
      tasks.due(at);
    }
  }

  /** Notes that a transaction will have lasted too long at an instant. */
  void transactionDue(long at) {
    if (at < ending.wakeAt) {
      transactions.wake();
    }
  }

  /** Has everybody look for work. */
  void wake() {
    housekeeping.forEach(BackgroundTask::wake);
    kept.values().forEach(CollectionTasks::wake);
  }

  synchronized void start() {
    Threads started = Threads.start();
    threads = started;
    housekeeping.forEach(backgroundTask -> backgroundTask.start(started.housekeeping()));
    marks.start(started.housekeeping());
    kept.values().forEach(tasks -> start(tasks, started));
  }

  /** How long to sleep until an instant, in nanoseconds; a minute at most. */
  static long napNanos(long until, long now) {
    return until - now > LONGEST_NAP_NANOS / NANOS_PER_MILLI
        ? LONGEST_NAP_NANOS
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
    kept.values().forEach(CollectionTasks::end);
    housekeeping.forEach(BackgroundTask::end);
    marks.end();
    if (threads != null) {
      threads.shutdown();
    }
    return threads;
  }
}
