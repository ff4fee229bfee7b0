package dev.mayfly.admin;

import dev.mayfly.engine.CollectionSpec;
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
 * Documents and keys as text, so that no client rounds numbers or loses types: canonical Extended
 * JSON for MongoDB collections, JSON for containers. Stateless.
 *
 * <p>The key of a MongoDB document is the text of its {@code _id}. The key of an item is an object
 * with its {@code id} and an array {@code partitionKey}, in which {@code {}} means that a value is
 * missing.
 */
public final class DocumentText {
  private static final String PARTITION_KEY = "partitionKey";

  private DocumentText() {}

  public static String of(CollectionSpec spec, Document document) {
    return isMongo(spec) ? ExtendedJson.canonical(document) : Json.write(document);
  }

  public static String key(CollectionSpec spec, DocumentKey key) {
    if (isMongo(spec)) {
      return ExtendedJson.canonical(key.id());
    }
    DocumentWriter text = Document.writer().put("id", key.id()).startArray(PARTITION_KEY);
    for (Value value : key.partition()) {
      text.add(value.isMissing() ? Value.of(Document.EMPTY) : value);
    }
    return Json.write(text.end().build());
  }

  /** Parses a key; also accepts relaxed Extended JSON. */
  public static DocumentKey parseKey(CollectionSpec spec, String text) {
    if (isMongo(spec)) {
      return DocumentKey.of(ExtendedJson.parseValue(text, Limits.MONGO));
    }
    Document key = itemKey(text);
    List<Value> partition = new ArrayList<>();
    Fields values = key.field(PARTITION_KEY).asDocument().fields();
    while (values.next()) {
      partition.add(values.value().isDocument() ? Value.MISSING : values.value());
    }
    return new DocumentKey(partition, key.field("id"));
  }

  private static Document itemKey(String text) {
    String form = "The key of an item is {\"id\": \"a\", \"partitionKey\": [\"x\"]}";
    Document key;
    try {
      key = Json.parse(text, Limits.COSMOS);
    } catch (ValueException invalid) {
      throw new ValueException(
          ValueException.Reason.NOT_JSON, form + ", not " + text + ": " + invalid.getMessage());
    }
    if (key.field("id").type() != Type.STRING || !key.field(PARTITION_KEY).isArray()) {
      throw new ValueException(ValueException.Reason.WRONG_TYPE, form + ", not " + text + ".");
    }
    return key;
  }

  private static boolean isMongo(CollectionSpec spec) {
    return spec.dialect() == Dialect.MONGO;
  }
}
