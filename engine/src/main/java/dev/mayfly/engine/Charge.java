package dev.mayfly.engine;

/**
 * Cost of an operation in request units, computed from its work.
 *
 * <p>Anchored on the published figures: a point read of 1 KB costs 1, a write of 1 KB about 5, each
 * index term added or removed 0.2, a replace the removal and the insertion. Between the published
 * sizes the cost is interpolated linearly. Documented in {@code docs/request-units.md}.
 */
public final class Charge {
  private static final double[] KILOBYTES = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048};
  private static final double[] READ = {
    1.00, 1.04, 1.14, 1.33, 1.67, 2.19, 4.76, 9.95, 20.28, 40.95, 145.90, 291.80
  };
  private static final double[] WRITE = {
    4.95, 6.29, 6.67, 7.04, 9.52, 11.23, 22.67, 48.19, 98.29, 184.57, 625, 1250
  };

  /** A read that finds nothing. */
  public static final double MISS = 1.0;

  /** A write that fails. */
  public static final double REFUSED = 1.24;

  /** An index term added or removed. */
  public static final double TERM = 0.2;

  /** The base cost of a query. */
  public static final double QUERY = 2.3;

  /** An index entry or a record that a query examines. */
  public static final double LOOK = 0.02;

  /** A kilobyte of a document that a query reads. */
  public static final double FETCHED_KILOBYTE = 0.07;

  private double units;

  public void add(double more) {
    units += more;
  }

  public double units() {
    return units;
  }

  /** Returns the cost of a point read of a document. */
  public static double read(long bytes) {
    return interpolate(READ, bytes);
  }

  /** Returns the cost of writing or removing a document, without its index terms. */
  public static double write(long bytes) {
    return interpolate(WRITE, bytes);
  }

  private static double interpolate(double[] units, long bytes) {
    double kilobytes = bytes / 1024.0;
    if (kilobytes <= 1) {
      return units[0];
    }
    int last = KILOBYTES.length - 1;
    if (kilobytes >= KILOBYTES[last]) {
      return units[last] * kilobytes / KILOBYTES[last];
    }
    int i = 1;
    while (KILOBYTES[i] < kilobytes) {
      i++;
    }
    double part = (kilobytes - KILOBYTES[i - 1]) / (KILOBYTES[i] - KILOBYTES[i - 1]);
    return units[i - 1] + part * (units[i] - units[i - 1]);
  }
}
