package dev.mayfly.query.geo;

import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Geometries and regions of all kinds and sizes, more of them near each other than not. */
public final class RandomGeometry {
  private RandomGeometry() {}

  /** A pair, a point, a line or an area. */
  public static Value any(Random random) {
    double[] at = place(random);
    double size = size(random);
    return switch (random.nextInt(6)) {
      case 0, 1 -> Value.array(coordinates(at));
      case 2 -> Value.of(geoJson("Point", coordinates(at)));
      case 3 -> Value.of(geoJson("LineString", line(at, size, random)));
      case 4 -> Value.of(geoJson("MultiPoint", line(at, size, random)));
      default -> Value.of(polygon(at, size));
    };
  }

  /** A region of the sphere. */
  public static Region region(Random random) {
    double[] at = place(random);
    double size = size(random) * 4;
    return switch (random.nextInt(4)) {
      case 0 -> Region.within(polygon(at, size));
      case 1 -> Region.touching(polygon(at, size));
      case 2 -> Region.cap(at[0], at[1], Math.toRadians(size));
      default ->
          Region.ring(
              at[0],
              at[1],
              random.nextBoolean() ? 0 : Math.toRadians(size / 2),
              random.nextInt(8) == 0 ? Math.PI : Math.toRadians(size));
    };
  }

  private static double[] place(Random random) {
    boolean near = random.nextInt(4) > 0;
    double longitude = near ? 10 + random.nextGaussian() : random.nextDouble(-180, 180);
    double latitude = near ? 50 + random.nextGaussian() : random.nextDouble(-80, 80);
    return new double[] {longitude, latitude};
  }

  /** In degrees: from some metres to a continent. */
  private static double size(Random random) {
    return Math.pow(10, random.nextDouble(-4, 0.5));
  }

  private static Document polygon(double[] at, double size) {
    List<double[]> ring =
        List.of(
            new double[] {at[0] - size, at[1] - size / 2},
            new double[] {at[0] + size, at[1] - size / 2},
            new double[] {at[0] + size / 3, at[1] + size / 2},
            new double[] {at[0] - size, at[1] - size / 2});
    return geoJson("Polygon", Document.writer().add(Value.array(all(ring))).build());
  }

  private static Document line(double[] at, double size, Random random) {
    List<double[]> points = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      points.add(
          new double[] {at[0] + size * random.nextDouble(), at[1] + size * random.nextDouble()});
    }
    return all(points);
  }

  private static Document all(List<double[]> points) {
    DocumentWriter array = Document.writer();
    points.forEach(point -> array.add(Value.array(coordinates(point))));
    return array.build();
  }

  /** What reaches beyond the date line goes on at its other side. */
  private static Document coordinates(double[] point) {
    double longitude = Math.IEEEremainder(point[0], 360);
    return Document.writer().add(Value.of(longitude)).add(Value.of(point[1])).build();
  }

  private static Document geoJson(String type, Document coordinates) {
    return Document.writer().put("type", type).put("coordinates", Value.array(coordinates)).build();
  }
}
