package dev.mayfly.bench;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.archive.OnExpire;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Benchmark of actions on expiry: {@link FeatureCosts} of a collection without an action, of one
 * that moves its documents and of one that appends them to files. The sweep contains the delivery.
 *
 * <p>Arguments: {@code documents=N} per collection and round (default 50,000), {@code rounds=N}
 * (default 5).
 */
final class Archives {
  private Archives() {}

  static void run(Arguments arguments) throws Exception {
    CollectionSpec plain = FeatureCosts.plain();
    Map<String, CollectionSpec> specs = new LinkedHashMap<>();
    specs.put("no action", plain);
    specs.put(
        "move to another collection",
        plain.withOnExpire(
            OnExpire.moveTo(FeatureCosts.PAST.database(), FeatureCosts.PAST.collection())));
    specs.put("files, NDJSON, gzip", plain.withOnExpire(OnExpire.files("filed")));
    FeatureCosts.run(
        (int) arguments.number("documents", 50_000), (int) arguments.number("rounds", 5), specs);
  }
}
