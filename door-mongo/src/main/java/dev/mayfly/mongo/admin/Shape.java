package dev.mayfly.mongo.admin;

import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Set;

/** Query shape of a request, for the log: its fields and operators, without the values. */
final class Shape {
  private static final String VALUE = "?";
  private static final String MORE = "...";

  /** Fields that do not belong to the shape, or that identify the client. */
  private static final Set<String> OMITTED =
      Set.of(
          "lsid",
          "txnNumber",
          "speculativeAuthenticate",
          "signature",
          "comment",
          "collection",
          "documents");

  /** Fields whose values are field names and directions, or an index name. */
  private static final Set<String> WITH_VALUES = Set.of("sort", "projection", "hint", "key");

  /** Limits of the output: enough to recognize a request. */
  private static final int MAX_ELEMENTS = 16;

  private static final int MAX_STATEMENTS = 4;

  private static final int MAX_DEPTH = 12;

  private Shape() {}

  static Document of(Request request) {
    DocumentWriter shape = Document.writer();
    if (Secrets.isSensitive(request)) {
      return shape.put(request.name(), VALUE).build();
    }
    Fields fields = request.body().fields();
    while (fields.next()) {
      String name = fields.name();
      if (WITH_VALUES.contains(name) && plain(fields.value())) {
        shape.put(fields);
      } else if (!name.startsWith("$") && !OMITTED.contains(name)) {
        writeOption(name, fields.value(), shape);
      }
    }
    request.sequences().entrySet().stream()
        .filter(sequence -> !OMITTED.contains(sequence.getKey()))
        .forEach(sequence -> writeSequence(sequence.getKey(), sequence.getValue(), shape));
    return shape.build();
  }

  /**
   * Writes a field of the command itself. Numbers and booleans are options such as {@code limit},
   * and part of the shape.
   */
  private static void writeOption(String name, Value value, DocumentWriter shape) {
    if (isNumberOrBoolean(value)) {
      shape.put(name, value);
    } else {
      write(name, value, 0, shape);
    }
  }

  private static boolean isNumberOrBoolean(Value value) {
    return value.isNumber() || value.type() == Type.BOOLEAN;
  }

  private static void writeSequence(String name, List<Document> documents, DocumentWriter shape) {
    shape.startArray(name);
    for (Document document : documents.subList(0, Math.min(documents.size(), MAX_STATEMENTS))) {
      writeElement(Value.of(document), 1, shape);
    }
    shape.end();
  }

  /** Whether the value is an index name, or a document with only numbers and booleans. */
  private static boolean plain(Value value) {
    if (!value.isDocument()) {
      return true;
    }
    boolean plain = true;
    Fields fields = value.asDocument().fields();
    while (plain && fields.next()) {
      plain = isNumberOrBoolean(fields.value());
    }
    return plain;
  }

  private static void write(String name, Value value, int depth, DocumentWriter shape) {
    if (depth > MAX_DEPTH) {
      shape.put(name, MORE);
    } else if (value.isDocument()) {
      writeChildren(value, depth, shape.startDocument(name));
    } else if (value.isArray() && ofDocuments(value)) {
      writeChildren(value, depth, shape.startArray(name));
    } else {
      shape.put(name, VALUE);
    }
  }

  private static boolean ofDocuments(Value array) {
    Fields elements = array.asDocument().fields();
    return elements.next() && elements.value().isDocument();
  }

  private static void writeChildren(Value value, int depth, DocumentWriter shape) {
    Fields fields = value.asDocument().fields();
    int written = 0;
    while (fields.next() && written < MAX_ELEMENTS) {
      if (value.isArray()) {
        writeElement(fields.value(), depth + 1, shape);
      } else {
        write(fields.name(), fields.value(), depth + 1, shape);
      }
      written++;
    }
    shape.end();
  }

  private static void writeElement(Value value, int depth, DocumentWriter shape) {
    if (value.isDocument() && depth <= MAX_DEPTH) {
      writeChildren(value, depth, shape.startDocument());
    } else {
      shape.add(Value.of(VALUE));
    }
  }
}
