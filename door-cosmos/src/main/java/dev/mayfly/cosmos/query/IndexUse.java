package dev.mayfly.cosmos.query;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.sql.CompiledQuery;
import dev.mayfly.engine.Explanation;
import dev.mayfly.engine.Explanation.Access;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
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
 * Which indexes a query has used and which would have helped, in the form that clients read.
 *
 * @param used paths of the query that an index over all paths was asked about
 * @param missing paths of the query that the policy excludes
 * @param composites the index over several paths that was used
 */
record IndexUse(List<FieldPath> used, List<FieldPath> missing, List<IndexSpec> composites) {
  static IndexUse of(Container container, CompiledQuery query, Optional<Explanation> explanation) {
    List<FieldPath> paths =
        Stream.concat(query.filter().paths(), query.order().stream().map(CompiledQuery.Key::path))
            .distinct()
            .filter(path -> path.length() > 0)
            .toList();
    List<FieldPath> missing =
        paths.stream().filter(path -> !container.indexing().holds(path)).toList();
    List<FieldPath> used = new ArrayList<>();
    List<IndexSpec> composites = new ArrayList<>();
    if (explanation.isPresent()
        && explanation.get().access() instanceof Access.Index(IndexSpec index, _, _, _)) {
      if (index.parts().stream().anyMatch(Part::wildcard)) {
        paths.stream().filter(container.indexing()::holds).forEach(used::add);
      } else {
        composites.add(index);
      }
    }
    return new IndexUse(used, missing, composites);
  }

  /** The form that clients read who know two lists, used and missing. */
  String escaped() {
    Document form =
        Document.writer()
            .put("Utilized", indexes(used, composites))
            .put("Potential", indexes(missing, List.of()))
            .build();
    // URLs of forms have another sign for a blank than those of clients
    return URLEncoder.encode(Json.write(Value.of(form)), StandardCharsets.UTF_8)
        .replace("+", "%20");
  }

  private static Document indexes(List<FieldPath> paths, List<IndexSpec> composites) {
    return Document.writer()
        .put("SingleIndexes", singles(paths))
        .put("CompositeIndexes", Value.array(composites.stream().map(IndexUse::composite).toList()))
        .build();
  }

  /** The form that older clients read. */
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
                            .put("IndexSpec", spelled(path) + "/?")
                            .put("FilterPreciseSet", true)
                            .put("IndexPreciseSet", true)
                            .put("IndexImpactScore", "High")
                            .build()))
            .toList());
  }

  private static Value composite(IndexSpec index) {
    List<Value> parts =
        index.parts().stream()
            .map(part -> Value.of(spelled(part.path()) + (part.descending() ? " DESC" : " ASC")))
            .toList();
    return Value.of(
        Document.writer()
            .put("FilterExpressions", Value.array(List.of()))
            .put("IndexSpecs", Value.array(parts))
            .put("IndexPreciseSet", true)
            .put("IndexImpactScore", "High")
            .build());
  }

  private static String spelled(FieldPath path) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < path.length(); i++) {
      text.append('/').append(path.step(i));
    }
    return text.toString();
  }
}
