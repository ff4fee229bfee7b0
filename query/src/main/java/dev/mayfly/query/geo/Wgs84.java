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
 * <p>A point of the unit sphere stands for the place of the ellipsoid with the same longitude and
 * latitude: it is the ellipsoid's normal there. A distance is the length of the great elliptic arc:
 * the section of the ellipsoid by a plane through both places and the centre. That is how Cosmos DB
 * measures, to 0.1 mm in its documented examples; a geodesic is shorter by some 40 parts in a
 * thousand million at 2,000 km. Edges are the great circles of the unit sphere.
 */
final class Wgs84 {
  private static final double EQUATOR = 6_378_137;
  private static final double POLE = EQUATOR * (1 - 1 / 298.257_223_563);

  /** The square of the ratio of the two; 1 less it is the square of the eccentricity. */
  private static final double SQUEEZED = POLE * POLE / (EQUATOR * EQUATOR);

  /** A radian of the unit sphere is at least so long, whatever its place and direction. */
  static final double LEAST_RADIAN = POLE * POLE / EQUATOR;

  /** By how much more than another a distance on the sphere must be to be farther here, too. */
  static final double SPREAD = 1.02;

  /** Up to this angle, the nearest place of an edge is about where it is on the sphere. */
  private static final double NEAR = 0.3;

  /** How far away from there it may be, as a part of the distance. */
  private static final double SHIFT = 0.02;

  /** Each of them leaves two thirds of where the nearest place may be. */
  private static final int ROUNDS = 40;

  /** How many steps of an {@link dev.mayfly.query.Interrupt} the distance of two edges is. */
  static final int STEPS = 16;

  /** Half of the Gauss-Legendre rule of eight places; the other half mirrors it. */
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

  /** From a place to another. */
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

  /** The direction of a place as seen from the centre. */
  private static S2Point fromCentre(S2Point place) {
    return new S2Point(place.getX(), place.getY(), place.getZ() * SQUEEZED).normalize();
  }

  /** The angle in the section from where it crosses the equator northward. */
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

  /** Between two edges that do not cross; one of the nearest places is an end. */
  static double metres(S2Point a, S2Point b, S2Point c, S2Point d) {
    double fromFirst = Math.min(metres(a, c, d), metres(b, c, d));
    return Math.min(fromFirst, Math.min(metres(c, a, b), metres(d, a, b)));
  }

  /** From a place to the nearest one of an edge. */
  private static double metres(S2Point place, S2Point from, S2Point to) {
    return from.equalsPoint(to) ? metres(place, from) : metres(place, nearest(place, from, to));
  }

  /** The place of an edge to which a straight line through the earth is the shortest. */
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

  /** Where a place lies in space, in metres from the centre. */
  private static S2Point inSpace(S2Point place) {
    double z = place.getZ();
    double radius = EQUATOR / Math.sqrt(1 - (1 - SQUEEZED) * z * z);
    return new S2Point(place.getX() * radius, place.getY() * radius, z * radius * SQUEEZED);
  }

  /** The area of a polygon whose edges are geodesics. */
  static double squareMetres(S2Polygon polygon) {
    double sum = 0;
    for (S2Loop loop : polygon.getLoops()) {
      sum += loop.sign() * squareMetres(loop);
    }
    return Math.max(sum, 0);
  }

  /** What lies to the left of a ring: on the sphere it is known which side that is. */
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
