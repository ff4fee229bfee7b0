package dev.mayfly.value;

import java.util.Arrays;

/**
 * Key tags: the first byte of a key, by type. They bound a scan over the keys of one type.
 *
 * <p>All keys of a type in an order start with {@link #low}, and no key of another bracket is
 * between that byte and {@link #high}. Types that compare with one another share a bracket. The
 * tags of the two orders do not overlap, and neither they nor their inversions reach below 0x10 or
 * above 0xEF.
 */
public final class Brackets {
  private static final int MONGO_BASE = 0x10;
  private static final int COSMOS_BASE = 0x80;
  private static final int STEP = 4;
  private static final Type[] BY_TAG = byTag();

  private Brackets() {}

  /** Returns the first byte of every key of this type. */
  public static byte low(Type type, Order order) {
    int base = order == Order.MONGO ? MONGO_BASE : COSMOS_BASE;
    return (byte) (base + STEP * order.rank(type));
  }

  /** Returns the first byte above every key of this type. */
  public static byte high(Type type, Order order) {
    return (byte) (low(type, order) + 1);
  }

  /** Returns the order of the tag. */
  static Order order(int tag) {
    return tag < COSMOS_BASE ? Order.MONGO : Order.COSMOS;
  }

  /** Returns the first type of the tag's bracket, or MISSING if it is not a tag. */
  static Type type(int tag) {
    return BY_TAG[tag];
  }

  private static Type[] byTag() {
    Type[] types = new Type[256];
    Arrays.fill(types, Type.MISSING);
    for (Order order : Order.values()) {
      for (Type type : Type.values()) {
        int tag = low(type, order) & 0xFF;
        types[tag] = types[tag] == Type.MISSING ? type : types[tag];
      }
    }
    return types;
  }
}
