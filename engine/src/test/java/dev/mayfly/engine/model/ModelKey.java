package dev.mayfly.engine.model;

import dev.mayfly.engine.DocumentKey;
import dev.mayfly.value.Value;
import java.time.Instant;
import java.util.List;

/**
 * Key of a document in the model: equal numbers of different types are one key.
 *
 * @param partition the partition key, empty in a collection without one
 * @param id a string, a {@link Long} or an {@link Instant}
 */
record ModelKey(String partition, Object id) {
  static ModelKey of(String partition, Object id) {
    return new ModelKey(partition, id instanceof Number number ? (Object) number.longValue() : id);
  }

  static ModelKey of(DocumentKey key) {
    String partition = key.partition().isEmpty() ? "" : key.partition().getFirst().asString();
    return of(partition, plain(key.id()));
  }

  private static Object plain(Value id) {
    return switch (id.type()) {
      case STRING -> id.asString();
      case DATE -> Instant.ofEpochMilli(id.asDate());
      default -> (long) id.asDouble();
    };
  }

  DocumentKey documentKey() {
    List<Value> values = partition.isEmpty() ? List.of() : List.of(Value.of(partition));
    return new DocumentKey(values, ModelDocument.value(id));
  }

  @Override
  public String toString() {
    return partition.isEmpty() ? id.toString() : partition + "/" + id;
  }
}
