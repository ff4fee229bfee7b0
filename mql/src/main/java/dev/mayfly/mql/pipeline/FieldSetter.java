package dev.mayfly.mql.pipeline;

import dev.mayfly.query.Intermediate;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;

/**
 * Sets the value at one path of documents.
 *
 * <p>An existing field is replaced in place; a new one is appended. Objects are created on the way;
 * other values on the way are replaced by objects. A missing value removes the field. Keeps a
 * buffer: belongs to one thread at a time.
 */
final class FieldSetter {
  private final FieldPath path;
  private final DocumentWriter writer = Intermediate.writer();

  FieldSetter(FieldPath path) {
    this.path = path;
  }

  Document put(Document document, Value value) {
    writer.clear();
    copy(document, 0, value);
    return writer.build();
  }

  private void copy(Document document, int step, Value value) {
    byte[] name = path.stepUtf8(step);
    boolean found = false;
    Fields fields = document.fields();
    while (fields.next()) {
      if (found || !fields.named(name)) {
        writer.put(fields);
        continue;
      }
      found = true;
      place(
          step, fields.type() == Type.OBJECT ? fields.value().asDocument() : Document.EMPTY, value);
    }
    if (!found && !value.isMissing()) {
      place(step, Document.EMPTY, value);
    }
  }

  private void place(int step, Document inside, Value value) {
    if (step == path.length() - 1) {
      writer.put(path.step(step), value);
      return;
    }
    writer.startDocument(path.step(step));
    copy(inside, step + 1, value);
    writer.end();
  }
}
