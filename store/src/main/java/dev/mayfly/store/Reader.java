package dev.mayfly.store;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads of one shard: its current state, or a snapshot. Returned arrays never change, and the
 * caller must not change them: the store may return the same array to other callers.
 *
 * <pre>{@code
 * byte[] value = reader.read(Space.RECORDS, key); // null if there is none
 * try (Scan scan = reader.scan(Space.RECORDS, Range.prefix(prefix), Direction.DOWN)) {
 *   boolean any = scan.next(); // the last key with the prefix first
 * }
 * }</pre>
 */
public interface Reader {
  /** Returns the value of a key, or null if the key does not exist. */
  byte @Nullable [] read(Space space, byte[] key);

  /** Returns the values of several keys in the order of the keys, null for a missing key. */
  default List<byte @Nullable []> readAll(Space space, List<byte[]> keys) {
    List<byte @Nullable []> values = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      values.add(read(space, key));
    }
    return values;
  }

  /**
   * Opens a cursor before the first entry of the range. On a consistent snapshot it sees that
   * snapshot. Otherwise it sees every commit that returned before this call, and may or may not see
   * later ones.
   */
  Scan scan(Space space, Range range, Direction direction);
}
