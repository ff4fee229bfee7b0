package dev.mayfly.mongo.admin;

import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Set;

/**
 * The shape of a request: which fields it asks about by which operators, without the values. So
 * much may be in a log that others read.
 */
final class Shape {
  private static final String VALUE = "?";
  private static final String MORE = "...";

  /** Tell nothing about the shape, or say who asked. */
  private static final Set<String> LEFT_OUT =
      Set.of(
          "lsid",
          "txnNumber",
          "speculativeAuthenticate",
          "signature",
          "comment",
          "collection",
          "documents");

  /** Made of names of fields and of what is to be done with them. */
  private static final Set<String> PLAIN = Set.of("sort", "projection", "hint", "key");

  /** Enough to recognise a request by. */
  private static final int MOST_ELEMENTS = 16;

  private static final int MOST_STATEMENTS = 4;

  private static final int MOST_DEPTH = 12;

  private Shape() {}

  static Document of(Request request) {
    DocumentWriter shape = Document.writer();
    if (Secrets.hides(request)) {
      return shape.put(request.name(), VALUE).build();
    }
    Fields fields = request.body().fields();
    while (fields.next()) {
      String name = fields.name();
      if (PLAIN.contains(name) && plain(fields.value())) {
        shape.put(fields);
      } else if (!name.startsWith("$") && !LEFT_OUT.contains(name)) {
        top(name, fields.value(), shape);
      }
    }
    request.sequences().entrySet().stream()
        .filter(sequence -> !LEFT_OUT.contains(sequence.getKey()))
        .forEach(sequence -> beside(sequence.getKey(), sequence.getValue(), shape));
    return shape.build();
  }

  /** Beside the name of the command: limits and switches are part of the shape. */
  private static void top(String name, Value value, DocumentWriter shape) {
    if (switches(value)) {
      shape.put(name, value);
    } else {
      write(name, value, 0, shape);
    }
  }

  private static boolean switches(Value value) {
    return value.isNumber() || value.type() == Type.BOOLEAN;
  }

  private static void beside(String name, List<Document> documents, DocumentWriter shape) {
    shape.startArray(name);
    for (Document document : documents.subList(0, Math.min(documents.size(), MOST_STATEMENTS))) {
      element(Value.of(document), 1, shape);
    }
    shape.end();
  }

  /** Whether there are but numbers and texts at the outside: 1, -1, or the name of an index. */
  private static boolean plain(Value value) {
    if (!value.isDocument()) {
      return true;
    }
    boolean plain = true;
    Fields fields = value.asDocument().fields();
    while (plain && fields.next()) {
      plain = switches(fields.value());
    }
    return plain;
  }

  private static void write(String name, Value value, int depth, DocumentWriter shape) {
    if (depth > MOST_DEPTH) {
      shape.put(name, MORE);
    } else if (value.isDocument()) {
      inside(value, depth, shape.startDocument(name));
    } else if (value.isArray() && ofDocuments(value)) {
      inside(value, depth, shape.startArray(name));
    } else {
      shape.put(name, VALUE);
    }
  }

  private static boolean ofDocuments(Value array) {
    Fields elements = array.asDocument().fields();
    return elements.next() && elements.value().isDocument();
  }

  private static void inside(Value value, int depth, DocumentWriter shape) {
    Fields fields = value.asDocument().fields();
    int written = 0;
    while (fields.next() && written < MOST_ELEMENTS) {
      if (value.isArray()) {
        element(fields.value(), depth + 1, shape);
      } else {
        write(fields.name(), fields.value(), depth + 1, shape);
      }
      written++;
    }
    shape.end();
  }

  private static void element(Value value, int depth, DocumentWriter shape) {
    if (value.isDocument() && depth <= MOST_DEPTH) {
      inside(value, depth, shape.startDocument());
    } else {
      shape.add(Value.of(VALUE));
    }
  }
}
