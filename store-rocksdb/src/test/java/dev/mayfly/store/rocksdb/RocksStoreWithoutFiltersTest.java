package dev.mayfly.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.store.Store;
import dev.mayfly.store.StoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RocksStoreWithoutFiltersTest extends StoreContract {
  private static final RocksSettings SETTINGS =
      RocksSettings.defaults().withCacheBytes(32 << 20).withDropWhileCompacting(false);

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
  void saysThatItTakesNoFilter() {
    assertThat(store().install((_, _, _) -> true)).isFalse();
  }
}
