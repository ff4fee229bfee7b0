package dev.mayfly.engine.local;

import dev.mayfly.engine.Alarm.Kind;
import dev.mayfly.engine.SweepRun;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.catalog.CollectionState;
import dev.mayfly.engine.shard.OpenReads;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.shard.SpaceDebt.Owed;
import dev.mayfly.engine.sweep.ArchiveSink;
import dev.mayfly.engine.sweep.BackgroundTask;
import dev.mayfly.engine.sweep.ChildSweep;
import dev.mayfly.engine.sweep.DepartureSink;
import dev.mayfly.engine.sweep.FeedSink;
import dev.mayfly.engine.sweep.FeedTrimmer;
import dev.mayfly.engine.sweep.LazyIndexer;
import dev.mayfly.engine.sweep.PacedWork;
import dev.mayfly.engine.sweep.Pacer;
import dev.mayfly.engine.sweep.ShardBuild;
import dev.mayfly.engine.sweep.ShardSweep;
import dev.mayfly.engine.sweep.StaleEntryCleanup;
import dev.mayfly.engine.sweep.ZoneRebuild;
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

  /** The spaces whose entries a compaction drops. */
  private static final List<Space> FILTERED = List.of(Space.RECORDS, Space.ENTRIES);

  /** Platform threads: a compaction waits in native code, which would pin a carrier thread. */
  private static final ThreadFactory COMPACTORS =
      Thread.ofPlatform().daemon().name("mayfly-compactor-", 0).factory();

  private final LocalEngine engine;
  private final Maintenance maintenance;
  private final LocalCollection collection;
  private final ShardOwner owner;
  private final ShardSweep sweep;
  private final ChildSweep childSweep;
  private final ShardBuild build;
  private final LazyIndexer lazyIndexer;
  private final FeedTrimmer feedTrimmer;
  private final StaleEntryCleanup staleEntries;
  private final ZoneRebuild zoneRebuild;
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
    this.sweep =
        new ShardSweep(
            owner,
            engine.dropsInCompaction(),
            List.of(new FeedSink(), new ArchiveSink(), new DepartureSink(owner)));
    this.childSweep = new ChildSweep(owner);
    this.build = new ShardBuild(owner);
    this.lazyIndexer = new LazyIndexer(owner);
    this.feedTrimmer = new FeedTrimmer(owner, lazyIndexer);
    this.staleEntries = new StaleEntryCleanup(owner);
    this.zoneRebuild = new ZoneRebuild(owner);
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

  ZoneRebuild zoneRebuild() {
    return zoneRebuild;
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
      owner.sliding().work();
      long now = engine.confirmedNow();
      if (maintenance.paused()
          || engine.openReads().readsFromPause(now - OpenReads.MAX_READ_MILLIS)) {
        lagsSince = Long.MAX_VALUE;
        return false;
      }
      waits = waitsForUsers(now);
      boolean parents = !waits && sweep(now);
      boolean children = !waits && sweepChildren(now);
      boolean more = waits || parents || children;
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
        if (sweep.owed().owed().records() > engine.settings().reclaimBytes()) {
          reclaimer.wake();
        }
        delays = 0;
        maintenance.sweptSlice(run);
        maintenance.sweeping(collection);
      }
      return slice.more();
    }

    /** Sweeps documents that follow those of this shard. */
    private boolean sweepChildren(long now) {
      if (!owner.departed()) {
        return false;
      }
      long start = engine.pacer().ticks();
      return childSweep.slice(
          engine.registry().followersOf(collection),
          now,
          maintenance.horizon(),
          maintenance.slice(1),
          (children, swept) -> {
            long nanos = engine.pacer().ticks() - start;
            String rule = CollectionState.followingRule(collection.namespace().collection());
            SweepRun run =
                new SweepRun(children.compiled().state().namespace(), rule, swept, nanos);
            runs.merge(run.namespace() + " " + rule, run, SweepRun::plus);
            maintenance.sweptSlice(run);
          });
    }

    private void caughtUp() {
      List<SweepRun> finished = List.copyOf(runs.values());
      runs.clear();
      finished.forEach(maintenance::sweptRun);
      maintenance.caughtUp(collection);
      if (!sweep.owed().owed().isNothing()) {
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
      long due = Math.min(nextDue(now), owner.sliding().nextWork());
      wakeAt = due;
      if (due <= now) {
        // an open cursor may still read it
        return MIN_DELAY_NANOS << Math.min(delays++, MAX_DOUBLINGS);
      }
      delays = 0;
      return Maintenance.delayNanos(due, now);
    }
  }

  /** Reclaims space of the shard once enough of it is dead. */
  private final class Reclaiming implements BackgroundTask.Work {
    @Override
    public boolean slice() {
      boolean hasRoom = engine.store().hasRoom();
      long dropped = owner.takeDropped();
      // on a full disk, a compaction may have failed after its filter has counted dropped entries
      sweep.owed().reduceBy(hasRoom ? new Owed(dropped, dropped) : new Owed(0, 0));
      Owed owed = sweep.owed().owed();
      if (!owed.isNothing()) {
        Dead dead = dead(owed);
        if (dead.isWorthReclaiming(hasRoom)) {
          reclaim(owed, dead, hasRoom);
        }
      }
      return false;
    }

    /** Erases what it can, and compacts the spaces of which enough is dead after that. */
    private void reclaim(Owed owed, Dead before, boolean hasRoom) {
      owner.syncMarks(owner.ticketMarks());
      boolean empty = sweep.eraseDead();
      Dead left = before.after(bytes(Space.RECORDS), bytes(Space.ENTRIES));
      List<Space> spaces = empty || !hasRoom ? FILTERED : left.toCompact();
      try {
        compact(spaces);
        sweep.owed().reduceBy(reclaimed(owed, before, left, spaces));
      } finally {
        // the debt already includes these bytes if the compaction succeeded
        owner.takeDropped();
      }
    }

    private static Owed reclaimed(Owed owed, Dead before, Dead left, List<Space> compacted) {
      double records = compacted.contains(Space.RECORDS) ? 0 : share(left.records, before.records);
      double entries = compacted.contains(Space.ENTRIES) ? 0 : share(left.entries, before.entries);
      return new Owed(
          owed.records() - (long) (owed.records() * records),
          owed.entries() - (long) (owed.entries() * entries));
    }

    @Override
    public long idle() {
      return BackgroundTask.NEVER;
    }
  }

  /** Compacts some spaces in parallel. */
  private void compact(List<Space> spaces) {
    int shard = owner.shard().number();
    List<Future<?>> compactions = new ArrayList<>();
    try (ExecutorService threads = Executors.newThreadPerTaskExecutor(COMPACTORS)) {
      for (Space space : spaces) {
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

  private long bytes(Space space) {
    return engine.store().bytesOnDisk(owner.shard().number(), space, Range.all());
  }

  private Dead dead(Owed owed) {
    double live = owner.documentCounts().totals().stored().bytes();
    // the size of a small shard may be estimated as 0
    long records = Math.max(bytes(Space.RECORDS), 1);
    long entries = Math.max(bytes(Space.ENTRIES), 1);
    return new Dead(
        records * share((double) owed.records(), live + owed.records()),
        entries * share((double) owed.entries(), live + owed.entries()),
        records,
        entries);
  }

  private static double share(double part, double whole) {
    return whole == 0 ? 0 : part / whole;
  }

  /** Estimate of the bytes on disk, and of those that are dead. */
  private final class Dead {
    private final double records;
    private final double entries;
    private final long allRecords;
    private final long allEntries;

    Dead(double records, double entries, long allRecords, long allEntries) {
      this.records = records;
      this.entries = entries;
      this.allRecords = allRecords;
      this.allEntries = allEntries;
    }

    /** Returns the estimate after dead bytes were erased; what is on disk has shrunk by them. */
    Dead after(long recordsNow, long entriesNow) {
      return new Dead(
          Math.max(records - Math.max(allRecords - recordsNow, 0), 0),
          Math.max(entries - Math.max(allEntries - entriesNow, 0), 0),
          recordsNow,
          entriesNow);
    }

    /**
     * Returns whether enough is dead: a share of the bytes on disk, and enough bytes. On a full
     * disk, a smaller share is enough.
     */
    boolean isWorthReclaiming(boolean hasRoom) {
      double dead = records + entries;
      double share = share(dead, (double) allRecords + allEntries);
      return hasRoom
          ? share >= RECLAIM_SHARE && dead >= engine.settings().reclaimBytes()
          : share >= FULL_DISK_RECLAIM_SHARE;
    }

    /**
     * Returns the spaces to compact, so that what is dead in the others is not worth it: usually
     * the records, and not the index entries, which are small.
     */
    List<Space> toCompact() {
      if (!isWorthReclaiming(true)) {
        return List.of();
      }
      boolean first = records >= entries;
      Dead left =
          first
              ? new Dead(0, entries, allRecords - (long) records, allEntries)
              : new Dead(records, 0, allRecords, allEntries - (long) entries);
      return left.isWorthReclaiming(true)
          ? FILTERED
          : List.of(first ? Space.RECORDS : Space.ENTRIES);
    }
  }

  /** Returns when the next document is due, or a child of one that has departed. */
  long nextDue(long now) {
    return owner.departed() ? now : sweep.nextDue(now);
  }
}
