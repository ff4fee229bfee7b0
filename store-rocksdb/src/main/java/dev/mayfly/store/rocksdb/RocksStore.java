package dev.mayfly.store.rocksdb;

import dev.mayfly.store.Batch;
import dev.mayfly.store.CompactionFilter;
import dev.mayfly.store.CrossShard;
import dev.mayfly.store.RecordCache;
import dev.mayfly.store.Shard;
import dev.mayfly.store.ShardBatch;
import dev.mayfly.store.Snapshot;
import dev.mayfly.store.Space;
import dev.mayfly.store.Store;
import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import dev.mayfly.store.StoreSnapshot;
import dev.mayfly.store.StoreStats;
import dev.mayfly.store.rocksdb.FilterFactory.Judge;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.rocksdb.Cache;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompactRangeOptions.BottommostLevelCompaction;
import org.rocksdb.HyperClockCache;
import org.rocksdb.Range;
import org.rocksdb.ReadOptions;
import org.rocksdb.ReadTier;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SizeApproximationFlag;
import org.rocksdb.Slice;
import org.rocksdb.SstFileManager;
import org.rocksdb.Statistics;
import org.rocksdb.TickerType;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * Store on RocksDB, in one directory of this machine. The process that has it open owns it; a lock
 * on the directory keeps others out.
 */
public final class RocksStore implements Store {
  private static final System.Logger LOG = System.getLogger(RocksStore.class.getName());

  private static final Comparator<RocksShard> BY_NUMBER =
      Comparator.comparingInt(RocksShard::number);

  /** An event loop does not flush in its own thread if the last flush took longer. */
  private static final long SHORT_FLUSH_NANOS = 1_000_000;

  /** Logs are filled in advance only if the disk has room for this many beyond the reserve. */
  private static final int FREE_LOGS = 16;

  /** A key that never exists: deleting it has no effect. */
  static final byte[] PROBE = {};

  private final Path directory;
  private final NativeResources nativeResources;
  private final Cache cache;
  private final Columns columns;
  private final Judge judge;
  private final boolean filters;
  private final int backgroundJobs;

  private final ReadOptions currentState;
  private final ReadOptions inMemory;
  private final WriteOptions unsynced;
  private final BackgroundErrors background;
  private final RecordCache records;
  private final SstFileManager files;
  private final Statistics statistics;
  private final DiskSpace diskSpace;
  private final Stopwatch commits;
  private final Stopwatch syncs;
  private final WriteStall stall;
  private final LogFiller logFiller;

  private final CloseGuard closeGuard = CloseGuard.ofManyThreads("the store");
  private final OpenHandles openHandles = new OpenHandles();
  private final Flusher flusher = new Flusher(this::flushLog);
  private final GroupSync groupSync = flusher.groupSync();
  private final Map<Integer, Fence> fences = new ConcurrentHashMap<>();

  /** Held while a shard changes its owner, so that it never has two fences. */
  private final ReentrantLock owning = new ReentrantLock();

  private final CrossShard allShards = new AllShards();
  private final LongAdder logBytes = new LongAdder();

  /** The reclaims in progress; others may have been closed. */
  private final List<CompactRangeOptions> reclaims = new ArrayList<>();

  /** The sequence number of RocksDB through which the log is known to be on disk. */
  private volatile long flushedSequence;

  private final BatchArrays arrays = new BatchArrays();

  /** Whether the last commit failed because the disk was full. */
  private volatile boolean refused;

  private final Thread exitHook = Thread.ofPlatform().unstarted(this::abortCompactions);

  /**
   * Opens a directory, and creates it if it does not exist. Only its owner may access it from then
   * on.
   *
   * @throws StoreException {@code IN_USE} if another store has it open; {@code NEWER_FORMAT} if a
   *     newer version wrote it; {@code CORRUPT} if it is invalid, or if its log is damaged and
   *     commits follow the damage: nothing was changed then; {@code IO} if it contains something
   *     other than a store
   */
  public static RocksStore open(Path directory, RocksSettings settings) {
    NativeLibrary.load();
    FormatFile.claim(directory);
    DirectoryLock lock = DirectoryLock.take(directory);
    try {
      Logs.damage(directory).ifPresent(damage -> accept(damage, directory, settings));
    } catch (RuntimeException e) {
      lock.close();
      throw e;
    }
    return open(directory, settings, lock::close);
  }

  /**
   * Opens a view of a directory without ever changing it. Commits to the view are discarded when it
   * is closed; the log may be damaged.
   *
   * @throws StoreException as {@link #open}
   */
  public static RocksStore view(Path directory, RocksSettings settings) {
    NativeLibrary.load();
    DirectoryView view = DirectoryView.of(directory);
    RocksSettings quiet = settings.withCompacts(false).withAcceptDamagedLog(true);
    return open(view.links(), quiet, view::close);
  }

  /** Returns whether a directory contains a store. */
  public static boolean isStore(Path directory) {
    return FormatFile.exists(directory);
  }

  /** Returns the damage of the log of a directory that is not open; changes nothing. */
  public static Optional<LogDamage> logDamage(Path directory) {
    try (DirectoryLock lock = DirectoryLock.share(directory)) {
      return Logs.damage(lock.directory());
    }
  }

  /**
   * Returns the files of a directory that is not open that cannot be read to their end. Reads all
   * of them; changes nothing.
   */
  public static List<DamagedFile> damagedFiles(Path directory) {
    NativeLibrary.load();
    try (DirectoryLock lock = DirectoryLock.share(directory)) {
      return TableFiles.damaged(lock.directory());
    }
  }

  /** Returns the current SST files. */
  public List<TableFile> tables() {
    long stamp = closeGuard.enter();
    try {
      return TableFiles.live(columns.database());
    } finally {
      closeGuard.exit(stamp);
    }
  }

  private static RocksStore open(Path directory, RocksSettings settings, Runnable unlock) {
    NativeResources nativeResources = new NativeResources();
    nativeResources.onClose(unlock);
    try {
      FormatFile.check(directory);
      RocksStore store = new RocksStore(directory, settings, nativeResources);
      Runtime.getRuntime().addShutdownHook(store.exitHook);
      store.flusher.start();
      return store;
    } catch (RocksDBException e) {
      nativeResources.close();
      throw Failures.opening(directory.toString(), e);
    } catch (RuntimeException e) {
      nativeResources.close();
      throw e;
    }
  }

  private static void accept(LogDamage damage, Path directory, RocksSettings settings) {
    String what = damage.describe();
    if (damage.isTornTail()) {
      if (damage.wholeCommits() > 0) {
        Logs.keepAside(directory, damage);
        Logs.removeAfter(directory, damage);
      }
      LOG.log(System.Logger.Level.WARNING, what + "; they are dropped");
    } else if (settings.acceptDamagedLog()) {
      Path folder = Logs.keepAside(directory, damage);
      LOG.log(System.Logger.Level.WARNING, what + "; these are lost, copies are in " + folder);
    } else {
      throw new StoreException(
          Reason.CORRUPT,
          what
              + ". Nothing was changed. Restore a backup, or let mayfly check --repair go on with"
              + " what precedes the damage; it keeps a copy of the log");
    }
  }

  private RocksStore(Path directory, RocksSettings settings, NativeResources nativeResources)
      throws RocksDBException {
    this.directory = directory;
    this.nativeResources = nativeResources;
    this.backgroundJobs = settings.backgroundJobs();
    this.judge = new Judge();
    Map<Space, FilterFactory> compaction = filters(settings, judge, nativeResources);
    this.filters = !compaction.isEmpty();
    this.cache =
        nativeResources.keep(new HyperClockCache(settings.blockCacheBytes(), 0, -1, false));
    this.records = new RecordCache(settings.recordCacheBytes());
    this.currentState = nativeResources.keep(new ReadOptions());
    this.inMemory = nativeResources.keep(new ReadOptions().setReadTier(ReadTier.BLOCK_CACHE_TIER));
    // RocksDB rejects a write at once if it must wait for flushes or compactions; WriteStall waits
    // in its place.
    this.unsynced = nativeResources.keep(new WriteOptions().setNoSlowdown(true));
    this.background = nativeResources.keep(new BackgroundErrors());
    Tuning tuning = new Tuning(settings, cache, background, nativeResources);
    this.columns =
        Columns.open(directory.toString(), tuning, compaction, tuning.database(), nativeResources);
    // what was replayed has been written to files
    this.flushedSequence = columns.database().getLatestSequenceNumber();
    this.files = tuning.files();
    this.statistics = tuning.statistics();
    this.commits = new Stopwatch(settings.ticker());
    this.syncs = new Stopwatch(settings.ticker());
    this.stall = new WriteStall(settings.ticker());
    this.diskSpace = new DiskSpace(directory, settings, this::heldBytes);
    long logBytes = tuning.writeBufferBytes();
    this.logFiller =
        new LogFiller(
            directory,
            columns,
            unsynced,
            closeGuard,
            () -> flushedSequence,
            () -> diskSpace.hasFree(FREE_LOGS * logBytes),
            logBytes);
  }

  /** RocksDB needs its filters before it opens; the decision is installed later. */
  private static Map<Space, FilterFactory> filters(
      RocksSettings settings, Judge judge, NativeResources nativeResources) {
    if (!settings.dropWhileCompacting()) {
      return Map.of();
    }
    Arena arena = Arena.ofShared();
    nativeResources.onClose(arena::close);
    Map<Space, FilterFactory> made = FilterFactory.create(judge, arena);
    made.values().forEach(nativeResources::keep);
    return made;
  }

  @Override
  public Shard own(int shard) {
    long stamp = closeGuard.enter();
    owning.lock();
    try {
      Fence fence = fence(shard);
      long epoch = fence.advance(next -> rememberEpoch(shard, next));
      ShardReads reads = new ShardReads(new Prefix(shard), columns, openHandles);
      return new RocksShard(this, shard, fence, epoch, reads);
    } finally {
      owning.unlock();
      closeGuard.exit(stamp);
    }
  }

  @Override
  public void drop(int shard) {
    long stamp = closeGuard.enter();
    owning.lock();
    try {
      Fence fence = fence(shard);
      if (fence.used()) {
        fence.advance(next -> removeAll(new Prefix(shard), next));
        records.remove(shard);
      }
      // the previous owner is fenced for good; the epoch is read again if the shard is owned again
      fences.remove(shard);
    } finally {
      owning.unlock();
      closeGuard.exit(stamp);
    }
  }

  @Override
  public Optional<CrossShard> together() {
    return Optional.of(allShards);
  }

  @Override
  public boolean install(CompactionFilter filter) {
    long stamp = closeGuard.enter();
    try {
      judge.replace(filter);
      return filters;
    } finally {
      closeGuard.exit(stamp);
    }
  }

  @Override
  public void reclaim(int shard, Space space) {
    long stamp = closeGuard.enter();
    try (CompactRangeOptions options = new CompactRangeOptions()) {
      options
          .setExclusiveManualCompaction(false)
          .setMaxSubcompactions(backgroundJobs)
          .setBottommostLevelCompaction(lowestLevel(space));
      Prefix prefix = new Prefix(shard);
      reclaiming(options, true);
      try {
        columns.database().compactRange(columns.of(space), prefix.start(), prefix.end(), options);
      } finally {
        reclaiming(options, false);
      }
    } catch (RocksDBException e) {
      throw Failures.translate("reclaim space of shard " + shard, e);
    } finally {
      closeGuard.exit(stamp);
    }
  }

  private void reclaiming(CompactRangeOptions options, boolean begins) {
    synchronized (reclaims) {
      if (begins) {
        reclaims.add(options);
      } else {
        reclaims.remove(options);
      }
    }
  }

  @Override
  public void abortReclaims() {
    synchronized (reclaims) {
      reclaims.forEach(options -> options.setCanceled(true));
    }
  }

  /**
   * With a filter, the bottommost level is compacted, too; otherwise the filter would never see
   * entries that are already there. Deletes move down by themselves, and leave other entries alone:
   * a long feed is not rewritten because of a lane.
   */
  private static BottommostLevelCompaction lowestLevel(Space space) {
    return space.filtered()
        ? BottommostLevelCompaction.kForceOptimized
        : BottommostLevelCompaction.kSkip;
  }

  @Override
  public boolean hasRoom() {
    long stamp = closeGuard.enter();
    try {
      return diskSpace.enough(logBytes.sum()) && (!(refused || background.full()) || takesWrites());
    } finally {
      closeGuard.exit(stamp);
    }
  }

  /** Probes, after the disk was full: RocksDB recovers from that, but does not always report it. */
  private boolean takesWrites() {
    try (WriteBatch nothing = new WriteBatch()) {
      nothing.delete(columns.internal(), PROBE);
      refused = !attempt(unsynced, nothing);
    } catch (RocksDBException | StoreException stillFull) {
      refused = true;
    }
    return !refused;
  }

  /** Returns the failure of a commit; remembers that the disk was full. */
  private StoreException failed(String doing, RocksDBException e) {
    StoreException failure = Failures.translate(doing, e);
    refused |= failure.reason() == Reason.DISK_FULL;
    return failure;
  }

  /** Returns the size of files and memtables. */
  private long heldBytes() {
    try {
      return files.getTotalSize()
          + columns.database().getAggregatedLongProperty("rocksdb.cur-size-all-mem-tables");
    } catch (RocksDBException e) {
      throw Failures.translate("weigh the store", e);
    }
  }

  @Override
  public StoreStats stats() {
    long stamp = closeGuard.enter();
    try {
      diskSpace.look(logBytes.sum());
      RocksDB database = columns.database();
      return new StoreStats(
          fileBytes(),
          database.getAggregatedLongProperty("rocksdb.estimate-live-data-size"),
          logBytes.sum(),
          cache.getUsage(),
          database.getAggregatedLongProperty("rocksdb.estimate-pending-compaction-bytes"),
          statistics.getTickerCount(TickerType.BLOCK_CACHE_HIT),
          statistics.getTickerCount(TickerType.BLOCK_CACHE_MISS),
          commits.timed(),
          syncs.timed());
    } catch (RocksDBException e) {
      throw Failures.translate("weigh the store", e);
    } finally {
      closeGuard.exit(stamp);
    }
  }

  @Override
  public long bytesOnDisk(int shard) {
    Prefix prefix = new Prefix(shard);
    return bytesOnDisk(columns.all(), prefix.start(), prefix.end());
  }

  @Override
  public long bytesOnDisk(int shard, Space space, dev.mayfly.store.Range range) {
    Prefix prefix = new Prefix(shard);
    return range.isEmpty()
        ? 0
        : bytesOnDisk(List.of(columns.of(space)), prefix.from(range), prefix.to(range));
  }

  private long bytesOnDisk(List<ColumnFamilyHandle> families, byte[] first, byte[] end) {
    long stamp = closeGuard.enter();
    try (Slice from = new Slice(first);
        Slice to = new Slice(end)) {
      long bytes = 0;
      for (ColumnFamilyHandle family : families) {
        long[] sizes =
            columns
                .database()
                .getApproximateSizes(
                    family,
                    List.of(new Range(from, to)),
                    SizeApproximationFlag.INCLUDE_FILES,
                    SizeApproximationFlag.INCLUDE_MEMTABLES);
        bytes += sizes[0];
      }
      return bytes;
    } finally {
      closeGuard.exit(stamp);
    }
  }

  /**
   * Copies the current state to a directory, which must not exist yet and can be opened as a store.
   * Immutable files are hard-linked if they are on the same disk. Reads and commits continue
   * meanwhile.
   *
   * <p>Only its owner may access the copy.
   *
   * @throws StoreException IO if the directory exists, is inside the store's own or cannot be
   *     written
   */
  public void copyTo(Path target) {
    if (target.toAbsolutePath().normalize().startsWith(directory.toAbsolutePath().normalize())) {
      throw new StoreException(
          Reason.IO, "a copy cannot lie in the directory of the data: " + target);
    }
    long stamp = closeGuard.enter();
    try (Checkpoint checkpoint = Checkpoint.create(columns.database())) {
      checkpoint.createCheckpoint(target.toString());
      OwnerOnly.close(target);
      FormatFile.copy(directory, target);
    } catch (IOException e) {
      throw new StoreException(Reason.IO, "cannot close the directory to others: " + target, e);
    } catch (RocksDBException e) {
      throw Failures.translate("copy the store to " + target, e);
    } finally {
      closeGuard.exit(stamp);
    }
  }

  @Override
  public void close() {
    flusher.close();
    if (!stopBackgroundWork() || !closeGuard.close()) {
      return;
    }
    removeExitHook();
    openHandles.closeAll();
    try {
      flushLast();
    } catch (RocksDBException e) {
      LOG.log(System.Logger.Level.WARNING, "the log could not be flushed while closing", e);
    }
    nativeResources.close();
  }

  /** Flushes the log, and notes in it that everything is on disk. */
  private void flushLast() throws RocksDBException {
    RocksDB database = columns.database();
    long sequence = database.getLatestSequenceNumber();
    database.syncWal();
    try (WriteBatch note = new WriteBatch()) {
      note.putLogData(FlushNote.payload(sequence));
      database.write(unsynced, note);
    }
    database.syncWal();
  }

  /**
   * Runs when the process exits with the store open: a compaction that calls a filter in Java after
   * Java has stopped would wait forever, and so would the process. Reads and commits continue.
   */
  private void abortCompactions() {
    try {
      long stamp = closeGuard.enter();
      try {
        columns.database().abortAllCompactions();
      } finally {
        closeGuard.exit(stamp);
      }
    } catch (StoreException closed) {
      // Then nothing is compacting either.
    }
  }

  private void removeExitHook() {
    try {
      Runtime.getRuntime().removeShutdownHook(exitHook);
    } catch (IllegalStateException exiting) {
      // Then it runs, or has run, and finds the store closed.
    }
  }

  /**
   * Aborts a reclaim in progress, which would stay in the close guard for long; returns false if
   * closed.
   */
  private boolean stopBackgroundWork() {
    try {
      long stamp = closeGuard.enter();
      try {
        columns.database().cancelAllBackgroundWork(false);
      } finally {
        closeGuard.exit(stamp);
      }
      return true;
    } catch (StoreException closed) {
      return false;
    }
  }

  CloseGuard closeGuard() {
    return closeGuard;
  }

  RecordCache records() {
    return records;
  }

  /** Returns options to read the current state. */
  ReadOptions currentState() {
    return currentState;
  }

  /** Returns options to read the current state from memory only. */
  ReadOptions inMemory() {
    return inMemory;
  }

  Snapshot snapshot(ShardReads reads, RecordCache.Region region, ReadTier tier) {
    long stamp = closeGuard.enter();
    try {
      int generation = RecordCache.generation(region);
      RocksStoreSnapshot instant = new RocksStoreSnapshot(columns, openHandles, tier);
      return new RocksSnapshot(reads, instant, records, instant.view(region, generation));
    } finally {
      closeGuard.exit(stamp);
    }
  }

  long commit(Batch batch, int shard, Fence fence, long epoch) {
    return commit(batch, shard, fence, epoch, true).orElseThrow();
  }

  /** Returns empty if RocksDB has to flush or compact first; nothing was written then. */
  OptionalLong tryCommit(Batch batch, int shard, Fence fence, long epoch) {
    return commit(batch, shard, fence, epoch, false);
  }

  private OptionalLong commit(Batch batch, int shard, Fence fence, long epoch, boolean waits) {
    byte[] record = WriteBatchEncoder.of(batch, shard, columns.numbers(), flushedSequence, arrays);
    long start = commits.start();
    try (RecordCache.Writes writes = records.writes().take(batch, shard)) {
      if (!commit(record, () -> commit(record, fence, epoch, writes), waits)) {
        return OptionalLong.empty();
      }
    } catch (RocksDBException e) {
      throw failed("commit to shard " + shard, e);
    }
    commits.ended(start);
    logBytes.add(record.length);
    arrays.give(record);
    return OptionalLong.of(ticket());
  }

  private long ticket() {
    long ticket = groupSync.ticket();
    flusher.committed();
    return ticket;
  }

  private boolean commit(byte[] record, WriteStall.Attempt attempt, boolean waits)
      throws RocksDBException {
    if (waits) {
      stall.write(record.length, attempt, this::propertyFromOutside);
      return true;
    }
    return stall.tryWrite(record.length, attempt, this::propertyFromOutside);
  }

  /** All shards are in one database: one record of its log is written completely or not at all. */
  private final class AllShards implements CrossShard {
    @Override
    public long commit(List<ShardBatch> batches) {
      List<RocksShard> owners = batches.stream().map(this::owner).sorted(BY_NUMBER).toList();
      if (owners.stream().mapToInt(RocksShard::number).distinct().count() < owners.size()) {
        throw new IllegalArgumentException("a shard has two batches");
      }
      byte[] record = WriteBatchEncoder.of(batches, columns.numbers(), flushedSequence, arrays);
      long start = commits.start();
      try (RecordCache.Writes writes = records.writes()) {
        batches.forEach(one -> writes.take(one.batch(), one.shard().number()));
        stall.write(
            record.length,
            () -> commit(record, owners, writes),
            RocksStore.this::propertyFromOutside);
      } catch (RocksDBException e) {
        throw failed("commit to several shards", e);
      }
      commits.ended(start);
      logBytes.add(record.length);
      arrays.give(record);
      return ticket();
    }

    private RocksShard owner(ShardBatch batch) {
      if (batch.shard() instanceof RocksShard shard && shard.store() == RocksStore.this) {
        return shard;
      }
      throw new IllegalArgumentException("not a shard of this store");
    }

    /** Returns false if RocksDB has to flush or compact first. */
    private boolean commit(byte[] record, List<RocksShard> owners, RecordCache.Writes writes)
        throws RocksDBException {
      long stamp = closeGuard.enter();
      List<Long> passages = new ArrayList<>();
      try {
        groupSync.check();
        for (RocksShard owner : owners) {
          passages.add(owner.fence().enter(owner.epoch()));
        }
        try (WriteBatch write = new WriteBatch(record)) {
          return attempt(write, writes);
        }
      } finally {
        for (int i = 0; i < passages.size(); i++) {
          owners.get(i).fence().exit(passages.get(i));
        }
        closeGuard.exit(stamp);
      }
    }

    @Override
    public StoreSnapshot snapshot() {
      long stamp = closeGuard.enter();
      try {
        return new RocksStoreSnapshot(columns, openHandles, ReadTier.READ_ALL_TIER);
      } finally {
        closeGuard.exit(stamp);
      }
    }
  }

  /** Returns false if RocksDB has to flush or compact first. */
  private boolean commit(byte[] record, Fence fence, long epoch, RecordCache.Writes writes)
      throws RocksDBException {
    long stamp = closeGuard.enter();
    try {
      groupSync.check();
      long passage = fence.enter(epoch);
      try (WriteBatch write = new WriteBatch(record)) {
        return attempt(write, writes);
      } finally {
        fence.exit(passage);
      }
    } finally {
      closeGuard.exit(stamp);
    }
  }

  private boolean attempt(WriteBatch write, RecordCache.Writes writes) throws RocksDBException {
    boolean done = attempt(unsynced, write);
    if (done) {
      writes.commit(columns.database().getLatestSequenceNumber());
    }
    return done;
  }

  /** Excludes commits: later writes could be in files that are removed here. */
  void erase(Batch ranges, int shard, Fence fence, long epoch) {
    Erasure erasure = new Erasure(columns, new Prefix(shard));
    ranges.replay(erasure);
    long stamp = closeGuard.enter();
    try {
      groupSync.check();
      long passage = fence.enterAlone(epoch);
      try (WriteBatch write = new WriteBatch()) {
        erasure.deleteFrom(write);
        write(unsynced, write);
        removeFiles(erasure);
        if (erasure.has(Space.RECORDS)) {
          records.forget(shard);
        }
      } finally {
        fence.exit(passage);
      }
    } catch (RocksDBException e) {
      throw Failures.translate("erase from shard " + shard, e);
    } finally {
      closeGuard.exit(stamp);
    }
  }

  /**
   * Removes whole files of long ranges that a commit has emptied. Removed files stay removed, so
   * everything before must be equally durable. Open snapshots would lose the files, so this does
   * nothing while there are any; a later snapshot sees the delete. The ranges are deleted once
   * more: if the first delete was flushed and compacted meanwhile, a part of it may have vanished
   * with a file while an older file stays.
   */
  private void removeFiles(Erasure erasure) throws RocksDBException {
    RocksDB database = columns.database();
    if (!erasure.isLong() || database.getLongProperty("rocksdb.num-snapshots") > 0) {
      return;
    }
    database.syncWal();
    erasure.removeFiles();
    try (WriteBatch write = new WriteBatch()) {
      erasure.deleteLongFrom(write);
      write(unsynced, write);
    }
  }

  /** For callers inside the close guard. */
  private void write(WriteOptions options, WriteBatch write) throws RocksDBException {
    int bytes = (int) Math.min(write.getDataSize(), Integer.MAX_VALUE);
    stall.write(bytes, () -> attempt(options, write), this::property);
  }

  /** Returns false if RocksDB has to flush or compact first; nothing was written then. */
  private boolean attempt(WriteOptions options, WriteBatch write) throws RocksDBException {
    try {
      columns.database().write(options, write);
      return true;
    } catch (RocksDBException e) {
      if (!Failures.isStall(e)) {
        throw e;
      }
      background.check();
      return false;
    }
  }

  private long property(String name) throws RocksDBException {
    return columns.database().getLongProperty(name);
  }

  private long propertyFromOutside(String name) throws RocksDBException {
    long stamp = closeGuard.enter();
    try {
      return property(name);
    } finally {
      closeGuard.exit(stamp);
    }
  }

  /** Waits outside the close guard, so that waiting for the disk does not delay {@link #close}. */
  void sync(long ticket) {
    closeGuard.exit(closeGuard.enter());
    groupSync.await(ticket);
  }

  long syncedThrough() {
    closeGuard.exit(closeGuard.enter());
    return groupSync.syncedThrough();
  }

  boolean trySync(long ticket) {
    return groupSync.trySync(ticket);
  }

  boolean trySyncHere(long ticket) {
    return syncs.lastNanos() <= SHORT_FLUSH_NANOS
        ? groupSync.trySyncHere(ticket)
        : groupSync.trySync(ticket);
  }

  void wakeAfterFlush(long ticket, Runnable wake) {
    groupSync.wakeAfterFlush(ticket, wake);
  }

  private void flushLog() {
    long stamp = closeGuard.enter();
    try {
      long start = syncs.start();
      long sequence = columns.database().getLatestSequenceNumber();
      columns.database().syncWal();
      // one flush runs at a time
      flushedSequence = sequence;
      syncs.ended(start);
      logFiller.flushed();
    } catch (RocksDBException e) {
      background.check();
      throw Failures.translate("flush the log", e);
    } finally {
      closeGuard.exit(stamp);
    }
  }

  /** Returns how often RocksDB has flushed its log to disk. */
  long flushes() {
    return statistics.getTickerCount(TickerType.WAL_FILE_SYNCED);
  }

  private Fence fence(int shard) {
    if (shard < 0) {
      throw new IllegalArgumentException("shards are numbered from 0, not " + shard);
    }
    return fences.computeIfAbsent(shard, number -> new Fence(lastEpoch(number)));
  }

  private long lastEpoch(int shard) {
    try {
      byte[] value = columns.database().get(columns.internal(), currentState, epochKey(shard));
      return value == null ? 0 : ByteBuffer.wrap(value).getLong();
    } catch (RocksDBException e) {
      throw Failures.translate("read the epoch of shard " + shard, e);
    }
  }

  private void rememberEpoch(int shard, long epoch) {
    try (WriteBatch write = new WriteBatch()) {
      write.put(columns.internal(), epochKey(shard), epochValue(epoch));
      // no flush: commits of the owner follow in the same log, and survive only together with this
      write(unsynced, write);
    } catch (RocksDBException e) {
      throw Failures.translate("own shard " + shard, e);
    }
  }

  /**
   * One batch empties the shard and fences its owner; a crash after it costs space, not
   * correctness. Whole files are removed only after that.
   */
  private void removeAll(Prefix prefix, long epoch) {
    Erasure erasure = new Erasure(columns, prefix);
    try (WriteBatch write = new WriteBatch()) {
      for (Space space : Space.values()) {
        erasure.add(space, prefix.start(), prefix.end());
      }
      erasure.deleteFrom(write);
      write.put(columns.internal(), epochKey(prefix.shard()), epochValue(epoch));
      write(unsynced, write);
      // other commits do not wait for this, as they would for a synced write
      columns.database().syncWal();
      removeFiles(erasure);
    } catch (RocksDBException e) {
      throw Failures.translate("drop shard " + prefix.shard(), e);
    }
  }

  private static byte[] epochKey(int shard) {
    return new Prefix(shard).start();
  }

  private static byte[] epochValue(long epoch) {
    return ByteBuffer.allocate(Long.BYTES).putLong(epoch).array();
  }

  private long fileBytes() {
    try (Stream<Path> files = Files.list(directory)) {
      return files.mapToLong(RocksStore::size).sum();
    } catch (IOException e) {
      throw new StoreException(Reason.IO, "cannot list the directory " + directory, e);
    }
  }

  /** Files come and go while RocksDB works; a file that is gone counts as 0 bytes. */
  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (NoSuchFileException e) {
      return 0;
    } catch (IOException e) {
      throw new StoreException(Reason.IO, "cannot read the size of " + file, e);
    }
  }
}
