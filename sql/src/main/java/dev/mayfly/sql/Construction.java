package dev.mayfly.sql;

import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * Creates objects and arrays. Undefined members are omitted, and so are numbers that are not
 * finite, which JSON cannot represent.
 */
public final class Construction {
  private Construction() {}

  /** Returns an object; names must be distinct. */
  public static Scalar object(List<String> names, List<Scalar> values) {
    String[] fields = names.toArray(String[]::new);
    Scalar[] members = values.toArray(Scalar[]::new);
    return row -> {
      DocumentWriter writer = Document.writer();
      long mark = row.memory().mark();
      try {
        for (int i = 0; i < fields.length; i++) {
          Value value = members[i].evaluate(row);
          if (isRepresentable(value)) {
            row.memory().keep(value);
            writer.put(fields[i], value);
          }
        }
      } finally {
        row.memory().release(mark);
      }
      return row.counted(Value.of(writer.build()));
    };
  }

  public static Scalar array(List<Scalar> values) {
    Scalar[] members = values.toArray(Scalar[]::new);
    return row -> {
      List<Value> elements = new ArrayList<>(members.length);
      long mark = row.memory().mark();
      try {
        for (Scalar member : members) {
          Value value = member.evaluate(row);
          if (isRepresentable(value)) {
            row.memory().keep(value);
            elements.add(value);
          }
        }
      } finally {
        row.memory().release(mark);
      }
      return row.counted(Value.array(elements));
    };
  }

  /** Whether a value can be part of a result. */
  static boolean isRepresentable(Value value) {
    return !value.isMissing() && (value.type() != Type.DOUBLE || value.isFinite());
  }
}
