package dev.mayfly.sql;

import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes objects and arrays; undefined members are left out, and arrays close up. So are numbers
 * that are not finite, which no answer can tell.
 */
public final class Construction {
  private Construction() {}

  /** An object of these fields, which have different names. */
  public static Scalar object(List<String> names, List<Scalar> values) {
    String[] fields = names.toArray(String[]::new);
    Scalar[] members = values.toArray(Scalar[]::new);
    return row -> {
      DocumentWriter writer = Document.writer();
      long mark = row.memory().mark();
      try {
        for (int i = 0; i < fields.length; i++) {
          Value value = members[i].evaluate(row);
          if (isTold(value)) {
            row.memory().keep(value);
            writer.put(fields[i], value);
          }
        }
      } finally {
        row.memory().release(mark);
      }
      return row.made(Value.of(writer.build()));
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
          if (isTold(value)) {
            row.memory().keep(value);
            elements.add(value);
          }
        }
      } finally {
        row.memory().release(mark);
      }
      return row.made(Value.array(elements));
    };
  }

  /** True for what can be part of an answer. */
  static boolean isTold(Value value) {
    return !value.isMissing() && (value.type() != Type.DOUBLE || value.isFinite());
  }
}
