package dev.mayfly.store.rocksdb;

import dev.mayfly.store.Store;
import dev.mayfly.store.StoreContract;
import java.nio.file.Path;
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
}
