package dev.mayfly.engine.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.catalog.CompiledCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.Cutoffs;
import dev.mayfly.expiry.Header;
import dev.mayfly.expiry.HeaderFields;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.Direction;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.testing.SeedExtension;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Zones of keys that several threads put. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(SeedExtension.class)
final class ZoneMapTest {
  private static final long START = 1_700_000_000_000L;
  private static final int LIFE = 3600;

  /** More than the map has zones: lower ones are joined again and again. */
  private static final int ASCENDING = 8 * 1024 * ZoneMap.ZONE_ENTRIES;

  @Test
  void noZoneIsSkippedThatContainsALiveKeyWhileZonesAreJoined(Random random) throws Exception {
    ManualClock clock = new ManualClock(START);
    try (LocalEngine engine =
        LocalEngine.open(
            MemoryStore.withFilters(),
            clock,
            EngineSettings.standard(clock::now).withBackground(false))) {
      CompiledCollection compiled =
          engine
              .create(new Namespace("db", "things"), CollectionSpec.mongo().withDefaultTtl(LIFE))
              .owners()
              .getFirst()
              .compiled();
      ZoneMap map = new ZoneMap(ExpiryLanes.of(compiled), new byte[0], new byte[0], 0);
      AtomicLong put = new AtomicLong();
      AtomicLong latest = new AtomicLong();
      AtomicBoolean ended = new AtomicBoolean();
      List<Future<Long>> putters = new ArrayList<>();
      try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
        for (int i = 0; i < 2; i++) {
          Random own = new Random(random.nextLong());
          putters.add(
              pool.submit(
                  () -> {
                    long checked = 0;
                    while (!ended.get()) {
                      long seconds = latest.incrementAndGet();
                      byte[] key = key((long) (own.nextDouble() * put.get() / 2));
                      map.put(entry(key, seconds), 0, key.length, key.length);
                      // at this instant everything that was put before has expired
                      Cutoffs cutoffs = compiled.schedule().at(START + 1000 * (LIFE + seconds) - 1);
                      if (map.skip(key, 0, cutoffs, Direction.UP) != null) {
                        throw new AssertionError("a live key is skipped");
                      }
                      checked++;
                    }
                    return checked;
                  }));
        }
        for (int i = 0; i < ASCENDING && putters.stream().noneMatch(Future::isDone); i++) {
          byte[] key = key(i);
          map.put(entry(key, 0), 0, key.length, key.length);
          put.set(i);
        }
        ended.set(true);
        for (Future<Long> putter : putters) {
          assertThat(putter.get()).isPositive();
        }
      }
    }
  }

  @Test
  void whatIsPutWhileStoredEntriesAreReadIsNotSkipped() {
    ManualClock clock = new ManualClock(START);
    try (LocalEngine engine =
        LocalEngine.open(
            MemoryStore.withFilters(),
            clock,
            EngineSettings.standard(clock::now).withBackground(false))) {
      CompiledCollection compiled =
          engine
              .create(new Namespace("db", "things"), CollectionSpec.mongo().withDefaultTtl(LIFE))
              .owners()
              .getFirst()
              .compiled();
      ZoneMap map = new ZoneMap(ExpiryLanes.of(compiled), new byte[0], key(99), 0);
      Cutoffs cutoffs = compiled.schedule().at(START + 1000 * LIFE);
      ZoneMap.Reading first = map.read(10);
      for (int i = 0; i < 40; i++) {
        first.add(key(i), header(0));
      }
      put(map, 15, 1);
      put(map, 45, 1);
      assertThat(map.skip(key(0), 1, cutoffs, Direction.UP)).isNull();
      map.end(first, 1);
      assertThat(map.skip(key(0), 0, cutoffs, Direction.UP)).as("an older snapshot").isNull();
      assertThat(map.skip(key(0), 1, cutoffs, Direction.UP)).isEqualTo(key(10));
      assertThat(map.skip(key(15), 1, cutoffs, Direction.UP)).isNull();
      assertThat(map.skip(key(20), 1, cutoffs, Direction.UP))
          .isEqualTo(Arrays.copyOf(key(39), Long.BYTES + 1));
      assertThat(map.skip(key(45), 1, cutoffs, Direction.UP)).isNull();
      put(map, 25, 1);
      put(map, 120, 1);
      assertThat(map.skip(key(25), 1, cutoffs, Direction.UP)).isNull();
      ZoneMap.Reading second = map.read(100);
      for (int i = 40; i < 100; i++) {
        second.add(key(i), header(i == 45 ? 1 : 0));
      }
      second.ended();
      map.end(second, 2);
      assertThat(map.hasUnread()).isFalse();
      assertThat(map.skip(key(50), 2, cutoffs, Direction.UP)).isNull();
      Cutoffs later = compiled.schedule().at(START + 1000 * (LIFE + 1));
      assertThat(map.skip(key(0), 2, later, Direction.UP)).isSameAs(ExpiryZones.END);
    }
  }

  private static void put(ZoneMap map, long number, long seconds) {
    byte[] key = key(number);
    map.put(entry(key, seconds), 0, key.length, key.length);
  }

  private static byte[] header(long seconds) {
    return entry(new byte[0], seconds);
  }

  private static byte[] key(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  /** A key and the header of a document that was written this long after the start. */
  private static byte[] entry(byte[] key, long seconds) {
    byte[] entry = new byte[key.length + Header.MAX_LENGTH];
    System.arraycopy(key, 0, entry, 0, key.length);
    HeaderFields fields =
        new HeaderFields().begin(1, 1, START + 1000 * seconds, HeaderFields.NO_TTL);
    Header.write(fields, true, entry, key.length);
    return entry;
  }
}
