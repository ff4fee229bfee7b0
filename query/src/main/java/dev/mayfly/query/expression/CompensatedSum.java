package dev.mayfly.query.expression;

/**
 * A sum of doubles that also keeps what each addition rounds away.
 *
 * <p>The total is the unevaluated sum of two doubles, so that ten times 0.1 is 1.
 */
final class CompensatedSum {
  private double sum;
  private double rest;

  void add(double number) {
    double total = sum + number;
    if (Double.isFinite(total)) {
      double rounded = total - sum;
      rest += (sum - (total - rounded)) + (number - rounded);
    }
    sum = total;
  }

  double total() {
    return Double.isFinite(sum) ? sum + rest : sum;
  }

  /** The larger part of the total. */
  double sum() {
    return sum;
  }

  /** What the larger part is short of. */
  double rest() {
    return rest;
  }
}
