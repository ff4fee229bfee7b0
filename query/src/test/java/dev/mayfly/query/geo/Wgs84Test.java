package dev.mayfly.query.geo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.common.geometry.S2EdgeUtil;
import com.google.common.geometry.S2LatLng;
import com.google.common.geometry.S2Point;
import dev.mayfly.value.testing.SeedExtension;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Lengths on the ellipsoid, and what they have to do with angles on the sphere. */
@ExtendWith(SeedExtension.class)
final class Wgs84Test {
  private static final double QUARTER_MERIDIAN = 10_001_965.729;
  private static final double HALF_EQUATOR = 20_037_508.343;

  private static S2Point at(double longitude, double latitude) {
    return S2LatLng.fromDegrees(latitude, longitude).toPoint();
  }

  @Test
  void meridiansAndTheEquatorHaveTheirKnownLengths() {
    assertThat(Wgs84.metres(at(7, 0), at(7, 90))).isCloseTo(QUARTER_MERIDIAN, within(0.001));
    assertThat(Wgs84.metres(at(7, -90), at(99, 90))).isCloseTo(2 * QUARTER_MERIDIAN, within(0.002));
    assertThat(Wgs84.metres(at(-90, 0), at(89.999_999_9, 0))).isCloseTo(HALF_EQUATOR, within(0.02));
    assertThat(Wgs84.metres(at(7, 8), at(7, 8))).isZero();
    assertThat(Wgs84.metres(at(7, 8), at(7.000_001, 8))).isCloseTo(0.110_243, within(0.000_001));
  }

  @Test
  void aRadianIsNeitherShorterNorLongerThanItsBounds(Random random) {
    for (int i = 0; i < 20_000; i++) {
      S2Point from = anywhere(random);
      S2Point to =
          random.nextBoolean()
              ? anywhere(random)
              : S2EdgeUtil.interpolate(Math.pow(0.1, random.nextInt(7)), from, anywhere(random));
      double metres = Wgs84.metres(from, to);
      double least = from.angle(to) * Wgs84.LEAST_RADIAN;
      assertThat(metres)
          .isBetween(least * (1 - 1e-9) - 1e-8, least * Wgs84.SPREAD + 1e-8)
          .isCloseTo(Wgs84.metres(to, from), within(1e-6));
    }
  }

  private static S2Point anywhere(Random random) {
    return at(random.nextDouble(-180, 180), Math.toDegrees(Math.asin(random.nextDouble(-1, 1))));
  }

  @Test
  void theNearestPlaceOfAnEdgeIsFound(Random random) {
    for (int i = 0; i < 300; i++) {
      S2Point from = anywhere(random);
      S2Point to = S2EdgeUtil.interpolate(random.nextDouble(0.000_1, 0.05), from, anywhere(random));
      S2Point place =
          S2EdgeUtil.interpolate(random.nextDouble(0.000_01, 0.05), from, anywhere(random));
      double expected = Math.min(searched(place, from, to), Wgs84.metres(place, from));
      assertThat(Wgs84.metres(place, place, from, to))
          .isCloseTo(expected, within(0.001 + expected * 1e-8));
    }
  }

  /** The least distance to places of an edge: the best of many, then the best around it. */
  private static double searched(S2Point place, S2Point from, S2Point to) {
    double low = 0;
    double high = 1;
    double least = Double.POSITIVE_INFINITY;
    double best = 0;
    for (int round = 0; round < 6; round++) {
      double step = (high - low) / 50;
      for (int i = 0; i <= 50; i++) {
        double metres = Wgs84.metres(place, S2EdgeUtil.interpolate(low + i * step, from, to));
        if (metres < least) {
          least = metres;
          best = low + i * step;
        }
      }
      low = Math.max(0, best - step);
      high = Math.min(1, best + step);
    }
    return least;
  }
}
