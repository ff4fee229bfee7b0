package dev.mayfly.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** Times of a few operations in several phases; the first phase is the one to compare with. */
final class QueryTimes {
  /** Runs that are measured; less if they take longer than {@link #MOST_MILLIS}, but three. */
  private static final int REPEATS = 15;

  private static final int FEWEST = 3;
  private static final double MOST_MILLIS = 1500;

  private final Map<String, LongSupplier> operations;
  private final List<String> phases = new ArrayList<>();
  private final Map<String, List<Double>> rows = new LinkedHashMap<>();

  /**
   * @param operations by their names; each returns how many documents it has found
   */
  QueryTimes(Map<String, LongSupplier> operations) {
    this.operations = operations;
    operations.keySet().forEach(name -> rows.put(name, new ArrayList<>()));
  }

  /**
   * Measures the median of some runs of each operation, after others that do not count: the JVM
   * compiles what runs often.
   */
  void measure(String phase) {
    measure(phase, operations);
  }

  /** As {@link #measure(String)}, with other operations of the same names. */
  void measure(String phase, Map<String, LongSupplier> others) {
    phases.add(phase);
    for (String name : operations.keySet()) {
      LongSupplier operation = Objects.requireNonNull(others.get(name));
      repeated(operation, Integer.MAX_VALUE);
      row(name).add(middle(repeated(operation, REPEATS)));
    }
  }

  private List<Double> row(String name) {
    return Objects.requireNonNull(rows.get(name));
  }

  private static List<Double> repeated(LongSupplier operation, int most) {
    List<Double> millis = new ArrayList<>();
    double sum = 0;
    while (millis.size() < most && (millis.size() < FEWEST || sum < MOST_MILLIS)) {
      double one = millis(operation);
      sum += one;
      millis.add(one);
    }
    return millis;
  }

  /** Measures one run of each operation. */
  void measureOnce(String phase) {
    measureOnce(phase, operations);
  }

  /** As {@link #measureOnce(String)}, with other operations of the same names. */
  void measureOnce(String phase, Map<String, LongSupplier> others) {
    phases.add(phase);
    for (String name : operations.keySet()) {
      row(name).add(millis(Objects.requireNonNull(others.get(name))));
    }
  }

  /** Measures the median of the runs that are possible while a condition holds, one at least. */
  void measureWhile(String phase, BooleanSupplier condition) {
    Map<String, List<Double>> all = new LinkedHashMap<>();
    do {
      operations.forEach(
          (name, operation) ->
              all.computeIfAbsent(name, _ -> new ArrayList<>()).add(millis(operation)));
    } while (condition.getAsBoolean());
    phases.add(phase);
    all.forEach((name, millis) -> row(name).add(middle(millis)));
  }

  private static double middle(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(value -> value).toArray();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static double millis(LongSupplier operation) {
    long start = System.nanoTime();
    if (operation.getAsLong() < 0) {
      throw new IllegalStateException("a negative number of documents");
    }
    return (System.nanoTime() - start) / 1e6;
  }

  /**
   * Prints a line for each operation: milliseconds, and after a bar the ratio to the first phase.
   */
  void print(String what) {
    StringBuilder text =
        new StringBuilder(String.format(Locale.ROOT, "%-40s", what + ", milliseconds"));
    phases.forEach(phase -> text.append(String.format(Locale.ROOT, " %13s", phase)));
    text.append(" | of ").append(phases.getFirst()).append('\n');
    rows.forEach(
        (name, row) -> {
          text.append(String.format(Locale.ROOT, "%-40s", name));
          row.forEach(millis -> text.append(String.format(Locale.ROOT, " %13.3f", millis)));
          text.append(" |");
          row.subList(1, row.size())
              .forEach(
                  millis ->
                      text.append(String.format(Locale.ROOT, " %.2f", millis / row.getFirst())));
          text.append('\n');
        });
    System.out.print(text);
  }
}
