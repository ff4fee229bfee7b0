package dev.mayfly.mql.pipeline;

import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Series of preferred numbers, to which {@code $bucketAuto} rounds boundaries.
 *
 * <p>A series is given by its numbers in one decade and repeats in every other; only the powers of
 * two have no decades.
 */
public final class Granularity {
  private static final int[] R20 = {
    100, 112, 125, 140, 160, 180, 200, 224, 250, 280, 315, 355, 400, 450, 500, 560, 630, 710, 800,
    900
  };
  private static final int[] R40_BETWEEN = {
    106, 118, 132, 150, 170, 190, 212, 236, 265, 300, 335, 375, 425, 475, 530, 600, 670, 750, 850,
    950
  };
  private static final int[] R80_BETWEEN = {
    103, 109, 115, 122, 128, 136, 145, 155, 165, 175, 185, 195, 206, 218, 230, 243, 258, 272, 290,
    307, 325, 345, 365, 387, 412, 437, 462, 487, 515, 545, 575, 615, 650, 690, 730, 775, 825, 875,
    925, 975
  };
  private static final int[] E24 = {
    10, 11, 12, 13, 15, 16, 18, 20, 22, 24, 27, 30, 33, 36, 39, 43, 47, 51, 56, 62, 68, 75, 82, 91
  };

  private final String name;
  private final double[] decade;

  private Granularity(String name, double[] decade) {
    this.name = name;
    this.decade = decade;
  }

  /** Returns the series with this name. */
  public static Optional<Granularity> of(String name) {
    return series(name).map(decade -> new Granularity(name, decade));
  }

  private static Optional<double[]> series(String name) {
    return Optional.ofNullable(
        switch (name) {
          case "POWERSOF2" -> new double[0];
          case "1-2-5" -> new double[] {10, 20, 50};
          case "R5" -> decade(every(4, R20));
          case "R10" -> decade(every(2, R20));
          case "R20" -> decade(R20);
          case "R40" -> decade(R20, R40_BETWEEN);
          case "R80" -> decade(R20, R40_BETWEEN, R80_BETWEEN);
          case "E6" -> decade(every(4, E24));
          case "E12" -> decade(every(2, E24));
          case "E24" -> decade(E24);
          case "E48" -> decade(geometric(48));
          case "E96" -> decade(geometric(96));
          case "E192" -> decade(geometric(192));
          default -> null;
        });
  }

  /** Returns the smallest number of the series above this one; zero for zero. */
  Value roundUp(Value number) {
    return typed(number, roundUp(number.asDouble()));
  }

  /** Returns the largest number of the series below this one; zero for zero. */
  Value roundDown(Value number) {
    return typed(number, roundDown(number.asDouble()));
  }

  /** Keeps zero unchanged, and powers of two integral if possible. */
  private Value typed(Value number, double rounded) {
    if (rounded == number.asDouble()) {
      return number;
    }
    if (number.type() == Type.DECIMAL128) {
      return Value.decimal(BigDecimal.valueOf(rounded).stripTrailingZeros());
    }
    boolean whole = decade.length == 0 && rounded >= 1 && rounded < 0x1p63;
    return !whole
        ? Value.of(rounded)
        : rounded <= Integer.MAX_VALUE ? Value.of((int) rounded) : Value.of((long) rounded);
  }

  double roundUp(double number) {
    if (number == 0 || !Double.isFinite(number)) {
      return number;
    }
    if (decade.length == 0) {
      return Math.scalb(1.0, Math.getExponent(number) + 1);
    }
    int exponent = exponent(number);
    for (double preferred : decade) {
      if (scaled(preferred, exponent) > number) {
        return scaled(preferred, exponent);
      }
    }
    return scaled(decade[0], exponent + 1);
  }

  double roundDown(double number) {
    if (number == 0 || !Double.isFinite(number)) {
      return number;
    }
    if (decade.length == 0) {
      int exponent = Math.getExponent(number);
      boolean power = Math.scalb(1.0, exponent) == number;
      return Math.scalb(1.0, power ? exponent - 1 : exponent);
    }
    int exponent = exponent(number);
    for (int i = decade.length - 1; i >= 0; i--) {
      if (scaled(decade[i], exponent) < number) {
        return scaled(decade[i], exponent);
      }
    }
    return scaled(decade[decade.length - 1], exponent - 1);
  }

  /** Returns the power of ten that scales the decade to the number. */
  private int exponent(double number) {
    int exponent = 0;
    while (number >= scaled(decade[0], exponent + 1)) {
      exponent++;
    }
    while (number < scaled(decade[0], exponent)) {
      exponent--;
    }
    return exponent;
  }

  /** Divides where that is exact and multiplication would not be. */
  private static double scaled(double preferred, int exponent) {
    return exponent < 0 ? preferred / Math.pow(10, -exponent) : preferred * Math.pow(10, exponent);
  }

  private static double[] decade(int[]... parts) {
    return Arrays.stream(parts).flatMapToInt(Arrays::stream).sorted().asDoubleStream().toArray();
  }

  private static int[] every(int step, int[] series) {
    return IntStream.range(0, series.length / step).map(i -> series[i * step]).toArray();
  }

  /**
   * Returns steps of equal ratio to three digits; the standard has one number that is rounded
   * differently.
   */
  private static int[] geometric(int steps) {
    return IntStream.range(0, steps)
        .map(i -> (int) Math.round(100 * Math.pow(10, (double) i / steps)))
        .map(number -> number == 919 ? 920 : number)
        .toArray();
  }

  @Override
  public String toString() {
    return name;
  }
}
