package dev.mayfly.mongo.read;

import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.function.Consumer;

/**
 * Passes the values at a path to a sink; the elements of an array one by one.
 *
 * <p>Inside an array a numeric step selects an element, never a field of that name. Any other step
 * selects the fields of all elements that are objects.
 */
record PathValues(FieldPath path, Consumer<Value> sink) {
  void document(Document document) {
    field(document, 0);
  }

  /** Continues from the value of the previous step. */
  private void step(Value value, int next) {
    if (value.isArray()) {
      array(value.asDocument().fields(), next);
    } else if (next == path.length()) {
      sink.accept(value);
    } else if (value.isDocument()) {
      field(value.asDocument(), next);
    }
  }

  private void field(Document document, int next) {
    Value value = document.field(path.step(next));
    if (!value.isMissing()) {
      step(value, next + 1);
    }
  }

  private void array(Fields elements, int next) {
    boolean end = next == path.length();
    boolean one = !end && isNumber(path.step(next));
    for (int index = 0; elements.next(); index++) {
      if (end) {
        sink.accept(elements.value());
      } else if (one && index == path.index(next)) {
        step(elements.value(), next + 1);
      } else if (!one && elements.type() == Type.OBJECT) {
        step(elements.value(), next);
      }
    }
  }

  private static boolean isNumber(String step) {
    return !step.isEmpty() && step.chars().allMatch(digit -> digit >= '0' && digit <= '9');
  }
}
