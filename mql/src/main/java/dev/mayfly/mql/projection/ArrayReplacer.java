package dev.mayfly.mql.projection;

import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.function.UnaryOperator;

/** Replaces the arrays at a path, also through arrays of objects. */
final class ArrayReplacer {
  private final FieldPath path;
  private final UnaryOperator<Value> change;

  ArrayReplacer(FieldPath path, UnaryOperator<Value> change) {
    this.path = path;
    this.change = change;
  }

  Document in(Document document) {
    return object(document, 0);
  }

  private Document object(Document document, int step) {
    DocumentWriter writer = Document.writer();
    Fields fields = document.fields();
    while (fields.next()) {
      if (fields.named(path.stepUtf8(step))) {
        writer.put(path.step(step), value(fields.value(), step + 1));
      } else {
        writer.put(fields);
      }
    }
    return writer.build();
  }

  private Value value(Value value, int step) {
    if (step == path.length()) {
      return value.isArray() ? change.apply(value) : value;
    }
    return switch (value.type()) {
      case OBJECT -> Value.of(object(value.asDocument(), step));
      case ARRAY -> elements(value, step);
      default -> value;
    };
  }

  private Value elements(Value array, int step) {
    DocumentWriter writer = Document.writer();
    Fields elements = array.asDocument().fields();
    while (elements.next()) {
      boolean object = elements.type() == Type.OBJECT;
      writer.add(object ? value(elements.value(), step) : elements.value());
    }
    return Value.array(writer.build());
  }
}
