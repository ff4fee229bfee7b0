package dev.mayfly.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.store.Batch;
import dev.mayfly.store.Range;
import dev.mayfly.store.Space;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

final class WriteBatchEncoderTest {
  @TempDir private Path directory;

  @Test
  void isByteForByteWhatRocksDbMakesOfTheSameOperations() throws Exception {
    RocksDB.loadLibrary();
    byte[] large = new byte[20_000];
    Batch batch =
        new Batch()
            .put(Space.META, new byte[0], new byte[0])
            .put(Space.RECORDS, new byte[] {1, 2}, large)
            .put(Space.ENTRIES, large, new byte[] {3})
            .delete(Space.QUEUES, new byte[] {4})
            .deleteRange(Space.QUEUES, new byte[] {5}, new byte[] {6})
            .deleteRange(Space.META, Range.all());
    Prefix prefix = new Prefix(258);

    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB database = RocksDB.open(options, directory.toString());
        WriteBatch expected = new WriteBatch()) {
      List<ColumnFamilyHandle> spaces = new ArrayList<>();
      for (Space space : Space.values()) {
        spaces.add(database.createColumnFamily(new ColumnFamilyDescriptor(name(space))));
      }
      expected.putLogData(FlushNote.payload(77));
      expected.put(spaces.get(0), prefix.before(new byte[0]), new byte[0]);
      expected.put(spaces.get(1), prefix.before(new byte[] {1, 2}), large);
      expected.put(spaces.get(2), prefix.before(large), new byte[] {3});
      expected.delete(spaces.get(3), prefix.before(new byte[] {4}));
      expected.deleteRange(
          spaces.get(3), prefix.before(new byte[] {5}), prefix.before(new byte[] {6}));
      expected.deleteRange(spaces.get(0), prefix.start(), prefix.end());
      int[] numbers = spaces.stream().mapToInt(ColumnFamilyHandle::getID).toArray();

      assertThat(WriteBatchEncoder.of(batch, 258, numbers, 77, new BatchArrays()))
          .isEqualTo(expected.data());
      spaces.forEach(ColumnFamilyHandle::close);
    }
  }

  @Test
  void aShortBatchIsPaddedWithANoteOfZerosAndItsArrayIsUsedAgain() throws Exception {
    RocksDB.loadLibrary();
    Prefix prefix = new Prefix(3);
    BatchArrays arrays = new BatchArrays();
    Set<Integer> paddings = new HashSet<>();
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB database = RocksDB.open(options, directory.toString());
        ColumnFamilyHandle records =
            database.createColumnFamily(new ColumnFamilyDescriptor(name(Space.RECORDS)));
        WriteOptions plain = new WriteOptions()) {
      int[] numbers = new int[Space.values().length];
      Arrays.fill(numbers, records.getID());
      for (int i = 0; i < 4 * BatchArrays.STEP; i++) {
        byte[] value = new byte[i];
        Arrays.fill(value, (byte) 1);
        Batch batch = new Batch().put(Space.RECORDS, new byte[] {9}, value);
        byte[] encoded = WriteBatchEncoder.of(batch, 3, numbers, 77, arrays);
        assertThat(encoded.length % BatchArrays.STEP).isZero();
        try (WriteBatch expected = new WriteBatch();
            WriteBatch read = new WriteBatch(encoded)) {
          expected.putLogData(FlushNote.payload(77));
          expected.put(records, prefix.before(new byte[] {9}), value);
          int padding = encoded.length - (int) expected.getDataSize();
          if (padding > 0) {
            expected.putLogData(new byte[padding - 2]);
          }
          assertThat(encoded).isEqualTo(expected.data());
          paddings.add(padding);
          database.write(plain, read);
        }
        assertThat(database.get(records, prefix.before(new byte[] {9}))).isEqualTo(value);
        arrays.give(encoded);
        assertThat(WriteBatchEncoder.of(batch, 3, numbers, 77, arrays)).isSameAs(encoded);
        arrays.give(encoded);
      }
    }
    assertThat(paddings).hasSize(BatchArrays.STEP);
  }

  private static byte[] name(Space space) {
    return new byte[] {(byte) ('a' + space.code())};
  }
}
