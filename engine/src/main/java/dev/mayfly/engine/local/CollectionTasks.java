package dev.mayfly.engine.local;

import dev.mayfly.engine.Alarm.Kind;
import dev.mayfly.engine.BuildProgress;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.IndexingMode;
import dev.mayfly.engine.catalog.Alteration;
import dev.mayfly.engine.catalog.CollectionState;
import dev.mayfly.engine.catalog.IndexState;
import dev.mayfly.engine.catalog.LaneState;
import dev.mayfly.engine.catalog.Watermark;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.sweep.BackgroundTask;
import dev.mayfly.engine.sweep.PacedWork;
import dev.mayfly.engine.sweep.RetiredLaneCleanup;
import dev.mayfly.engine.sweep.ShardBuild.Target;
import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The background work on one collection: tasks for each shard, and those that concern all. */
final class CollectionTasks {
  private static final Logger LOG = System.getLogger(CollectionTasks.class.getName());

  /** How many entries of a lane can be walked for each document that is indexed. */
  private static final int ENTRIES_PER_BUILT = 20;

  /** How long a build goes on without a rest, in a batch after the other. */
  private static final long BUILD_NANOS = 10_000_000;

  private static final int MOST_BATCHES = 100;

  private final LocalEngine engine;
  private final Maintenance maintenance;
  private final LocalCollection collection;
  private final List<ShardTasks> shards = new ArrayList<>();
  private final PacedWork building;
  private final PacedWork trimming;
  private final BackgroundTask builder;
  private final BackgroundTask trimmer;

  /** The retired lanes that are being removed. For one thread at a time. */
  private Optional<LaneRemoval> removal = Optional.empty();

  /**
   * @param begun cursors that were opened before may have to learn that the lanes' documents were
   *     swept from under them
   */
  private record LaneRemoval(List<Integer> lanes, List<RetiredLaneCleanup> cleanups, long begun) {}

  CollectionTasks(LocalEngine engine, Maintenance maintenance, LocalCollection collection) {
    this.engine = engine;
    this.maintenance = maintenance;
    this.collection = collection;
    for (ShardOwner owner : collection.owners()) {
      shards.add(new ShardTasks(engine, maintenance, collection, owner));
    }
    this.building = new Building();
    this.trimming = new Trimming();
    this.builder = maintenance.chore(Kind.BUILD, () -> collection.namespace().toString(), building);
    this.trimmer = maintenance.chore(Kind.TRIM, () -> collection.namespace().toString(), trimming);
  }

  List<ShardTasks> shards() {
    return shards;
  }

  /** All that work in slices and rest, in the order in which they are done by hand. */
  List<BackgroundTask> chores() {
    List<BackgroundTask> chores = new ArrayList<>();
    shards.forEach(shard -> chores.add(shard.sweeper()));
    // indexes follow the feed before it is trimmed
    chores.add(builder);
    chores.add(trimmer);
    return chores;
  }

  /** Says that the collection has changed. */
  void wake() {
    chores().forEach(BackgroundTask::wake);
  }

  /** Says that a shard has nothing more to sweep for now. */
  void swept() {
    builder.wake();
    if (shards.stream().anyMatch(shard -> shard.owner().deadRuns().any())) {
      trimmer.wake();
    }
  }

  /** Notes that a document will be due at an instant. */
  void due(long at) {
    shards.forEach(shard -> shard.due(at));
    if (collection.spec().indexing() == IndexingMode.LAZY) {
      builder.wake();
    }
  }

  void end() {
    shards.forEach(ShardTasks::end);
    chores().forEach(BackgroundTask::end);
    engine.pacer().busy(building, false);
    engine.pacer().busy(trimming, false);
  }

  boolean caughtUp() {
    return !maintenance.paused() && shards.stream().allMatch(ShardTasks::caughtUp);
  }

  /** Trims feeds and receipts; feeds more than usual while the disk is full. */
  private final class Trimming extends PacedWork {
    private boolean shortens;

    Trimming() {
      super(engine.pacer());
    }

    @Override
    public boolean work() {
      if (!shortens && !hasRoom()) {
        shortens = true;
        shards.forEach(shard -> shard.feedTrimmer().shorten());
      }
      boolean more = trim();
      if (shortens && !more) {
        shortens = false;
        shards.forEach(shard -> shard.feedTrimmer().eraseTrimmed());
      }
      return more;
    }

    private boolean hasRoom() {
      if (!engine.store().hasRoom()) {
        // what is known of the disk may be old
        engine.store().stats();
      }
      return engine.store().hasRoom();
    }

    private boolean trim() {
      boolean more = false;
      long now = engine.confirmedNow();
      for (ShardTasks shard : shards) {
        more |= shard.feedTrimmer().trim(now, maintenance.slice(1));
        more |= shard.staleEntries().clearDead(maintenance.slice(1));
        long idle = now - engine.settings().receiptMillis();
        more |= shard.owner().forgetReceipts(idle, maintenance.slice(1));
      }
      return more;
    }

    @Override
    public long idle() {
      return engine.store().hasRoom() ? Maintenance.LONGEST_NAP_NANOS : Maintenance.BRIEF_NAP_NANOS;
    }
  }

  /** Follows lazy indexes, builds indexes and lanes, and clears what the collection has left. */
  private final class Building extends PacedWork {
    Building() {
      super(engine.pacer());
    }

    @Override
    public boolean work() {
      boolean more = false;
      for (ShardTasks shard : shards) {
        more |= shard.lazyIndexer().slice(maintenance.slice(ENTRIES_PER_BUILT));
      }
      long start = engine.pacer().ticks();
      boolean unbuilt = build();
      if (engine.settings().background()) {
        for (int i = 1; unbuilt && i < MOST_BATCHES; i++) {
          unbuilt = engine.pacer().ticks() - start < BUILD_NANOS && build();
        }
        unbuilt = collection.state().building();
      }
      more |= unbuilt;
      return more || (caughtUp() && (tidyUp() || removeLanes()));
    }

    @Override
    public long idle() {
      return removal.isPresent() ? Maintenance.LONGEST_NAP_NANOS : BackgroundTask.NEVER;
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
      if (failure.ofTheMachine()) {
        // it says nothing of the documents: the build goes on where it was
        throw failure;
      }
      giveUp(target, failure);
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

  /** An index that cannot be built is dropped again, and the reason kept for whoever asks. */
  private void giveUp(Target target, EngineException failure) {
    LOG.log(Logger.Level.WARNING, "an index build was given up: " + failure.getMessage());
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

  /** Once all is swept: lets go of watermarks, idle lanes and the entries of dropped indexes. */
  private boolean tidyUp() {
    CollectionState before = collection.state();
    CollectionState after =
        Alteration.swept(before, this::passed, engine.registry().moment(engine.confirmedNow()));
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

  /** Removes lanes without a rule: at once those without marks, the others when they are many. */
  private boolean removeLanes() {
    if (removal.isPresent()) {
      return removeLanes(removal.get());
    }
    List<Integer> marked = new ArrayList<>(Alteration.retired(collection.state()));
    List<Integer> unmarked = marked.stream().filter(lane -> !marked(lane)).toList();
    if (!unmarked.isEmpty()) {
      letGo(unmarked);
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
                engine.now()));
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
    letGo(removing.lanes());
    removal = Optional.empty();
    return true;
  }

  private void letGo(List<Integer> lanes) {
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
