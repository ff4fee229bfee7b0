package dev.mayfly.engine.local;

import dev.mayfly.engine.Alarm.Kind;
import dev.mayfly.engine.SweepRun;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.shard.OpenReads;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.sweep.BackgroundTask;
import dev.mayfly.engine.sweep.FeedSink;
import dev.mayfly.engine.sweep.FeedTrimmer;
import dev.mayfly.engine.sweep.LazyIndexer;
import dev.mayfly.engine.sweep.PacedWork;
import dev.mayfly.engine.sweep.Pacer;
import dev.mayfly.engine.sweep.ShardBuild;
import dev.mayfly.engine.sweep.ShardSweep;
import dev.mayfly.engine.sweep.StaleEntryCleanup;
import dev.mayfly.store.Range;
import dev.mayfly.store.Space;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;

/** The background work on one shard, and the tasks that sweep it and give back its space. */
final class ShardTasks {
  /** How many entries of a lane can be walked for each document that is deleted one by one. */
  private static final int ENTRIES_PER_DELETE = 10;

  /** How many times the sweep of a shard waits for request units to be left over. */
  private static final int LONGEST_WAIT = 20;

  private static final long WAIT_NANOS = 2_000_000;

  /** How much of a shard must be dead before it is compacted for that alone. */
  private static final double RECLAIM_SHARE = 1 / 4.0;

  private static final double LAST_RECLAIM_SHARE = 1 / 16.0;

  /** How soon to look again when something is due but may still be read; doubled each time. */
  private static final long SHORTEST_NAP_NANOS = 50_000_000;

  private static final int MOST_DOUBLINGS = 4;

  /** Waiting for a compaction is waiting in native code, which would hold up a carrier. */
  private static final ThreadFactory COMPACTORS =
      Thread.ofPlatform().daemon().name("mayfly-compactor-", 0).factory();

  private final LocalEngine engine;
  private final Maintenance maintenance;
  private final LocalCollection collection;
  private final ShardOwner owner;
  private final ShardSweep sweep;
  private final ShardBuild build;
  private final LazyIndexer lazyIndexer;
  private final FeedTrimmer feedTrimmer;
  private final StaleEntryCleanup staleEntries;
  private final Sweeping sweeping;
  private final BackgroundTask sweeper;
  private final BackgroundTask reclaimer;
  private final AtomicLong built = new AtomicLong();

  ShardTasks(
      LocalEngine engine, Maintenance maintenance, LocalCollection collection, ShardOwner owner) {
    this.engine = engine;
    this.maintenance = maintenance;
    this.collection = collection;
    this.owner = owner;
    this.sweep = new ShardSweep(owner, engine.dropsInCompaction(), List.of(new FeedSink()));
    this.build = new ShardBuild(owner);
    this.lazyIndexer = new LazyIndexer(owner);
    this.feedTrimmer = new FeedTrimmer(owner, lazyIndexer);
    this.staleEntries = new StaleEntryCleanup(owner);
    this.sweeping = new Sweeping();
    this.sweeper = maintenance.chore(Kind.SWEEP, this::subject, sweeping);
    this.reclaimer = maintenance.chore(Kind.RECLAIM, this::subject, new Reclaiming());
  }

  /** The name of the collection; of one with several shards the shard's number, too. */
  private String subject() {
    String name = collection.namespace().toString();
    boolean several = collection.owners().size() > 1;
    return several ? name + " shard " + owner.shard().number() : name;
  }

  ShardOwner owner() {
    return owner;
  }

  ShardSweep sweep() {
    return sweep;
  }

  ShardBuild build() {
    return build;
  }

  LazyIndexer lazyIndexer() {
    return lazyIndexer;
  }

  FeedTrimmer feedTrimmer() {
    return feedTrimmer;
  }

  StaleEntryCleanup staleEntries() {
    return staleEntries;
  }

  BackgroundTask sweeper() {
    return sweeper;
  }

  BackgroundTask reclaimer() {
    return reclaimer;
  }

  /** How many records the build in progress has come by. */
  AtomicLong built() {
    return built;
  }

  /** Whether all that may be swept was swept when this was last looked at. */
  boolean caughtUp() {
    return sweeping.caughtUp;
  }

  /** Notes that a document will be due at an instant. */
  void due(long at) {
    if (at < sweeping.wakeAt) {
      sweeper.wake();
    }
  }

  void end() {
    sweeper.end();
    reclaimer.end();
    engine.pacer().busy(sweeping, false);
  }

  /** Sweeps one slice at a time. */
  private final class Sweeping extends PacedWork {
    private final Map<String, SweepRun> runs = new TreeMap<>();

    /** What is due before this instant is to wake the sweep. */
    private volatile long wakeAt = Long.MIN_VALUE;

    private volatile boolean caughtUp;
    private volatile long behindSince = Long.MAX_VALUE;
    private boolean waits;
    private int waited;
    private int held;

    Sweeping() {
      super(engine.pacer());
    }

    @Override
    public boolean work() {
      wakeAt = Long.MIN_VALUE;
      owner.markSynced();
      long now = engine.confirmedNow();
      if (maintenance.paused()
          || engine.openReads().readsFromPause(now - OpenReads.LONGEST_READ_MILLIS)) {
        behindSince = Long.MAX_VALUE;
        return false;
      }
      waits = waitsForUsers(now);
      boolean more = waits || sweep(now);
      behindSince = more ? Math.min(behindSince, now) : Long.MAX_VALUE;
      caughtUp = !more;
      if (!more) {
        caughtUp();
      }
      return more;
    }

    @Override
    public long lagMillis() {
      return behindSince == Long.MAX_VALUE ? 0 : engine.confirmedNow() - behindSince;
    }

    @Override
    public long rest() {
      return waits ? WAIT_NANOS : super.rest();
    }

    /** Lets the users of a busy collection go first; not for ever, nor when it is far behind. */
    private boolean waitsForUsers(long now) {
      int longest = (int) (LONGEST_WAIT * Pacer.patience(lagMillis()));
      boolean waiting = collection.leftOver(now) == 0 && waited < longest;
      waited = waiting ? waited + 1 : 0;
      return waiting;
    }

    private boolean sweep(long now) {
      int budget = maintenance.slice(engine.dropsInCompaction() ? 1 : ENTRIES_PER_DELETE);
      long start = engine.pacer().ticks();
      ShardSweep.Slice slice = sweep.slice(now, maintenance.horizon(), budget);
      Usage swept = slice.swept();
      if (swept.documents() > 0) {
        long nanos = engine.pacer().ticks() - start;
        SweepRun run = new SweepRun(collection.namespace(), slice.rule(), swept, nanos);
        runs.merge(slice.rule(), run, SweepRun::plus);
        if (sweep.owed().bytes() > engine.settings().reclaimBytes()) {
          reclaimer.wake();
        }
        held = 0;
        maintenance.sweptSlice(run);
      }
      return slice.more();
    }

    private void caughtUp() {
      List<SweepRun> told = List.copyOf(runs.values());
      runs.clear();
      told.forEach(maintenance::sweptRun);
      maintenance.caughtUp(collection);
      if (sweep.owed().bytes() > 0) {
        reclaimer.wake();
      }
    }

    @Override
    public long idle() {
      if (maintenance.paused()) {
        return Maintenance.LONGEST_NAP_NANOS;
      }
      wakeAt = Long.MAX_VALUE;
      long now = engine.confirmedNow();
      long due = sweep.nextDue(now);
      wakeAt = due;
      if (due <= now) {
        // somebody may still read it
        return SHORTEST_NAP_NANOS << Math.min(held++, MOST_DOUBLINGS);
      }
      held = 0;
      return Maintenance.napNanos(due, now);
    }
  }

  /** Has the store give back the space of what was swept, once that is worth it. */
  private final class Reclaiming implements BackgroundTask.Work {
    @Override
    public boolean slice() {
      boolean room = engine.store().hasRoom();
      long dropped = owner.takeDropped();
      // without room a compaction may have failed after it asked about what it would drop
      sweep.owed().paid(room ? dropped : 0);
      long owed = sweep.owed().bytes();
      if (owed > 0 && worth(owed, room)) {
        reclaim(owed);
      }
      return false;
    }

    private void reclaim(long owed) {
      owner.syncMarks(owner.ticketMarks());
      sweep.eraseDead();
      try {
        compact();
        sweep.owed().paid(owed);
      } finally {
        // it is in what was owed if all went well, and means nothing else
        owner.takeDropped();
      }
    }

    @Override
    public long idle() {
      return BackgroundTask.NEVER;
    }
  }

  /** Compacts records and entries side by side. */
  private void compact() {
    int shard = owner.shard().number();
    List<Future<?>> compactions = new ArrayList<>();
    try (ExecutorService threads = Executors.newThreadPerTaskExecutor(COMPACTORS)) {
      for (Space space : List.of(Space.RECORDS, Space.ENTRIES)) {
        compactions.add(threads.submit(() -> engine.store().reclaim(shard, space)));
      }
    }
    for (Future<?> compaction : compactions) {
      if (compaction.state() == Future.State.FAILED) {
        throw new IllegalStateException("space was not reclaimed", compaction.exceptionNow());
      }
    }
  }

  /**
   * Whether enough is dead for a compaction: a share of all documents, and enough of what records
   * and entries take on disk. When there is no room a little is enough.
   */
  private boolean worth(long owed, boolean room) {
    double share = owed / (double) (owner.documentCounts().totals().stored().bytes() + owed);
    if (!room) {
      return share >= LAST_RECLAIM_SHARE;
    }
    int shard = owner.shard().number();
    long bytes =
        engine.store().bytesOnDisk(shard, Space.RECORDS, Range.all())
            + engine.store().bytesOnDisk(shard, Space.ENTRIES, Range.all());
    return share >= RECLAIM_SHARE && share * bytes >= engine.settings().reclaimBytes();
  }

  long nextDue(long now) {
    return sweep.nextDue(now);
  }
}
