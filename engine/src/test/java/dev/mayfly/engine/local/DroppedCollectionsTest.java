package dev.mayfly.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.HookedStore;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.rocksdb.RocksSettings;
import dev.mayfly.store.rocksdb.RocksStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class DroppedCollectionsTest {
  private static final CollectionSpec SPEC =
      CollectionSpec.mongo()
          .withIndex(IndexSpec.implicit("n_1", Part.ascending(FieldPath.of("n"))))
          .withDefaultTtl(3600);

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final EngineSettings settings = EngineSettings.standard(clock::now).withBackground(false);

  @Test
  void creationAndDropFlushOnceEach() {
    HookedStore store = new HookedStore(MemoryStore.withFilters());
    AtomicInteger flushes = new AtomicInteger();
    try (LocalEngine engine = LocalEngine.open(store, clock, settings)) {
      create(engine, 0);
      store.beforeEverySync(flushes::incrementAndGet);
      for (int i = 1; i <= 100; i++) {
        engine.create(name(i), SPEC);
        assertThat(flushes.getAndSet(0)).as("flushes of creation %d", i).isOne();
        engine.collection(name(i)).insert(document(i));
        flushes.set(0);
        engine.drop(name(i));
        assertThat(flushes.getAndSet(0)).as("flushes of drop %d", i).isOne();
      }
      clock.advance(Duration.ofDays(2));
      engine.workUntilIdle();
      assertThat(flushes.get()).as("flushes for 100 dropped collections").isLessThan(10);
    }
  }

  @Test
  void memoryOfDroppedCollectionsIsFreed(@TempDir Path directory) throws Exception {
    RocksSettings small = RocksSettings.defaults().withCacheBytes(32 << 20);
    try (RocksStore store = RocksStore.open(directory, small);
        LocalEngine engine = LocalEngine.open(store, clock, settings)) {
      createAndDrop(engine, 0, 300);
      Map<String, Long> kept = instances();
      for (String type : new String[] {"ZoneMap", "LaneBuckets", "WriteBuffers", "ShardTasks"}) {
        long count =
            kept.entrySet().stream()
                .filter(one -> one.getKey().endsWith("." + type))
                .mapToLong(Map.Entry::getValue)
                .sum();
        assertThat(count).as(type + " of collections with changes").isLessThan(310);
      }
      forgetChanges(engine);
      Map<String, Long> before = instances();
      createAndDrop(engine, 300, 600);
      forgetChanges(engine);
      instances()
          .forEach(
              (type, count) ->
                  assertThat(count - before.getOrDefault(type, 0L)).as(type).isLessThan(100));
    }
  }

  private void createAndDrop(LocalEngine engine, int from, int to) {
    for (int i = from; i < to; i++) {
      create(engine, i);
      engine.drop(name(i));
      engine.work();
    }
  }

  /** Lets the retention of the feeds pass. */
  private void forgetChanges(LocalEngine engine) {
    clock.advance(Duration.ofDays(2));
    engine.workUntilIdle();
  }

  private static void create(LocalEngine engine, int number) {
    engine.create(name(number), SPEC).insert(document(number));
  }

  private static Document document(int number) {
    return Document.writer().put("_id", number).put("n", number).build();
  }

  private static Namespace name(int number) {
    return new Namespace("db", "things" + number);
  }

  /**
   * Returns the number of reachable objects of our classes and of RocksDB's, without the slots of
   * the record cache, whose number is fixed.
   */
  private static Map<String, Long> instances() throws Exception {
    String histogram =
        (String)
            ManagementFactory.getPlatformMBeanServer()
                .invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                    "gcClassHistogram",
                    new Object[] {new String[0]},
                    new String[] {String[].class.getName()});
    Map<String, Long> instances = new HashMap<>();
    for (String line : histogram.lines().toList()) {
      String[] fields = line.strip().split("\\s+", -1);
      if (fields.length >= 4
          && !fields[3].endsWith("RecordCache$Empty")
          && (fields[3].startsWith("dev.mayfly.") || fields[3].startsWith("org.rocksdb."))) {
        instances.merge(fields[3], Long.parseLong(fields[1]), Long::sum);
      }
    }
    assertThat(instances).containsKey(LocalEngine.class.getName());
    return instances;
  }
}
