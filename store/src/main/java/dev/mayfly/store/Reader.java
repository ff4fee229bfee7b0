package dev.mayfly.store;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads of one shard: its current state, or a snapshot. Arrays returned never change; the caller
 * must not change them either, as others may have been given the same.
 */
public interface Reader {
  /** What {@link #readIfCached} gives when it had to wait: this very array, which is no value. */
  byte[] ELSEWHERE = {};

  /** Whether what {@link #readIfCached} gave says that it had to wait. */
  @SuppressWarnings("ReferenceEquality") // a value may be empty too
  static boolean isElsewhere(byte @Nullable [] read) {
    return read == ELSEWHERE;
  }

  /** The value of a key, or null when there is none. */
  byte @Nullable [] read(Space space, byte[] key);

  /**
   * As {@link #read}, for who must not wait for a disk: {@link #ELSEWHERE} when what is in memory
   * does not tell.
   */
  default byte @Nullable [] readIfCached(Space space, byte[] key) {
    return read(space, key);
  }

  /** The values of several keys, in the order of the keys, null where there is none. */
  default List<byte @Nullable []> readAll(Space space, List<byte[]> keys) {
    List<byte @Nullable []> values = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      values.add(read(space, key));
    }
    return values;
  }

  /**
   * Opens a cursor before the first entry of the range. On a consistent snapshot it sees that
   * snapshot; otherwise it sees every commit that returned before this call and may or may not see
   * those that come after.
   */
  Scan scan(Space space, Range range, Direction direction);
}
