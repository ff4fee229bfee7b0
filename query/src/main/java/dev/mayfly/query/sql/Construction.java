package dev.mayfly.query.sql;

import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;

/** Makes objects and arrays; undefined members are left out, and arrays close up. */
public final class Construction {
  private Construction() {}

  /** An object of these fields, which have different names. */
  public static Scalar object(List<String> names, List<Scalar> values) {
    String[] fields = names.toArray(String[]::new);
    Scalar[] members = values.toArray(Scalar[]::new);
    return row -> {
      DocumentWriter writer = Document.writer();
      for (int i = 0; i < fields.length; i++) {
        Value value = members[i].evaluate(row);
        if (!value.isMissing()) {
          writer.put(fields[i], value);
        }
      }
      return Value.of(writer.build());
    };
  }

  public static Scalar array(List<Scalar> values) {
    Scalar[] members = values.toArray(Scalar[]::new);
    return row -> {
      List<Value> elements = new ArrayList<>(members.length);
      for (Scalar member : members) {
        Value value = member.evaluate(row);
        if (!value.isMissing()) {
          elements.add(value);
        }
      }
      return Value.array(elements);
    };
  }
}
