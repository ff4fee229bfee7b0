package dev.mayfly.store.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.store.Batch;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Shard;
import dev.mayfly.store.Snapshot;
import dev.mayfly.store.Space;
import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import dev.mayfly.value.testing.SeedExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Failures of a directory and how the store reports them. */
@ExtendWith(SeedExtension.class)
final class RocksFaultsTest {
  private static final RocksSettings SETTINGS = RocksSettings.defaults().withCacheBytes(8 << 20);
  private static final byte[] KEY = "key".getBytes(UTF_8);

  @TempDir private Path directory;

  @Test
  void aDirectoryHasOneStoreAtATime() {
    try (RocksStore first = RocksStore.open(directory, SETTINGS)) {
      assertFails(Reason.IN_USE, () -> RocksStore.open(directory, SETTINGS))
          .hasMessageContaining(directory.toString());
      first.own(1).commit(new Batch().put(Space.META, KEY, KEY));
    }
    RocksStore.open(directory, SETTINGS).close();
  }

  @Test
  void aNewerFormatIsLeftAlone() throws IOException {
    RocksStore.open(directory, SETTINGS).close();
    Path format = directory.resolve("FORMAT");
    assertThat(format).hasContent("mayfly-rocksdb 2");
    Files.writeString(format, "mayfly-rocksdb 3\n");

    assertFails(Reason.NEWER_FORMAT, () -> RocksStore.open(directory, SETTINGS))
        .hasMessageContaining(format.toString())
        .hasMessageContaining("format 3");
    assertThat(format).hasContent("mayfly-rocksdb 3");
  }

  @Test
  void anOlderFormatIsRaisedSoThatOlderVersionsLeaveTheLogsAlone() throws IOException {
    RocksStore.open(directory, SETTINGS).close();
    Path format = directory.resolve("FORMAT");
    Files.writeString(format, "mayfly-rocksdb 1\n");

    RocksStore.open(directory, SETTINGS).close();
    assertThat(format).hasContent("mayfly-rocksdb 2");
  }

  @Test
  void aDirectoryThatIsNotOursIsRefused() throws IOException {
    RocksStore.open(directory, SETTINGS).close();
    Path format = directory.resolve("FORMAT");
    Files.writeString(format, "something else");
    assertFails(Reason.CORRUPT, () -> RocksStore.open(directory, SETTINGS));
    Files.delete(format);
    assertFails(Reason.CORRUPT, () -> RocksStore.open(directory, SETTINGS));
  }

  @Test
  void aPathThatIsNoDirectoryCannotBeOpened() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));

    assertFails(Reason.IO, () -> RocksStore.open(file, SETTINGS));
  }

  @Test
  void damagedDataIsReportedNotReturned(Random random) throws IOException {
    byte[] value = new byte[100_000];
    random.nextBytes(value);
    try (RocksStore store = RocksStore.open(directory, SETTINGS)) {
      store.own(1).commit(new Batch().put(Space.RECORDS, KEY, value));
      store.reclaim(1, Space.RECORDS);
    }
    flipByte(largestTable(), random.nextInt(1_000, 90_000));

    try (RocksStore store = RocksStore.open(directory, SETTINGS)) {
      Shard shard = store.own(1);
      assertFails(Reason.CORRUPT, () -> shard.read(Space.RECORDS, KEY));
      try (Scan scan = shard.scan(Space.RECORDS, Range.all(), Direction.UP)) {
        assertFails(Reason.CORRUPT, scan::next);
      }
    }
  }

  @Test
  void thereIsNoRoomBeyondTheLimitUntilSomethingIsDeleted(Random random) {
    RocksSettings small = SETTINGS.withMaxBytesOnDisk(16 << 20);
    try (RocksStore store = RocksStore.open(directory, small)) {
      Shard shard = store.own(1);
      shard.commit(new Batch().put(Space.META, KEY, KEY));
      assertThat(store.hasRoom()).isTrue();

      fill(shard, random, 24 << 20);

      assertThat(store.hasRoom()).isFalse();
      assertThat(shard.read(Space.META, KEY)).isEqualTo(KEY);
      shard.commit(new Batch().deleteRange(Space.RECORDS, Range.all()));
      store.reclaim(1, Space.RECORDS);
      assertThat(store.hasRoom()).isTrue();
    }
  }

  @Test
  void thereIsNoRoomWhenTheDiskHasLessLeftThanIsToStayFree() throws IOException {
    long free = Files.getFileStore(directory).getUsableSpace();
    RocksSettings greedy = SETTINGS.withMinBytesFree(free + (1L << 40));
    try (RocksStore store = RocksStore.open(directory, greedy)) {
      store.stats();
      assertThat(store.hasRoom()).isFalse();
    }
    try (RocksStore store = RocksStore.open(directory, SETTINGS.withMinBytesFree(1))) {
      store.stats();
      assertThat(store.hasRoom()).isTrue();
    }
  }

  @Test
  void whatWasCommittedSurvivesACrashOfTheProcess(@TempDir Path copy) throws IOException {
    try (RocksStore store = RocksStore.open(directory, SETTINGS)) {
      Shard shard = store.own(1);
      for (int i = 0; i < 1_000; i++) {
        shard.commit(new Batch().put(Space.RECORDS, new byte[] {(byte) (i >> 8), (byte) i}, KEY));
      }
      store.own(2).commit(new Batch().put(Space.META, KEY, KEY));
      store.drop(2);
      copyFiles(directory, copy);
    }
    try (RocksStore store = RocksStore.open(copy, SETTINGS)) {
      assertThat(count(store.own(1), Space.RECORDS)).isEqualTo(1_000);
      Shard dropped = store.own(2);
      assertThat(dropped.epoch()).isEqualTo(3);
      assertThat(dropped.read(Space.META, KEY)).isNull();
    }
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aCommitIsOnTheDiskSoonThoughNobodyWaitsForIt() {
    try (RocksStore store = RocksStore.open(directory, SETTINGS)) {
      Shard shard = store.own(1);
      for (int i = 0; i < 3; i++) {
        long ticket = shard.commit(new Batch().put(Space.META, KEY, KEY));
        while (shard.syncedThrough() < ticket) {
          Thread.onSpinWait();
        }
      }
      assertThat(store.stats().syncs().count()).isEqualTo(3);
    }
  }

  @Test
  void aCommitCutShortByACrashIsLostAsAWholeAndAlone(@TempDir Path copy) throws IOException {
    try (RocksStore store = RocksStore.open(directory, SETTINGS)) {
      Shard shard = store.own(1);
      shard.commit(new Batch().put(Space.META, KEY, KEY));
      shard.commit(
          new Batch()
              .put(Space.RECORDS, KEY, new byte[1_000])
              .put(Space.ENTRIES, KEY, new byte[1_000]));
      copyFiles(directory, copy);
    }
    Path log = only(copy, ".log");
    byte[] bytes = Files.readAllBytes(log);
    int written = bytes.length;
    while (bytes[written - 1] == 0 && written > 1_500) {
      written--;
    }
    Files.write(log, Arrays.copyOf(bytes, written - 500));

    try (RocksStore store = RocksStore.open(copy, SETTINGS)) {
      Shard shard = store.own(1);
      assertThat(shard.read(Space.META, KEY)).isEqualTo(KEY);
      assertThat(shard.read(Space.RECORDS, KEY)).isNull();
      assertThat(shard.read(Space.ENTRIES, KEY)).isNull();
    }
  }

  @Test
  void aFilterGivesTheSpaceBackWithoutADelete(Random random) {
    try (RocksStore store = RocksStore.open(directory, SETTINGS)) {
      assertThat(store.install((shard, space, _) -> shard == 1 && space == Space.RECORDS)).isTrue();
      fill(store.own(1), random, 8 << 20);
      fill(store.own(2), random, 1 << 20);
      long written = store.stats().walBytesWritten();
      store.reclaim(1, Space.RECORDS);

      assertThat(store.stats().walBytesWritten()).isEqualTo(written);
      assertThat(count(store.own(1), Space.RECORDS)).isZero();
      assertThat(count(store.own(2), Space.RECORDS)).isEqualTo(1 << 10);
      assertThat(tableBytes()).isLessThan(3 << 20);
    }
  }

  @Test
  void aDroppedShardGivesItsSpaceBack(Random random) {
    try (RocksStore store = RocksStore.open(directory, SETTINGS)) {
      fill(store.own(1), random, 8 << 20);
      fill(store.own(2), random, 1 << 20);
      store.drop(1);
      store.reclaim(1, Space.RECORDS);

      assertThat(count(store.own(2), Space.RECORDS)).isEqualTo(1 << 10);
      assertThat(tableBytes()).isLessThan(3 << 20);
    }
  }

  @Test
  void aSnapshotKeepsWhatItSawOfAShardThatIsDropped(Random random) {
    try (RocksStore store = RocksStore.open(directory, SETTINGS)) {
      Shard shard = store.own(1);
      fill(shard, random, 4 << 20);
      store.reclaim(1, Space.RECORDS);
      try (Snapshot snapshot = shard.snapshot()) {
        store.drop(1);
        int seen = 0;
        try (Scan scan = snapshot.scan(Space.RECORDS, Range.all(), Direction.UP)) {
          while (scan.next()) {
            seen++;
          }
        }
        assertThat(seen).isEqualTo(4 << 10);
      }
      assertThat(count(store.own(1), Space.RECORDS)).isZero();
    }
  }

  @Test
  void toOwnManyShardsTakesNoFlushEach() {
    try (RocksStore store = RocksStore.open(directory, SETTINGS)) {
      for (int number = 0; number < 500; number++) {
        store.own(number);
      }
      assertThat(store.flushes()).isLessThan(100);
    }
  }

  @Test
  void closingEndsAReclaimInProgress(Random random) throws Exception {
    RocksStore store = RocksStore.open(directory, SETTINGS);
    Shard shard = store.own(1);
    fill(shard, random, 4 << 20);
    CountDownLatch called = new CountDownLatch(1);
    store.install(
        (_, _, _) -> {
          called.countDown();
          return false;
        });
    try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
      Future<?> reclaiming = threads.submit(() -> reclaimUntilClosed(store));
      called.await();
      store.close();
      reclaiming.get();
    }
    try (RocksStore again = RocksStore.open(directory, SETTINGS)) {
      assertThat(count(again.own(1), Space.RECORDS)).isEqualTo(4 << 10);
    }
  }

  private static void reclaimUntilClosed(RocksStore store) {
    assertFails(
        Reason.CLOSED,
        () -> {
          while (true) {
            store.reclaim(1, Space.RECORDS);
          }
        });
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void whoMustNotWaitForCompactionsIsToldSoAndNothingIsWritten(Random random) throws Exception {
    try (RocksStore store = RocksStore.open(directory, SETTINGS)) {
      Shard shard = store.own(1);
      CountDownLatch goOn = new CountDownLatch(1);
      store.install((_, _, _) -> waitFor(goOn));
      byte[] key = {7};
      Batch batch = new Batch().put(Space.RECORDS, key, key);
      try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
        Future<?> writing =
            threads.submit(
                () -> {
                  while (goOn.getCount() > 0) {
                    fill(shard, random, 64 << 10);
                  }
                });
        Batch remove = new Batch().delete(Space.RECORDS, key);
        while (shard.tryCommit(batch).isPresent()) {
          shard.tryCommit(remove);
        }
        goOn.countDown();
        writing.get();
      }
      while (shard.tryCommit(batch).isEmpty()) {
        Thread.onSpinWait();
      }
      assertThat(shard.read(Space.RECORDS, key)).isEqualTo(key);
    }
  }

  @Test
  @Timeout(value = 100, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void commitsThatMayWaitGoOnWhileRocksDbDelaysWrites(Random random) throws Exception {
    try (RocksStore store = RocksStore.open(directory, SETTINGS)) {
      Shard shard = store.own(1);
      CountDownLatch goOn = new CountDownLatch(1);
      store.install((_, _, _) -> waitFor(goOn));
      try {
        Batch nothing = new Batch().delete(Space.META, KEY);
        while (shard.tryCommit(nothing).isPresent()) {
          fill(shard, random, 64 << 10);
        }
        for (int written = 0; written < 3 << 20; written += 16 << 10) {
          byte[] value = new byte[16 << 10];
          random.nextBytes(value);
          shard.commit(new Batch().put(Space.RECORDS, Arrays.copyOf(value, 16), value));
        }
        assertThat(shard.tryCommit(nothing)).as("RocksDB still delays writes").isEmpty();
      } finally {
        goOn.countDown();
      }
    }
  }

  private static boolean waitFor(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
    return false;
  }

  @Test
  void memoryStaysWithinTheSetting(Random random) {
    try (RocksStore store = RocksStore.open(directory, SETTINGS)) {
      Shard shard = store.own(1);
      fill(shard, random, 48 << 20);
      count(shard, Space.RECORDS);

      assertThat(store.stats().cacheBytes()).isBetween(1L << 20, 10L << 20);
    }
  }

  /** Records of a kilobyte that cannot be compressed, under random keys. */
  private static void fill(Shard shard, Random random, int bytes) {
    byte[] key = new byte[16];
    byte[] value = new byte[1 << 10];
    for (int written = 0; written < bytes; written += value.length) {
      random.nextBytes(key);
      random.nextBytes(value);
      shard.commit(new Batch().put(Space.RECORDS, key, value));
    }
  }

  private static int count(Shard shard, Space space) {
    int count = 0;
    try (Scan scan = shard.scan(space, Range.all(), Direction.UP)) {
      while (scan.next()) {
        count++;
      }
    }
    return count;
  }

  private Path largestTable() throws IOException {
    return files(directory, ".sst").stream()
        .max((a, b) -> Long.compare(a.toFile().length(), b.toFile().length()))
        .orElseThrow();
  }

  private long tableBytes() {
    try {
      return files(directory, ".sst").stream().mapToLong(path -> path.toFile().length()).sum();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void flipByte(Path file, int at) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[at] ^= 1;
    Files.write(file, bytes);
  }

  private static Path only(Path folder, String suffix) throws IOException {
    List<Path> found = files(folder, suffix);
    assertThat(found).hasSize(1);
    return found.getFirst();
  }

  private static List<Path> files(Path folder, String suffix) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(path -> path.toString().endsWith(suffix)).toList();
    }
  }

  private static void copyFiles(Path from, Path to) throws IOException {
    for (Path file : files(from, "")) {
      Files.copy(file, to.resolve(file.getFileName()));
    }
  }

  private static AbstractThrowableAssert<?, ? extends Throwable> assertFails(
      Reason reason, ThrowingCallable work) {
    return assertThatThrownBy(work)
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.reason()).as(e.toString()).isEqualTo(reason));
  }
}
