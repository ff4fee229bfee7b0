package dev.mayfly.cosmos.container;

import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Unique key policy: values that are unique within a partition key. */
final class UniqueKeys {
  private static final int MAX_KEYS = 10;
  private static final int MAX_PATHS = 16;

  private UniqueKeys() {}

  /**
   * Returns the unique indexes of a policy.
   *
   * @throws CosmosException 400
   */
  static List<IndexSpec> of(Value policy, PartitionKeyDefinition partitionKey) {
    List<IndexSpec> indexes = new ArrayList<>();
    int paths = 0;
    Document form = Elements.object(policy, "uniqueKeyPolicy");
    for (Value element : Elements.of(form, "uniqueKeys")) {
      Set<FieldPath> key = paths(element);
      paths += key.size();
      indexes.add(index(key, partitionKey));
    }
    if (indexes.size() > MAX_KEYS || paths > MAX_PATHS) {
      throw CosmosException.wrong(
          "A container can have at most 10 unique keys with 16 paths in total.");
    }
    if (indexes.stream().distinct().count() < indexes.size()) {
      throw CosmosException.wrong("The unique key policy contains the same key twice.");
    }
    return indexes;
  }

  private static Set<FieldPath> paths(Value key) {
    Set<FieldPath> paths = new LinkedHashSet<>();
    for (Value path : Elements.of(Elements.object(key, "uniqueKeys"), "paths")) {
      if (path.type() != Type.STRING) {
        throw CosmosException.wrong("A unique key path must be a string.");
      }
      paths.add(PathSyntax.path(path.asString()));
    }
    if (paths.isEmpty()) {
      throw CosmosException.wrong("A unique key must have an array of 'paths'.");
    }
    return paths;
  }

  /** Keys are unique within a partition key: the index begins with its values. */
  private static IndexSpec index(Set<FieldPath> key, PartitionKeyDefinition partitionKey) {
    Set<FieldPath> all = new LinkedHashSet<>(partitionKey.paths());
    all.addAll(key);
    StringBuilder name = new StringBuilder("unique");
    key.forEach(path -> name.append(" /").append(path));
    Part[] parts = all.stream().map(Part::ascending).toArray(Part[]::new);
    return IndexSpec.explicit(name.toString(), parts).withUnique(true);
  }
}
