package dev.mayfly.store.rocksdb;

import dev.mayfly.store.Range;
import java.util.Arrays;

/**
 * What stands before every key of a shard: its number in four bytes, big-endian, so that shards lie
 * one after another and each is one range of keys.
 */
record Prefix(int shard) {
  static final int BYTES = Integer.BYTES;

  /** The key as RocksDB knows it. */
  byte[] before(byte[] key) {
    byte[] whole = new byte[BYTES + key.length];
    write(whole, 0, shard);
    System.arraycopy(key, 0, whole, BYTES, key.length);
    return whole;
  }

  /** The lowest key of the range, inclusive; of the shard, when the range is open. */
  byte[] from(Range range) {
    byte[] from = range.from();
    return from == null ? start() : before(from);
  }

  /** The first key beyond the range; beyond the shard, when the range is open. */
  byte[] to(Range range) {
    byte[] to = range.to();
    return to == null ? end() : before(to);
  }

  /** At or before every key of the shard. */
  byte[] start() {
    return bytes(shard);
  }

  /** After every key of the shard, and at or before every key of the next. */
  byte[] end() {
    return bytes(shard + 1);
  }

  /** The key as the shard knows it. */
  static byte[] strip(byte[] whole, int length) {
    return Arrays.copyOfRange(whole, BYTES, length);
  }

  static void write(byte[] target, int at, int number) {
    target[at] = (byte) (number >>> 24);
    target[at + 1] = (byte) (number >>> 16);
    target[at + 2] = (byte) (number >>> 8);
    target[at + 3] = (byte) number;
  }

  private static byte[] bytes(int number) {
    byte[] bytes = new byte[BYTES];
    write(bytes, 0, number);
    return bytes;
  }
}
