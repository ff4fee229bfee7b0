package dev.mayfly.store.rocksdb;

import dev.mayfly.store.Batch;
import dev.mayfly.store.ShardBatch;
import dev.mayfly.store.Space;
import java.util.Arrays;
import java.util.List;

/**
 * Encodes a batch in RocksDB's serialized form, so that it needs one native call rather than one
 * per operation. The form is that of RocksDB's log and as stable as that: 8 bytes of sequence
 * number and 4 of count, little-endian, then the operations, each a byte of kind, the column family
 * and one or two strings, with all numbers as varints. The first operation is a {@link FlushNote},
 * the last one may be padding: a note of zeros.
 */
final class WriteBatchEncoder implements Batch.Visitor {
  private static final int HEADER_BYTES = 12;
  private static final int COUNT_AT = 8;

  private static final byte DELETE = 0x4;
  private static final byte PUT = 0x5;
  private static final byte DELETE_RANGE = 0xe;
  private static final byte LOG_DATA = 0x3;

  private final int[] families;
  private final byte[] bytes;
  private int shard;
  private int size = HEADER_BYTES + FlushNote.BYTES;
  private int count;

  private WriteBatchEncoder(long length, int[] families, long flushed, BatchArrays arrays) {
    this.families = families;
    this.bytes = arrays.take(BatchArrays.padded(Math.toIntExact(size + length)));
    Arrays.fill(bytes, 0, HEADER_BYTES, (byte) 0);
    FlushNote.write(bytes, HEADER_BYTES, flushed);
  }

  /** The exact length of encoded operations: RocksDB takes no part of an array. */
  private static final class Length implements Batch.Visitor {
    private final int[] families;
    private long length;

    private Length(int[] families) {
      this.families = families;
    }

    static long of(Batch batch, int[] families) {
      Length sum = new Length(families);
      batch.replay(sum);
      return sum.length;
    }

    @Override
    public void put(Space space, byte[] buffer, int key, int keyLength, int value, int length) {
      add(space, keyLength);
      this.length += varintLength(length) + length;
    }

    @Override
    public void delete(Space space, byte[] buffer, int key, int keyLength) {
      add(space, keyLength);
    }

    @Override
    public void deleteRange(
        Space space, byte[] buffer, int from, int fromLength, int to, int toLength) {
      add(space, fromLength);
      addKey(Math.max(toLength, 0));
    }

    private void add(Space space, int keyLength) {
      length += 1 + varintLength(families[space.code()]);
      addKey(keyLength);
    }

    private void addKey(int keyLength) {
      int whole = Prefix.BYTES + keyLength;
      length += varintLength(whole) + whole;
    }

    private static int varintLength(int number) {
      return Math.max((38 - Integer.numberOfLeadingZeros(number)) / 7, 1);
    }
  }

  /**
   * Encodes a batch.
   *
   * @param families the id of each space's column family, by the code of the space
   * @param flushed sequence number through which the log is on disk
   * @param arrays to which the caller gives the result back
   */
  static byte[] of(Batch batch, int shard, int[] families, long flushed, BatchArrays arrays) {
    WriteBatchEncoder record =
        new WriteBatchEncoder(Length.of(batch, families), families, flushed, arrays);
    record.add(batch, shard);
    return record.finish();
  }

  /** Encodes batches of several shards as one. */
  static byte[] of(List<ShardBatch> batches, int[] families, long flushed, BatchArrays arrays) {
    long length = batches.stream().mapToLong(one -> Length.of(one.batch(), families)).sum();
    WriteBatchEncoder record = new WriteBatchEncoder(length, families, flushed, arrays);
    batches.forEach(one -> record.add(one.batch(), one.shard().number()));
    return record.finish();
  }

  private void add(Batch batch, int number) {
    shard = number;
    batch.replay(this);
  }

  @Override
  public void put(Space space, byte[] buffer, int key, int keyLength, int value, int length) {
    begin(PUT, space);
    key(buffer, key, keyLength);
    varint(length);
    copy(buffer, value, length);
  }

  @Override
  public void delete(Space space, byte[] buffer, int key, int keyLength) {
    begin(DELETE, space);
    key(buffer, key, keyLength);
  }

  @Override
  public void deleteRange(
      Space space, byte[] buffer, int from, int fromLength, int to, int toLength) {
    begin(DELETE_RANGE, space);
    key(buffer, from, fromLength);
    if (toLength < 0) {
      varint(Prefix.BYTES);
      prefix(shard + 1);
    } else {
      key(buffer, to, toLength);
    }
  }

  private void begin(byte kind, Space space) {
    count++;
    bytes[size++] = kind;
    varint(families[space.code()]);
  }

  private void key(byte[] buffer, int offset, int length) {
    varint(Prefix.BYTES + length);
    prefix(shard);
    copy(buffer, offset, length);
  }

  private void prefix(int number) {
    Prefix.write(bytes, size, number);
    size += Prefix.BYTES;
  }

  private void copy(byte[] source, int offset, int length) {
    System.arraycopy(source, offset, bytes, size, length);
    size += length;
  }

  private void varint(int number) {
    int rest = number;
    while (rest >= 0x80) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  private byte[] finish() {
    for (int i = 0; i < Integer.BYTES; i++) {
      bytes[COUNT_AT + i] = (byte) (count >>> (8 * i));
    }
    pad();
    assert size == bytes.length;
    return bytes;
  }

  /** Fills the rest of the array with an operation that RocksDB skips. */
  private void pad() {
    int rest = bytes.length - size;
    if (rest > 0) {
      bytes[size] = LOG_DATA;
      bytes[size + 1] = (byte) (rest - 2);
      Arrays.fill(bytes, size + 2, bytes.length, (byte) 0);
      size = bytes.length;
    }
  }
}
