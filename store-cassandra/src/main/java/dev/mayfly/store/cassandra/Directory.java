package dev.mayfly.store.cassandra;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Directory of a cell: which leaf holds which keys. A leaf holds the keys from its low key to that
 * of the next leaf. Immutable. There is always a leaf with the empty low key.
 */
final class Directory {
  /** The leaf of the store's own keys; it is not in the directory. */
  static final long OWN_LEAF = 0;

  /** Above all keys of the store itself. */
  static final byte[] AFTER_ALL = {CellKey.OWN, CellKey.OWN};

  /** The first key that belongs to the store itself, not to a shard. */
  static final byte[] END = {CellKey.OWN};

  private final NavigableMap<byte[], Leaf> leaves;

  private Directory(NavigableMap<byte[], Leaf> leaves) {
    this.leaves = leaves;
  }

  static Directory of(Collection<Leaf> leaves) {
    TreeMap<byte[], Leaf> map = new TreeMap<>(Arrays::compareUnsigned);
    leaves.forEach(leaf -> map.put(leaf.low(), leaf));
    return new Directory(map);
  }

  /** Returns the leaf that holds a key of a shard. */
  Leaf of(byte[] key) {
    Map.Entry<byte[], Leaf> floor = leaves.floorEntry(key);
    if (floor == null) {
      throw new IllegalStateException("the directory has no first leaf");
    }
    return floor.getValue();
  }

  /** Returns the leaf that holds the highest key below another; null if there is none. */
  @Nullable Leaf below(byte[] key) {
    Map.Entry<byte[], Leaf> lower = leaves.lowerEntry(key);
    return lower == null ? null : lower.getValue();
  }

  /** Returns the first key that a leaf does not hold. */
  byte[] end(Leaf leaf) {
    byte[] next = leaves.higherKey(leaf.low());
    return next == null ? END : next;
  }

  Collection<Leaf> all() {
    return leaves.values();
  }

  /** Returns the leaves that may hold keys of a range with both bounds. */
  Collection<Leaf> overlapping(byte[] from, byte[] to) {
    if (Arrays.compareUnsigned(from, to) >= 0) {
      return java.util.List.of();
    }
    return leaves.subMap(of(from).low(), true, to, false).values();
  }

  /** Returns this directory with other leaves in place of some. */
  Directory replace(Collection<Leaf> removed, Collection<Leaf> added) {
    TreeMap<byte[], Leaf> changed = new TreeMap<>(leaves);
    removed.forEach(leaf -> changed.remove(leaf.low()));
    added.forEach(leaf -> changed.put(leaf.low(), leaf));
    return new Directory(changed);
  }

  // The store's own keys, all in leaf 0.

  /** Key of a leaf in the directory. */
  static byte[] leafKey(byte[] low) {
    return ByteBuffer.allocate(2 + low.length).put(CellKey.OWN).put((byte) 'd').put(low).array();
  }

  /** Key of a leaf that is being written, or that is no longer used, and must be deleted. */
  static byte[] unusedKey(long leaf) {
    return ByteBuffer.allocate(2 + Long.BYTES)
        .put(CellKey.OWN)
        .put((byte) 'x')
        .putLong(leaf)
        .array();
  }

  /** Key of the epoch of a shard. */
  static byte[] epochKey(int shard) {
    return ByteBuffer.allocate(2 + Integer.BYTES)
        .put(CellKey.OWN)
        .put((byte) 'e')
        .putInt(shard)
        .array();
  }

  /** Key of the highest number of a leaf. */
  static byte[] lastLeafKey() {
    return new byte[] {CellKey.OWN, 'n'};
  }
}
