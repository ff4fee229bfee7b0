package dev.mayfly.cosmos.feed;

import dev.mayfly.cosmos.item.RocksShop;
import dev.mayfly.cosmos.item.Shop;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The same on RocksDB. */
final class ChangeFeedOnRocksTest extends ChangeFeedTest {
  @TempDir private static Path directory;

  @Override
  Shop open() {
    return RocksShop.below(directory);
  }
}
