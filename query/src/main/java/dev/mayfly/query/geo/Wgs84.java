package dev.mayfly.query.geo;

import com.google.common.geometry.S2EdgeUtil;
import com.google.common.geometry.S2LatLng;
import com.google.common.geometry.S2Loop;
import com.google.common.geometry.S2Point;
import com.google.common.geometry.S2Polygon;
import net.sf.geographiclib.Geodesic;
import net.sf.geographiclib.PolygonArea;

/**
 * Distances and areas on the WGS 84 ellipsoid, in metres.
 *
 * <p>A point of the unit sphere represents the point of the ellipsoid with the same longitude and
 * latitude: it is the ellipsoid's normal there. A distance is the length of the great elliptic arc:
 * the section of the ellipsoid by a plane through both points and the centre. Cosmos DB measures
 * this way, to 0.1 mm in its documented examples; a geodesic is shorter by some 40 parts in a
 * thousand million at 2,000 km. Edges are the great circles of the unit sphere.
 */
final class Wgs84 {
  private static final double EQUATOR = 6_378_137;
  private static final double POLE = EQUATOR * (1 - 1 / 298.257_223_563);

  /** The square of the ratio of the two; 1 minus it is the square of the eccentricity. */
  private static final double SQUEEZED = POLE * POLE / (EQUATOR * EQUATOR);

  /** Minimum length of a radian of the unit sphere, at any position and in any direction. */
  static final double LEAST_RADIAN = POLE * POLE / EQUATOR;

  /** Factor by which a distance on the sphere must exceed another to be longer here, too. */
  static final double SPREAD = 1.02;

  /** Up to this angle, the nearest point of an edge is about the same as on the sphere. */
  private static final double NEAR = 0.3;

  /** Maximum deviation from there, relative to the distance. */
  private static final double SHIFT = 0.02;

  /** Each round leaves two thirds of the interval of the nearest point. */
  private static final int ROUNDS = 40;

  /** Steps of an {@link dev.mayfly.query.limit.Interrupt} for the distance of two edges. */
  static final int STEPS = 16;

  /** Half of the Gauss-Legendre rule of eight nodes; the other half mirrors it. */
  private static final double[] PLACES = {
    0.183_434_642_495_649_8,
    0.525_532_409_916_329_0,
    0.796_666_477_413_626_7,
    0.960_289_856_497_536_3
  };

  private static final double[] WEIGHTS = {
    0.362_683_783_378_362_0,
    0.313_706_645_877_887_3,
    0.222_381_034_453_374_5,
    0.101_228_536_290_376_3
  };

  private Wgs84() {}

  /** Returns the distance between two points. */
  static double metres(S2Point from, S2Point to) {
    S2Point start = fromCentre(from);
    S2Point end = fromCentre(to);
    double angle = start.angle(end);
    S2Point normal = start.crossProd(end);
    double length = normal.norm();
    if (angle == 0 || length == 0) {
      return angle == 0 ? 0 : Math.PI / 2 * (EQUATOR + POLE);
    }
    // of the section: the sine of its slope against the equator, and its half axes
    double sine = Math.hypot(normal.getX(), normal.getY()) / length;
    double polar = 1 / Math.hypot((normal.getZ() / length) / EQUATOR, sine / POLE);
    double begin = sine == 0 ? 0 : fromEquator(start, normal, sine * length);
    double half = angle / 2;
    double sum = 0;
    for (int i = 0; i < PLACES.length; i++) {
      double offset = half * PLACES[i];
      sum += WEIGHTS[i] * speed(begin + half - offset, polar);
      sum += WEIGHTS[i] * speed(begin + half + offset, polar);
    }
    return sum * half;
  }

  /** Returns the direction of a point from the centre. */
  private static S2Point fromCentre(S2Point place) {
    return new S2Point(place.getX(), place.getY(), place.getZ() * SQUEEZED).normalize();
  }

  /** Returns the angle in the section from its northward crossing of the equator. */
  private static double fromEquator(S2Point start, S2Point normal, double slope) {
    S2Point node = new S2Point(-normal.getY() / slope, normal.getX() / slope, 0);
    S2Point summit = normal.normalize().crossProd(node);
    return Math.atan2(start.dotProd(summit), start.dotProd(node));
  }

  /** Metres per radian at an angle of an ellipse, seen from its centre. */
  private static double speed(double angle, double polar) {
    double x = Math.cos(angle) / EQUATOR;
    double y = Math.sin(angle) / polar;
    double inverse = x * x + y * y;
    double radius = 1 / Math.sqrt(inverse);
    double bent = Math.sin(2 * angle) * (1 / (polar * polar) - 1 / (EQUATOR * EQUATOR)) / 2;
    return radius * Math.hypot(1, bent / inverse);
  }

  /**
   * Returns the distance between two edges that do not cross; one of the nearest points is an end.
   */
  static double metres(S2Point a, S2Point b, S2Point c, S2Point d) {
    double fromFirst = Math.min(metres(a, c, d), metres(b, c, d));
    return Math.min(fromFirst, Math.min(metres(c, a, b), metres(d, a, b)));
  }

  /** Returns the distance from a point to the nearest point of an edge. */
  private static double metres(S2Point place, S2Point from, S2Point to) {
    return from.equalsPoint(to) ? metres(place, from) : metres(place, nearest(place, from, to));
  }

  /** Returns the point of an edge with the shortest straight line through the earth. */
  private static S2Point nearest(S2Point place, S2Point from, S2Point to) {
    S2Point target = inSpace(place);
    S2Point onSphere = S2EdgeUtil.getClosestPoint(place, from, to);
    double away = place.angle(onSphere);
    double reach = away > NEAR ? Math.PI : away * SHIFT;
    S2Point ahead = from.crossProd(to).crossProd(from).normalize();
    double at = from.angle(onSphere);
    double low = Math.max(0, at - reach);
    double high = Math.min(from.angle(to), at + reach);
    for (int i = 0; i < ROUNDS; i++) {
      double third = (high - low) / 3;
      double left = inSpace(along(from, ahead, low + third)).getDistance2(target);
      double right = inSpace(along(from, ahead, high - third)).getDistance2(target);
      if (left < right) {
        high -= third;
      } else {
        low += third;
      }
    }
    return along(from, ahead, (low + high) / 2);
  }

  private static S2Point along(S2Point from, S2Point ahead, double angle) {
    return from.mul(Math.cos(angle)).add(ahead.mul(Math.sin(angle)));
  }

  /** Returns the position of a point in space, in metres from the centre. */
  private static S2Point inSpace(S2Point place) {
    double z = place.getZ();
    double radius = EQUATOR / Math.sqrt(1 - (1 - SQUEEZED) * z * z);
    return new S2Point(place.getX() * radius, place.getY() * radius, z * radius * SQUEEZED);
  }

  /** Returns the area of a polygon whose edges are geodesics. */
  static double squareMetres(S2Polygon polygon) {
    double sum = 0;
    for (S2Loop loop : polygon.getLoops()) {
      sum += loop.sign() * squareMetres(loop);
    }
    return Math.max(sum, 0);
  }

  /** Returns the area to the left of a ring: on the sphere it is known which side that is. */
  private static double squareMetres(S2Loop ring) {
    PolygonArea area = new PolygonArea(Geodesic.WGS84, false);
    for (int i = 0; i < ring.numVertices(); i++) {
      S2LatLng vertex = new S2LatLng(ring.vertex(i));
      area.AddPoint(vertex.latDegrees(), vertex.lngDegrees());
    }
    double signed = area.Compute(false, true).area;
    double whole = Geodesic.WGS84.EllipsoidArea();
    double about = ring.getArea() / (4 * Math.PI) * whole;
    return Math.abs(signed + whole - about) < Math.abs(signed - about) ? signed + whole : signed;
  }
}
