package dev.mayfly.engine.deliver;

import dev.mayfly.engine.Dialect;
import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.FieldPath;
import java.util.List;
import java.util.UUID;

/**
 * Collection whose documents are delivered.
 *
 * @param name its full name
 */
record Source(String name, UUID uuid, Dialect dialect, List<FieldPath> partitionKey) {
  /** Returns a document as one line of JSON from which it can be read back without loss. */
  static String line(Document document) {
    return ExtendedJson.typed(document);
  }
}
