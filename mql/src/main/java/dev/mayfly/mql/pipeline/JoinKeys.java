package dev.mayfly.mql.pipeline;

import dev.mayfly.query.Collation;
import dev.mayfly.query.Filter;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * Values by which a document is joined with a foreign collection.
 *
 * <p>A path traverses arrays, and each element of an array at its end counts; a number is an array
 * index. A missing value counts as null.
 */
final class JoinKeys {
  private JoinKeys() {}

  /** Returns the values at the path; at least one. */
  static List<Value> of(Document document, FieldPath path) {
    List<Value> values = found(document, path);
    return values.isEmpty() ? List.of(Value.NULL) : values;
  }

  /** Returns the values at the path; empty if it leads nowhere. */
  static List<Value> found(Document document, FieldPath path) {
    List<Value> values = new ArrayList<>();
    collect(Value.of(document), path, 0, values);
    return values;
  }

  /** Returns the filter for documents with one of the values at the path. */
  static Filter filter(FieldPath path, List<Value> values, Collation collation) {
    Filter plain =
        values.size() == 1 ? Filter.equal(path, values.getFirst()) : new Filter.In(path, values);
    return Filter.collated(collation, plain);
  }

  private static void collect(Value from, FieldPath path, int first, List<Value> values) {
    Value value = from.asDocument().field(path.stepUtf8(first));
    int step = first + 1;
    while (value.isArray() && step < path.length() && path.index(step) >= 0) {
      value = element(value, path.index(step));
      step++;
    }
    if (step == path.length()) {
      addEnd(value, values);
    } else if (value.isArray()) {
      Fields elements = value.asDocument().fields();
      while (elements.next()) {
        if (elements.type() == Type.OBJECT) {
          collect(elements.value(), path, step, values);
        }
      }
    } else if (value.isDocument()) {
      collect(value, path, step, values);
    }
  }

  private static Value element(Value array, int place) {
    Fields elements = array.asDocument().fields();
    for (int i = 0; i <= place; i++) {
      if (!elements.next()) {
        return Value.MISSING;
      }
    }
    return elements.value();
  }

  private static void addEnd(Value value, List<Value> values) {
    if (value.isArray()) {
      Fields elements = value.asDocument().fields();
      while (elements.next()) {
        values.add(elements.value());
      }
    } else if (!value.isMissing()) {
      values.add(value);
    }
  }
}
