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

/** How RocksDB is set up: what all column families share, and what each space is tuned for. */
final class Tuning {
  private static final long BYTES_PER_SYNC = 1 << 20;

  /** Has the system write the log as it grows, so that no flush has to wait for much of it. */
  private static final long WAL_BYTES_PER_SYNC = 512 << 10;

  private static final long MAX_LOG_FILE_BYTES = 4 << 20;
  private static final double BLOOM_BITS_PER_KEY = 10;
  private static final double BUFFER_FILTER_SHARE = 0.02;
  private static final long POINT_BLOCK_BYTES = 4 << 10;
  private static final long RANGE_BLOCK_BYTES = 16 << 10;
  private static final long MAX_WRITE_BUFFER_BYTES = 64 << 20;

  /** A scan meets a record in every young file that has it: after updates two cost a third less. */
  private static final int MAX_YOUNG_RECORD_FILES = 2;

  /** Reads of a buffer slow down with every range delete in it; this many are not felt yet. */
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
    // counts cost next to nothing; histograms would ask for the time with every read
    this.statistics = nativeResources.keep(new Statistics(EnumSet.allOf(HistogramType.class)));
  }

  DBOptions database() {
    DBOptions options = nativeResources.keep(new DBOptions());
    options
        .setCreateIfMissing(true)
        .setCreateMissingColumnFamilies(true)
        .setParanoidChecks(true)
        // What precedes the first damage is kept. Logs has looked at it before: whether it is a
        // torn tail, or cuts off whole commits and is to be accepted, RocksDB does not say.
        .setWalRecoveryMode(WALRecoveryMode.PointInTimeRecovery)
        .setMaxTotalWalSize(4 * settings.writeBufferBytes())
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

  /** What the files of data weigh. It is also by this that RocksDB recovers from a full disk. */
  SstFileManager files() {
    return files;
  }

  /** What RocksDB counts. */
  Statistics statistics() {
    return statistics;
  }

  /** For the column family that holds what is the store's own: epochs. */
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
   * Records are read one by one: a filter answers for most files and for the buffer, which spares a
   * walk through a long list in memory; a hash finds them in a block. They are scanned, too, and a
   * scan pays for every block: so blocks are large, which costs a read of one record little.
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
    long buffer = Math.min(MAX_WRITE_BUFFER_BYTES, settings.writeBufferBytes() / 2);
    return nativeResources
        .keep(new ColumnFamilyOptions())
        .setTableFormatConfig(table)
        .setWriteBufferSize(buffer)
        .setDisableAutoCompactions(!settings.compacts())
        .setLevelCompactionDynamicLevelBytes(true)
        // The same on the lowest level: what does not live long is not worth a tighter packing.
        .setCompressionType(CompressionType.LZ4_COMPRESSION);
  }

  /** With a filter of keys: entries of unique indexes are looked up by key with every insert. */
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
