package dev.mayfly.engine.local;

import dev.mayfly.engine.Alarm.Kind;
import dev.mayfly.engine.BuildProgress;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.IndexingMode;
import dev.mayfly.engine.archive.ArchiveStatus;
import dev.mayfly.engine.catalog.Alteration;
import dev.mayfly.engine.catalog.CollectionState;
import dev.mayfly.engine.catalog.IndexState;
import dev.mayfly.engine.catalog.LaneState;
import dev.mayfly.engine.catalog.Watermark;
import dev.mayfly.engine.deliver.Archiver;
import dev.mayfly.engine.deliver.DeliveryException;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.sweep.BackgroundTask;
import dev.mayfly.engine.sweep.PacedWork;
import dev.mayfly.engine.sweep.RetiredLaneCleanup;
import dev.mayfly.engine.sweep.ShardBuild.Target;
import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** Background tasks of one collection: those of each shard, index builds and trimming. */
final class CollectionTasks {
  private static final Logger LOG = System.getLogger(CollectionTasks.class.getName());

  /** Lane entries that the sweep can read in the time in which one document is indexed. */
  private static final int ENTRIES_PER_BUILT = 20;

  /** Lane entries that can be counted in the time in which one is swept. */
  private static final int RECOUNTED = 4;

  /** How long a build runs, batch after batch, before it rests. */
  private static final long BUILD_NANOS = 10_000_000;

  private static final int MAX_BATCHES = 100;

  /** How often the archiver looks for documents that writes have replaced after their expiry. */
  private static final long ARCHIVE_POLL_NANOS = 1_000_000_000;

  private final LocalEngine engine;
  private final Maintenance maintenance;
  private final LocalCollection collection;
  private final List<ShardTasks> shards = new ArrayList<>();
  private final PacedWork building;
  private final PacedWork trimming;
  private final BackgroundTask builder;
  private final BackgroundTask trimmer;
  private final Archiver archiver;
  private final PacedWork archiving;
  private final BackgroundTask archiveTask;

  /** The retired lanes that are being removed. Used by the build task only. */
  private Optional<LaneRemoval> removal = Optional.empty();

  /**
   * @param begun when it began: cursors that are older still need the marks of the lanes, to detect
   *     that documents they should return were swept
   */
  private record LaneRemoval(List<Integer> lanes, List<RetiredLaneCleanup> cleanups, long begun) {}

  CollectionTasks(LocalEngine engine, Maintenance maintenance, LocalCollection collection) {
    this.engine = engine;
    this.maintenance = maintenance;
    this.collection = collection;
    for (ShardOwner owner : collection.owners()) {
      shards.add(new ShardTasks(engine, maintenance, collection, owner));
    }
    this.archiver =
        new Archiver(
            collection,
            collection.owners(),
            new Archiver.Surroundings(engine.settings().archive(), engine.alarms(), engine::find));
    this.building = new Building();
    this.trimming = new Trimming();
    this.archiving = new Archiving();
    this.archiveTask =
        maintenance.task(Kind.ARCHIVE, () -> collection.namespace().toString(), archiving);
    this.builder = maintenance.task(Kind.BUILD, () -> collection.namespace().toString(), building);
    this.trimmer = maintenance.task(Kind.TRIM, () -> collection.namespace().toString(), trimming);
  }

  List<ShardTasks> shards() {
    return shards;
  }

  /** The tasks that run in slices, in the order in which {@link Maintenance#round} runs them. */
  List<BackgroundTask> tasks() {
    List<BackgroundTask> tasks = new ArrayList<>();
    shards.forEach(shard -> tasks.add(shard.sweeper()));
    // lazy indexes read the feed before it is trimmed
    tasks.add(builder);
    tasks.add(trimmer);
    return tasks;
  }

  /** The task that delivers expired documents, on threads of its own. */
  BackgroundTask archiveTask() {
    return archiveTask;
  }

  /** Returns how far the delivery of expired documents is. */
  ArchiveStatus archiveStatus(long now) {
    return archiver.status(now);
  }

  /** Wakes all tasks, because the collection has changed. */
  void wake() {
    tasks().forEach(BackgroundTask::wake);
    archiveTask.wake();
  }

  /** Called when a shard has nothing more to sweep for now. */
  void swept() {
    builder.wake();
    sweeping();
  }

  /** Called while a shard is swept: readers may have met dead entries already. */
  void sweeping() {
    if (shards.stream().anyMatch(shard -> shard.owner().deadRuns().any())) {
      trimmer.wake();
    }
    if (collection.spec().onExpire().delivers()) {
      archiveTask.wake();
    }
  }

  /** Called when a document was written that is due for the sweep at an instant. */
  void due(long at) {
    shards.forEach(shard -> shard.due(at));
    if (collection.spec().indexing() == IndexingMode.LAZY) {
      builder.wake();
    }
  }

  void end() {
    shards.forEach(ShardTasks::end);
    tasks().forEach(BackgroundTask::end);
    archiveTask.end();
    archiver.close();
    engine.pacer().busy(archiving, false);
    engine.pacer().busy(building, false);
    engine.pacer().busy(trimming, false);
  }

  boolean caughtUp() {
    return !maintenance.paused() && shards.stream().allMatch(ShardTasks::caughtUp);
  }

  /**
   * Trims feeds and receipts, and removes runs of dead entries. While the disk is full, it trims
   * the feeds further.
   */
  private final class Trimming extends PacedWork {
    private boolean shortened;

    Trimming() {
      super(engine.pacer());
    }

    @Override
    public boolean work() {
      if (!shortened && !hasRoom()) {
        shortened = true;
        shards.forEach(shard -> shard.feedTrimmer().shorten());
      }
      boolean more = trim();
      if (shortened && !more) {
        shortened = false;
        shards.forEach(shard -> shard.feedTrimmer().eraseTrimmed());
      }
      return more;
    }

    private boolean hasRoom() {
      if (!engine.store().hasRoom()) {
        // the last reading of the free space may be old: read it again
        engine.store().stats();
      }
      return engine.store().hasRoom();
    }

    private boolean trim() {
      boolean more = false;
      long now = engine.confirmedNow();
      for (ShardTasks shard : shards) {
        more |= shard.feedTrimmer().trim(now, maintenance.slice(1));
        more |= shard.staleEntries().clearDeadRun(now, maintenance.slice(1));
        long idle = now - engine.settings().receiptMillis();
        more |= shard.owner().deleteIdleReceipts(idle, maintenance.slice(1));
      }
      return more;
    }

    @Override
    public long idle() {
      return engine.store().hasRoom() ? Maintenance.MAX_DELAY_NANOS : Maintenance.SHORT_DELAY_NANOS;
    }
  }

  /**
   * Updates lazy indexes, builds indexes and lanes, and removes entries that the collection no
   * longer uses.
   */
  private final class Building extends PacedWork {
    Building() {
      super(engine.pacer());
    }

    @Override
    public boolean work() {
      boolean more = false;
      for (ShardTasks shard : shards) {
        more |= shard.lazyIndexer().slice(maintenance.slice(ENTRIES_PER_BUILT));
        shard.owner().openZones();
        more |= shard.owner().laneRecount().slice(RECOUNTED * maintenance.slice(1));
        more |= shard.zoneRebuild().slice(RECOUNTED * maintenance.slice(1));
      }
      long start = engine.pacer().ticks();
      boolean unbuilt = build();
      if (engine.settings().background()) {
        for (int i = 1; unbuilt && i < MAX_BATCHES; i++) {
          unbuilt = engine.pacer().ticks() - start < BUILD_NANOS && build();
        }
        unbuilt = collection.state().building();
      }
      more |= unbuilt;
      return more || (caughtUp() && (removeUnused() || removeLanes()));
    }

    @Override
    public long idle() {
      return removal.isPresent() ? Maintenance.MAX_DELAY_NANOS : BackgroundTask.NEVER;
    }
  }

  /** Delivers expired documents, unless the clock is in doubt. */
  private final class Archiving extends PacedWork {
    Archiving() {
      super(engine.pacer());
    }

    @Override
    public boolean work() {
      return engine.clockLeap().isEmpty() && archiver.slice(engine.confirmedNow());
    }

    @Override
    public long idle() {
      return collection.spec().onExpire().delivers() ? ARCHIVE_POLL_NANOS : BackgroundTask.NEVER;
    }

    @Override
    public boolean isExternal(Throwable failure) {
      return failure instanceof DeliveryException;
    }

    /** Servers that share a target shall not try again at the same time. */
    @Override
    public long retry(Throwable failure, long backOff) {
      long asked = failure instanceof DeliveryException late ? late.retryAfterNanos() : 0;
      return Math.max(asked, backOff - ThreadLocalRandom.current().nextLong(backOff / 4));
    }
  }

  private boolean build() {
    CollectionState state = collection.state();
    for (IndexState index : state.indexes()) {
      if (!index.ready()) {
        return build(Target.index(index.id()));
      }
    }
    for (LaneState lane : state.lanes()) {
      if (!lane.ready()) {
        return build(Target.lane(lane.number()));
      }
    }
    return false;
  }

  private boolean build(Target target) {
    try {
      for (ShardTasks shard : shards) {
        if (!shard.build().done(target)) {
          int budget = maintenance.slice(ENTRIES_PER_BUILT);
          shard.built().addAndGet(shard.build().slice(target, engine.confirmedNow(), budget));
          return true;
        }
      }
    } catch (EngineException failure) {
      if (failure.isMachineFailure()) {
        // a failure of the store, not of a document: the build continues from here
        throw failure;
      }
      abortBuild(target, failure);
      return true;
    }
    engine
        .registry()
        .replace(
            collection,
            (state, at) ->
                Alteration.built(
                    state, target.index(), target.lane(), at, engine.sequence().next()));
    for (ShardTasks shard : shards) {
      shard.build().forget(target);
      shard.built().set(0);
    }
    return true;
  }

  /**
   * Drops an index that cannot be built, and keeps the failure for {@link
   * LocalCollection#buildFailure}.
   */
  private void abortBuild(Target target, EngineException failure) {
    LOG.log(
        Logger.Level.WARNING, "index build failed, the index is dropped: " + failure.getMessage());
    Optional<String> name =
        collection.state().indexes().stream()
            .filter(index -> index.id() == target.index())
            .map(index -> index.spec().name())
            .findFirst();
    collection.buildFailed(name.orElse(""), failure);
    engine.registry().alter(collection, spec -> name.map(spec::withoutIndex).orElse(spec));
  }

  List<BuildProgress> builds() {
    List<BuildProgress> builds = new ArrayList<>();
    long total = 0;
    long built = 0;
    for (ShardTasks shard : shards) {
      total += shard.owner().documentCounts().totals().stored().documents();
      built += shard.built().get();
    }
    for (IndexState index : collection.state().indexes()) {
      if (!index.ready()) {
        builds.add(new BuildProgress(index.spec().name(), built, total));
      }
    }
    for (LaneState lane : collection.state().lanes()) {
      if (!lane.ready()) {
        builds.add(new BuildProgress("lane " + lane.kind(), built, total));
      }
    }
    return builds;
  }

  /**
   * Once the sweep has caught up, removes watermarks, lanes and index entries that are no longer
   * used. Returns whether it removed any.
   */
  private boolean removeUnused() {
    CollectionState before = collection.state();
    CollectionState after =
        Alteration.swept(before, this::passed, engine.registry().changeTime(engine.confirmedNow()));
    if (after.equals(before) && before.leftIndexes().isEmpty()) {
      return false;
    }
    engine.registry().replace(collection, (state, at) -> Alteration.swept(state, this::passed, at));
    for (LaneState lane : before.lanes()) {
      if (lane.kept() && retired(collection.state(), lane.number())) {
        shards.forEach(shard -> shard.staleEntries().clearLane(lane.number()));
      }
    }
    for (int index : before.leftIndexes()) {
      shards.forEach(shard -> shard.staleEntries().clearIndex(index));
    }
    engine
        .registry()
        .replace(
            collection,
            (state, _) ->
                state.withLeft(
                    state.leftIndexes().stream()
                        .filter(index -> !before.leftIndexes().contains(index))
                        .toList()));
    return true;
  }

  /** Removes lanes without a rule: those without marks at once, the others when there are many. */
  private boolean removeLanes() {
    if (removal.isPresent()) {
      return removeLanes(removal.get());
    }
    List<Integer> marked = new ArrayList<>(Alteration.retired(collection.state()));
    List<Integer> unmarked = marked.stream().filter(lane -> !marked(lane)).toList();
    if (!unmarked.isEmpty()) {
      removeFromState(unmarked);
      return true;
    }
    if (marked.size() < engine.settings().retiredLanes()) {
      return false;
    }
    removal =
        Optional.of(
            new LaneRemoval(
                marked,
                shards.stream()
                    .map(shard -> new RetiredLaneCleanup(shard.owner(), marked))
                    .toList(),
                engine.confirmedNow()));
    return true;
  }

  private boolean marked(int lane) {
    return shards.stream().anyMatch(shard -> shard.owner().sweptLanes().has(lane));
  }

  private boolean removeLanes(LaneRemoval removing) {
    for (RetiredLaneCleanup cleanup : removing.cleanups()) {
      if (cleanup.slice(engine.confirmedNow(), maintenance.slice(1))) {
        return true;
      }
    }
    if (engine.openReads().oldest() <= removing.begun()) {
      return false;
    }
    removing.cleanups().forEach(RetiredLaneCleanup::finish);
    removeFromState(removing.lanes());
    removal = Optional.empty();
    return true;
  }

  private void removeFromState(List<Integer> lanes) {
    engine.registry().replace(collection, (state, _) -> Alteration.withoutRetired(state, lanes));
    lanes.forEach(lane -> shards.forEach(shard -> shard.staleEntries().clearLaneWithMarks(lane)));
  }

  private boolean passed(Watermark mark) {
    return shards.stream().allMatch(shard -> shard.sweep().passed(mark));
  }

  private static boolean retired(CollectionState state, int lane) {
    return state.lanes().stream().anyMatch(one -> one.number() == lane && !one.kept());
  }
}
