package dev.mayfly.mql.expression;

import dev.mayfly.query.Intermediate;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;

/**
 * Path evaluation that traverses arrays.
 *
 * <p>A step that meets an array continues in each element that is an object, and returns the array
 * of the results; elements without a value leave no gap. A number in a path is a field name, never
 * an array index.
 */
final class Paths {
  private Paths() {}

  /** Returns the value at the path; the start value if the path is empty. */
  static Value walk(Value start, FieldPath path) {
    return walk(start, path, 0);
  }

  private static Value walk(Value start, FieldPath path, int from) {
    Value value = start;
    for (int i = from; i < path.length(); i++) {
      if (value.type() == Type.ARRAY) {
        return spread(value, path, i);
      }
      if (value.type() != Type.OBJECT) {
        return Value.MISSING;
      }
      value = Document.trusted(value.buffer(), value.offset()).field(path.stepUtf8(i));
    }
    return value;
  }

  private static Value spread(Value array, FieldPath path, int from) {
    DocumentWriter found = Intermediate.writer();
    Fields elements = new Fields(array.buffer(), array.offset());
    while (elements.next()) {
      if (elements.type() == Type.OBJECT) {
        found.add(walk(elements.value(), path, from));
      }
    }
    return Value.array(found.build());
  }
}
