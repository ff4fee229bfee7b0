package dev.mayfly.query.update;

import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * What differs between a document before and after an update, by dotted paths.
 *
 * @param updatedFields the paths that have new values, with these values
 * @param removedFields the paths that have none any more
 * @param truncatedArrays the arrays that have become shorter
 */
public record UpdateDescription(
    Document updatedFields, List<String> removedFields, List<Truncation> truncatedArrays) {
  /** An array at a path, and how many elements are left. */
  public record Truncation(String field, int newSize) {}

  public UpdateDescription {
    removedFields = List.copyOf(removedFields);
    truncatedArrays = List.copyOf(truncatedArrays);
  }

  /** What leads from the one document to the other. */
  public static UpdateDescription between(Document before, Document after) {
    Comparison comparison = new Comparison();
    comparison.objects(before, after, "");
    return new UpdateDescription(
        comparison.updated.build(), comparison.removed, comparison.truncated);
  }

  /** The form that change streams give it. */
  public Document toDocument() {
    DocumentWriter form = Document.writer().put("updatedFields", updatedFields);
    form.startArray("removedFields");
    removedFields.forEach(field -> form.add(Value.of(field)));
    form.end().startArray("truncatedArrays");
    for (Truncation truncation : truncatedArrays) {
      form.startDocument()
          .put("field", truncation.field())
          .put("newSize", truncation.newSize())
          .end();
    }
    return form.end().build();
  }

  /** Collects the differences of one pair of documents. */
  private static final class Comparison {
    private final DocumentWriter updated = Document.writer();
    private final List<String> removed = new ArrayList<>();
    private final List<Truncation> truncated = new ArrayList<>();

    void objects(Document before, Document after, String path) {
      Fields old = before.fields();
      while (old.next()) {
        Value now = after.field(old.name());
        if (now.isMissing()) {
          removed.add(path + old.name());
        } else {
          values(old.value(), now, path + old.name());
        }
      }
      Fields fields = after.fields();
      while (fields.next()) {
        if (before.field(fields.name()).isMissing()) {
          updated.put(path + fields.name(), fields.value());
        }
      }
    }

    private void values(Value before, Value after, String path) {
      if (before.equals(after)) {
        return;
      }
      if (before.isDocument() && after.isDocument() && !after.asDocument().isEmpty()) {
        objects(before.asDocument(), after.asDocument(), path + ".");
      } else if (before.isArray() && after.isArray() && !after.asDocument().isEmpty()) {
        arrays(before, after, path);
      } else {
        updated.put(path, after);
      }
    }

    private void arrays(Value before, Value after, String path) {
      Fields old = before.asDocument().fields();
      Fields now = after.asDocument().fields();
      boolean more = old.next();
      int size = 0;
      for (; now.next(); size++) {
        if (more) {
          values(old.value(), now.value(), path + "." + size);
          more = old.next();
        } else {
          updated.put(path + "." + size, now.value());
        }
      }
      if (more) {
        truncated.add(new Truncation(path, size));
      }
    }
  }
}
