package dev.mayfly.admin.console;

import dev.mayfly.engine.Dialect;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import dev.mayfly.value.ValueException;
import java.util.ArrayList;
import java.util.List;

/**
 * Texts of documents and keys: Extended JSON for collections, JSON for containers. Pages show and
 * edit texts, because JavaScript would round integers of 64 bits.
 */
final class Texts {
  private static final Limits LIMITS = new Limits(17 << 20, 200);

  private Texts() {}

  /** Returns the text of a document. */
  static String of(Dialect dialect, Document document) {
    return dialect == Dialect.COSMOS ? Json.write(document) : ExtendedJson.typed(document);
  }

  /** Returns the text of a document of the MongoDB door. */
  static String of(Document document) {
    return ExtendedJson.typed(document);
  }

  /** Parses Extended JSON. */
  static Document document(String text) {
    try {
      return ExtendedJson.parse(text, LIMITS);
    } catch (ValueException invalid) {
      throw Refusal.of(Refusal.WRONG, "SYNTAX", String.valueOf(invalid.getMessage()));
    }
  }

  /** Parses JSON. */
  static Document json(String text) {
    try {
      return Json.parse(text, Limits.COSMOS);
    } catch (ValueException invalid) {
      throw Refusal.of(Refusal.WRONG, "SYNTAX", String.valueOf(invalid.getMessage()));
    }
  }

  /** Returns the text of a key. */
  static String of(Dialect dialect, DocumentKey key) {
    if (dialect != Dialect.COSMOS) {
      return ExtendedJson.canonical(key.id());
    }
    DocumentWriter text = Document.writer().put("id", key.id()).startArray("partitionKey");
    for (Value part : key.partition()) {
      text.add(part.isMissing() ? Value.of(Document.EMPTY) : part);
    }
    return Json.write(text.end().build());
  }

  /** Parses the text of a key. */
  static DocumentKey key(Dialect dialect, String text) {
    try {
      return dialect == Dialect.COSMOS
          ? item(Json.parse(text, Limits.COSMOS))
          : DocumentKey.of(ExtendedJson.parseValue(text, LIMITS));
    } catch (ValueException invalid) {
      throw Refusal.wrong("This is not the key of a document: " + invalid.getMessage());
    }
  }

  private static DocumentKey item(Document key) {
    if (key.field("id").type() != Type.STRING || !key.field("partitionKey").isArray()) {
      throw Refusal.wrong("The key of an item must be {\"id\": TEXT, \"partitionKey\": [...]}.");
    }
    List<Value> partition = new ArrayList<>();
    Fields parts = key.field("partitionKey").asDocument().fields();
    while (parts.next()) {
      partition.add(parts.type() == Type.OBJECT ? Value.MISSING : parts.value());
    }
    return new DocumentKey(partition, key.field("id"));
  }
}
