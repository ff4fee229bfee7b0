package dev.mayfly.engine;

import dev.mayfly.engine.ShardBuild.Target;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.store.Space;
import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The quiet hand: sweeps, builds, follows lazy indexes, trims feeds and gives back space, in rounds
 * of one bounded slice per shard, so that one backlog starves nobody, at the pace the foreground
 * leaves. Sleeps until the next document is due.
 */
final class Keeper {
  private static final Logger LOG = System.getLogger(Keeper.class.getName());

  /** How many entries of a lane can be walked for each document that is deleted one by one. */
  private static final int ENTRIES_PER_DELETE = 10;

  /** How many entries of a lane can be walked for each document that is indexed. */
  private static final int ENTRIES_PER_BUILT = 20;

  /** How many rounds the sweep of a collection waits for request units to be left over. */
  private static final int LONGEST_WAIT_ROUNDS = 20;

  private static final long LONGEST_NAP_NANOS = 60_000_000_000L;
  private static final long SHORTEST_NAP_NANOS = 50_000_000;

  /** How long a cursor can keep the sweep from what it may still read. */
  static final long LONGEST_READ_MILLIS = 600_000;

  private static final long NANOS_PER_MILLI = 1_000_000;

  /** How much of a shard's space must be dead before it is compacted for that alone. */
  private static final int RECLAIM_SHARE = 4;

  private static final int LAST_RECLAIM_SHARE = 16;

  /** Waiting for a compaction is waiting in native code, which would hold up a carrier. */
  private static final ThreadFactory RECLAIMERS =
      Thread.ofPlatform().daemon().name("mayfly-reclaimer-", 0).factory();

  private final Engine engine;
  private final Map<Collection, List<Room>> kept = new ConcurrentHashMap<>();
  private final ReentrantLock rounds = new ReentrantLock();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();
  private final AtomicLong sweptDocuments = new AtomicLong();
  private final AtomicLong sweptBytes = new AtomicLong();
  private final AtomicLong passes = new AtomicLong();
  private final AtomicLong batches = new AtomicLong();
  private final AtomicLong sweepNanos = new AtomicLong();
  private volatile Consumer<SweepRun> onSweep = _ -> {};
  private volatile Consumer<SweepRun> onSlice = _ -> {};
  private volatile long wakeAt = Long.MIN_VALUE;
  private volatile boolean paused;
  private volatile boolean closed;
  private boolean woken;
  private @Nullable Thread thread;

  /** One shard with those who work on it. */
  private static final class Room {
    private final ShardOwner owner;
    private final ShardSweep sweep;
    private final ShardBuild build;
    private final ShardUpkeep upkeep;
    private final AtomicLong built = new AtomicLong();
    private final Map<String, SweepRun> runs = new TreeMap<>();
    private long retiredBytes;
    private int waited;

    Room(ShardOwner owner, boolean dropsByItself) {
      this.owner = owner;
      this.sweep = new ShardSweep(owner, dropsByItself);
      this.build = new ShardBuild(owner);
      this.upkeep = new ShardUpkeep(owner);
    }
  }

  Keeper(Engine engine) {
    this.engine = engine;
  }

  void keep(Collection collection) {
    List<Room> rooms = new ArrayList<>();
    for (ShardOwner owner : collection.owners()) {
      rooms.add(new Room(owner, engine.dropsByItself()));
    }
    kept.put(collection, rooms);
    wake();
  }

  void release(Collection collection) {
    kept.remove(collection);
    wake();
  }

  void changed(Collection collection) {
    if (kept.containsKey(collection)) {
      wake();
    }
  }

  /** Does one slice of everything for every collection; true while there is more to do. */
  boolean round() {
    rounds.lock();
    try {
      engine.keepTime();
      boolean more = engine.registry().purgeDropped();
      more |= engine.transactions().tend(engine.settings().slice());
      more |= engine.registry().trimChronicle(engine.settings().slice());
      RuntimeException failure = null;
      for (Map.Entry<Collection, List<Room>> entry : kept.entrySet()) {
        try {
          more |= tend(entry.getKey(), entry.getValue());
        } catch (RuntimeException failed) {
          // one that was dropped under our hands does not matter; one that fails stops no other
          failure = kept.containsKey(entry.getKey()) ? failed : failure;
        }
      }
      passes.incrementAndGet();
      if (failure != null) {
        throw failure;
      }
      return more;
    } finally {
      rounds.unlock();
    }
  }

  private boolean tend(Collection collection, List<Room> rooms) {
    boolean more = false;
    boolean swept = true;
    for (Room room : rooms) {
      boolean moreToSweep = !paused && (waits(collection, room) || sweep(collection, room));
      swept &= !moreToSweep;
      more |= moreToSweep;
      more |= engine.pacer().run(() -> room.upkeep.follow(slice(ENTRIES_PER_BUILT)));
      more |= engine.pacer().run(() -> room.upkeep.trim(engine.confirmedNow(), slice(1)));
      long idle = engine.confirmedNow() - engine.settings().receiptMillis();
      more |= room.owner.turns().forgetReceipts(idle, slice(1));
    }
    more |= build(collection, rooms);
    if (swept && !paused) {
      tellRuns(rooms);
      more |= tidyUp(collection, rooms);
      rooms.forEach(this::reclaim);
    }
    return more;
  }

  private int slice(int cost) {
    return Math.max(engine.settings().slice() / cost, 1);
  }

  /** Whether the sweep lets the users of a busy collection go first; not for ever. */
  private boolean waits(Collection collection, Room room) {
    boolean waits = collection.leftOver(engine.now()) == 0 && room.waited < LONGEST_WAIT_ROUNDS;
    room.waited = waits ? room.waited + 1 : 0;
    if (waits) {
      engine.pacer().rest();
    }
    return waits;
  }

  private boolean sweep(Collection collection, Room room) {
    if (engine.readers().readsFromPause(engine.confirmedNow() - LONGEST_READ_MILLIS)) {
      return false;
    }
    int budget = slice(engine.dropsByItself() ? 1 : ENTRIES_PER_DELETE);
    return engine.pacer().run(() -> sweep(collection, room, budget));
  }

  private boolean sweep(Collection collection, Room room, int budget) {
    long start = engine.settings().ticker().getAsLong();
    ShardSweep.Slice slice = room.sweep.slice(engine.confirmedNow(), horizon(), budget);
    Usage swept = slice.swept();
    if (swept.documents() > 0) {
      long nanos = engine.settings().ticker().getAsLong() - start;
      SweepRun run = new SweepRun(collection.namespace(), slice.rule(), swept, nanos);
      room.runs.merge(slice.rule(), run, SweepRun::plus);
      count(run);
      onSlice.accept(run);
    }
    room.retiredBytes += swept.bytes();
    return slice.more();
  }

  private void count(SweepRun batch) {
    batches.incrementAndGet();
    sweptDocuments.addAndGet(batch.swept().documents());
    sweptBytes.addAndGet(batch.swept().bytes());
    sweepNanos.addAndGet(batch.nanos());
  }

  /** Tells what was swept of a collection that the sweep has caught up with. */
  private void tellRuns(List<Room> rooms) {
    Map<String, SweepRun> runs = new TreeMap<>();
    for (Room room : rooms) {
      room.runs.forEach((rule, run) -> runs.merge(rule, run, SweepRun::plus));
      room.runs.clear();
    }
    runs.values().forEach(onSweep);
  }

  /** Has somebody told of every run of the sweep, in place of any before. */
  void onSweep(Consumer<SweepRun> told) {
    onSweep = told;
  }

  /**
   * Has somebody told of every slice of the sweep that removed something, in place of any before.
   */
  void onSlice(Consumer<SweepRun> told) {
    onSlice = told;
  }

  /** What was live at this instant is left alone: somebody may still read it. */
  long horizon() {
    return Math.max(engine.readers().oldest(), engine.confirmedNow() - LONGEST_READ_MILLIS);
  }

  private boolean build(Collection collection, List<Room> rooms) {
    CollectionState state = collection.state();
    for (IndexState index : state.indexes()) {
      if (!index.ready()) {
        return build(collection, rooms, Target.index(index.id()));
      }
    }
    for (LaneState lane : state.lanes()) {
      if (!lane.ready()) {
        return build(collection, rooms, Target.lane(lane.number()));
      }
    }
    return false;
  }

  private boolean build(Collection collection, List<Room> rooms, Target target) {
    try {
      for (Room room : rooms) {
        if (!room.build.done(target)) {
          int budget = slice(ENTRIES_PER_BUILT);
          int seen =
              engine.pacer().run(() -> room.build.slice(target, engine.confirmedNow(), budget));
          room.built.addAndGet(seen);
          return true;
        }
      }
    } catch (EngineException failure) {
      giveUp(collection, target, failure);
      return true;
    }
    engine
        .registry()
        .replace(
            collection,
            (state, at) ->
                Alteration.built(
                    state, target.index(), target.lane(), at, engine.sequence().next()));
    for (Room room : rooms) {
      room.build.forget(target);
      room.built.set(0);
    }
    return true;
  }

  /** An index that cannot be built is dropped again, and the reason kept for whoever asks. */
  private void giveUp(Collection collection, Target target, EngineException failure) {
    LOG.log(Logger.Level.WARNING, "an index build was given up: " + failure.getMessage());
    Optional<String> name =
        collection.state().indexes().stream()
            .filter(index -> index.id() == target.index())
            .map(index -> index.spec().name())
            .findFirst();
    collection.buildFailed(name.orElse(""), failure);
    engine.registry().alter(collection, spec -> name.map(spec::withoutIndex).orElse(spec));
  }

  List<BuildProgress> builds(Collection collection) {
    List<BuildProgress> builds = new ArrayList<>();
    long total = 0;
    long built = 0;
    for (Room room : kept.getOrDefault(collection, List.of())) {
      total += room.owner.tally().totals().stored().documents();
      built += room.built.get();
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
  private boolean tidyUp(Collection collection, List<Room> rooms) {
    CollectionState before = collection.state();
    CollectionState after =
        Alteration.swept(
            before, mark -> passed(rooms, mark), engine.registry().moment(engine.confirmedNow()));
    if (after.equals(before) && before.leftIndexes().isEmpty()) {
      return false;
    }
    engine
        .registry()
        .replace(
            collection, (state, at) -> Alteration.swept(state, mark -> passed(rooms, mark), at));
    for (LaneState lane : before.lanes()) {
      if (lane.kept() && retired(collection.state(), lane.number())) {
        rooms.forEach(room -> room.upkeep.clearLane(lane.number()));
      }
    }
    for (int index : before.leftIndexes()) {
      rooms.forEach(room -> room.upkeep.clear(index));
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

  private static boolean passed(List<Room> rooms, Watermark mark) {
    return rooms.stream().allMatch(room -> room.sweep.passed(mark));
  }

  private static boolean retired(CollectionState state, int lane) {
    return state.lanes().stream().anyMatch(one -> one.number() == lane && !one.kept());
  }

  /** Asks the store to give back space once enough of a shard is dead. */
  private void reclaim(Room room) {
    if (room.retiredBytes == 0 || room.retiredBytes < worth(room)) {
      return;
    }
    room.retiredBytes = 0;
    room.sweep.eraseDead();
    int shard = room.owner.shard().number();
    List<Future<?>> compactions = new ArrayList<>();
    try (ExecutorService threads = Executors.newThreadPerTaskExecutor(RECLAIMERS)) {
      for (Space space : List.of(Space.RECORDS, Space.ENTRIES)) {
        compactions.add(threads.submit(() -> engine.store().reclaim(shard, space)));
      }
    }
    for (Future<?> compaction : compactions) {
      if (compaction.state() == Future.State.FAILED) {
        LOG.log(Logger.Level.WARNING, "space was not reclaimed", compaction.exceptionNow());
      }
    }
  }

  /** How much must be dead for a compaction to be worth it: little when there is no room. */
  private long worth(Room room) {
    long bytes = engine.store().bytesOnDisk(room.owner.shard().number());
    return engine.store().hasRoom()
        ? Math.max(engine.settings().reclaimBytes(), bytes / RECLAIM_SHARE)
        : bytes / LAST_RECLAIM_SHARE;
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
    for (List<Room> rooms : kept.values()) {
      for (Room room : rooms) {
        due = Math.min(due, room.sweep.nextDue(now));
      }
    }
    return due;
  }

  void pause(boolean on) {
    paused = on;
    wake();
  }

  /** Notes that a document will be due at an instant. */
  void due(long at) {
    if (at < wakeAt) {
      wake();
    }
  }

  void wake() {
    lock.lock();
    try {
      woken = true;
      work.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void start() {
    thread = Thread.ofPlatform().daemon().name("mayfly-keeper").start(this::run);
  }

  private void run() {
    while (!closed) {
      try {
        boolean more = round();
        if (!more) {
          nap();
        }
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        return;
      } catch (RuntimeException failure) {
        if (closed) {
          return;
        }
        LOG.log(Logger.Level.ERROR, "background work failed and will be tried again", failure);
        napAfterFailure();
      }
    }
  }

  private void nap() throws InterruptedException {
    wakeAt = Long.MAX_VALUE;
    if (lazyIndexesAreBehind()) {
      return;
    }
    long now = engine.confirmedNow();
    long due = paused ? Deadline.NEVER : nextDue(now);
    due = Math.min(due, engine.transactions().nextDeadline());
    lock.lock();
    try {
      wakeAt = due;
      long left = napNanos(due, now);
      while (!woken && !closed && left > 0) {
        left = work.awaitNanos(left);
      }
      woken = false;
    } finally {
      wakeAt = Long.MIN_VALUE;
      lock.unlock();
    }
  }

  private boolean lazyIndexesAreBehind() {
    return kept.values().stream().flatMap(List::stream).anyMatch(room -> room.upkeep.behind() > 0);
  }

  /** Until the next document is due; a moment when one is due already but somebody reads it. */
  private static long napNanos(long due, long now) {
    if (due <= now) {
      return SHORTEST_NAP_NANOS;
    }
    return due - now > LONGEST_NAP_NANOS / NANOS_PER_MILLI
        ? LONGEST_NAP_NANOS
        : (due - now) * NANOS_PER_MILLI;
  }

  private void napAfterFailure() {
    lock.lock();
    try {
      long left = 1000 * NANOS_PER_MILLI;
      while (left > 0 && !closed) {
        left = work.awaitNanos(left);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  void close() {
    closed = true;
    wake();
    Thread running = thread;
    if (running != null) {
      try {
        running.join();
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
