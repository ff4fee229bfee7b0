package dev.mayfly.bench;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.value.FieldPath;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Benchmark of documents that follow others: {@link FeatureCosts} of a collection with an index on
 * the field with the parent, alone and with live parents. The sweep is that of the documents' own
 * deadlines.
 *
 * <p>Arguments: as for {@link Bounded}.
 */
final class Followers {
  private Followers() {}

  static void run(Arguments arguments) throws Exception {
    IndexSpec byParent =
        IndexSpec.implicit("parent_1", Part.ascending(FieldPath.of(FeatureCosts.PARENT)));
    CollectionSpec alone = FeatureCosts.plain().withIndex(byParent);
    Map<String, CollectionSpec> specs = new LinkedHashMap<>();
    specs.put("documents that follow nothing", alone);
    specs.put(
        "documents with a live parent",
        alone.withExpiresWith(
            FeatureCosts.PAST.collection(), FeatureCosts.PARENT, /* deleted= */ false));
    FeatureCosts.run(
        (int) arguments.number("documents", 50_000), (int) arguments.number("rounds", 5), specs);
  }
}
