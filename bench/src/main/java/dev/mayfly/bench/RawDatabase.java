package dev.mayfly.bench;

import dev.mayfly.store.Space;
import dev.mayfly.store.rocksdb.RocksSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.Range;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.SizeApproximationFlag;
import org.rocksdb.Slice;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * Raw RocksDB through its Java API: the baseline.
 *
 * <p>Same column families, cache, filters and compression as the store, WAL enabled, keys with the
 * same prefix of four bytes.
 */
final class RawDatabase implements AutoCloseable {
  static final int SHARD_BYTES = 4;

  private final LRUCache cache;
  private final BloomFilter bloom = new BloomFilter(10);
  private final List<ColumnFamilyOptions> familyOptions = new ArrayList<>();
  private final DBOptions options;
  private final RocksDB database;
  private final List<ColumnFamilyHandle> families = new ArrayList<>();
  private final WriteOptions write = new WriteOptions();
  private long walBytes;

  RawDatabase(Path directory, long cacheBytes) throws RocksDBException {
    RocksDB.loadLibrary();
    cache = new LRUCache(cacheBytes);
    List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
    descriptors.add(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, family()));
    for (Space space : Space.values()) {
      descriptors.add(
          new ColumnFamilyDescriptor(space.name().getBytes(StandardCharsets.US_ASCII), family()));
    }
    options =
        new DBOptions()
            .setCreateIfMissing(true)
            .setCreateMissingColumnFamilies(true)
            .setMaxBackgroundJobs(RocksSettings.defaults().backgroundJobs());
    database = RocksDB.open(options, directory.toString(), descriptors, families);
  }

  private ColumnFamilyOptions family() {
    BlockBasedTableConfig table =
        new BlockBasedTableConfig()
            .setBlockCache(cache)
            .setFilterPolicy(bloom)
            .setCacheIndexAndFilterBlocks(true);
    ColumnFamilyOptions family =
        new ColumnFamilyOptions()
            .setTableFormatConfig(table)
            .setWriteBufferSize(64 << 20)
            .setLevelCompactionDynamicLevelBytes(true)
            .setCompressionType(CompressionType.LZ4_COMPRESSION);
    familyOptions.add(family);
    return family;
  }

  private ColumnFamilyHandle of(Space space) {
    return families.get(space.code() + 1);
  }

  /** Writes one batch of operations as one atomic batch. */
  void write(List<Recording.Operation> operations) throws RocksDBException {
    try (WriteBatch batch = new WriteBatch()) {
      for (Recording.Operation operation : operations) {
        byte[] value = operation.value;
        if (value == null) {
          batch.delete(of(operation.space), prefixed(operation.key));
        } else {
          batch.put(of(operation.space), prefixed(operation.key), value);
        }
      }
      database.write(write, batch);
      walBytes += batch.getDataSize();
    }
  }

  /** Deletes the keys that a batch of puts has written. */
  void delete(List<Recording.Operation> operations) throws RocksDBException {
    try (WriteBatch batch = new WriteBatch()) {
      for (Recording.Operation operation : operations) {
        batch.delete(of(operation.space), prefixed(operation.key));
      }
      database.write(write, batch);
      walBytes += batch.getDataSize();
    }
  }

  byte @Nullable [] get(Space space, byte[] key) throws RocksDBException {
    return database.get(of(space), prefixed(key));
  }

  RocksIterator iterator(Space space) {
    return database.newIterator(of(space));
  }

  void flush() throws RocksDBException {
    try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
      database.flush(flush, families);
    }
  }

  /** Compacts all column families in parallel, each with as many threads as the store uses. */
  void compact() throws Exception {
    List<Future<?>> compactions = new ArrayList<>();
    try (ExecutorService threads =
            Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory());
        CompactRangeOptions range =
            new CompactRangeOptions()
                .setExclusiveManualCompaction(false)
                .setMaxSubcompactions(RocksSettings.defaults().backgroundJobs())) {
      for (ColumnFamilyHandle family : families) {
        compactions.add(
            threads.submit(
                () -> {
                  database.compactRange(family, null, null, range);
                  return family;
                }));
      }
      for (Future<?> compaction : compactions) {
        compaction.get();
      }
    }
  }

  /** Size of all keys in files and memtables, computed as in the store. */
  long bytes() {
    long bytes = 0;
    try (Slice from = new Slice(new byte[SHARD_BYTES]);
        Slice to = new Slice(new byte[] {1, 0, 0, 0})) {
      for (ColumnFamilyHandle family : families) {
        bytes +=
            database
                .getApproximateSizes(
                    family,
                    List.of(new Range(from, to)),
                    SizeApproximationFlag.INCLUDE_FILES,
                    SizeApproximationFlag.INCLUDE_MEMTABLES)[0];
      }
    }
    return bytes;
  }

  /** Bytes of all batches written so far, that is, written to the WAL. */
  long walBytes() {
    return walBytes;
  }

  static byte[] prefixed(byte[] key) {
    byte[] prefixed = new byte[SHARD_BYTES + key.length];
    prefixed[SHARD_BYTES - 1] = 1;
    System.arraycopy(key, 0, prefixed, SHARD_BYTES, key.length);
    return prefixed;
  }

  @Override
  public void close() {
    families.forEach(ColumnFamilyHandle::close);
    database.close();
    options.close();
    familyOptions.forEach(ColumnFamilyOptions::close);
    write.close();
    bloom.close();
    cache.close();
  }
}
