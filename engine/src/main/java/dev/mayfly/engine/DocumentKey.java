package dev.mayfly.engine;

import dev.mayfly.query.Filter;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Key of a document in a collection: partition key values, if any, and id.
 *
 * <pre>{@code
 * DocumentKey.of(Value.of(7));          // MongoDB: {_id: 7}
 * DocumentKey.of("berlin", "order-7");  // Cosmos DB: partition key and id
 * }</pre>
 */
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

  /** The key of a document in a collection with a spec. */
  public static DocumentKey of(CollectionSpec spec, Document document) {
    return new DocumentKey(
        partition(document, spec.partitionKey()), document.at(spec.dialect().id()));
  }

  /** Returns the partition key value at a path; missing also for an object or array. */
  public static Value part(Document document, FieldPath path) {
    Value value = document.at(path);
    return value.isDocument() || value.isArray() ? Value.MISSING : value;
  }

  /** Returns the values of a document at the paths of a partition key. */
  public static List<Value> partition(Document document, List<FieldPath> paths) {
    List<Value> values = new ArrayList<>(paths.size());
    for (FieldPath path : paths) {
      values.add(part(document, path));
    }
    return values;
  }

  /** Returns a filter for documents in which {@link #part} is missing. */
  public static Filter without(FieldPath path) {
    return new Filter.Or(
        List.of(
            new Filter.Exists(path, false),
            new Filter.OfType(path, Set.of(Type.OBJECT, Type.ARRAY))));
  }
}
