package dev.mayfly.engine.storage;

import dev.mayfly.engine.ByteKey;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keys that a write group has written, with their values: later writes of the group see them. Most
 * groups write one, for which no map is made. Belongs to its group.
 */
public final class GroupRecords {
  private static final byte[] GONE = {};

  private byte @Nullable [] firstKey;
  private byte[] firstValue = GONE;

  /** Null unless there are several. */
  private @Nullable Map<ByteKey, byte[]> all;

  public void put(byte[] key, byte[] value) {
    assert value.length > 0;
    add(key, value);
  }

  public void remove(byte[] key) {
    add(key, GONE);
  }

  private void add(byte[] key, byte[] value) {
    byte[] first = firstKey;
    if (all == null && (first == null || Arrays.equals(first, key))) {
      firstKey = key;
      firstValue = value;
    } else {
      map().put(new ByteKey(key), value);
    }
  }

  private Map<ByteKey, byte[]> map() {
    Map<ByteKey, byte[]> map = all;
    if (map == null) {
      map = new HashMap<>();
      if (firstKey != null) {
        map.put(new ByteKey(firstKey), firstValue);
      }
      all = map;
    }
    return map;
  }

  /** Returns the value that the group has written; empty if it has removed it, null if neither. */
  public byte @Nullable [] find(byte[] key) {
    if (all != null) {
      return all.get(new ByteKey(key));
    }
    return firstKey != null && Arrays.equals(firstKey, key) ? firstValue : null;
  }

  /** Returns whether the group has removed a key. */
  public boolean isRemoved(byte[] key) {
    byte[] value = find(key);
    return value != null && value.length == 0;
  }

  /** All keys; the value is an empty array if the group has removed it. */
  public Map<ByteKey, byte[]> asMap() {
    return map();
  }
}
