package dev.mayfly.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.store.StoreException.Reason;
import dev.mayfly.value.testing.SeedExtension;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What every store must do, whatever it is made of. A store's test is a subclass of this. */
@ExtendWith(SeedExtension.class)
public abstract class StoreContract {
  /** First byte of a value that {@link #DEAD} calls dead. */
  private static final byte MARK = (byte) 0xdd;

  private static final byte KEYS = 8;

  private static final CompactionFilter DEAD =
      (_, _, value) -> value.byteSize() > 0 && value.get(ValueLayout.JAVA_BYTE, 0) == MARK;

  private Store store;

  /** Opens a new, empty store. */
  protected abstract Store open();

  /** Closes the store and opens it again, as after a restart. */
  protected abstract Store reopen(Store store);

  /**
   * Returns whether memory holds what was read or committed last. A store that cannot read without
   * waiting, such as a networked one, returns false.
   */
  protected boolean cachesRecentRecords() {
    return true;
  }

  @BeforeEach
  final void openStore() {
    store = open();
  }

  @AfterEach
  final void closeStore() {
    store.close();
  }

  /** The store under test, for what a subclass adds. */
  protected final Store store() {
    return store;
  }

  // Reading and writing single entries.

  @Test
  void aKeyThatWasNeverPutHasNoValue() {
    assertThat(store.own(1).read(Space.RECORDS, bytes("absent"))).isNull();
  }

  @Test
  void theLastPutOfAKeyIsRead() {
    Shard shard = store.own(1);
    put(shard, "k", "old");
    put(shard, "k", "new");

    assertThat(read(shard, "k")).isEqualTo("new");
  }

  @Test
  void aDeletedKeyHasNoValue() {
    Shard shard = store.own(1);
    put(shard, "k", "v");
    shard.commit(new Batch().delete(Space.RECORDS, bytes("k")).delete(Space.RECORDS, bytes("x")));

    assertThat(read(shard, "k")).isNull();
    assertThat(keys(shard, Range.all(), Direction.UP)).isEmpty();
  }

  @Test
  void keysAndValuesMayBeEmpty() {
    Shard shard = store.own(1);
    put(shard, "", "value of the empty key");
    put(shard, "k", "");

    assertThat(read(shard, "")).isEqualTo("value of the empty key");
    assertThat(read(shard, "k")).isEmpty();
    assertThat(keys(shard, Range.all(), Direction.UP)).containsExactly("", "k");
    assertThat(keys(shard, Range.all(), Direction.DOWN)).containsExactly("k", "");
  }

  @Test
  void aCachedReadReturnsWhatIsStored() {
    Shard shard = store.own(1);
    put(shard, "k", "old");
    put(shard, "k", "new");
    put(shard, "empty", "");
    put(shard, "gone", "v");
    shard.commit(new Batch().delete(Space.RECORDS, bytes("gone")));

    assertCached(shard, "k", bytes("new"));
    assertCached(shard, "empty", bytes(""));
    assertCached(shard, "gone", null);
  }

  @Test
  void aCachedReadReturnsWhatWasReadOrCommittedLast() {
    put(store.own(1), "k", "v");
    store = reopen(store);
    Shard shard = store.own(1);

    byte[] cold = shard.readIfCached(Space.RECORDS, bytes("k"));
    assertThat(Shard.isNotCached(cold) || Arrays.equals(cold, bytes("v"))).isTrue();
    assertThat(read(shard, "k")).isEqualTo("v");
    assertCached(shard, "k", bytes("v"));
    put(shard, "k", "newer");
    assertCached(shard, "k", bytes("newer"));
  }

  @Test
  void aNonBlockingSnapshotReadsAsASnapshotOrNotAtAll() {
    put(store.own(1), "a", "1");
    store = reopen(store);
    Shard shard = store.own(1);
    put(shard, "b", "2");
    for (int attempt = 0; attempt < 2; attempt++) {
      Optional<Snapshot> taken = shard.nonBlockingSnapshot();
      if (taken.isEmpty()) {
        return;
      }
      try (Snapshot snapshot = taken.get()) {
        put(shard, "b", "newer");
        try (Scan scan = snapshot.scan(Space.RECORDS, Range.all(), Direction.UP)) {
          assertThat(scan.next()).isTrue();
          assertThat(scan.key()).isEqualTo(bytes("a"));
          assertThat(scan.next()).isTrue();
          assertThat(scan.value())
              .isEqualTo(bytes(snapshot.consistent() && attempt == 0 ? "2" : "newer"));
          assertThat(scan.next()).isFalse();
        }
        assertThat(snapshot.read(Space.RECORDS, bytes("a"))).isEqualTo(bytes("1"));
      } catch (NotCachedException cold) {
        assertThat(attempt).as("the second attempt finds it in memory").isZero();
        assertThat(read(shard, "a")).isEqualTo("1");
      }
    }
  }

  private void assertCached(Shard shard, String key, byte @Nullable [] value) {
    byte[] read = shard.readIfCached(Space.RECORDS, bytes(key));
    if (!Shard.isNotCached(read) || cachesRecentRecords()) {
      assertThat(read).isEqualTo(value).isNotSameAs(Shard.NOT_CACHED);
    }
  }

  @Test
  void tryCommitWritesAllOrNothing() {
    Shard shard = store.own(1);
    put(shard, "k", "old");
    Batch batch =
        new Batch()
            .put(Space.RECORDS, bytes("k"), bytes("new"))
            .put(Space.RECORDS, bytes("l"), bytes("new"));

    OptionalLong ticket = shard.tryCommit(batch);

    assertThat(read(shard, "k")).isEqualTo(ticket.isPresent() ? "new" : "old");
    assertThat(shard.read(Space.RECORDS, bytes("l")) != null).isEqualTo(ticket.isPresent());
    ticket.ifPresent(shard::sync);
  }

  @Test
  void tryCommitIsFenced() {
    Shard before = store.own(1);
    store.own(1);
    Batch batch = new Batch().put(Space.RECORDS, bytes("k"), bytes("v"));

    try {
      assertThat(before.tryCommit(batch)).isEmpty();
    } catch (StoreException e) {
      assertThat(e.reason()).isEqualTo(Reason.FENCED);
    }
    assertThat(store.own(1).read(Space.RECORDS, bytes("k"))).isNull();
  }

  @Test
  void largeKeysAndValuesComeBackWhole(Random random) {
    byte[] key = random(random, Batch.MAX_KEY_BYTES);
    byte[] value = random(random, 9 << 20);
    Shard shard = store.own(1);
    shard.commit(new Batch().put(Space.RECORDS, key, value));

    assertThat(shard.read(Space.RECORDS, key)).isEqualTo(value);
    try (Scan scan = shard.scan(Space.RECORDS, Range.all(), Direction.UP)) {
      assertThat(scan.next()).isTrue();
      assertThat(scan.key()).isEqualTo(key);
      assertThat(scan.value()).isEqualTo(value);
    }
  }

  @Test
  void manyKeysAreReadInTheOrderTheyWereAskedFor() {
    Shard shard = store.own(1);
    put(shard, "a", "1");
    put(shard, "b", "2");

    assertThat(
            shard.readAll(Space.RECORDS, List.of(bytes("b"), bytes("x"), bytes("a"), bytes("b"))))
        .containsExactly(bytes("2"), null, bytes("1"), bytes("2"));
  }

  @Test
  void theSameKeyInTwoSpacesNamesTwoEntries() {
    Shard shard = store.own(1);
    Batch batch = new Batch();
    for (Space space : Space.values()) {
      batch.put(space, bytes("k"), bytes(space.name()));
    }
    shard.commit(batch);
    shard.commit(new Batch().delete(Space.META, bytes("k")));

    assertThat(shard.read(Space.META, bytes("k"))).isNull();
    assertThat(shard.read(Space.RECORDS, bytes("k"))).isEqualTo(bytes("RECORDS"));
    assertThat(shard.read(Space.ENTRIES, bytes("k"))).isEqualTo(bytes("ENTRIES"));
    assertThat(shard.read(Space.QUEUES, bytes("k"))).isEqualTo(bytes("QUEUES"));
  }

  @Test
  void shardsDoNotSeeEachOther() {
    int[] numbers = {0, 1, 255, 256, 65_535, 65_536, Integer.MAX_VALUE};
    for (int number : numbers) {
      put(store.own(number), "k", "of " + number);
    }

    for (int number : numbers) {
      Shard shard = store.own(number);
      assertThat(read(shard, "k")).isEqualTo("of " + number);
      assertThat(keys(shard, Range.all(), Direction.UP)).containsExactly("k");
      assertThat(keys(shard, Range.all(), Direction.DOWN)).containsExactly("k");
    }
  }

  @Test
  void aShardNumberIsNotNegative() {
    assertThatThrownBy(() -> store.own(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void arraysOfCallersAreNotKept() {
    Shard shard = store.own(1);
    byte[] key = bytes("k");
    byte[] value = bytes("v");
    Batch batch = new Batch().put(Space.RECORDS, key, value);
    key[0]++;
    value[0]++;
    shard.commit(batch);
    byte[] requested = bytes("k");
    byte[] read = requireNonNull(shard.read(Space.RECORDS, requested));
    requested[0]++;
    batch.clear().put(Space.META, bytes("other"), bytes("thing"));

    assertThat(read(shard, "k")).isEqualTo("v");
    shard.commit(new Batch().put(Space.RECORDS, bytes("k"), bytes("w")));
    assertThat(read).isEqualTo(bytes("v"));
  }

  // Scans.

  @Test
  void keysAreOrderedAsUnsignedBytes() {
    Shard shard = store.own(1);
    byte[][] ordered = {{}, {0}, {0, 0}, {1}, {127}, {(byte) 128}, {-1}, {-1, -1}};
    Batch batch = new Batch();
    for (int i : new int[] {5, 2, 7, 0, 3, 1, 6, 4}) {
      batch.put(Space.ENTRIES, ordered[i], new byte[0]);
    }
    shard.commit(batch);

    List<byte[]> seen = new ArrayList<>();
    try (Scan scan = shard.scan(Space.ENTRIES, Range.all(), Direction.UP)) {
      while (scan.next()) {
        seen.add(scan.key());
      }
    }
    assertThat(seen).containsExactly(ordered);
  }

  @Test
  void aScanStaysInsideItsRange() {
    Shard shard = alphabet();

    assertThat(keys(shard, range("c", "f"), Direction.UP)).containsExactly("c", "d", "e");
    assertThat(keys(shard, range("c", "f"), Direction.DOWN)).containsExactly("e", "d", "c");
    assertThat(keys(shard, range("bb", "dd"), Direction.UP)).containsExactly("c", "d");
    assertThat(keys(shard, range("bb", "dd"), Direction.DOWN)).containsExactly("d", "c");
    assertThat(keys(shard, Range.from(bytes("f")), Direction.UP)).containsExactly("f", "g");
    assertThat(keys(shard, Range.from(bytes("f")), Direction.DOWN)).containsExactly("g", "f");
    assertThat(keys(shard, Range.to(bytes("c")), Direction.UP)).containsExactly("a", "b");
    assertThat(keys(shard, Range.to(bytes("c")), Direction.DOWN)).containsExactly("b", "a");
  }

  @Test
  void anEmptyRangeHasNoEntries() {
    Shard shard = alphabet();
    for (Range empty : List.of(range("c", "c"), range("f", "b"), Range.to(new byte[0]))) {
      for (Direction direction : Direction.values()) {
        try (Scan scan = shard.scan(Space.RECORDS, empty, direction)) {
          assertThat(scan.next()).isFalse();
          scan.seek(bytes("d"));
          assertThat(scan.next()).isFalse();
        }
      }
    }
  }

  @Test
  void aPrefixCoversTheKeysThatBeginWithIt() {
    Shard shard = store.own(1);
    byte[][] keys = {{1}, {2}, {2, 0}, {2, -1, -1}, {3}, {-1}, {-1, -1}, {-1, -1, 5}};
    Batch batch = new Batch();
    for (byte[] key : keys) {
      batch.put(Space.ENTRIES, key, new byte[0]);
    }
    shard.commit(batch);

    assertThat(count(shard, Range.prefix(new byte[] {2}))).isEqualTo(3);
    assertThat(count(shard, Range.prefix(new byte[] {-1}))).isEqualTo(3);
    assertThat(count(shard, Range.prefix(new byte[] {-1, -1}))).isEqualTo(2);
    assertThat(count(shard, Range.prefix(new byte[0]))).isEqualTo(8);
  }

  @Test
  void aScanSeeksForthAndBack() {
    try (Scan scan = alphabet().scan(Space.RECORDS, range("b", "g"), Direction.UP)) {
      scan.seek(bytes("dd"));
      assertThat(nextKey(scan)).isEqualTo("e");
      scan.seek(bytes("c"));
      assertThat(nextKey(scan)).isEqualTo("c");
      assertThat(nextKey(scan)).isEqualTo("d");
      scan.seek(bytes("a"));
      assertThat(nextKey(scan)).isEqualTo("b");
      scan.seek(bytes("g"));
      assertThat(scan.next()).isFalse();
      assertThat(scan.next()).isFalse();
      scan.seek(bytes("f"));
      assertThat(nextKey(scan)).isEqualTo("f");
    }
  }

  @Test
  void aDescendingScanSeeksAtOrBeforeTheKey() {
    try (Scan scan = alphabet().scan(Space.RECORDS, range("b", "g"), Direction.DOWN)) {
      scan.seek(bytes("dd"));
      assertThat(nextKey(scan)).isEqualTo("d");
      scan.seek(bytes("e"));
      assertThat(nextKey(scan)).isEqualTo("e");
      assertThat(nextKey(scan)).isEqualTo("d");
      scan.seek(bytes("z"));
      assertThat(nextKey(scan)).isEqualTo("f");
      scan.seek(bytes("g"));
      assertThat(nextKey(scan)).isEqualTo("f");
      scan.seek(bytes("a"));
      assertThat(scan.next()).isFalse();
      scan.seek(bytes("b"));
      assertThat(nextKey(scan)).isEqualTo("b");
    }
  }

  @Test
  void aScanHasAnEntryOnlyAfterNextSaidSo() {
    try (Scan scan = alphabet().scan(Space.RECORDS, range("g", "h"), Direction.UP)) {
      assertThatThrownBy(scan::key).isInstanceOf(IllegalStateException.class);
      assertThat(nextKey(scan)).isEqualTo("g");
      assertThat(text(scan.value())).isEqualTo("value of g");
      scan.seek(bytes("g"));
      assertThatThrownBy(scan::value).isInstanceOf(IllegalStateException.class);
      assertThat(scan.next()).isTrue();
      assertThat(scan.next()).isFalse();
      assertThatThrownBy(scan::key).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void valuesCanBeLookedAtWhereTheyLie() {
    try (Scan scan = alphabet().scan(Space.RECORDS, range("f", "h"), Direction.UP)) {
      assertThatThrownBy(() -> scan.look(MemorySegment::byteSize))
          .isInstanceOf(IllegalStateException.class);
      assertThat(scan.next()).isTrue();
      String seen = scan.look(value -> text(value.toArray(ValueLayout.JAVA_BYTE)));
      assertThat(seen).isEqualTo("value of f");
      assertThat(scan.next()).isTrue();
      long size = scan.look(MemorySegment::byteSize);
      assertThat(size).isEqualTo(10);
      assertThat(text(scan.value())).isEqualTo("value of g");
    }
  }

  @Test
  void aValueIsGoneOnceItWasLookedAt() {
    try (Scan scan = alphabet().scan(Space.RECORDS, Range.all(), Direction.UP)) {
      assertThat(scan.next()).isTrue();
      MemorySegment kept = scan.look(value -> value);
      assertThatThrownBy(() -> kept.get(ValueLayout.JAVA_BYTE, 0))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void whoLooksCannotChangeAValue() {
    try (Scan scan = alphabet().scan(Space.RECORDS, Range.all(), Direction.UP)) {
      assertThat(scan.next()).isTrue();
      assertThatThrownBy(() -> scan.look(value -> value.fill((byte) 0)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aClosedScanSaysSo() {
    Scan scan = alphabet().scan(Space.RECORDS, Range.all(), Direction.UP);
    assertThat(scan.next()).isTrue();
    scan.close();
    scan.close();

    assertFails(Reason.CLOSED, scan::next);
    assertFails(Reason.CLOSED, scan::key);
    assertFails(Reason.CLOSED, () -> scan.look(MemorySegment::byteSize));
    assertFails(Reason.CLOSED, () -> scan.seek(bytes("a")));
  }

  // Snapshots.

  @Test
  void aConsistentSnapshotIsOneInstantAndAnyOtherIsNow() {
    Shard shard = alphabet();
    try (Snapshot snapshot = shard.snapshot()) {
      shard.commit(
          new Batch()
              .put(Space.RECORDS, bytes("a"), bytes("changed"))
              .delete(Space.RECORDS, bytes("b"))
              .put(Space.RECORDS, bytes("h"), bytes("added")));

      if (snapshot.consistent()) {
        assertThat(read(snapshot, "a")).isEqualTo("value of a");
        assertThat(keys(snapshot, Range.all(), Direction.UP))
            .containsExactly("a", "b", "c", "d", "e", "f", "g");
      } else {
        assertThat(read(snapshot, "a")).isEqualTo("changed");
        assertThat(keys(snapshot, Range.all(), Direction.UP))
            .containsExactly("a", "c", "d", "e", "f", "g", "h");
      }
      assertThat(keys(shard, Range.all(), Direction.DOWN))
          .containsExactly("h", "g", "f", "e", "d", "c", "a");
    }
  }

  /** Records are read many times, before and after snapshots, so that a cache would hold them. */
  @Test
  void aSnapshotReadsTheRecordsThatItScansWhileOthersWrite(Random random) throws Exception {
    Shard shard = store.own(1);
    boolean consistent;
    try (Snapshot any = shard.snapshot()) {
      consistent = any.consistent();
    }
    CountDownLatch writers = new CountDownLatch(2);
    List<Callable<Void>> tasks = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Random own = new Random(random.nextLong());
      tasks.add(
          () -> {
            try {
              for (int round = 0; round < 1500; round++) {
                shard.commit(anyChange(own, round));
              }
            } finally {
              writers.countDown();
            }
            return null;
          });
    }
    for (int i = 0; i < 2; i++) {
      tasks.add(
          () -> {
            while (writers.getCount() > 0) {
              try (Snapshot snapshot = shard.snapshot()) {
                for (byte key = 0; consistent && key < KEYS; key++) {
                  assertReadsWhatItScans(snapshot, key);
                }
              }
              for (byte key = 0; key < KEYS; key++) {
                shard.read(Space.RECORDS, new byte[] {key});
              }
            }
            return null;
          });
    }
    together(tasks);
    try (Snapshot snapshot = shard.snapshot()) {
      for (byte key = 0; key < KEYS; key++) {
        assertReadsWhatItScans(snapshot, key);
        assertThat(shard.read(Space.RECORDS, new byte[] {key}))
            .isEqualTo(snapshot.read(Space.RECORDS, new byte[] {key}));
      }
    }
  }

  private static Batch anyChange(Random random, int round) {
    byte[] key = {(byte) random.nextInt(KEYS)};
    Batch batch = new Batch();
    return switch (random.nextInt(20)) {
      case 0 -> batch.deleteRange(Space.RECORDS, Range.from(key));
      case 1, 2, 3 -> batch.delete(Space.RECORDS, key);
      default -> batch.put(Space.RECORDS, key, Integer.toString(round).getBytes(UTF_8));
    };
  }

  private static void assertReadsWhatItScans(Snapshot snapshot, byte key) {
    Range one = Range.of(new byte[] {key}, new byte[] {(byte) (key + 1)});
    byte[] first = snapshot.read(Space.RECORDS, new byte[] {key});
    try (Scan scan = snapshot.scan(Space.RECORDS, one, Direction.UP)) {
      byte[] scanned = scan.next() ? scan.value() : null;
      assertThat(first).isEqualTo(scanned);
      assertThat(snapshot.read(Space.RECORDS, new byte[] {key})).isEqualTo(scanned);
    }
  }

  @Test
  void aClosedSnapshotSaysSo() {
    Snapshot snapshot = alphabet().snapshot();
    snapshot.close();
    snapshot.close();

    assertFails(Reason.CLOSED, () -> snapshot.read(Space.RECORDS, bytes("a")));
    assertFails(Reason.CLOSED, () -> snapshot.scan(Space.RECORDS, Range.all(), Direction.UP));
  }

  @Test
  void aScanSeesWhatWasCommittedBeforeIt() {
    Shard shard = store.own(1);
    for (int i = 0; i < 50; i++) {
      shard.commit(new Batch().put(Space.QUEUES, new byte[] {(byte) i}, new byte[0]));
      try (Scan scan = shard.scan(Space.QUEUES, Range.all(), Direction.DOWN)) {
        assertThat(scan.next()).isTrue();
        assertThat(scan.key()).containsExactly(i);
      }
    }
  }

  // Batches.

  @Test
  void theOperationsOfABatchCountInTheirOrder() {
    Shard shard = alphabet();
    shard.commit(
        new Batch()
            .put(Space.RECORDS, bytes("a"), bytes("first"))
            .delete(Space.RECORDS, bytes("a"))
            .put(Space.RECORDS, bytes("bb"), bytes("covered"))
            .deleteRange(Space.RECORDS, bytes("b"), bytes("e"))
            .put(Space.RECORDS, bytes("c"), bytes("after"))
            .put(Space.RECORDS, bytes("g"), bytes("one"))
            .put(Space.RECORDS, bytes("g"), bytes("two")));

    assertThat(keys(shard, Range.all(), Direction.UP)).containsExactly("c", "e", "f", "g");
    assertThat(read(shard, "a")).isNull();
    assertThat(read(shard, "bb")).isNull();
    assertThat(read(shard, "c")).isEqualTo("after");
    assertThat(read(shard, "g")).isEqualTo("two");
  }

  @Test
  void aRangeDeleteStaysInItsShardSpaceAndRange() {
    Shard other = store.own(2);
    put(other, "d", "of another shard");
    Shard shard = alphabet();
    shard.commit(new Batch().put(Space.META, bytes("d"), bytes("of another space")));

    shard.commit(new Batch().deleteRange(Space.RECORDS, bytes("c"), bytes("f")));
    assertThat(keys(shard, Range.all(), Direction.UP)).containsExactly("a", "b", "f", "g");
    shard.commit(new Batch().deleteRange(Space.RECORDS, Range.to(bytes("b"))));
    assertThat(keys(shard, Range.all(), Direction.UP)).containsExactly("b", "f", "g");
    shard.commit(new Batch().deleteRange(Space.RECORDS, Range.from(bytes("g"))));
    assertThat(keys(shard, Range.all(), Direction.UP)).containsExactly("b", "f");
    shard.commit(new Batch().deleteRange(Space.RECORDS, Range.all()));
    assertThat(keys(shard, Range.all(), Direction.UP)).isEmpty();

    assertThat(read(other, "d")).isEqualTo("of another shard");
    assertThat(shard.read(Space.META, bytes("d"))).isEqualTo(bytes("of another space"));
  }

  @Test
  void anEmptyOrInvertedRangeDeletesNothing() {
    Shard shard = alphabet();
    shard.commit(
        new Batch()
            .deleteRange(Space.RECORDS, bytes("c"), bytes("c"))
            .deleteRange(Space.RECORDS, bytes("f"), bytes("b")));
    shard.commit(new Batch());

    assertThat(keys(shard, Range.all(), Direction.UP)).hasSize(7);
  }

  @Test
  void readersNeverSeeHalfOfABatch() throws Exception {
    Shard shard = store.own(1);
    Batch batch = new Batch();
    commitPair(shard, batch, 0);
    CountDownLatch started = new CountDownLatch(2);
    together(
        List.of(
            () -> {
              started.countDown();
              for (int i = 1; i <= 2_000; i++) {
                commitPair(shard, batch.clear(), i);
              }
              return null;
            },
            () -> {
              started.countDown();
              started.await();
              for (int i = 0; i < 500; i++) {
                assertPairIsWhole(shard);
              }
              return null;
            }));
  }

  private static void commitPair(Shard shard, Batch batch, int i) {
    byte[] value = bytes(Integer.toString(i));
    shard.commit(
        batch.put(Space.RECORDS, bytes("left"), value).put(Space.QUEUES, bytes("right"), value));
  }

  private static void assertPairIsWhole(Shard shard) {
    try (Snapshot snapshot = shard.snapshot()) {
      int left = number(snapshot.read(Space.RECORDS, bytes("left")));
      int right = number(snapshot.read(Space.QUEUES, bytes("right")));
      if (snapshot.consistent()) {
        assertThat(right).isEqualTo(left);
      } else {
        assertThat(right).isGreaterThanOrEqualTo(left);
      }
    }
  }

  @Test
  void manyThreadsCommitAndSync() throws Exception {
    Shard shard = store.own(1);
    List<Callable<Void>> writers = new ArrayList<>();
    for (int writer = 0; writer < 24; writer++) {
      String name = "writer-" + writer + "-";
      writers.add(() -> commitAndSync(shard, name, 25));
    }
    together(writers, Executors.newVirtualThreadPerTaskExecutor());

    store = reopen(store);
    assertThat(keys(store.own(1), Range.all(), Direction.UP)).hasSize(24 * 25);
  }

  private static Void commitAndSync(Shard shard, String name, int times) {
    long before = -1;
    for (int i = 0; i < times; i++) {
      long ticket = shard.commit(new Batch().put(Space.RECORDS, bytes(name + i), bytes("v")));
      assertThat(ticket).isGreaterThan(before);
      before = ticket;
      shard.sync(ticket);
      shard.sync(ticket);
    }
    return null;
  }

  @Test
  void whatIsSyncedIsToldByTickets() {
    Shard shard = store.own(1);
    long first = shard.commit(new Batch().put(Space.RECORDS, bytes("a"), bytes("1")));
    assertThat(shard.syncedThrough()).isNotNegative();

    shard.sync(first);
    assertThat(shard.syncedThrough()).isGreaterThanOrEqualTo(first);

    long second = shard.commit(new Batch().put(Space.RECORDS, bytes("b"), bytes("2")));
    long third = shard.commit(new Batch().put(Space.RECORDS, bytes("c"), bytes("3")));
    long before = shard.syncedThrough();
    shard.sync(third);
    assertThat(shard.syncedThrough())
        .isGreaterThanOrEqualTo(before)
        .isGreaterThanOrEqualTo(third)
        .isGreaterThan(second);
  }

  @Test
  void anEventLoopIsWokenWhenItsCommitsSurviveLossOfPower() throws Exception {
    Shard shard = store.own(1);
    Semaphore wakes = new Semaphore(0);
    Runnable wake = wakes::release;
    List<Long> tickets = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      tickets.add(shard.commit(new Batch().put(Space.RECORDS, bytes("k" + i), bytes("v"))));
      shard.wakeAfterFlush(tickets.getLast(), wake);
    }
    for (long ticket : tickets) {
      while (!shard.trySync(ticket)) {
        wakes.acquire();
      }
    }
    assertThat(shard.syncedThrough()).isGreaterThanOrEqualTo(tickets.getLast());

    wakes.drainPermits();
    shard.wakeAfterFlush(tickets.getLast(), wake);
    assertThat(wakes.tryAcquire()).isTrue();
  }

  @Test
  void whatIsCommittedTogetherIsSyncedTogether() {
    if (cannotGoTogether()) {
      return;
    }
    Shard one = store.own(1);
    Shard two = store.own(2);
    long ticket = crossShard().commit(List.of(putting(one, "k", "1"), putting(two, "k", "2")));
    one.sync(ticket);

    assertThat(one.syncedThrough()).isGreaterThanOrEqualTo(ticket);
    assertThat(two.syncedThrough()).isGreaterThanOrEqualTo(ticket);
  }

  // Several shards at one go.

  private CrossShard crossShard() {
    return store.together().orElseThrow();
  }

  private boolean cannotGoTogether() {
    return store.together().isEmpty();
  }

  private static ShardBatch putting(Shard shard, String key, String value) {
    return new ShardBatch(shard, new Batch().put(Space.RECORDS, bytes(key), bytes(value)));
  }

  @Test
  void severalShardsAreCommittedAtOneGo() {
    if (cannotGoTogether()) {
      return;
    }
    Shard one = store.own(1);
    Shard two = store.own(2);
    put(one, "k", "old");
    long before = one.commit(new Batch());
    long ticket = crossShard().commit(List.of(putting(two, "k", "2"), putting(one, "k", "1")));

    assertThat(read(one, "k")).isEqualTo("1");
    assertThat(read(two, "k")).isEqualTo("2");
    assertThat(ticket).isGreaterThanOrEqualTo(before);
    one.sync(ticket);
    two.sync(ticket);
    store = reopen(store);
    assertThat(read(store.own(1), "k")).isEqualTo("1");
    assertThat(read(store.own(2), "k")).isEqualTo("2");
  }

  @Test
  void whenOneOwnerIsFencedNoShardIsWritten() {
    if (cannotGoTogether()) {
      return;
    }
    Shard one = store.own(1);
    Shard two = store.own(2);
    Shard three = store.own(3);
    store.own(2);
    List<ShardBatch> batches =
        List.of(putting(one, "k", "1"), putting(two, "k", "2"), putting(three, "k", "3"));
    assertFails(Reason.FENCED, () -> crossShard().commit(batches));

    assertThat(read(one, "k")).isNull();
    assertThat(read(three, "k")).isNull();
    crossShard().commit(List.of(putting(one, "k", "1"), putting(three, "k", "3")));
    assertThat(read(three, "k")).isEqualTo("3");
  }

  @Test
  void aShardHasOneBatchAndIsOneOfTheStore() {
    if (cannotGoTogether()) {
      return;
    }
    Shard one = store.own(1);
    List<ShardBatch> twice = List.of(putting(one, "a", "1"), putting(one, "b", "1"));
    assertThatThrownBy(() -> crossShard().commit(twice))
        .isInstanceOf(IllegalArgumentException.class);
    try (MemoryStore other = new MemoryStore()) {
      List<ShardBatch> strange = List.of(putting(other.own(1), "a", "1"));
      assertThatThrownBy(() -> crossShard().commit(strange))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(keys(one, Range.all(), Direction.UP)).isEmpty();
  }

  @Test
  void aSnapshotOfTheStoreIsOneInstantOfAllShards() {
    if (cannotGoTogether()) {
      return;
    }
    Shard one = store.own(1);
    Shard two = store.own(2);
    put(one, "k", "old");
    try (StoreSnapshot instant = crossShard().snapshot()) {
      crossShard().commit(List.of(putting(one, "k", "new"), putting(two, "k", "new")));
      store.own(3).commit(new Batch().put(Space.RECORDS, bytes("k"), bytes("new")));

      assertThat(instant.of(1).consistent()).isTrue();
      assertThat(instant.of(1).read(Space.RECORDS, bytes("k"))).isEqualTo(bytes("old"));
      assertThat(instant.of(2).read(Space.RECORDS, bytes("k"))).isNull();
      assertThat(instant.of(3).read(Space.RECORDS, bytes("k"))).isNull();
      try (Scan scan = instant.of(1).scan(Space.RECORDS, Range.all(), Direction.UP)) {
        assertThat(scan.next()).isTrue();
        assertThat(scan.value()).isEqualTo(bytes("old"));
      }
    }
    StoreSnapshot closed = crossShard().snapshot();
    Snapshot part = closed.of(1);
    closed.close();
    closed.close();
    assertFails(Reason.CLOSED, () -> part.read(Space.RECORDS, bytes("k")));
  }

  @Test
  void noSnapshotSeesHalfOfWhatIsCommittedTogether() throws Exception {
    if (cannotGoTogether()) {
      return;
    }
    Shard one = store.own(1);
    Shard two = store.own(2);
    CountDownLatch done = new CountDownLatch(1);
    List<Callable<Void>> tasks = new ArrayList<>();
    tasks.add(
        () -> {
          for (int i = 0; i < 2000; i++) {
            String value = Integer.toString(i);
            crossShard().commit(List.of(putting(one, "k", value), putting(two, "k", value)));
          }
          done.countDown();
          return null;
        });
    tasks.add(
        () -> {
          while (done.getCount() > 0) {
            try (StoreSnapshot instant = crossShard().snapshot()) {
              assertThat(instant.of(1).read(Space.RECORDS, bytes("k")))
                  .isEqualTo(instant.of(2).read(Space.RECORDS, bytes("k")));
            }
          }
          return null;
        });
    together(tasks);
  }

  // Owners.

  @Test
  void aNewOwnerFencesTheOldOne() {
    Shard old = store.own(1);
    put(old, "k", "by the old owner");
    Shard young = store.own(1);

    assertThat(young.epoch()).isGreaterThan(old.epoch());
    assertThat(young.number()).isEqualTo(1);
    assertFails(Reason.FENCED, () -> put(old, "k", "too late"));
    assertFails(Reason.FENCED, () -> old.commit(new Batch()));
    assertThat(read(young, "k")).isEqualTo("by the old owner");
    put(young, "k", "by the young owner");
    assertThat(read(old, "k")).isEqualTo("by the young owner");
  }

  @Test
  void owningOneShardFencesNoOther() {
    Shard one = store.own(1);
    Shard two = store.own(2);
    put(one, "k", "1");
    put(two, "k", "2");

    assertThat(read(one, "k")).isEqualTo("1");
    assertThat(read(two, "k")).isEqualTo("2");
  }

  @Test
  void nothingOfAnOldOwnerLandsAfterANewOneTookOver() throws Exception {
    for (int round = 0; round < 20; round++) {
      Shard old = store.own(1);
      CountDownLatch writing = new CountDownLatch(1);
      together(
          List.of(
              () -> {
                assertFails(
                    Reason.FENCED,
                    () -> {
                      while (true) {
                        put(old, "k", "old");
                        writing.countDown();
                      }
                    });
                return null;
              },
              () -> {
                writing.await();
                Shard young = store.own(1);
                put(young, "k", "young");
                for (int i = 0; i < 20; i++) {
                  assertThat(read(young, "k")).isEqualTo("young");
                }
                return null;
              }));
    }
  }

  @Test
  void epochsGoOnAfterADropAndARestart() {
    long first = store.own(1).epoch();
    store.drop(1);
    long second = store.own(1).epoch();
    store = reopen(store);
    long third = store.own(1).epoch();

    assertThat(second).isGreaterThan(first);
    assertThat(third).isGreaterThan(second);
  }

  @Test
  void aDroppedShardIsEmptyAndItsOwnerFenced() {
    Shard other = store.own(2);
    put(other, "k", "stays");
    Shard shard = alphabet();
    shard.commit(
        new Batch()
            .put(Space.META, bytes("k"), bytes("v"))
            .put(Space.ENTRIES, bytes("k"), bytes("v"))
            .put(Space.QUEUES, bytes("k"), bytes("v")));
    store.reclaim(1, Space.RECORDS);
    store.drop(1);
    store.drop(1);

    assertFails(Reason.FENCED, () -> put(shard, "k", "too late"));
    assertShardIsEmpty(store.own(1));
    store = reopen(store);
    assertShardIsEmpty(store.own(1));
    assertThat(read(store.own(2), "k")).isEqualTo("stays");
  }

  @Test
  void aDroppedShardCanBeFilledAnew() {
    alphabet();
    store.drop(1);
    Shard shard = store.own(1);
    put(shard, "c", "new");
    store.reclaim(1, Space.RECORDS);
    store = reopen(store);

    assertThat(keys(store.own(1), Range.all(), Direction.UP)).containsExactly("c");
  }

  @Test
  void droppingAShardThatNeverWasDoesNothing() {
    store.drop(7);

    assertShardIsEmpty(store.own(7));
  }

  @Test
  void erasingStaysInItsShardSpaceAndRange() {
    Shard other = store.own(2);
    put(other, "d", "of another shard");
    Shard shard = alphabet();
    shard.commit(new Batch().put(Space.META, bytes("d"), bytes("of another space")));
    store.reclaim(1, Space.RECORDS);

    shard.erase(Space.RECORDS, Range.of(bytes("c"), bytes("f")));
    assertThat(keys(shard, Range.all(), Direction.UP)).containsExactly("a", "b", "f", "g");
    shard.erase(Space.RECORDS, Range.of(bytes("f"), bytes("b")));
    assertThat(keys(shard, Range.all(), Direction.UP)).containsExactly("a", "b", "f", "g");
    store.reclaim(1, Space.RECORDS);
    shard.erase(Space.RECORDS, Range.all());
    put(shard, "e", "new");
    store = reopen(store);

    assertThat(keys(store.own(1), Range.all(), Direction.UP)).containsExactly("e");
    assertThat(read(store.own(2), "d")).isEqualTo("of another shard");
    assertThat(store.own(1).read(Space.META, bytes("d"))).isEqualTo(bytes("of another space"));
  }

  @Test
  void aSnapshotKeepsWhatIsErasedUnderIt() {
    Shard shard = alphabet();
    store.reclaim(1, Space.RECORDS);
    try (Snapshot snapshot = shard.snapshot()) {
      shard.erase(Space.RECORDS, Range.all());
      store.reclaim(1, Space.RECORDS);
      if (snapshot.consistent()) {
        assertThat(keys(snapshot, Range.all(), Direction.UP)).hasSize(7);
        assertThat(read(snapshot, "d")).isNotNull();
      }
    }
    assertThat(keys(shard, Range.all(), Direction.UP)).isEmpty();
  }

  @Test
  void onlyTheOwnerErases() {
    Shard old = alphabet();
    Shard young = store.own(1);

    assertFails(Reason.FENCED, () -> old.erase(Space.RECORDS, Range.all()));
    assertThat(keys(young, Range.all(), Direction.UP)).hasSize(7);
  }

  private static void assertShardIsEmpty(Shard shard) {
    for (Space space : Space.values()) {
      try (Scan scan = shard.scan(space, Range.all(), Direction.UP)) {
        assertThat(scan.next()).isFalse();
      }
    }
    assertThat(shard.read(Space.RECORDS, bytes("c"))).isNull();
  }

  // Restarts.

  @Test
  void whatWasCommittedIsThereAfterARestart() {
    Shard shard = alphabet();
    shard.commit(new Batch().deleteRange(Space.RECORDS, bytes("b"), bytes("d")));
    store = reopen(store);

    assertThat(keys(store.own(1), Range.all(), Direction.UP))
        .containsExactly("a", "d", "e", "f", "g");
  }

  // Random operations against a map that is known to be right.

  @Test
  void behavesAsASortedMapWhateverIsDoneToIt(Random random) {
    TreeMap<byte[], byte[]> oracle = new TreeMap<>(Arrays::compareUnsigned);
    Shard shard = store.own(3);
    for (int round = 0; round < 300; round++) {
      shard.commit(randomBatch(random, oracle));
      assertSameScan(shard, randomRange(random), random, oracle);
      byte[] key = randomKey(random);
      assertThat(shard.read(Space.ENTRIES, key)).isEqualTo(oracle.get(key));
      if (random.nextInt(60) == 0) {
        store.reclaim(3, Space.ENTRIES);
      }
      if (random.nextInt(30) == 0) {
        Range range = randomRange(random);
        shard.erase(Space.ENTRIES, range);
        oracle.keySet().removeIf(range::contains);
      }
      if (random.nextInt(60) == 0) {
        store = reopen(store);
        shard = store.own(3);
      }
    }
    assertSameScan(shard, Range.all(), random, oracle);
  }

  private static Batch randomBatch(Random random, NavigableMap<byte[], byte[]> oracle) {
    Batch batch = new Batch();
    for (int i = random.nextInt(12); i >= 0; i--) {
      byte[] key = randomKey(random);
      switch (random.nextInt(12)) {
        case 0 -> {
          Range range = randomRange(random);
          batch.deleteRange(Space.ENTRIES, range);
          oracle.keySet().removeIf(range::contains);
        }
        case 1, 2, 3 -> {
          batch.delete(Space.ENTRIES, key);
          oracle.remove(key);
        }
        default -> {
          byte[] value = random(random, random.nextInt(40));
          batch.put(Space.ENTRIES, key, value);
          oracle.put(key, value);
        }
      }
    }
    return batch;
  }

  private static void assertSameScan(
      Shard shard, Range range, Random random, NavigableMap<byte[], byte[]> oracle) {
    Direction direction = random.nextBoolean() ? Direction.UP : Direction.DOWN;
    var ordered = direction == Direction.UP ? oracle : oracle.descendingMap();
    List<byte[]> expected = new ArrayList<>();
    ordered.forEach(
        (key, value) -> {
          if (range.contains(key)) {
            expected.add(key);
            expected.add(value);
          }
        });
    List<byte[]> actual = new ArrayList<>();
    try (Scan scan = shard.scan(Space.ENTRIES, range, direction)) {
      while (scan.next()) {
        actual.add(scan.key());
        actual.add(scan.value());
      }
    }
    assertThat(actual).usingElementComparator(Arrays::compareUnsigned).isEqualTo(expected);
  }

  private static byte[] randomKey(Random random) {
    byte[] key = new byte[random.nextInt(4)];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) (random.nextInt(4) - 2);
    }
    return key;
  }

  private static Range randomRange(Random random) {
    return switch (random.nextInt(5)) {
      case 0 -> Range.from(randomKey(random));
      case 1 -> Range.to(randomKey(random));
      case 2 -> Range.prefix(randomKey(random));
      default -> Range.of(randomKey(random), randomKey(random));
    };
  }

  // Reclaiming space.

  @Test
  void aFilterDropsTheDeadAndNothingElse() {
    Shard shard = store.own(1);
    boolean filters = store.install(DEAD);
    for (Space space : Space.values()) {
      shard.commit(deadAndAlive(space));
      store.reclaim(1, space);
    }

    for (Space space : Space.values()) {
      assertThat(shard.read(space, bytes("alive"))).as(space.name()).isEqualTo(bytes("value"));
      assertThat(shard.read(space, bytes("reborn"))).as(space.name()).isEqualTo(bytes("value"));
      if (filters && space.filtered()) {
        assertThat(shard.read(space, bytes("dead"))).as(space.name()).isNull();
      } else {
        assertThat(shard.read(space, bytes("dead"))).as(space.name()).isNotNull();
      }
    }
  }

  private static Batch deadAndAlive(Space space) {
    byte[] dead = {MARK, 1, 2, 3};
    return new Batch()
        .put(space, bytes("alive"), bytes("value"))
        .put(space, bytes("dead"), dead)
        .put(space, bytes("reborn"), dead)
        .put(space, bytes("reborn"), bytes("value"));
  }

  @Test
  void theDeadDoNotUncoverWhatTheyReplaced() {
    Shard shard = store.own(1);
    boolean filters = store.install(DEAD);
    put(shard, "k", "long ago");
    store.reclaim(1, Space.RECORDS);
    shard.commit(new Batch().put(Space.RECORDS, bytes("k"), new byte[] {MARK}));
    store.reclaim(1, Space.RECORDS);

    if (filters) {
      assertThat(read(shard, "k")).isNull();
    } else {
      assertThat(shard.read(Space.RECORDS, bytes("k"))).containsExactly(MARK);
    }
  }

  @Test
  void withoutAFilterNothingIsDropped() {
    Shard shard = store.own(1);
    shard.commit(deadAndAlive(Space.RECORDS));
    store.reclaim(1, Space.RECORDS);

    assertThat(shard.read(Space.RECORDS, bytes("dead"))).isNotNull();
  }

  @Test
  void theFilterIsToldShardAndSpaceAndSeesTheWholeValue() {
    CompactionFilter exact =
        (shard, space, value) ->
            shard == 2
                && space == Space.ENTRIES
                && value.mismatch(MemorySegment.ofArray(bytes("die"))) == -1;
    boolean filters = store.install(exact);
    for (int number = 1; number <= 2; number++) {
      Shard shard = store.own(number);
      for (Space space : List.of(Space.RECORDS, Space.ENTRIES)) {
        shard.commit(
            new Batch().put(space, bytes("x"), bytes("die")).put(space, bytes("y"), bytes("die!")));
        store.reclaim(number, space);
        boolean dies = filters && number == 2 && space == Space.ENTRIES;
        assertThat(shard.read(space, bytes("x")) == null).isEqualTo(dies);
        assertThat(shard.read(space, bytes("y"))).isNotNull();
      }
    }
  }

  @Test
  void aFilterThatThrowsKeepsTheEntry() {
    store.install(
        (_, _, _) -> {
          throw new IllegalStateException("a filter must not throw, but this one does");
        });
    Shard shard = store.own(1);
    put(shard, "k", "v");
    store.reclaim(1, Space.RECORDS);

    assertThat(read(shard, "k")).isEqualTo("v");
  }

  @Test
  void aLaterFilterReplacesTheEarlierOne() {
    store.install((_, _, _) -> true);
    boolean filters = store.install(DEAD);
    Shard shard = store.own(1);
    shard.commit(deadAndAlive(Space.RECORDS));
    store.reclaim(1, Space.RECORDS);

    assertThat(read(shard, "alive")).isEqualTo("value");
    assertThat(shard.read(Space.RECORDS, bytes("dead")) == null).isEqualTo(filters);
  }

  @Test
  void entriesDroppedByCompactionAreNotReadAfterForgetDropped() {
    Shard shard = store.own(1);
    boolean filters = store.install(DEAD);
    shard.commit(deadAndAlive(Space.RECORDS));
    assertThat(shard.read(Space.RECORDS, bytes("dead"))).isNotNull();
    store.reclaim(1, Space.RECORDS);
    shard.forgetDropped();
    assertThat(shard.read(Space.RECORDS, bytes("dead")) == null).isEqualTo(filters);
    byte[] cached = shard.readIfCached(Space.RECORDS, bytes("dead"));
    assertThat(cached == null || Shard.isNotCached(cached)).isEqualTo(filters);
  }

  @Test
  void reclaimingKeepsWhatIsAlive() {
    Shard shard = alphabet();
    shard.commit(new Batch().deleteRange(Space.RECORDS, bytes("b"), bytes("f")));
    put(shard, "c", "again");
    store.reclaim(1, Space.RECORDS);

    assertThat(keys(shard, Range.all(), Direction.UP)).containsExactly("a", "c", "f", "g");
    assertThat(read(shard, "c")).isEqualTo("again");
  }

  @Test
  void theWeightOfAShardIsItsOwn(Random random) {
    Shard shard = store.own(1);
    store.own(2);
    for (int i = 0; i < 16; i++) {
      shard.commit(new Batch().put(Space.RECORDS, random(random, 16), random(random, 1 << 16)));
    }
    store.reclaim(1, Space.RECORDS);

    assertThat(store.bytesOnDisk(1)).isBetween(900L << 10, 2L << 20);
    assertThat(store.bytesOnDisk(2)).isLessThan(100 << 10);
    assertThat(store.bytesOnDisk(1, Space.RECORDS, Range.all())).isBetween(900L << 10, 2L << 20);
    assertThat(store.bytesOnDisk(1, Space.ENTRIES, Range.all())).isLessThan(100 << 10);
    assertThat(store.bytesOnDisk(1, Space.RECORDS, Range.of(bytes("x"), bytes("x")))).isZero();
    assertThat(store.stats().bytesOnDisk()).isGreaterThan(900 << 10);
    store.drop(1);
    for (Space space : Space.values()) {
      store.reclaim(1, space);
    }
    assertThat(store.bytesOnDisk(1)).isLessThan(100 << 10);
  }

  // Closing.

  @Test
  void aClosedStoreSaysSoWhateverIsAsked() {
    Shard shard = alphabet();
    long ticket = shard.commit(new Batch());
    Snapshot snapshot = shard.snapshot();
    Scan scan = shard.scan(Space.RECORDS, Range.all(), Direction.UP);
    Scan older = snapshot.scan(Space.RECORDS, Range.all(), Direction.DOWN);
    assertThat(scan.next()).isTrue();
    store.close();
    store.close();

    assertFails(Reason.CLOSED, () -> store.own(1));
    assertFails(Reason.CLOSED, () -> store.drop(1));
    assertFails(Reason.CLOSED, () -> store.install(DEAD));
    assertFails(Reason.CLOSED, () -> store.reclaim(1, Space.RECORDS));
    assertFails(Reason.CLOSED, store::stats);
    assertFails(Reason.CLOSED, () -> store.bytesOnDisk(1));
    assertFails(Reason.CLOSED, () -> read(shard, "a"));
    assertFails(Reason.CLOSED, () -> shard.readAll(Space.RECORDS, List.of(bytes("a"))));
    assertFails(Reason.CLOSED, () -> shard.scan(Space.RECORDS, Range.all(), Direction.UP));
    assertFails(Reason.CLOSED, shard::snapshot);
    assertFails(Reason.CLOSED, () -> put(shard, "a", "v"));
    assertFails(Reason.CLOSED, () -> shard.sync(ticket));
    assertFails(Reason.CLOSED, shard::syncedThrough);
    assertFails(Reason.CLOSED, () -> read(snapshot, "a"));
    assertFails(Reason.CLOSED, scan::next);
    assertFails(Reason.CLOSED, scan::key);
    assertFails(Reason.CLOSED, older::next);
    scan.close();
    older.close();
    snapshot.close();
  }

  @Test
  void closingUnderLoadHarmsNobody() throws Exception {
    Shard shard = alphabet();
    CountDownLatch busy = new CountDownLatch(4);
    together(
        List.of(
            () -> untilClosed(busy, () -> read(shard, "c")),
            () -> untilClosed(busy, () -> keys(shard, Range.all(), Direction.DOWN)),
            () -> untilClosed(busy, () -> commitAndSync(shard, "k", 1)),
            () ->
                untilClosed(
                    busy,
                    () -> {
                      try (Snapshot snapshot = shard.snapshot()) {
                        keys(snapshot, Range.all(), Direction.UP);
                      }
                    }),
            () -> {
              busy.await();
              store.close();
              return null;
            }));
  }

  private static Void untilClosed(CountDownLatch busy, ThrowingCallable work) {
    assertFails(
        Reason.CLOSED,
        () -> {
          while (true) {
            work.call();
            busy.countDown();
          }
        });
    return null;
  }

  // Small words for the tests above.

  /** Shard 1 with the records a to g. */
  private Shard alphabet() {
    Shard shard = store.own(1);
    Batch batch = new Batch();
    for (String key : List.of("a", "b", "c", "d", "e", "f", "g")) {
      batch.put(Space.RECORDS, bytes(key), bytes("value of " + key));
    }
    shard.commit(batch);
    return shard;
  }

  private static void put(Shard shard, String key, String value) {
    shard.commit(new Batch().put(Space.RECORDS, bytes(key), bytes(value)));
  }

  private static @Nullable String read(Reader reader, String key) {
    byte[] value = reader.read(Space.RECORDS, bytes(key));
    return value == null ? null : text(value);
  }

  private static List<String> keys(Reader reader, Range range, Direction direction) {
    List<String> keys = new ArrayList<>();
    try (Scan scan = reader.scan(Space.RECORDS, range, direction)) {
      while (scan.next()) {
        keys.add(text(scan.key()));
      }
    }
    return keys;
  }

  private static int count(Reader reader, Range range) {
    int count = 0;
    try (Scan scan = reader.scan(Space.ENTRIES, range, Direction.UP)) {
      while (scan.next()) {
        count++;
      }
    }
    return count;
  }

  private static String nextKey(Scan scan) {
    assertThat(scan.next()).isTrue();
    return text(scan.key());
  }

  private static Range range(String from, String to) {
    return Range.of(bytes(from), bytes(to));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }

  private static int number(byte @Nullable [] value) {
    return Integer.parseInt(text(requireNonNull(value)));
  }

  private static byte[] random(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Asserts that something fails for this reason. */
  protected static void assertFails(Reason reason, ThrowingCallable work) {
    assertThatThrownBy(work)
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.reason()).as(e.toString()).isEqualTo(reason));
  }

  /** Platform threads: tasks that never wait would not let each other run on virtual ones. */
  private static void together(List<Callable<Void>> tasks) throws Exception {
    together(tasks, Executors.newCachedThreadPool());
  }

  private static void together(List<Callable<Void>> tasks, ExecutorService executor)
      throws Exception {
    try (executor) {
      for (Future<Void> result : executor.invokeAll(tasks)) {
        result.get();
      }
    }
  }
}
