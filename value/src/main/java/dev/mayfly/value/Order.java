package dev.mayfly.value;

import java.util.Arrays;
import java.util.Comparator;

/**
 * Total order of all values: first by the rank of the type, then by value.
 *
 * <p>The two orders differ in the ranks of types and in the equality of objects. Within a rank:
 * numbers by their exact value, regardless of their type, NaN lowest; strings and symbols by their
 * UTF-8 bytes; binaries by length, subtype, bytes; arrays element by element, the shorter first.
 * Keys written by {@link KeyWriter} sort as the same order does. Nested values are compared by
 * recursion, whose depth {@link Limits} bound.
 */
public enum Order implements Comparator<Value> {
  /**
   * MinKey, missing, undefined, null, numbers, strings, objects, arrays, binaries, ObjectIds,
   * booleans, dates, timestamps, regular expressions, DBPointers, codes, codes with scope, MaxKey.
   * Objects compare field by field in stored order: rank of the type, then name, then value.
   */
  MONGO {
    @Override
    int compareObjects(byte[] a, int aOffset, byte[] b, int bOffset) {
      Fields left = new Fields(a, aOffset);
      Fields right = new Fields(b, bOffset);
      while (true) {
        boolean more = left.next();
        if (more != right.next()) {
          return more ? 1 : -1;
        }
        if (!more) {
          return 0;
        }
        int byField = compareFields(left, right);
        if (byField != 0) {
          return byField;
        }
      }
    }

    private int compareFields(Fields left, Fields right) {
      int byRank = compareRanks(left.type(), right.type());
      if (byRank != 0) {
        return byRank;
      }
      int byName = compareNames(left, right);
      return byName != 0 ? byName : compareValues(left, right);
    }
  },

  /**
   * MinKey, missing, undefined, null, booleans, numbers, strings, arrays, objects, then the types
   * that JSON lacks, ranked as in {@link #MONGO}. Objects compare as if their fields were sorted by
   * name: name, then value; so the order in which fields were written does not matter.
   */
  COSMOS {
    @Override
    int compareObjects(byte[] a, int aOffset, byte[] b, int bOffset) {
      SortedFields left = new SortedFields(a, aOffset);
      SortedFields right = new SortedFields(b, bOffset);
      int shared = Math.min(left.size(), right.size());
      for (int i = 0; i < shared; i++) {
        SortedFields.Field x = left.field(i);
        SortedFields.Field y = right.field(i);
        int byName = SortedFields.compareNames(a, x, b, y);
        int byField =
            byName != 0
                ? byName
                : compare(x.type(), a, x.valueOffset(), y.type(), b, y.valueOffset());
        if (byField != 0) {
          return byField;
        }
      }
      return Integer.compare(left.size(), right.size());
    }
  };

  @Override
  public int compare(Value a, Value b) {
    return compare(a.type(), a.buffer(), a.offset(), b.type(), b.buffer(), b.offset());
  }

  /** Compares two values in buffers. */
  public int compare(Type left, byte[] a, int aOffset, Type right, byte[] b, int bOffset) {
    int byRank = compareRanks(left, right);
    if (byRank != 0) {
      return byRank;
    }
    return switch (left) {
      case MISSING, UNDEFINED, NULL, MIN_KEY, MAX_KEY -> 0;
      case INT32, INT64, DOUBLE, DECIMAL128 -> Numbers.compare(left, a, aOffset, right, b, bOffset);
      case STRING, SYMBOL, CODE -> compareStrings(a, aOffset, b, bOffset);
      case OBJECT -> compareObjects(a, aOffset, b, bOffset);
      case ARRAY -> compareArrays(a, aOffset, b, bOffset);
      case BINARY -> compareBinaries(a, aOffset, b, bOffset);
      case OBJECT_ID -> compareBytes(a, aOffset, 12, b, bOffset, 12);
      case BOOLEAN -> Byte.compare(a[aOffset], b[bOffset]);
      case DATE -> Long.compare(LittleEndian.int64(a, aOffset), LittleEndian.int64(b, bOffset));
      case TIMESTAMP ->
          Long.compareUnsigned(LittleEndian.int64(a, aOffset), LittleEndian.int64(b, bOffset));
      case REGEX -> compareRegexes(a, aOffset, b, bOffset);
      case DB_POINTER -> comparePointers(a, aOffset, b, bOffset);
      case CODE_WITH_SCOPE -> compareCodes(a, aOffset, b, bOffset);
    };
  }

  abstract int compareObjects(byte[] a, int aOffset, byte[] b, int bOffset);

  int compareRanks(Type left, Type right) {
    return Integer.compare(rank(left), rank(right));
  }

  /** The place of a type in this order. */
  int rank(Type type) {
    return this == MONGO ? type.mongoRank() : type.cosmosRank();
  }

  int compareValues(Fields left, Fields right) {
    return compare(
        left.type(),
        left.buffer(),
        left.valueOffset(),
        right.type(),
        right.buffer(),
        right.valueOffset());
  }

  private int compareArrays(byte[] a, int aOffset, byte[] b, int bOffset) {
    Fields left = new Fields(a, aOffset);
    Fields right = new Fields(b, bOffset);
    while (true) {
      boolean more = left.next();
      if (more != right.next()) {
        return more ? 1 : -1;
      }
      if (!more) {
        return 0;
      }
      int byElement = compareValues(left, right);
      if (byElement != 0) {
        return byElement;
      }
    }
  }

  private int compareCodes(byte[] a, int aOffset, byte[] b, int bOffset) {
    int bySource = compareStrings(a, aOffset + 4, b, bOffset + 4);
    if (bySource != 0) {
      return bySource;
    }
    int scope = 8 + LittleEndian.int32(a, aOffset + 4);
    return compareObjects(a, aOffset + scope, b, bOffset + scope);
  }

  private static int compareNames(Fields left, Fields right) {
    return compareBytes(
        left.buffer(),
        left.nameOffset(),
        left.nameLength(),
        right.buffer(),
        right.nameOffset(),
        right.nameLength());
  }

  private static int compareStrings(byte[] a, int aOffset, byte[] b, int bOffset) {
    int left = LittleEndian.int32(a, aOffset) - 1;
    int right = LittleEndian.int32(b, bOffset) - 1;
    return compareBytes(a, aOffset + 4, left, b, bOffset + 4, right);
  }

  private static int compareBinaries(byte[] a, int aOffset, byte[] b, int bOffset) {
    int length = LittleEndian.int32(a, aOffset);
    int byLength = Integer.compare(length, LittleEndian.int32(b, bOffset));
    // the subtype precedes the bytes, so one comparison covers both
    return byLength != 0
        ? byLength
        : compareBytes(a, aOffset + 4, length + 1, b, bOffset + 4, length + 1);
  }

  private static int comparePointers(byte[] a, int aOffset, byte[] b, int bOffset) {
    int length = LittleEndian.int32(a, aOffset);
    int byLength = Integer.compare(length, LittleEndian.int32(b, bOffset));
    return byLength != 0
        ? byLength
        : compareBytes(a, aOffset + 4, length + 12, b, bOffset + 4, length + 12);
  }

  private static int compareRegexes(byte[] a, int aOffset, byte[] b, int bOffset) {
    int left = Type.REGEX.length(a, aOffset);
    int right = Type.REGEX.length(b, bOffset);
    return compareBytes(a, aOffset, left, b, bOffset, right);
  }

  private static int compareBytes(
      byte[] a, int aOffset, int aLength, byte[] b, int bOffset, int bLength) {
    return Arrays.compareUnsigned(a, aOffset, aOffset + aLength, b, bOffset, bOffset + bLength);
  }
}
