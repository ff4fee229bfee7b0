package dev.mayfly.engine.storage;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Difference of two documents, by root fields. */
final class FieldDifferences {
  private FieldDifferences() {}

  /**
   * Appends a document with the fields of the first document that the second lacks or has with
   * another value. Fields are compared pairwise as long as both documents have them in the same
   * order, and are looked up by name afterwards.
   */
  static void write(ByteBuilder to, Document of, Document other) {
    int start = to.size();
    to.put(0).put(0).put(0).put(0);
    Fields ours = of.fields();
    Fields theirs = other.fields();
    Lookup lookup = new Lookup(other);
    boolean sameOrder = true;
    while (ours.next()) {
      sameOrder = sameOrder && theirs.next() && sameName(ours, theirs);
      boolean same = sameOrder ? sameValue(ours, theirs) : lookup.has(ours);
      if (!same) {
        int element = ours.nameOffset() - 1;
        to.put(ours.buffer(), element, ours.valueOffset() + ours.valueLength() - element);
      }
    }
    to.put(0);
    int length = to.size() - start;
    for (int i = 0; i < Integer.BYTES; i++) {
      to.buffer()[start + i] = (byte) (length >>> (8 * i));
    }
  }

  /** Looks up fields of a document: the first few by a linear search, more by a hash table. */
  private static final class Lookup {
    private static final int MAX_LINEAR = 8;

    private final Document document;
    private final Map<ByteKey, Value> byName = new HashMap<>();
    private int lookups;

    Lookup(Document document) {
      this.document = document;
    }

    boolean has(Fields field) {
      lookups++;
      return lookups <= MAX_LINEAR ? hasBySearch(field) : hasByName(field);
    }

    private boolean hasBySearch(Fields field) {
      Fields candidates = document.fields();
      while (candidates.next()) {
        if (sameName(candidates, field)) {
          return sameValue(candidates, field);
        }
      }
      return false;
    }

    private boolean hasByName(Fields field) {
      if (byName.isEmpty()) {
        Fields all = document.fields();
        while (all.next()) {
          byName.putIfAbsent(name(all), all.value());
        }
      }
      Value found = byName.get(name(field));
      return found != null && sameBytes(found, field.value());
    }

    private static ByteKey name(Fields field) {
      int start = field.nameOffset();
      return new ByteKey(Arrays.copyOfRange(field.buffer(), start, start + field.nameLength()));
    }

    private static boolean sameBytes(Value one, Value other) {
      return one.type() == other.type()
          && Arrays.equals(
              one.buffer(),
              one.offset(),
              one.offset() + one.length(),
              other.buffer(),
              other.offset(),
              other.offset() + other.length());
    }
  }

  private static boolean sameName(Fields one, Fields other) {
    return same(
        one, one.nameOffset(), one.nameLength(), other, other.nameOffset(), other.nameLength());
  }

  private static boolean sameValue(Fields one, Fields other) {
    return one.type() == other.type()
        && same(
            one,
            one.valueOffset(),
            one.valueLength(),
            other,
            other.valueOffset(),
            other.valueLength());
  }

  private static boolean same(
      Fields one, int from, int length, Fields other, int otherFrom, int otherLength) {
    return Arrays.equals(
        one.buffer(), from, from + length, other.buffer(), otherFrom, otherFrom + otherLength);
  }
}
