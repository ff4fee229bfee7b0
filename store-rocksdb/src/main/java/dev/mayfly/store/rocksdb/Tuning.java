package dev.mayfly.store.rocksdb;

import dev.mayfly.store.Space;
import java.util.EnumSet;
import java.util.List;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.DataBlockIndexType;
import org.rocksdb.Env;
import org.rocksdb.HistogramType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileManager;
import org.rocksdb.Statistics;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteBufferManager;

/** Options of RocksDB: shared ones, and those of each column family. */
final class Tuning {
  private static final long BYTES_PER_SYNC = 1 << 20;

  /** The system writes the log as it grows, so that no flush has to wait for much of it. */
  private static final long WAL_BYTES_PER_SYNC = 512 << 10;

  /**
   * Flushed logs that are kept to be overwritten: a flush of a log that does not grow needs no
   * commit of the file system's journal.
   */
  static final int RECYCLED_LOGS = 2;

  private static final long MAX_LOG_FILE_BYTES = 4 << 20;
  private static final double BLOOM_BITS_PER_KEY = 10;
  private static final double BUFFER_FILTER_SHARE = 0.02;
  private static final long POINT_BLOCK_BYTES = 4 << 10;
  private static final long RANGE_BLOCK_BYTES = 16 << 10;
  private static final long MAX_WRITE_BUFFER_BYTES = 64 << 20;

  /**
   * A scan visits a record in every level-0 file that contains it: after updates, two files instead
   * of more cost a third less.
   */
  private static final int MAX_YOUNG_RECORD_FILES = 2;

  /**
   * Reads of a memtable slow down with every range delete in it; this number has no measurable
   * effect.
   */
  private static final int MAX_RANGE_DELETES_BUFFERED = 1_000;

  private final RocksSettings settings;
  private final Cache cache;
  private final BackgroundErrors background;
  private final NativeResources nativeResources;
  private final SstFileManager files;
  private final Statistics statistics;

  Tuning(
      RocksSettings settings,
      Cache cache,
      BackgroundErrors background,
      NativeResources nativeResources)
      throws RocksDBException {
    this.settings = settings;
    this.cache = cache;
    this.background = background;
    this.nativeResources = nativeResources;
    this.files = nativeResources.keep(new SstFileManager(Env.getDefault()));
    // counters cost next to nothing; histograms would read the clock at every read
    this.statistics = nativeResources.keep(new Statistics(EnumSet.allOf(HistogramType.class)));
  }

  DBOptions database() {
    DBOptions options = nativeResources.keep(new DBOptions());
    options
        .setCreateIfMissing(true)
        .setCreateMissingColumnFamilies(true)
        .setParanoidChecks(true)
        // Commits before the first damage are kept. Logs has checked before whether it is a torn
        // tail, or cuts off complete commits that the user accepts to lose; RocksDB does not report
        // that.
        .setWalRecoveryMode(WALRecoveryMode.PointInTimeRecovery)
        .setMaxTotalWalSize(4 * settings.writeBufferBytes())
        .setRecycleLogFileNum(RECYCLED_LOGS)
        .setMaxBackgroundJobs(settings.backgroundJobs())
        .setMaxSubcompactions(settings.backgroundJobs() - 1)
        .setBytesPerSync(BYTES_PER_SYNC)
        .setWalBytesPerSync(WAL_BYTES_PER_SYNC)
        .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
        .setKeepLogFileNum(3)
        .setMaxLogFileSize(MAX_LOG_FILE_BYTES)
        .setStatsDumpPeriodSec(0)
        .setWriteBufferManager(
            nativeResources.keep(new WriteBufferManager(settings.writeBufferBytes(), cache)))
        .setSstFileManager(files)
        .setStatistics(statistics)
        .setListeners(List.of(background));
    return options;
  }

  boolean acceptsDamagedLog() {
    return settings.acceptDamagedLog();
  }

  /** Tracks the sizes of data files. RocksDB also needs it to recover from a full disk. */
  SstFileManager files() {
    return files;
  }

  /** Returns the counters of RocksDB. */
  Statistics statistics() {
    return statistics;
  }

  /** Options of the column family for the store's own data: epochs. */
  ColumnFamilyOptions internal() {
    return family(table(POINT_BLOCK_BYTES));
  }

  ColumnFamilyOptions of(Space space) {
    return switch (space) {
      case META -> family(table(POINT_BLOCK_BYTES));
      case RECORDS -> records();
      case ENTRIES -> family(filtered(table(RANGE_BLOCK_BYTES)));
      case QUEUES ->
          family(table(RANGE_BLOCK_BYTES)).setMemtableMaxRangeDeletions(MAX_RANGE_DELETES_BUFFERED);
    };
  }

  /**
   * Records are point reads: a Bloom filter answers for most files and for the memtable, which
   * avoids a walk through a skip list; a hash index finds them in a block. They are scanned, too,
   * and a scan pays for every block: so blocks are large, which costs a point read little.
   */
  private ColumnFamilyOptions records() {
    BlockBasedTableConfig table =
        filtered(table(RANGE_BLOCK_BYTES))
            .setDataBlockIndexType(DataBlockIndexType.kDataBlockBinaryAndHash);
    return family(table)
        .setMemtablePrefixBloomSizeRatio(BUFFER_FILTER_SHARE)
        .setMemtableWholeKeyFiltering(true)
        .setLevel0FileNumCompactionTrigger(MAX_YOUNG_RECORD_FILES);
  }

  private ColumnFamilyOptions family(BlockBasedTableConfig table) {
    return nativeResources
        .keep(new ColumnFamilyOptions())
        .setTableFormatConfig(table)
        .setWriteBufferSize(writeBufferBytes())
        .setDisableAutoCompactions(!settings.compacts())
        .setLevelCompactionDynamicLevelBytes(true)
        // The same on the bottommost level: short-lived data is not worth a stronger compression.
        .setCompressionType(CompressionType.LZ4_COMPRESSION);
  }

  /** Returns the size of a full memtable, which is also about that of a full log. */
  long writeBufferBytes() {
    return Math.min(MAX_WRITE_BUFFER_BYTES, settings.writeBufferBytes() / 2);
  }

  /** Adds a Bloom filter: entries of unique indexes are point reads of every insert. */
  private BlockBasedTableConfig filtered(BlockBasedTableConfig table) {
    return table
        .setFilterPolicy(nativeResources.keep(new BloomFilter(BLOOM_BITS_PER_KEY)))
        .setWholeKeyFiltering(true)
        .setOptimizeFiltersForMemory(true);
  }

  private BlockBasedTableConfig table(long blockBytes) {
    return new BlockBasedTableConfig()
        .setBlockCache(cache)
        .setBlockSize(blockBytes)
        .setCacheIndexAndFilterBlocks(true)
        .setCacheIndexAndFilterBlocksWithHighPriority(true)
        .setPinL0FilterAndIndexBlocksInCache(true);
  }
}
