package dev.mayfly.engine;

import java.util.Map;

/**
 * What is due: documents and bytes that are live now and will have expired at an instant, by the
 * rule that ends their life.
 *
 * @param byRule keyed by {@code default}, {@code own}, {@code id} or {@code index:} and its name
 */
public record Forecast(long until, Map<String, Usage> byRule) {
  public Forecast {
    byRule = Map.copyOf(byRule);
  }

  public Usage total() {
    return byRule.values().stream().reduce(Usage.NONE, Usage::plus);
  }
}
