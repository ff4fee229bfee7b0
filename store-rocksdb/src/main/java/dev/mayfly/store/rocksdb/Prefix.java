package dev.mayfly.store.rocksdb;

import dev.mayfly.store.Range;
import java.util.Arrays;

/**
 * Key prefix of a shard: its number in four bytes, big-endian, so that each shard is one contiguous
 * range of keys.
 */
record Prefix(int shard) {
  static final int BYTES = Integer.BYTES;

  /** Returns the key with the prefix. */
  byte[] before(byte[] key) {
    byte[] whole = new byte[BYTES + key.length];
    write(whole, 0, shard);
    System.arraycopy(key, 0, whole, BYTES, key.length);
    return whole;
  }

  /** Returns the lower bound of the range, inclusive; of the shard if the range has none. */
  byte[] from(Range range) {
    byte[] from = range.from();
    return from == null ? start() : before(from);
  }

  /** Returns the upper bound of the range, exclusive; of the shard if the range has none. */
  byte[] to(Range range) {
    byte[] to = range.to();
    return to == null ? end() : before(to);
  }

  /** Returns a key at or before every key of the shard. */
  byte[] start() {
    return bytes(shard);
  }

  /** Returns a key after every key of the shard, and at or before every key of the next. */
  byte[] end() {
    return bytes(shard + 1);
  }

  /** Returns the key without the prefix. */
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
