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
 * and one or two strings, with all numbers as varints.
 */
final class WriteBatchEncoder implements Batch.Visitor {
  private static final int HEADER_BYTES = 12;
  private static final int COUNT_AT = 8;

  private static final byte DELETE = 0x4;
  private static final byte PUT = 0x5;
  private static final byte DELETE_RANGE = 0xe;

  /** Maximum growth of an operation compared to its size in a batch. */
  private static final int MAX_GROWTH = 5 + 2 * Prefix.BYTES + 2;

  private final int[] families;
  private final byte[] bytes;
  private int shard;
  private int size = HEADER_BYTES;
  private int count;

  private WriteBatchEncoder(long bound, int[] families) {
    this.families = families;
    this.bytes = new byte[Math.toIntExact(HEADER_BYTES + bound)];
  }

  private static long bound(Batch batch) {
    return batch.bytes() + (long) batch.operations() * MAX_GROWTH;
  }

  /**
   * Encodes a batch.
   *
   * @param families the id of each space's column family, by the code of the space
   */
  static byte[] of(Batch batch, int shard, int[] families) {
    WriteBatchEncoder record = new WriteBatchEncoder(bound(batch), families);
    record.add(batch, shard);
    return record.finish();
  }

  /** Encodes batches of several shards as one. */
  static byte[] of(List<ShardBatch> batches, int[] families) {
    long bound = batches.stream().mapToLong(one -> bound(one.batch())).sum();
    WriteBatchEncoder record = new WriteBatchEncoder(bound, families);
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
    return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
  }
}
