package dev.mayfly.mql.function;

/**
 * Compensated (Kahan) sum of doubles: also keeps the rounding errors.
 *
 * <p>The total is the unevaluated sum of two doubles, so that ten times 0.1 is 1.
 */
public final class CompensatedSum {
  private double sum;
  private double rest;

  public void add(double number) {
    double total = sum + number;
    if (Double.isFinite(total)) {
      double rounded = total - sum;
      rest += (sum - (total - rounded)) + (number - rounded);
    }
    sum = total;
  }

  public double total() {
    return Double.isFinite(sum) ? sum + rest : sum;
  }

  /** Returns the larger part of the total. */
  public double sum() {
    return sum;
  }

  /** Returns the compensation, to be added to the larger part. */
  public double rest() {
    return rest;
  }
}
