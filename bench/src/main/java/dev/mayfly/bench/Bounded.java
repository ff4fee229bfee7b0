package dev.mayfly.bench;

import dev.mayfly.engine.CollectionSpec;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Benchmark of bounded collections: {@link FeatureCosts} of a collection without a limit, with a
 * limit that is not reached, and with one that is, so that every insert evicts a document.
 *
 * <p>Arguments: {@code documents=N} per collection and round (default 50,000), {@code rounds=N}
 * (default 5).
 */
final class Bounded {
  private Bounded() {}

  static void run(Arguments arguments) throws Exception {
    int documents = (int) arguments.number("documents", 50_000);
    CollectionSpec plain = FeatureCosts.plain();
    Map<String, CollectionSpec> specs = new LinkedHashMap<>();
    specs.put("no limit", plain);
    specs.put("limit not reached", plain.withLimits(0, Integer.MAX_VALUE));
    specs.put("each insert evicts one document", plain.withLimits(0, documents));
    FeatureCosts.run(documents, (int) arguments.number("rounds", 5), specs);
  }
}
