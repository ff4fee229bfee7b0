package dev.mayfly.cosmos.item;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The same on RocksDB. */
final class ItemOnRocksTest extends ItemTest {
  @TempDir private static Path directory;

  @Override
  Shop open() {
    return RocksShop.below(directory);
  }
}
