package dev.mayfly.cosmos.item;

import dev.mayfly.store.rocksdb.RocksSettings;
import dev.mayfly.store.rocksdb.RocksStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Shops on RocksDB. */
public final class RocksShop {
  private RocksShop() {}

  /** Creates a shop in a new directory below the given one. */
  public static Shop below(Path directory) {
    try {
      Path own = Files.createTempDirectory(directory, "shop");
      return Shop.on(RocksStore.open(own, RocksSettings.defaults().withCacheBytes(8 << 20)));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
