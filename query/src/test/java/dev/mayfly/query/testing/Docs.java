package dev.mayfly.query.testing;

import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;

/** Documents, values and paths in few characters, for tables of cases. */
public final class Docs {
  private Docs() {}

  /** A document of names and values, in turn. */
  public static Document doc(Object... namesAndValues) {
    DocumentWriter writer = Document.writer();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      writer.put((String) namesAndValues[i], val(namesAndValues[i + 1]));
    }
    return writer.build();
  }

  /** An array. */
  public static Value arr(Object... elements) {
    List<Value> values = new ArrayList<>();
    for (Object element : elements) {
      values.add(val(element));
    }
    return Value.array(values);
  }

  /** A dotted path; the empty text is the empty path. */
  public static FieldPath path(String dotted) {
    return dotted.isEmpty() ? FieldPath.of(List.of()) : FieldPath.of(dotted);
  }

  /** The value that a Java object stands for. */
  public static Value val(Object object) {
    return switch (object) {
      case Value value -> value;
      case Document document -> Value.of(document);
      case Integer number -> Value.of(number);
      case Long number -> Value.of(number);
      case Double number -> Value.of(number);
      case Boolean truth -> Value.of(truth);
      case String text -> Value.of(text);
      default -> throw new IllegalArgumentException("no value: " + object);
    };
  }
}
