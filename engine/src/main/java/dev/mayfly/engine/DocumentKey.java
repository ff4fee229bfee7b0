package dev.mayfly.engine;

import dev.mayfly.value.Value;
import java.util.List;

/** What names one document of a collection: its partition key values, if any, and its id. */
public record DocumentKey(List<Value> partition, Value id) {
  public DocumentKey {
    partition = List.copyOf(partition);
  }

  /** The key of a document in a collection without a partition key. */
  public static DocumentKey of(Value id) {
    return new DocumentKey(List.of(), id);
  }

  public static DocumentKey of(String id) {
    return of(Value.of(id));
  }

  /** The key of a document in a collection with one partition key path. */
  public static DocumentKey of(String partition, String id) {
    return new DocumentKey(List.of(Value.of(partition)), Value.of(id));
  }
}
