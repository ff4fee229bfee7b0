package dev.mayfly.value;

import java.util.Arrays;

/**
 * The first bytes of keys, by type: what bounds a scan over the keys of one kind of value.
 *
 * <p>All keys of a type in an order start with {@link #low}, and no key of another bracket lies
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

  /** The first byte of every key of this type. */
  public static byte low(Type type, Order order) {
    int base = order == Order.MONGO ? MONGO_BASE : COSMOS_BASE;
    return (byte) (base + STEP * type.rank(order));
  }

  /** The first byte above every key of this type. */
  public static byte high(Type type, Order order) {
    return (byte) (low(type, order) + 1);
  }

  /** The order that the tag belongs to. */
  static Order order(int tag) {
    return tag < COSMOS_BASE ? Order.MONGO : Order.COSMOS;
  }

  /** The first type of the bracket that the tag stands for, or MISSING when it is no tag. */
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
