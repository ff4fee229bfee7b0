package dev.mayfly.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.mayfly.value.testing.SeedExtension;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the cache of records shows, and when. */
@ExtendWith(SeedExtension.class)
final class RecordCacheTest {
  private static final int SHARD = 3;
  private static final int OTHER_SHARD = 4;
  private static final byte[] KEY = bytes("key");

  /** Of a cache with one slot, which has room for all that these tests put there. */
  private static final int ONE_SLOT = 255;

  private long sequence;
  private final RecordCache cache = new RecordCache(1 << 20);
  private final Map<String, byte[]> stored = new HashMap<>(Map.of("key", bytes("old")));
  private int calls;

  @Test
  void aRecordIsReadFromTheStoreOnce() {
    assertThat(read()).isEqualTo("old");
    assertThat(read()).isEqualTo("old");
    assertThat(calls).isEqualTo(1);
  }

  @Test
  void aRecordOfAnotherShardIsAnother() {
    read();
    assertThat(cache.read(cache.region(OTHER_SHARD), KEY, _ -> bytes("other")))
        .isEqualTo(bytes("other"));
    assertThat(read()).isEqualTo("old");
  }

  @Test
  void whatIsNotStoredIsAskedForAgain() {
    stored.clear();
    assertThat(read()).isNull();
    stored.put("key", bytes("now"));
    assertThat(read()).isEqualTo("now");
  }

  @Test
  void aWriteRenewsWhatIsHere() {
    read();
    write("new");
    assertThat(read()).isEqualTo("new");
    assertThat(calls).isEqualTo(1);
  }

  @Test
  void aWriteOfWhatWasNotReadLeavesNothing() {
    write("new");
    assertThat(cache.bytes()).isZero();
    assertThat(read()).isEqualTo("new");
    assertThat(calls).isEqualTo(1);
  }

  @Test
  void aDeleteRemovesWhatIsHere() {
    read();
    try (RecordCache.Writes writes = take(new Batch().delete(Space.RECORDS, KEY))) {
      stored.clear();
      writes.commit(++sequence);
    }
    assertThat(read()).isNull();
    assertThat(cache.bytes()).isZero();
  }

  @Test
  void aDeleteOfARangeRemovesWhatIsHere() {
    read();
    Batch all = new Batch().deleteRange(Space.RECORDS, Range.all());
    try (RecordCache.Writes writes = take(all)) {
      stored.clear();
      writes.commit(++sequence);
    }
    assertThat(read()).isNull();
  }

  @Test
  void aWriteToAnotherSpaceChangesNothing() {
    read();
    try (RecordCache.Writes writes = take(new Batch().put(Space.ENTRIES, KEY, bytes("an entry")))) {
      writes.commit(++sequence);
    }
    assertThat(read()).isEqualTo("old");
    assertThat(calls).isEqualTo(1);
  }

  @Test
  void nothingIsShownWhileItIsWritten() {
    read();
    try (RecordCache.Writes writes = take(put("new"))) {
      assertThat(read()).isEqualTo("old");
      stored.put("key", bytes("new"));
      assertThat(read()).isEqualTo("new");
      writes.commit(++sequence);
    }
    assertThat(calls).isEqualTo(3);
    assertThat(read()).isEqualTo("new");
    assertThat(calls).isEqualTo(3);
  }

  @Test
  void aCommitThatFailsLeavesNothing() {
    read();
    take(put("new")).close();
    assertThat(read()).isEqualTo("old");
    assertThat(calls).isEqualTo(2);
  }

  @Test
  void whatWasReadBeforeAWriteIsNotKeptAfterIt() {
    byte[] found =
        cache.read(
            cache.region(SHARD),
            KEY,
            _ -> {
              byte[] old = stored.get("key");
              write("new");
              return old;
            });
    assertThat(found).isEqualTo(bytes("old"));
    assertThat(read()).isEqualTo("new");
  }

  @Test
  void whatWasReadBeforeAllWasForgottenIsNotKept() {
    cache.read(
        cache.region(SHARD),
        KEY,
        _ -> {
          cache.forget(SHARD);
          return bytes("gone");
        });
    stored.clear();
    assertThat(read()).isNull();
  }

  @Test
  void whatIsForgottenOfOneShardStaysOfAnother() {
    read();
    cache.forget(OTHER_SHARD);
    stored.clear();
    assertThat(read()).isEqualTo("old");
    cache.forget(SHARD);
    assertThat(read()).isNull();
  }

  @Test
  void toForgetAShardTakesNoMemoryHoweverLargeTheCacheIs() {
    RecordCache large = new RecordCache(64 << 20);
    large.forget(SHARD);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < 100; i++) {
      large.forget(SHARD);
    }
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1 << 20);
  }

  @Test
  void whatIsForgottenMakesRoom() {
    RecordCache single = withTwo();
    single.forget(SHARD);
    single.forget(OTHER_SHARD);
    single.read(single.region(SHARD), KEY, _ -> bytes("new"));
    assertThat(single.read(single.region(SHARD), KEY, _ -> null)).isEqualTo(bytes("new"));
    assertThat(single.read(single.region(OTHER_SHARD), KEY, _ -> null)).isNull();
  }

  @Test
  void whileARangeIsDeletedNothingIsShownOrKept() {
    read();
    Batch all = new Batch().deleteRange(Space.RECORDS, Range.all());
    try (RecordCache.Writes writes = take(all)) {
      assertThat(read()).isEqualTo("old");
      assertThat(calls).isEqualTo(2);
      stored.clear();
      writes.commit(++sequence);
    }
    assertThat(read()).isNull();
  }

  @Test
  void twoThatShareASlotAreBothThere() {
    RecordCache single = withTwo();
    assertThat(single.read(single.region(SHARD), KEY, _ -> null)).isEqualTo(bytes("old"));
    assertThat(single.read(single.region(OTHER_SHARD), KEY, _ -> null)).isEqualTo(bytes("other"));
  }

  @Test
  void aThirdDrivesOutTheOneThatWasReadFirst() {
    RecordCache single = withTwo();
    single.read(single.region(OTHER_SHARD), bytes("third"), _ -> bytes("3"));
    assertThat(single.read(single.region(OTHER_SHARD), bytes("third"), _ -> null))
        .isEqualTo(bytes("3"));
    assertThat(single.read(single.region(OTHER_SHARD), KEY, _ -> null)).isEqualTo(bytes("other"));
    assertThat(single.read(single.region(SHARD), KEY, _ -> null)).isNull();
  }

  @Test
  void aWriteOfOneLeavesTheOther() {
    RecordCache single = withTwo();
    try (RecordCache.Writes writes = single.writes().take(put("new"), SHARD)) {
      assertThat(single.read(single.region(OTHER_SHARD), KEY, _ -> null)).isEqualTo(bytes("other"));
      assertThat(single.read(single.region(SHARD), KEY, _ -> null)).isNull();
      writes.commit(++sequence);
    }
    assertThat(single.read(single.region(OTHER_SHARD), KEY, _ -> null)).isEqualTo(bytes("other"));
    assertThat(single.read(single.region(SHARD), KEY, _ -> null)).isEqualTo(bytes("new"));
  }

  @Test
  void whatIsTakenCanBeForgotten() {
    RecordCache single = withTwo();
    try (RecordCache.Writes writes = single.writes().take(put("new"), SHARD)) {
      single.forget(OTHER_SHARD);
      assertThat(single.read(single.region(OTHER_SHARD), KEY, _ -> null)).isNull();
      writes.commit(++sequence);
    }
    assertThat(single.read(single.region(SHARD), KEY, _ -> null)).isEqualTo(bytes("new"));
    assertThat(single.read(single.region(OTHER_SHARD), KEY, _ -> null)).isNull();
  }

  @Test
  void aDeleteOfARangeLeavesTheOtherShard() {
    RecordCache single = withTwo();
    Batch all = new Batch().deleteRange(Space.RECORDS, Range.all());
    try (RecordCache.Writes writes = single.writes().take(all, SHARD)) {
      writes.commit(++sequence);
    }
    assertThat(single.read(single.region(OTHER_SHARD), KEY, _ -> null)).isEqualTo(bytes("other"));
    assertThat(single.read(single.region(SHARD), KEY, _ -> null)).isNull();
  }

  /** What was read before a write does not come back because the other one is still there. */
  @Test
  void whatWasReadBeforeAWriteIsNotKeptBesideAnother() {
    RecordCache single = new RecordCache(ONE_SLOT);
    single.read(single.region(OTHER_SHARD), KEY, _ -> bytes("other"));
    single.read(
        single.region(SHARD),
        KEY,
        _ -> {
          try (RecordCache.Writes writes = single.writes().take(put("new"), SHARD)) {
            writes.commit(++sequence);
          }
          return bytes("old");
        });
    assertThat(single.read(single.region(SHARD), KEY, _ -> null)).isNull();
  }

  private static RecordCache withTwo() {
    RecordCache single = new RecordCache(ONE_SLOT);
    single.read(single.region(SHARD), KEY, _ -> bytes("old"));
    single.read(single.region(OTHER_SHARD), KEY, _ -> bytes("other"));
    return single;
  }

  @Test
  void whatWasReadBeforeItsShardWasForgottenDoesNotTakeTheSlotOfAnother() {
    RecordCache single = new RecordCache(ONE_SLOT);
    single.read(single.region(OTHER_SHARD), KEY, _ -> bytes("other"));
    single.read(
        single.region(SHARD),
        KEY,
        _ -> {
          single.forget(SHARD);
          return bytes("old");
        });
    assertThat(single.read(single.region(SHARD), KEY, _ -> null)).isNull();
  }

  @Test
  void aSnapshotIsShownWhatWasReadByOthers() {
    read();
    assertThat(readAt(view())).isEqualTo("old");
    assertThat(calls).isEqualTo(1);
  }

  @Test
  void othersAreShownWhatASnapshotHasRead() {
    write("new");
    assertThat(readAt(view())).isEqualTo("new");
    assertThat(read()).isEqualTo("new");
    assertThat(calls).isEqualTo(1);
  }

  @Test
  void aSnapshotIsNotShownWhatIsYounger() {
    RecordCache.View before = view();
    read();
    write("new");
    stored.put("key", bytes("old"));
    assertThat(readAt(before)).isEqualTo("old");
    stored.put("key", bytes("new"));
    assertThat(read()).isEqualTo("new");
    assertThat(readAt(view())).isEqualTo("new");
    assertThat(calls).isEqualTo(2);
  }

  @Test
  void whatAnOlderSnapshotHasReadIsNotKept() {
    RecordCache.View before = view();
    write("new");
    stored.put("key", bytes("old"));
    readAt(before);
    stored.put("key", bytes("new"));
    assertThat(read()).isEqualTo("new");
  }

  /** The first of two commits has the higher number and is released first. */
  @Test
  void aSnapshotBetweenTwoCommitsIsNotShownTheLater() {
    RecordCache.Writes first = take(put("first"));
    RecordCache.Writes second = take(put("second"));
    stored.put("key", bytes("second"));
    sequence = 1;
    RecordCache.View between = view();
    sequence = 2;
    second.commit(2);
    second.close();
    first.commit(1);
    first.close();
    read();
    assertThat(cache.read(between, KEY, true, _ -> bytes("between"))).isEqualTo(bytes("between"));
    assertThat(read()).isEqualTo("second");
  }

  @Test
  void whatASnapshotReadsAfterARangeWasDeletedIsNotKept() {
    RecordCache.View before = view();
    try (RecordCache.Writes writes = take(new Batch().deleteRange(Space.RECORDS, Range.all()))) {
      writes.commit(++sequence);
    }
    assertThat(readAt(before)).isEqualTo("old");
    stored.clear();
    assertThat(read()).isNull();
  }

  @Test
  void whatASnapshotReadsAfterItsShardWasForgottenIsNotKept() {
    RecordCache.View before = view();
    cache.forget(SHARD);
    assertThat(readAt(before)).isEqualTo("old");
    stored.clear();
    assertThat(read()).isNull();
  }

  @Test
  void afterACommitThatFailedASnapshotIsShownNothing() {
    read();
    take(put("new")).close();
    read();
    assertThat(readAt(view())).isEqualTo("old");
    assertThat(calls).isEqualTo(3);
    write("new");
    read();
    assertThat(readAt(view())).isEqualTo("new");
    assertThat(calls).isEqualTo(3);
  }

  @Test
  void whatNeedNotBeKeptIsNot() {
    assertThat(cache.read(view(), KEY, false, _ -> bytes("old"))).isEqualTo(bytes("old"));
    assertThat(cache.bytes()).isZero();
  }

  private RecordCache.View view() {
    RecordCache.Region region = cache.region(SHARD);
    return new RecordCache.View(region, RecordCache.generation(region), sequence);
  }

  private @Nullable String readAt(RecordCache.View view) {
    byte[] found = cache.read(view, KEY, true, this::load);
    return found == null ? null : new String(found, StandardCharsets.UTF_8);
  }

  private byte @Nullable [] load(byte[] key) {
    calls++;
    return stored.get(new String(key, StandardCharsets.UTF_8));
  }

  @Test
  void twoWritesAtOnceLeaveNothing() {
    read();
    RecordCache.Writes first = take(put("first"));
    RecordCache.Writes second = take(put("second"));
    stored.put("key", bytes("second"));
    second.commit(2);
    second.close();
    first.commit(1);
    first.close();
    assertThat(read()).isEqualTo("second");
  }

  @Test
  void theLastOfTwoWritesInABatchCounts() {
    read();
    try (RecordCache.Writes writes = take(put("new").delete(Space.RECORDS, KEY))) {
      stored.clear();
      writes.commit(++sequence);
    }
    assertThat(read()).isNull();
  }

  @Test
  void itTakesNoMoreThanItMay(Random random) {
    for (int i = 0; i < 20_000; i++) {
      byte[] value = new byte[random.nextInt(5_000)];
      cache.read(cache.region(SHARD), bytes("key" + random.nextInt(4_000)), _ -> value);
      assertThat(cache.bytes()).isLessThanOrEqualTo(1 << 20);
    }
    assertThat(cache.bytes()).isGreaterThan(1 << 18);
  }

  @Test
  void aRecordThatIsTooLongIsNotKept() {
    stored.put("key", new byte[1 << 17]);
    read();
    assertThat(cache.bytes()).isZero();
  }

  /** Few slots, many keys in each, writers of two shards: nobody sees a record grow younger. */
  @Test
  void whoReadsNeverGoesBackInTime() throws Exception {
    RecordCache small = new RecordCache(2 << 10);
    Map<Integer, byte[]> truth = new ConcurrentHashMap<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<Void>> all = new ArrayList<>();
      all.add(threads.submit(writer(small, truth, 0)));
      all.add(threads.submit(writer(small, truth, 1)));
      all.add(threads.submit(reader(small, truth)));
      all.add(threads.submit(reader(small, truth)));
      for (Future<Void> one : all) {
        one.get();
      }
    }
  }

  private static Callable<Void> writer(RecordCache cache, Map<Integer, byte[]> truth, int shard) {
    return () -> {
      for (int round = 1; round <= 40_000; round++) {
        int number = round % 16;
        byte[] value = ByteBuffer.allocate(4).putInt(round).array();
        Batch batch = new Batch().put(Space.RECORDS, new byte[] {(byte) number}, value);
        try (RecordCache.Writes writes = cache.writes().take(batch, shard)) {
          truth.put(shard * 16 + number, value);
          writes.commit(round);
        }
      }
      return null;
    };
  }

  private static Callable<Void> reader(RecordCache cache, Map<Integer, byte[]> truth) {
    return () -> {
      int[] seen = new int[32];
      for (int round = 0; round < 200_000; round++) {
        int which = round % 32;
        byte[] found =
            cache.read(
                cache.region(which / 16), new byte[] {(byte) (which % 16)}, _ -> truth.get(which));
        int value = found == null ? 0 : ByteBuffer.wrap(found).getInt();
        assertThat(value).isGreaterThanOrEqualTo(seen[which]);
        seen[which] = value;
      }
      return null;
    };
  }

  private @Nullable String read() {
    byte[] found = cache.read(cache.region(SHARD), KEY, this::load);
    return found == null ? null : new String(found, StandardCharsets.UTF_8);
  }

  private void write(String value) {
    try (RecordCache.Writes writes = take(put(value))) {
      stored.put("key", bytes(value));
      writes.commit(++sequence);
    }
  }

  private RecordCache.Writes take(Batch batch) {
    return cache.writes().take(batch, SHARD);
  }

  private static Batch put(String value) {
    return new Batch().put(Space.RECORDS, KEY, bytes(value));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
