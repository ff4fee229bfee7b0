package dev.mayfly.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.store.Batch;
import dev.mayfly.store.Direction;
import dev.mayfly.store.NotCachedException;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Shard;
import dev.mayfly.store.Snapshot;
import dev.mayfly.store.Space;
import dev.mayfly.store.Store;
import dev.mayfly.store.StoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RocksStoreTest extends StoreContract {
  private static final RocksSettings SETTINGS = RocksSettings.defaults().withCacheBytes(32 << 20);

  @TempDir private Path directory;

  @Override
  protected Store open() {
    return RocksStore.open(directory, SETTINGS);
  }

  @Override
  protected Store reopen(Store store) {
    store.close();
    return open();
  }

  @Test
  void aRecordOnDiskIsCachedAfterARead() {
    Path cold = directory.resolve("cold");
    byte[] key = {1};
    byte[] value = {2};
    try (Store store = RocksStore.open(cold, SETTINGS)) {
      store.own(1).commit(new Batch().put(Space.RECORDS, key, value));
    }
    try (Store store = RocksStore.open(cold, SETTINGS)) {
      Shard shard = store.own(1);
      assertThat(shard.readIfCached(Space.RECORDS, key)).isSameAs(Shard.NOT_CACHED);
      assertThat(shard.readIfCached(Space.RECORDS, key)).isSameAs(Shard.NOT_CACHED);
      assertThat(shard.read(Space.RECORDS, key)).isEqualTo(value);
      assertThat(shard.readIfCached(Space.RECORDS, key)).isEqualTo(value);
    }
  }

  @Test
  void aNonBlockingScanGivesUpAtWhatIsOnDisk() {
    Path cold = directory.resolve("cold");
    byte[] key = {1};
    byte[] value = {2};
    try (Store store = RocksStore.open(cold, SETTINGS)) {
      store.own(1).commit(new Batch().put(Space.ENTRIES, key, value));
    }
    try (Store store = RocksStore.open(cold, SETTINGS)) {
      Shard shard = store.own(1);
      assertThatThrownBy(() -> scanInMemory(shard)).isInstanceOf(NotCachedException.class);
      assertThatThrownBy(() -> scanInMemory(shard)).isInstanceOf(NotCachedException.class);
      try (Scan scan = shard.scan(Space.ENTRIES, Range.all(), Direction.UP)) {
        assertThat(scan.next()).isTrue();
      }
      assertThat(scanInMemory(shard)).isEqualTo(value);
    }
  }

  private static byte[] scanInMemory(Shard shard) {
    try (Snapshot snapshot = shard.nonBlockingSnapshot().orElseThrow();
        Scan scan = snapshot.scan(Space.ENTRIES, Range.all(), Direction.UP)) {
      assertThat(scan.next()).isTrue();
      return scan.value();
    }
  }
}
