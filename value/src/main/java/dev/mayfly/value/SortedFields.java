package dev.mayfly.value;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Fields of one object sorted by name; fields with the same name keep their order. */
final class SortedFields {
  /** Offsets of one field. */
  record Field(Type type, int nameOffset, int nameLength, int valueOffset) {}

  private final List<Field> fields = new ArrayList<>();

  SortedFields(byte[] buffer, int documentOffset) {
    Fields each = new Fields(buffer, documentOffset);
    while (each.next()) {
      fields.add(new Field(each.type(), each.nameOffset(), each.nameLength(), each.valueOffset()));
    }
    fields.sort((a, b) -> compareNames(buffer, a, buffer, b));
  }

  int size() {
    return fields.size();
  }

  Field field(int i) {
    return fields.get(i);
  }

  static int compareNames(byte[] a, Field left, byte[] b, Field right) {
    return Arrays.compareUnsigned(
        a,
        left.nameOffset(),
        left.nameOffset() + left.nameLength(),
        b,
        right.nameOffset(),
        right.nameOffset() + right.nameLength());
  }
}
