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

/** Background tasks of one shard: sweep, and compaction for space. */
final class ShardTasks {
  /** Lane entries that the sweep can read in the time in which it deletes one document. */
  private static final int ENTRIES_PER_DELETE = 10;

  /** How often in a row the sweep of a shard waits for unused request units. */
  private static final int MAX_WAITS = 20;

  private static final long WAIT_NANOS = 2_000_000;

  /** Share of a shard that must be dead before the shard is compacted to reclaim space. */
  private static final double RECLAIM_SHARE = 1 / 4.0;

  /** The same, while the disk is full. */
  private static final double FULL_DISK_RECLAIM_SHARE = 1 / 16.0;

  /**
   * First delay when documents are due but an open cursor may still read them; doubled each time.
   */
  private static final long MIN_DELAY_NANOS = 50_000_000;

  private static final int MAX_DOUBLINGS = 4;

  /** Platform threads: a compaction waits in native code, which would pin a carrier thread. */
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
    this.sweeper = maintenance.task(Kind.SWEEP, this::subject, sweeping);
    this.reclaimer = maintenance.task(Kind.RECLAIM, this::subject, new Reclaiming());
  }

  /** The name of the collection, with the number of the shard if the collection has several. */
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

  /** Number of records that the build in progress has processed. */
  AtomicLong built() {
    return built;
  }

  /** Returns whether the last slice of the sweep has left nothing to sweep. */
  boolean caughtUp() {
    return sweeping.caughtUp;
  }

  /** Called when a document was written that is due for the sweep at an instant. */
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

  /** The sweep of the shard, one slice at a time. */
  private final class Sweeping extends PacedWork {
    private final Map<String, SweepRun> runs = new TreeMap<>();

    /** A document that is due before this instant wakes the sweep. */
    private volatile long wakeAt = Long.MIN_VALUE;

    private volatile boolean caughtUp;
    private volatile long lagsSince = Long.MAX_VALUE;
    private boolean waits;
    private int waited;
    private int delays;

    Sweeping() {
      super(engine.pacer());
    }

    @Override
    public boolean work() {
      wakeAt = Long.MIN_VALUE;
      owner.markSynced();
      owner.checkpoint();
      long now = engine.confirmedNow();
      if (maintenance.paused()
          || engine.openReads().readsFromPause(now - OpenReads.MAX_READ_MILLIS)) {
        lagsSince = Long.MAX_VALUE;
        return false;
      }
      waits = waitsForUsers(now);
      boolean more = waits || sweep(now);
      lagsSince = more ? Math.min(lagsSince, now) : Long.MAX_VALUE;
      caughtUp = !more;
      if (!more) {
        caughtUp();
      }
      return more;
    }

    @Override
    public long lagMillis() {
      return lagsSince == Long.MAX_VALUE ? 0 : engine.confirmedNow() - lagsSince;
    }

    @Override
    public long rest() {
      return waits ? WAIT_NANOS : super.rest();
    }

    /**
     * Returns whether the sweep waits because the request units of this second are used up. It
     * waits less the more it lags.
     */
    private boolean waitsForUsers(long now) {
      int longest = (int) (MAX_WAITS * Pacer.restFactor(lagMillis()));
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
        delays = 0;
        maintenance.sweptSlice(run);
        maintenance.sweeping(collection);
      }
      return slice.more();
    }

    private void caughtUp() {
      List<SweepRun> finished = List.copyOf(runs.values());
      runs.clear();
      finished.forEach(maintenance::sweptRun);
      maintenance.caughtUp(collection);
      if (sweep.owed().bytes() > 0) {
        reclaimer.wake();
      }
    }

    @Override
    public long idle() {
      if (maintenance.paused()) {
        return Maintenance.MAX_DELAY_NANOS;
      }
      wakeAt = Long.MAX_VALUE;
      long now = engine.confirmedNow();
      long due = sweep.nextDue(now);
      wakeAt = due;
      if (due <= now) {
        // an open cursor may still read it
        return MIN_DELAY_NANOS << Math.min(delays++, MAX_DOUBLINGS);
      }
      delays = 0;
      return Maintenance.delayNanos(due, now);
    }
  }

  /** Compacts the shard once enough of it is dead. */
  private final class Reclaiming implements BackgroundTask.Work {
    @Override
    public boolean slice() {
      boolean hasRoom = engine.store().hasRoom();
      long dropped = owner.takeDropped();
      // on a full disk, a compaction may have failed after its filter has counted dropped entries
      sweep.owed().reduceBy(hasRoom ? dropped : 0);
      long owed = sweep.owed().bytes();
      if (owed > 0 && worthReclaiming(owed, hasRoom)) {
        reclaim(owed);
      }
      return false;
    }

    private void reclaim(long owed) {
      owner.syncMarks(owner.ticketMarks());
      sweep.eraseDead();
      try {
        compact();
        sweep.owed().reduceBy(owed);
      } finally {
        // the debt already includes these bytes if the compaction succeeded
        owner.takeDropped();
      }
    }

    @Override
    public long idle() {
      return BackgroundTask.NEVER;
    }
  }

  /** Compacts records and index entries in parallel. */
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
        throw new IllegalStateException(
            "compaction failed, space was not reclaimed", compaction.exceptionNow());
      }
    }
  }

  /**
   * Returns whether enough is dead for a compaction: a share of all documents, and enough bytes on
   * disk. On a full disk, a smaller share is enough.
   */
  private boolean worthReclaiming(long owed, boolean hasRoom) {
    double share = owed / (double) (owner.documentCounts().totals().stored().bytes() + owed);
    if (!hasRoom) {
      return share >= FULL_DISK_RECLAIM_SHARE;
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
