package dev.mayfly.cosmos.item;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cosmos.testing.Answer;
import dev.mayfly.cosmos.testing.Desk;
import dev.mayfly.store.rocksdb.RocksSettings;
import dev.mayfly.store.rocksdb.RocksStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same on RocksDB. */
final class ItemOnRocksTest extends ItemTest {
  @TempDir private static Path directory;

  @Override
  Shop open() {
    return RocksShop.below(directory);
  }

  @Test
  void anItemThatIsOnlyOnDiskIsRead() throws IOException {
    Path cold = Files.createTempDirectory(directory, "cold");
    try (Desk desk = Desk.on(RocksStore.open(cold, RocksSettings.defaults()))) {
      desk.post("/dbs", "{\"id\": \"db\"}");
      desk.post("/dbs/db/colls", "{\"id\": \"c\"}");
      assertThat(desk.post("/dbs/db/colls/c/docs", "{\"id\": \"a\"}").status()).isEqualTo(201);
    }
    try (Desk desk = Desk.on(RocksStore.open(cold, RocksSettings.defaults()))) {
      for (int i = 0; i < 2; i++) {
        Answer read = desk.get("/dbs/db/colls/c/docs/a");
        assertThat(read.status()).isEqualTo(200);
        assertThat(read.header("x-ms-request-charge")).isEqualTo("1");
      }
      assertThat(desk.get("/dbs/db/colls/c/docs/none").status()).isEqualTo(404);
    }
  }
}
