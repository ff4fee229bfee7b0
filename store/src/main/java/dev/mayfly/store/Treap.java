package dev.mayfly.store;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Immutable sorted map from bytes to bytes: every change returns a new map that shares almost all
 * of the old one, so a snapshot is a reference. Keys and values are not copied: callers must not
 * change them.
 *
 * <p>A treap: a search tree by key that is also a heap by random priority, which keeps it balanced.
 * Split and join cost O(log n); a range delete is two splits and a join, regardless of its size.
 */
public final class Treap {
  public static final Treap EMPTY = new Treap(null);

  private final @Nullable Node root;

  private Treap(@Nullable Node root) {
    this.root = root;
  }

  /** An entry of the map, and the subtree below it. */
  public static final class Node {
    private final byte[] key;
    private final byte[] value;
    private final int priority;
    private final @Nullable Node left;
    private final @Nullable Node right;
    private final long bytes;

    Node(byte[] key, byte[] value, int priority, @Nullable Node left, @Nullable Node right) {
      this.key = key;
      this.value = value;
      this.priority = priority;
      this.left = left;
      this.right = right;
      this.bytes = key.length + value.length + weight(left) + weight(right);
    }

    public byte[] key() {
      return key;
    }

    public byte[] value() {
      return value;
    }

    private Node with(@Nullable Node newLeft, @Nullable Node newRight) {
      return newLeft == left && newRight == right
          ? this
          : new Node(key, value, priority, newLeft, newRight);
    }
  }

  /** The two parts of a split tree; the entry at the cut may be in neither. */
  private record Halves(@Nullable Node low, @Nullable Node high) {
    static final Halves NONE = new Halves(null, null);
  }

  public boolean isEmpty() {
    return root == null;
  }

  /** Returns the bytes of all keys and values. */
  public long bytes() {
    return weight(root);
  }

  /** Returns the entry of a key, or null. */
  public @Nullable Node find(byte[] key) {
    Node node = root;
    while (node != null) {
      int order = Arrays.compareUnsigned(key, node.key);
      if (order == 0) {
        return node;
      }
      node = order < 0 ? node.left : node.right;
    }
    return null;
  }

  /**
   * Returns the lowest entry above the key, or at it if inclusive; the first entry if key is null.
   */
  public @Nullable Node above(byte @Nullable [] key, boolean inclusive) {
    Node best = null;
    Node node = root;
    while (node != null) {
      int order = key == null ? -1 : Arrays.compareUnsigned(key, node.key);
      if (order < 0 || (order == 0 && inclusive)) {
        best = node;
        node = node.left;
      } else {
        node = node.right;
      }
    }
    return best;
  }

  /**
   * Returns the highest entry below the key, or at it if inclusive; the last entry if key is null.
   */
  public @Nullable Node below(byte @Nullable [] key, boolean inclusive) {
    Node best = null;
    Node node = root;
    while (node != null) {
      int order = key == null ? 1 : Arrays.compareUnsigned(key, node.key);
      if (order > 0 || (order == 0 && inclusive)) {
        best = node;
        node = node.right;
      } else {
        node = node.left;
      }
    }
    return best;
  }

  public Treap put(byte[] key, byte[] value) {
    return new Treap(put(root, key, value, ThreadLocalRandom.current().nextInt()));
  }

  public Treap delete(byte[] key) {
    return find(key) == null ? this : new Treap(delete(root, key));
  }

  public Treap deleteRange(Range range) {
    if (range.isEmpty()) {
      return this;
    }
    byte[] from = range.from();
    byte[] to = range.to();
    Node low = from == null ? null : split(root, from, true).low;
    Node high = to == null ? null : split(root, to, true).high;
    return new Treap(join(low, high));
  }

  /** Returns the map without the entries whose value the predicate accepts. */
  public Treap without(Predicate<byte[]> test) {
    return new Treap(without(root, test));
  }

  private static long weight(@Nullable Node node) {
    return node == null ? 0 : node.bytes;
  }

  private static Node put(@Nullable Node node, byte[] key, byte[] value, int priority) {
    if (node == null) {
      return new Node(key, value, priority, null, null);
    }
    int order = Arrays.compareUnsigned(key, node.key);
    if (order == 0) {
      return new Node(key, value, node.priority, node.left, node.right);
    }
    if (priority > node.priority) {
      // The split drops an older entry of the same key further down, as intended.
      Halves halves = split(node, key, false);
      return new Node(key, value, priority, halves.low, halves.high);
    }
    return order < 0
        ? node.with(put(node.left, key, value, priority), node.right)
        : node.with(node.left, put(node.right, key, value, priority));
  }

  private static @Nullable Node delete(@Nullable Node node, byte[] key) {
    if (node == null) {
      return null;
    }
    int order = Arrays.compareUnsigned(key, node.key);
    if (order == 0) {
      return join(node.left, node.right);
    }
    return order < 0
        ? node.with(delete(node.left, key), node.right)
        : node.with(node.left, delete(node.right, key));
  }

  /** Splits at a key; an entry with that key goes to the high part, or nowhere. */
  private static Halves split(@Nullable Node node, byte[] key, boolean keep) {
    if (node == null) {
      return Halves.NONE;
    }
    int order = Arrays.compareUnsigned(key, node.key);
    if (order == 0) {
      return new Halves(node.left, keep ? node.with(null, node.right) : node.right);
    }
    if (order < 0) {
      Halves halves = split(node.left, key, keep);
      return new Halves(halves.low, node.with(halves.high, node.right));
    }
    Halves halves = split(node.right, key, keep);
    return new Halves(node.with(node.left, halves.low), halves.high);
  }

  /** Joins two trees; all keys of the first are lower than all of the second. */
  private static @Nullable Node join(@Nullable Node low, @Nullable Node high) {
    if (low == null) {
      return high;
    }
    if (high == null) {
      return low;
    }
    return low.priority >= high.priority
        ? low.with(low.left, join(low.right, high))
        : high.with(join(low, high.left), high.right);
  }

  private static @Nullable Node without(@Nullable Node node, Predicate<byte[]> test) {
    if (node == null) {
      return null;
    }
    Node left = without(node.left, test);
    Node right = without(node.right, test);
    return test.test(node.value) ? join(left, right) : node.with(left, right);
  }
}
