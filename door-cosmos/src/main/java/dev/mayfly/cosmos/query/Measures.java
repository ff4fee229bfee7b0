package dev.mayfly.cosmos.query;

import dev.mayfly.engine.Charge;
import dev.mayfly.engine.Explanation;
import java.util.Locale;
import java.util.Optional;

/**
 * Query metrics of a page.
 *
 * @param examined number of items examined
 * @param bytes size of the items that results were computed from
 * @param charge in request units
 * @param explanation how the engine found items; empty unless requested
 */
record Measures(long examined, long bytes, double charge, Optional<Explanation> explanation) {
  /** Metrics of a page that reads no items. */
  static final Measures NONE = new Measures(0, 0, Charge.QUERY, Optional.empty());

  /**
   * Returns the header for clients.
   *
   * @param compiling milliseconds for parsing and planning
   * @param millis total milliseconds
   */
  String text(Results results, long compiling, long millis) {
    double ratio = examined == 0 ? 1 : Math.min(1, (double) results.count() / examined);
    StringBuilder text = new StringBuilder();
    time(text, "totalExecutionTimeInMs", millis);
    time(text, "queryCompileTimeInMs", compiling);
    time(text, "queryLogicalPlanBuildTimeInMs", 0);
    time(text, "queryPhysicalPlanBuildTimeInMs", 0);
    time(text, "queryOptimizationTimeInMs", 0);
    time(text, "VMExecutionTimeInMs", millis - compiling);
    time(text, "indexLookupTimeInMs", 0);
    time(text, "documentLoadTimeInMs", 0);
    time(text, "systemFunctionExecuteTimeInMs", 0);
    time(text, "userFunctionExecuteTimeInMs", 0);
    number(text, "retrievedDocumentCount", examined);
    number(text, "retrievedDocumentSize", bytes);
    number(text, "outputDocumentCount", results.count());
    number(text, "outputDocumentSize", results.bytes());
    time(text, "writeOutputTimeInMs", 0);
    return text.append("indexUtilizationRatio=")
        .append(String.format(Locale.ROOT, "%.2f", ratio))
        .toString();
  }

  private static void time(StringBuilder text, String name, long millis) {
    text.append(name).append('=').append(millis).append(".00;");
  }

  private static void number(StringBuilder text, String name, long value) {
    text.append(name).append('=').append(value).append(';');
  }
}
