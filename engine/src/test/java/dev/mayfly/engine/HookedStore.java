package dev.mayfly.engine;

import dev.mayfly.engine.model.Faults;
import dev.mayfly.engine.model.Faults.Call;
import dev.mayfly.store.Batch;
import dev.mayfly.store.CrossShard;
import dev.mayfly.store.Direction;
import dev.mayfly.store.ForwardingShard;
import dev.mayfly.store.ForwardingStore;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Shard;
import dev.mayfly.store.ShardBatch;
import dev.mayfly.store.Snapshot;
import dev.mayfly.store.Space;
import dev.mayfly.store.Store;
import dev.mayfly.store.StoreSnapshot;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Store with hooks for tests: runs code right before a snapshot or a commit, right after a scan was
 * opened, and so on. That turns a race into a test. It can also simulate stalled writes, a full
 * disk and a cold cache.
 *
 * <p>On a store in memory it simulates a disk as well: one log for all shards, which loss of power
 * truncates to what was flushed, and calls that fail.
 */
public final class HookedStore extends ForwardingStore {
  private final Faults faults = new Faults();
  private final Map<Integer, Shard> owned = new HashMap<>();
  private boolean simulatesDisk;
  private BooleanSupplier flushes = () -> false;
  private long lastTicket;
  private long syncedTicket;
  private @Nullable RuntimeException flushFailure;
  private Runnable beforeSnapshot = HookedStore::nothing;
  private Runnable beforeSnapshotScan = HookedStore::nothing;
  private Runnable afterScan = HookedStore::nothing;
  private Runnable beforeCommit = HookedStore::nothing;
  private Runnable afterCommit = HookedStore::nothing;
  private Runnable beforeSync = HookedStore::nothing;
  private Runnable beforeOwn = HookedStore::nothing;
  private Runnable beforeRead = HookedStore::nothing;
  private Runnable afterRead = HookedStore::nothing;
  private volatile IntConsumer onDrop = _ -> {};
  private volatile IntConsumer onScan = _ -> {};
  private volatile IntConsumer onCommit = _ -> {};
  private volatile BiConsumer<Integer, Batch> onBatch = (_, _) -> {};
  private volatile BiConsumer<Integer, Space> onReclaim = (_, _) -> {};
  private volatile Runnable onAbort = HookedStore::nothing;
  private Space scanned = Space.META;
  private int scansBefore;
  private boolean stalled;
  private boolean room = true;
  private int cachedReads = Integer.MAX_VALUE;

  public HookedStore(Store store) {
    super(store);
  }

  /** Runs once, before the next snapshot is taken. */
  public void beforeNextSnapshot(Runnable hook) {
    beforeSnapshot = hook;
  }

  /** Runs once, before the next scan of a snapshot. */
  public void beforeNextSnapshotScan(Runnable hook) {
    beforeSnapshotScan = hook;
  }

  /** Runs once, after a scan of a space that follows {@code others} scans of that space. */
  public void afterScan(Space space, int others, Runnable hook) {
    scanned = space;
    scansBefore = others;
    afterScan = hook;
  }

  /** Runs before every commit to a shard from now on. */
  public void beforeEveryCommit(Runnable hook) {
    beforeCommit = hook;
  }

  /** Runs after every commit to one or several shards from now on. */
  public void afterEveryCommit(Runnable hook) {
    afterCommit = hook;
  }

  /** Runs before every sync from now on. */
  public void beforeEverySync(Runnable hook) {
    beforeSync = hook;
  }

  /** Runs before every shard is owned from now on. */
  public void beforeEveryOwn(Runnable hook) {
    beforeOwn = hook;
  }

  /** Runs before every read of a key of a shard from now on. */
  public void beforeEveryRead(Runnable hook) {
    beforeRead = hook;
  }

  /** Runs once, after the next read of a key of a shard. */
  public void afterNextRead(Runnable hook) {
    afterRead = hook;
  }

  /** Runs before every drop of a shard from now on. */
  public void onDrop(IntConsumer hook) {
    onDrop = hook;
  }

  /** Runs before every scan of a shard from now on. */
  public void onScan(IntConsumer hook) {
    onScan = hook;
  }

  /** Runs before every commit to a shard from now on, with its number. */
  public void onCommit(IntConsumer hook) {
    onCommit = hook;
  }

  /** Receives every batch before it is committed to a shard from now on. */
  public void onBatch(BiConsumer<Integer, Batch> hook) {
    onBatch = hook;
  }

  /** Runs before every reclaim from now on. */
  public void onReclaim(BiConsumer<Integer, Space> hook) {
    onReclaim = hook;
  }

  /** Runs before reclaims are aborted. */
  public void onAbort(Runnable hook) {
    onAbort = hook;
  }

  /** Sets whether commits would have to wait. */
  public void stalled(boolean waits) {
    stalled = waits;
  }

  /** Sets how many of the next non-blocking reads find their record in memory. */
  public void cachedReads(int reads) {
    cachedReads = reads;
  }

  private static void nothing() {}

  /**
   * Simulates a disk from now on.
   *
   * @param flushesByItself returns, after a commit, whether the disk has flushed everything
   */
  public void simulateDisk(BooleanSupplier flushesByItself) {
    simulatesDisk = true;
    flushes = flushesByItself;
  }

  public Faults faults() {
    return faults;
  }

  /** Opens a store on what the disk holds after loss of power; compacted entries stay removed. */
  public HookedStore powerLoss() {
    HookedStore after = new HookedStore(((MemoryStore) delegate()).powerLoss());
    after.simulateDisk(flushes);
    return after;
  }

  private long committed(long ticket) {
    lastTicket = ticket;
    if (simulatesDisk && flushes.getAsBoolean()) {
      flush();
    }
    return ticket;
  }

  private void flush() {
    owned.values().forEach(shard -> shard.sync(lastTicket));
  }

  @Override
  public Shard own(int shard) {
    beforeOwn.run();
    faults.before(Call.COMMIT);
    Shard one = super.own(shard);
    owned.put(shard, one);
    return new HookedShard(one);
  }

  @Override
  public void drop(int shard) {
    onDrop.accept(shard);
    faults.before(Call.COMMIT);
    super.drop(shard);
  }

  @Override
  public Optional<CrossShard> together() {
    return super.together().map(HookedTogether::new);
  }

  /** Unwraps the shards for the store beneath. */
  private final class HookedTogether implements CrossShard {
    private final CrossShard crossShard;

    HookedTogether(CrossShard crossShard) {
      this.crossShard = crossShard;
    }

    @Override
    public long commit(List<ShardBatch> batches) {
      beforeCommit.run();
      faults.before(Call.COMMIT);
      long ticket =
          committed(
              crossShard.commit(
                  batches.stream()
                      .map(one -> new ShardBatch(((HookedShard) one.shard()).plain(), one.batch()))
                      .toList()));
      afterCommit.run();
      return ticket;
    }

    @Override
    public StoreSnapshot snapshot() {
      return crossShard.snapshot();
    }
  }

  @Override
  public void reclaim(int shard, Space space) {
    onReclaim.accept(shard, space);
    faults.before(Call.COMPACT);
    super.reclaim(shard, space);
  }

  @Override
  public void abortReclaims() {
    onAbort.run();
    super.abortReclaims();
  }

  /** Sets whether there is room on the disk. */
  public void room(boolean enough) {
    room = enough;
  }

  @Override
  public boolean hasRoom() {
    return room && super.hasRoom();
  }

  private Scan faulty(Scan scan) {
    return simulatesDisk ? new FaultyScan(scan) : scan;
  }

  /** A scan whose steps can fail. */
  private final class FaultyScan implements Scan {
    private final Scan scan;

    FaultyScan(Scan scan) {
      this.scan = scan;
    }

    @Override
    public boolean next() {
      faults.before(Call.READ);
      return scan.next();
    }

    @Override
    public byte[] key() {
      return scan.key();
    }

    @Override
    public byte[] value() {
      return scan.value();
    }

    @Override
    public void seek(byte[] key) {
      scan.seek(key);
    }

    @Override
    public void close() {
      scan.close();
    }
  }

  private final class HookedSnapshot implements Snapshot {
    private final Snapshot snapshot;

    HookedSnapshot(Snapshot snapshot) {
      this.snapshot = snapshot;
    }

    @Override
    public boolean consistent() {
      return snapshot.consistent();
    }

    @Override
    public byte @Nullable [] read(Space space, byte[] key) {
      faults.before(Call.READ);
      return snapshot.read(space, key);
    }

    @Override
    public Scan scan(Space space, Range range, Direction direction) {
      Runnable hook = beforeSnapshotScan;
      beforeSnapshotScan = HookedStore::nothing;
      hook.run();
      return faulty(snapshot.scan(space, range, direction));
    }

    @Override
    public void close() {
      snapshot.close();
    }
  }

  private final class HookedShard extends ForwardingShard {
    HookedShard(Shard shard) {
      super(shard);
    }

    Shard plain() {
      return delegate();
    }

    @Override
    public Snapshot snapshot() {
      Runnable hook = beforeSnapshot;
      beforeSnapshot = HookedStore::nothing;
      hook.run();
      faults.before(Call.READ);
      return new HookedSnapshot(super.snapshot());
    }

    @Override
    public Optional<Snapshot> nonBlockingSnapshot() {
      return cachedReads-- > 0 ? Optional.of(snapshot()) : Optional.empty();
    }

    @Override
    public long commit(Batch batch) {
      beforeCommit.run();
      onCommit.accept(number());
      onBatch.accept(number(), batch);
      faults.before(Call.COMMIT);
      long ticket = committed(super.commit(batch));
      afterCommit.run();
      return ticket;
    }

    @Override
    public OptionalLong tryCommit(Batch batch) {
      return stalled ? OptionalLong.empty() : OptionalLong.of(commit(batch));
    }

    @Override
    public byte @Nullable [] readIfCached(Space space, byte[] key) {
      faults.before(Call.READ);
      return cachedReads-- > 0 ? super.readIfCached(space, key) : NOT_CACHED;
    }

    @Override
    public void sync(long ticket) {
      beforeSync.run();
      if (simulatesDisk) {
        flush();
        syncedTicket = lastTicket;
      } else {
        super.sync(ticket);
      }
    }

    /** Only {@code sync} and {@code wakeAfterFlush} flush. */
    @Override
    public boolean trySync(long ticket) {
      RuntimeException failure = flushFailure;
      if (failure != null) {
        throw failure;
      }
      return syncedThrough() >= ticket;
    }

    @Override
    public void wakeAfterFlush(long ticket, Runnable wake) {
      flushFailure = null;
      try {
        sync(ticket);
      } catch (RuntimeException failure) {
        flushFailure = failure;
      }
      wake.run();
    }

    /** A simulated disk does not report what it has flushed by itself. */
    @Override
    public long syncedThrough() {
      return simulatesDisk ? syncedTicket : super.syncedThrough();
    }

    @Override
    public byte @Nullable [] read(Space space, byte[] key) {
      beforeRead.run();
      faults.before(Call.READ);
      byte[] value = super.read(space, key);
      Runnable hook = afterRead;
      afterRead = HookedStore::nothing;
      hook.run();
      return value;
    }

    @Override
    public Scan scan(Space space, Range range, Direction direction) {
      onScan.accept(number());
      Scan scan = faulty(super.scan(space, range, direction));
      if (space == scanned && scansBefore-- == 0) {
        Runnable hook = afterScan;
        afterScan = HookedStore::nothing;
        hook.run();
      }
      return scan;
    }
  }
}
