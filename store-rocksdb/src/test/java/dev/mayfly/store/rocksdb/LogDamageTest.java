package dev.mayfly.store.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.store.Batch;
import dev.mayfly.store.Shard;
import dev.mayfly.store.Space;
import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import dev.mayfly.value.testing.SeedExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** A log that is torn or damaged, and what becomes of the commits in it. */
@ExtendWith(SeedExtension.class)
final class LogDamageTest {
  private static final RocksSettings SETTINGS = RocksSettings.defaults().withCacheBytes(8 << 20);
  private static final int COMMITS = 300;

  @TempDir private Path directory;

  @Test
  void damageThatWholeCommitsFollowIsRefusedAndNothingIsChanged(Random random) throws IOException {
    writeCommits(random, COMMITS, 1_000);
    Path log = log();
    overwrite(log, 2_000, random, 300);
    Map<String, List<Byte>> before = contents();

    assertThatThrownBy(() -> RocksStore.open(directory, SETTINGS))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.reason()).isEqualTo(Reason.CORRUPT))
        .hasMessageContaining(log.getFileName().toString())
        .hasMessageContaining("check --repair");
    assertThat(contents()).isEqualTo(before);
    LogDamage damage = RocksStore.logDamage(directory).orElseThrow();
    assertThat(damage.isTornTail()).isFalse();
    assertThat(damage.offset()).isLessThanOrEqualTo(2_000);
    assertThat(damage.wholeCommits()).isBetween(COMMITS - 40L, COMMITS - 1L);
  }

  @Test
  void aDamagedLogCanBeAcceptedAndIsKept(Random random) throws IOException {
    writeCommits(random, COMMITS, 1_000);
    Path log = log();
    overwrite(log, 100_000, random, 300);
    byte[] damaged = Files.readAllBytes(log);

    RocksStore.open(directory, SETTINGS.withAcceptDamagedLog(true)).close();

    assertThat(directory.resolve("damaged-logs").resolve(log.getFileName()))
        .hasBinaryContent(damaged);
    assertThat(commitsThere()).isBetween(60, 99);
  }

  @Test
  void aCommitOfSeveralBlocksThatIsDamagedInTheMiddleIsRefused(Random random) throws IOException {
    writeCommits(random, 3, 100_000);
    overwrite(log(), 150_000, random, 10);

    assertThat(RocksStore.logDamage(directory).orElseThrow().wholeCommits()).isEqualTo(1);
    assertThatThrownBy(() -> RocksStore.open(directory, SETTINGS))
        .isInstanceOf(StoreException.class);
  }

  @Test
  void aTornTailIsDroppedWhereverItIsCut(Random random) throws IOException {
    writeCommits(random, 3, 50_000);
    Path log = log();
    byte[] whole = Files.readAllBytes(log);
    int used = whole.length;
    while (whole[used - 1] == 0) {
      used--;
    }
    for (int cut : List.of(used - 1, used - 7, used - 20_000, used - 49_900, 2 * 50_000 + 3_000)) {
      Files.write(log, Arrays.copyOf(whole, cut));
      LogDamage damage = RocksStore.logDamage(directory).orElseThrow();
      assertThat(damage.isTornTail()).as("cut at %d", cut).isTrue();
      assertThat(damage.offset() + damage.bytes()).isLessThanOrEqualTo(cut);
    }
    assertThat(commitsThere()).isEqualTo(2);
  }

  @Test
  void garbageAndZerosAtTheTailCutOffNothing(Random random) throws IOException {
    writeCommits(random, 3, 10_000);
    Path log = log();
    byte[] whole = Files.readAllBytes(log);
    byte[] zeros = Arrays.copyOf(whole, whole.length + 100_000);
    Files.write(log, zeros);
    assertThat(RocksStore.logDamage(directory)).isEmpty();

    byte[] garbage = new byte[100_000];
    random.nextBytes(garbage);
    System.arraycopy(garbage, 0, zeros, whole.length, garbage.length);
    Files.write(log, zeros);
    assertThat(RocksStore.logDamage(directory)).isEmpty();
    assertThat(commitsThere()).isEqualTo(3);
  }

  @Test
  void theLastCommitOfAClosedLogIsMissedToo(Random random) throws IOException {
    writeCommits(random, 3, 50_000);
    overwrite(log(), 2 * 50_000 + 3_000, random, 40_000);

    LogDamage damage = RocksStore.logDamage(directory).orElseThrow();
    assertThat(damage.isTornTail()).isFalse();
    assertThat(damage.wholeCommits()).isZero();
    assertThatThrownBy(() -> RocksStore.open(directory, SETTINGS))
        .isInstanceOf(StoreException.class);
  }

  @Test
  void remainsOfAnOlderLogAreNoDamage() throws Exception {
    Path copy = directory.resolveSibling(directory.getFileName() + "-killed");
    Files.createDirectory(copy);
    RocksStore.open(directory, SETTINGS).close();
    try (KilledProcess process = new KilledProcess(directory)) {
      // logs are overwritten, the last of them in part
      int logs = 0;
      int commits = 0;
      while (logs < 6) {
        Path before = log();
        process.commit(commits++, 0);
        logs += log().equals(before) ? 0 : 1;
      }
      process.commit(commits++, 0);
      assertThat(Files.size(log())).isGreaterThan(100_000);
      process.copyTo(copy);

      assertThat(RocksStore.logDamage(copy)).isEmpty();
      assertThat(commitsIn(copy)).isEqualTo(commits);
    }
  }

  @Test
  void aGapInWhatWasNeverFlushedIsATornTail(Random random) throws Exception {
    writeCommits(random, 3, 10_000);
    List<Long> sizes = writeNoted(3, 0, 0, 0, 0);
    overwrite(log(), Math.toIntExact(sizes.get(1)) + 20, random, 5_000);

    LogDamage damage = RocksStore.logDamage(directory).orElseThrow();
    assertThat(damage.isTornTail()).isTrue();
    assertThat(damage.wholeCommits()).isPositive();
    assertThat(commitsThere()).isEqualTo(5);
  }

  @Test
  void aGapInWhatWasFlushedIsDamage(Random random) throws Exception {
    writeCommits(random, 3, 10_000);
    List<Long> sizes = writeNoted(3, 0, 0, 0, Long.MAX_VALUE);
    overwrite(log(), Math.toIntExact(sizes.get(1)) + 20, random, 5_000);

    assertThat(RocksStore.logDamage(directory).orElseThrow().isTornTail()).isFalse();
    assertThatThrownBy(() -> RocksStore.open(directory, SETTINGS))
        .isInstanceOf(StoreException.class);
  }

  /** The end of a log never reached the disk, and the log after it did. */
  @Test
  void logsAfterAGapAreNotReplayed(Random random) throws Exception {
    writeCommits(random, 3, 10_000);
    List<Long> sizes = writeNoted(3, 0, 0, 0, 0);
    Path first = log();
    byte[] gone = Arrays.copyOf(Files.readAllBytes(first), Math.toIntExact(sizes.get(1)) + 500);
    writeNoted(7, 0, 0);
    Path second = log();
    assertThat(second).isNotEqualTo(first);
    Files.write(first, gone);

    assertThat(RocksStore.logDamage(directory).orElseThrow().isTornTail()).isTrue();
    assertThat(commitsThere()).isEqualTo(5);
    assertThat(directory.resolve("damaged-logs").resolve(second.getFileName())).exists();
  }

  /**
   * Makes commits with these notes.
   *
   * @return the size of the log after each
   */
  private List<Long> writeNoted(int from, long... flushed) throws Exception {
    List<Long> sizes = new ArrayList<>();
    try (KilledProcess process = new KilledProcess(directory)) {
      for (int i = 0; i < flushed.length; i++) {
        process.commit(from + i, flushed[i]);
        sizes.add(Files.size(log()));
      }
    }
    return sizes;
  }

  /** RocksDB without the rest of the store, which would note its flushes in the log. */
  private static final class KilledProcess implements AutoCloseable {
    private final Path directory;
    private final DBOptions options =
        new DBOptions()
            .setRecycleLogFileNum(2)
            .setDbWriteBufferSize(4 << 20)
            .setAvoidFlushDuringRecovery(true);
    private final WriteOptions unsynced = new WriteOptions();
    private final List<ColumnFamilyHandle> handles = new ArrayList<>();
    private final RocksDB database;
    private final int[] families;

    KilledProcess(Path directory) throws RocksDBException {
      this.directory = directory;
      List<ColumnFamilyDescriptor> all = new ArrayList<>();
      try (Options none = new Options()) {
        for (byte[] name : RocksDB.listColumnFamilies(none, directory.toString())) {
          all.add(new ColumnFamilyDescriptor(name));
        }
      }
      this.database = RocksDB.open(options, directory.toString(), all, handles);
      this.families = handles.stream().skip(1).mapToInt(ColumnFamilyHandle::getID).toArray();
    }

    void commit(int number, long flushed) throws RocksDBException {
      Batch batch = new Batch().put(Space.RECORDS, key(number), new byte[10_000]);
      byte[] encoded = WriteBatchEncoder.of(batch, 1, families, flushed, new BatchArrays());
      try (WriteBatch write = new WriteBatch(encoded)) {
        database.write(unsynced, write);
      }
    }

    void copyTo(Path copy) throws RocksDBException, IOException {
      database.pauseBackgroundWork();
      copyFiles(directory, copy);
      database.continueBackgroundWork();
    }

    @Override
    public void close() {
      handles.forEach(ColumnFamilyHandle::close);
      database.close();
      unsynced.close();
      options.close();
    }
  }

  @Test
  void durableCommitsOverwriteLogsThatWereFilledInAdvance(Random random, @TempDir Path copy)
      throws Exception {
    int commits = 0;
    try (RocksStore store = RocksStore.open(directory, SETTINGS)) {
      Shard shard = store.own(1);
      Optional<Thread> filler = Optional.empty();
      while (filler.isEmpty()) {
        shard.sync(commit(shard, random, commits++, 100));
        filler = filler();
      }
      filler.get().join();
      long full = Files.size(log());
      assertThat(full).isGreaterThanOrEqualTo(SETTINGS.writeBufferBytes() / 2);
      for (int i = 0; i < 100; i++) {
        shard.sync(commit(shard, random, commits++, 100));
      }
      // nothing was appended
      assertThat(Files.size(log())).isEqualTo(full);
      copyFiles(directory, copy);
    }
    assertThat(RocksStore.logDamage(copy)).isEmpty();
    assertThat(commitsIn(copy)).isEqualTo(commits);
    assertThat(commitsThere()).isEqualTo(commits);
  }

  private static Optional<Thread> filler() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("mayfly-fill-logs"))
        .findFirst();
  }

  @Test
  void aTornTailThatALaterLogContinuesIsNoDamage(Random random) throws IOException {
    writeCommits(random, 3, 10_000);
    Path log = log();
    byte[] torn = Files.readAllBytes(log);
    Files.write(log, Arrays.copyOf(torn, torn.length - 100));
    torn = Files.readAllBytes(log);
    writeCommits(random, 1, 10_000);
    // the removal of the old log was not on the disk when the power went
    Files.write(log, torn);

    assertThat(RocksStore.logDamage(directory)).isEmpty();
    assertThat(commitsThere()).isPositive();
  }

  @Test
  void aViewChangesNothingAndSeesWhatPrecedesTheDamage(Random random) throws IOException {
    writeCommits(random, COMMITS, 1_000);
    overwrite(log(), 100_000, random, 300);
    Map<String, List<Byte>> before = contents();

    try (RocksStore view = RocksStore.view(directory, SETTINGS)) {
      Shard shard = view.own(1);
      assertThat(shard.read(Space.RECORDS, key(10))).isNotNull();
      shard.commit(new Batch().delete(Space.RECORDS, key(10)));
      assertThatThrownBy(() -> RocksStore.open(directory, SETTINGS))
          .isInstanceOfSatisfying(
              StoreException.class, e -> assertThat(e.reason()).isEqualTo(Reason.IN_USE));
    }
    assertThat(contents()).isEqualTo(before);
  }

  @Test
  void damageBehindWhichFilesAreAheadCostsTheDamagedCommitsOnly(Random random) throws IOException {
    writeCommits(random, 10, 10_000);
    Path log = log();
    try (RocksStore store = RocksStore.open(directory, SETTINGS)) {
      Shard shard = store.own(1);
      log = log();
      for (int i = 0; i < 10; i++) {
        shard.commit(
            new Batch().put(Space.RECORDS, key(i), key(i)).put(Space.META, key(i), new byte[500]));
      }
      store.reclaim(1, Space.RECORDS);
      shard.commit(new Batch().put(Space.META, key(11), key(11)));
    }
    overwrite(log, 1_000, random, 20);

    try (RocksStore store = RocksStore.open(directory, SETTINGS.withAcceptDamagedLog(true))) {
      assertThat(store.own(1).read(Space.META, key(11))).isNotNull();
    }
  }

  private void writeCommits(Random random, int count, int bytes) {
    try (RocksStore store = RocksStore.open(directory, SETTINGS)) {
      Shard shard = store.own(1);
      for (int i = 0; i < count; i++) {
        commit(shard, random, i, bytes);
      }
    }
  }

  private static long commit(Shard shard, Random random, int number, int bytes) {
    byte[] value = new byte[bytes];
    random.nextBytes(value);
    value[bytes - 1] = 1;
    return shard.commit(new Batch().put(Space.RECORDS, key(number), value));
  }

  private static byte[] key(int number) {
    return "%06d".formatted(number).getBytes(UTF_8);
  }

  private int commitsThere() {
    return commitsIn(directory);
  }

  private static int commitsIn(Path directory) {
    try (RocksStore store = RocksStore.open(directory, SETTINGS)) {
      Shard shard = store.own(1);
      int found = 0;
      while (shard.read(Space.RECORDS, key(found)) != null) {
        found++;
      }
      return found;
    }
  }

  private Path log() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".log"))
          .max((a, b) -> a.getFileName().compareTo(b.getFileName()))
          .orElseThrow();
    }
  }

  private static void copyFiles(Path directory, Path copy) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
    }
  }

  private static void overwrite(Path file, int at, Random random, int count) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    byte[] noise = new byte[count];
    random.nextBytes(noise);
    System.arraycopy(noise, 0, bytes, at, count);
    Files.write(file, bytes);
  }

  private Map<String, List<Byte>> contents() throws IOException {
    Map<String, List<Byte>> contents = new TreeMap<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        byte[] bytes = Files.readAllBytes(file);
        Byte[] boxed = new Byte[bytes.length];
        Arrays.setAll(boxed, i -> bytes[i]);
        contents.put(file.getFileName().toString(), List.of(boxed));
      }
    }
    return contents;
  }
}
