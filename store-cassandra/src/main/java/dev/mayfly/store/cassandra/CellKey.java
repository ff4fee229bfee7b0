package dev.mayfly.store.cassandra;

import dev.mayfly.store.Range;
import dev.mayfly.store.Space;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Keys of a cell: one byte for the space, four for the shard, then the key. So one sorted map holds
 * all shards, and small collections share leaves.
 *
 * <p>Keys that begin with {@link #OWN} belong to the store itself. They are all in leaf {@link
 * Directory#OWN_LEAF}.
 */
final class CellKey {
  static final byte OWN = (byte) 0xff;
  static final int PREFIX_BYTES = 5;

  /** By their codes. */
  private static final List<Space> SPACES = List.of(Space.values());

  private CellKey() {}

  static byte[] of(Space space, int shard, byte[] key) {
    return of(space, shard, key, 0, key.length);
  }

  static byte[] of(Space space, int shard, byte[] buffer, int offset, int length) {
    return ByteBuffer.allocate(PREFIX_BYTES + length)
        .put((byte) space.code())
        .putInt(shard)
        .put(buffer, offset, length)
        .array();
  }

  /** Returns the key without space and shard. */
  static byte[] inShard(byte[] key) {
    return Arrays.copyOfRange(key, PREFIX_BYTES, key.length);
  }

  static int shard(byte[] key) {
    return ByteBuffer.wrap(key, 1, Integer.BYTES).getInt();
  }

  static Space space(byte[] key) {
    return SPACES.get(key[0]);
  }

  static boolean isOwn(byte[] key) {
    return key.length > 0 && key[0] == OWN;
  }

  /** Returns the keys of the cell that a range of a shard means. Both bounds are present. */
  static Range range(Space space, int shard, Range range) {
    byte[] from = range.from();
    byte[] to = range.to();
    return Range.of(
        of(space, shard, from == null ? new byte[0] : from),
        to == null ? end(space, shard) : of(space, shard, to));
  }

  /** Returns the first key after all of a space of a shard. */
  private static byte[] end(Space space, int shard) {
    return shard == Integer.MAX_VALUE
        ? new byte[] {(byte) (space.code() + 1)}
        : of(space, shard + 1, new byte[0]);
  }

  /** Returns whether two keys are of the same space and shard. */
  static boolean sameShard(byte[] one, byte[] other) {
    return Arrays.equals(one, 0, PREFIX_BYTES, other, 0, PREFIX_BYTES);
  }
}
