package dev.mayfly.engine;

import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import java.util.Arrays;

/** Finds the root fields in which two documents differ. */
final class Differences {
  private Differences() {}

  /**
   * Appends a document with those fields of the first that the second does not have, or not with
   * the same value. Fields are compared in the order they lie in; only where that ends to be the
   * same they are looked up.
   */
  static void write(ByteBuilder to, Document of, Document other) {
    int start = to.size();
    to.put(0).put(0).put(0).put(0);
    Fields ours = of.fields();
    Fields theirs = other.fields();
    boolean abreast = true;
    while (ours.next()) {
      abreast = abreast && theirs.next() && sameName(ours, theirs);
      boolean same = abreast ? sameValue(ours, theirs) : has(other, ours);
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

  private static boolean has(Document document, Fields field) {
    Fields candidates = document.fields();
    while (candidates.next()) {
      if (sameName(candidates, field)) {
        return sameValue(candidates, field);
      }
    }
    return false;
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
