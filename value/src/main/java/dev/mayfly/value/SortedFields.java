package dev.mayfly.value;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The fields of one object by name; fields of the same name stay in their order. */
final class SortedFields {
  /** Where one field lies. */
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
