package dev.mayfly.store.rocksdb;

import dev.mayfly.store.Batch;
import dev.mayfly.store.Shard;
import dev.mayfly.store.Space;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CountDownLatch;

/** A process of its own that exits without closing its store: after a compaction, or during one. */
final class ExitingProcess {
  private ExitingProcess() {}

  static void main(String[] args) throws InterruptedException {
    RocksStore store = RocksStore.open(Path.of(args[0]), RocksSettings.defaults());
    if (args[1].equals("killed")) {
      Runtime.getRuntime().halt(7);
    }
    fill(store.own(1));
    CountDownLatch called = new CountDownLatch(1);
    store.install(
        (_, _, _) -> {
          called.countDown();
          return true;
        });
    if (args[1].equals("during")) {
      Thread.ofPlatform().daemon().start(() -> store.reclaim(1, Space.RECORDS));
      called.await();
    } else {
      store.reclaim(1, Space.RECORDS);
    }
    System.exit(7);
  }

  private static void fill(Shard shard) {
    Random random = new Random(1);
    byte[] key = new byte[16];
    for (int i = 0; i < 100; i++) {
      Batch batch = new Batch();
      for (int j = 0; j < 1_000; j++) {
        random.nextBytes(key);
        batch.put(Space.RECORDS, key, key);
      }
      shard.commit(batch);
    }
  }
}
