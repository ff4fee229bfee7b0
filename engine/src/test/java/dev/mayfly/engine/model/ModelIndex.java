package dev.mayfly.engine.model;

import dev.mayfly.engine.Dialect;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.query.Filter;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Index of the model.
 *
 * @param paths the first one contains the date of a TTL index
 * @param onlyColour the documents that are in it, by colour; empty for all
 * @param generation distinguishes it from an earlier index with the same name
 * @param ready whether it has been built
 */
record ModelIndex(
    String name,
    List<String> paths,
    boolean unique,
    boolean sparse,
    boolean hidden,
    String onlyColour,
    int generation,
    boolean ready) {

  private static final Object ABSENT = "absent";

  ModelIndex withReady(boolean built) {
    return new ModelIndex(name, paths, unique, sparse, hidden, onlyColour, generation, built);
  }

  ModelIndex withHidden(boolean hide) {
    return new ModelIndex(name, paths, unique, sparse, hide, onlyColour, generation, ready);
  }

  /** The keys of a document that no other may have; only for a unique index of one path. */
  Set<Object> uniqueKeys(Map<String, Object> fields) {
    boolean indexed =
        onlyColour.isEmpty() || ModelDocument.ends(fields, "colour").contains(onlyColour);
    if (!unique || !indexed) {
      return Set.of();
    }
    if (!fields.containsKey(paths.getFirst())) {
      return sparse ? Set.of() : Set.of(ABSENT);
    }
    return ModelDocument.ends(fields, paths.getFirst()).stream()
        .map(key -> key instanceof Number number ? (Object) number.longValue() : key)
        .collect(Collectors.toSet());
  }

  IndexSpec spec(Dialect dialect) {
    Part[] parts =
        paths.stream().map(path -> Part.ascending(FieldPath.of(path))).toArray(Part[]::new);
    IndexSpec plain =
        dialect == Dialect.MONGO
            ? IndexSpec.implicit(name, parts)
            : IndexSpec.explicit(name, parts);
    IndexSpec index = plain.withUnique(unique).withSparse(sparse).withHidden(hidden);
    return onlyColour.isEmpty()
        ? index
        : index.withPartial(Filter.equal(FieldPath.of("colour"), Value.of(onlyColour)));
  }
}
