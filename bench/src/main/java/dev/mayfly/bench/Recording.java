package dev.mayfly.bench;

import dev.mayfly.store.Batch;
import dev.mayfly.store.CompactionFilter;
import dev.mayfly.store.Direction;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Shard;
import dev.mayfly.store.Snapshot;
import dev.mayfly.store.Space;
import dev.mayfly.store.Store;
import dev.mayfly.store.StoreStats;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A store that writes down every batch, so that raw RocksDB can be given the same. With {@link
 * #forgetful} it keeps nothing else: every document looks new to it.
 */
final class Recording implements Store {
  private final boolean forgetful;
  private final MemoryStore store = MemoryStore.withFilters();
  private List<List<Operation>> batches = new ArrayList<>();

  private Recording(boolean forgetful) {
    this.forgetful = forgetful;
  }

  /** Keeps what it is given, in memory. */
  static Recording keeping() {
    return new Recording(false);
  }

  /** Keeps nothing but its catalog. */
  static Recording forgetful() {
    return new Recording(true);
  }

  /** One put or delete; a delete has no value. */
  static final class Operation {
    final Space space;
    final byte[] key;
    final byte @Nullable [] value;

    Operation(Space space, byte[] key, byte @Nullable [] value) {
      this.space = space;
      this.key = key;
      this.value = value;
    }
  }

  /** The batches since this was last asked. */
  List<List<Operation>> take() {
    List<List<Operation>> taken = batches;
    batches = new ArrayList<>();
    return taken;
  }

  @Override
  public Shard own(int number) {
    return new Recorded(store.own(number));
  }

  @Override
  public void drop(int shard) {
    store.drop(shard);
  }

  @Override
  public boolean install(CompactionFilter filter) {
    return store.install(filter);
  }

  @Override
  public void reclaim(int shard, Space space) {
    store.reclaim(shard, space);
  }

  @Override
  public StoreStats stats() {
    return store.stats();
  }

  @Override
  public long bytesOnDisk(int shard) {
    return store.bytesOnDisk(shard);
  }

  @Override
  public long bytesOnDisk(int shard, Space space, Range range) {
    return store.bytesOnDisk(shard, space, range);
  }

  @Override
  public void close() {
    store.close();
  }

  private final class Recorded implements Shard {
    private final Shard shard;

    Recorded(Shard shard) {
      this.shard = shard;
    }

    @Override
    public long commit(Batch batch) {
      List<Operation> operations = new ArrayList<>(batch.operations());
      batch.replay(new Writer(operations));
      if (shard.number() == 0) {
        return shard.commit(batch);
      }
      batches.add(operations);
      return forgetful ? 0 : shard.commit(batch);
    }

    @Override
    public void forgetDropped() {
      shard.forgetDropped();
    }

    @Override
    public int number() {
      return shard.number();
    }

    @Override
    public long epoch() {
      return shard.epoch();
    }

    @Override
    public Snapshot snapshot() {
      return shard.snapshot();
    }

    @Override
    public void sync(long ticket) {
      shard.sync(ticket);
    }

    @Override
    public long syncedThrough() {
      return shard.syncedThrough();
    }

    @Override
    public byte @Nullable [] read(Space space, byte[] key) {
      return shard.read(space, key);
    }

    @Override
    public List<byte @Nullable []> readAll(Space space, List<byte[]> keys) {
      return shard.readAll(space, keys);
    }

    @Override
    public Scan scan(Space space, Range range, Direction direction) {
      return shard.scan(space, range, direction);
    }
  }

  private record Writer(List<Operation> to) implements Batch.Visitor {
    @Override
    public void put(
        Space space, byte[] buffer, int key, int keyLength, int value, int valueLength) {
      to.add(
          new Operation(
              space,
              Arrays.copyOfRange(buffer, key, key + keyLength),
              Arrays.copyOfRange(buffer, value, value + valueLength)));
    }

    @Override
    public void delete(Space space, byte[] buffer, int key, int keyLength) {
      to.add(new Operation(space, Arrays.copyOfRange(buffer, key, key + keyLength), null));
    }

    @Override
    public void deleteRange(
        Space space, byte[] buffer, int from, int fromLength, int toOffset, int toLength) {
      throw new IllegalStateException("the writes of this benchmark delete no ranges");
    }
  }
}
