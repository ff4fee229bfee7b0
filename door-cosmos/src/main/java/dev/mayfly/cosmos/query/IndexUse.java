package dev.mayfly.cosmos.query;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.engine.Explanation;
import dev.mayfly.engine.Explanation.Access;
import dev.mayfly.engine.index.IndexMatch;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Scope;
import dev.mayfly.sql.compiler.CompiledQuery;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Json;
import dev.mayfly.value.Value;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Index metrics of a query: indexes it used and indexes that would have helped.
 *
 * @param used paths that were looked up in the wildcard index or a spatial index
 * @param missing paths of the query that the policy excludes
 * @param composites the composite index that was used
 */
record IndexUse(List<FieldPath> used, List<FieldPath> missing, List<IndexSpec> composites) {
  static IndexUse of(Container container, CompiledQuery query, Optional<Explanation> explanation) {
    List<FieldPath> used = new ArrayList<>();
    List<IndexSpec> composites = new ArrayList<>();
    if (explanation.isPresent()
        && explanation.get().access()
            instanceof Access.Index(IndexSpec index, _, _, _, List<FieldPath> paths, _)) {
      used.addAll(paths);
      if (paths.isEmpty() && index.parts().size() == 1) {
        used.add(index.parts().getFirst().path());
      } else if (paths.isEmpty()) {
        composites.add(index);
      }
    }
    return new IndexUse(used, missing(container, query), composites);
  }

  /** Returns paths of the query that no index contains. */
  private static List<FieldPath> missing(Container container, CompiledQuery query) {
    List<FieldPath> paths =
        Stream.concat(
                IndexMatch.paths(query.filter(), true),
                query.order().stream().map(CompiledQuery.Key::path))
            .distinct()
            .filter(path -> path.length() > 0)
            .toList();
    return paths.stream()
        .filter(path -> !container.indexing().includes(path) && !Ordering.ALWAYS.containsKey(path))
        .filter(path -> !container.indexing().spatialPaths().contains(path))
        .filter(path -> paths.stream().noneMatch(other -> isOfElements(other, path)))
        .toList();
  }

  /** Whether a path leads to elements of an array; such a path is reported instead of the array. */
  private static boolean isOfElements(FieldPath path, FieldPath array) {
    return path.startsWith(array.child(Scope.ELEMENTS));
  }

  /** Returns the form for clients that know two lists, used and missing. */
  String escaped() {
    Document form =
        Document.writer()
            .put("Utilized", indexes(used, composites))
            .put("Potential", indexes(missing, List.of()))
            .build();
    // URLEncoder writes a space as +; clients expect %20
    return URLEncoder.encode(Json.write(Value.of(form)), StandardCharsets.UTF_8)
        .replace("+", "%20");
  }

  private static Document indexes(List<FieldPath> paths, List<IndexSpec> composites) {
    return Document.writer()
        .put("SingleIndexes", singles(paths))
        .put("CompositeIndexes", Value.array(composites.stream().map(IndexUse::composite).toList()))
        .build();
  }

  /** Returns the form for older clients. */
  String base64() {
    Document form =
        Document.writer()
            .put("UtilizedSingleIndexes", singles(used))
            .put("PotentialSingleIndexes", singles(missing))
            .put(
                "UtilizedCompositeIndexes",
                Value.array(composites.stream().map(IndexUse::composite).toList()))
            .put("PotentialCompositeIndexes", Value.array(List.of()))
            .build();
    return Base64.getEncoder().encodeToString(Json.bytes(form));
  }

  private static Value singles(List<FieldPath> paths) {
    return Value.array(
        paths.stream()
            .map(
                path ->
                    Value.of(
                        Document.writer()
                            .put("FilterExpression", "")
                            .put("IndexSpec", slashed(path) + "/?")
                            .put("FilterPreciseSet", true)
                            .put("IndexPreciseSet", true)
                            .put("IndexImpactScore", "High")
                            .build()))
            .toList());
  }

  private static Value composite(IndexSpec index) {
    List<Value> parts =
        index.parts().stream()
            .map(part -> Value.of(slashed(part.path()) + (part.descending() ? " DESC" : " ASC")))
            .toList();
    return Value.of(
        Document.writer()
            .put("FilterExpressions", Value.array(List.of()))
            .put("IndexSpecs", Value.array(parts))
            .put("IndexPreciseSet", true)
            .put("IndexImpactScore", "High")
            .build());
  }

  private static String slashed(FieldPath path) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < path.length(); i++) {
      text.append('/').append(path.step(i));
    }
    return text.toString();
  }
}
