package dev.mayfly.bench;

import dev.mayfly.store.Batch;
import dev.mayfly.store.CrossShard;
import dev.mayfly.store.ForwardingShard;
import dev.mayfly.store.ForwardingStore;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.Shard;
import dev.mayfly.store.Space;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Store that records every batch, to replay the same batches against raw RocksDB. A {@link
 * #catalogOnly} recording stores only its catalog, so every document looks new to it.
 */
final class Recording extends ForwardingStore {
  private final boolean catalogOnly;
  private List<List<Operation>> batches = new ArrayList<>();

  private Recording(boolean catalogOnly) {
    super(MemoryStore.withFilters());
    this.catalogOnly = catalogOnly;
  }

  /** Returns a store that records batches, and stores them in memory. */
  static Recording keeping() {
    return new Recording(false);
  }

  /** Returns a store that records batches, and stores only its catalog. */
  static Recording catalogOnly() {
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

  /** Returns the batches recorded since the last call. */
  List<List<Operation>> take() {
    List<List<Operation>> taken = batches;
    batches = new ArrayList<>();
    return taken;
  }

  @Override
  public Shard own(int number) {
    return new RecordedShard(super.own(number));
  }

  /** Not supported: commits to several shards are not recorded. */
  @Override
  public Optional<CrossShard> together() {
    return Optional.empty();
  }

  private final class RecordedShard extends ForwardingShard {
    RecordedShard(Shard shard) {
      super(shard);
    }

    @Override
    public long commit(Batch batch) {
      List<Operation> operations = new ArrayList<>(batch.operations());
      batch.replay(new Writer(operations));
      if (number() == 0) {
        return super.commit(batch);
      }
      batches.add(operations);
      return catalogOnly ? 0 : super.commit(batch);
    }

    @Override
    public OptionalLong tryCommit(Batch batch) {
      return OptionalLong.of(commit(batch));
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
      throw new IllegalStateException("unexpected range delete");
    }
  }
}
