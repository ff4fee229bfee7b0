package dev.mayfly.query.geo;

import com.google.common.geometry.S2LatLng;
import com.google.common.geometry.S2Region;
import com.google.common.geometry.S2RegionUnion;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * GeoJSON geometry on the sphere: points, geodesic lines, polygons.
 *
 * <p>Longitudes and latitudes are in degrees, distances in radians of the sphere, or in metres on
 * the WGS 84 ellipsoid.
 */
public final class Geometry {
  /** The types of GeoJSON. */
  public enum Kind {
    POINT("Point"),
    MULTI_POINT("MultiPoint"),
    LINE_STRING("LineString"),
    MULTI_LINE_STRING("MultiLineString"),
    POLYGON("Polygon"),
    MULTI_POLYGON("MultiPolygon"),
    GEOMETRY_COLLECTION("GeometryCollection");

    private final String type;

    Kind(String type) {
      this.type = type;
    }

    /** Returns the name of the type in GeoJSON. */
    public String type() {
      return type;
    }
  }

  private final Kind kind;
  private final List<GeometryPart> pieces;

  Geometry(Kind kind, List<? extends GeometryPart> pieces) {
    this.kind = kind;
    this.pieces = List.copyOf(pieces);
  }

  /**
   * Parses a GeoJSON object.
   *
   * @throws GeometryException if it is invalid
   */
  public static Geometry of(Value geoJson, Winding winding) {
    return new GeoJson(winding).geometry(geoJson);
  }

  /**
   * Returns a single point.
   *
   * @throws GeometryException if longitude or latitude are out of range
   */
  public static Geometry point(double longitude, double latitude) {
    return new Geometry(Kind.POINT, List.of(GeoJson.point(longitude, latitude)));
  }

  public Kind kind() {
    return kind;
  }

  List<GeometryPart> pieces() {
    return pieces;
  }

  /** Returns whether each part of the other is inside a part of this. */
  public boolean contains(Geometry other) {
    for (GeometryPart inner : other.pieces) {
      if (pieces.stream().noneMatch(outer -> outer.contains(inner))) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether the two share a point. */
  public boolean intersects(Geometry other) {
    for (GeometryPart mine : pieces) {
      for (GeometryPart theirs : other.pieces) {
        if (mine.intersects(theirs)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns the shortest distance between the two, in radians. */
  public double radiansTo(Geometry other) {
    double least = Math.PI;
    for (GeometryPart mine : pieces) {
      for (GeometryPart theirs : other.pieces) {
        least = Math.min(least, mine.radiansTo(theirs));
      }
    }
    return least;
  }

  /** Returns the shortest distance between the two on the WGS 84 ellipsoid. */
  public double metresTo(Geometry other) {
    double least = Double.POSITIVE_INFINITY;
    for (GeometryPart mine : pieces) {
      for (GeometryPart theirs : other.pieces) {
        least = Math.min(least, mine.metresTo(theirs));
      }
    }
    return least;
  }

  /** Returns an upper bound in radians for the distance of geometries within these metres. */
  public static double mostRadians(double metres) {
    return Math.min(metres / Wgs84.LEAST_RADIAN, Math.PI);
  }

  /** Returns the area of all polygons on the WGS 84 ellipsoid. */
  public double squareMetres() {
    double sum = 0;
    for (GeometryPart piece : pieces) {
      sum += piece instanceof AreaPart area ? Wgs84.squareMetres(area.polygon()) : 0;
    }
    return sum;
  }

  /** Returns the cells for an index, each once, in the order of their ids. */
  public List<Long> cells() {
    if (pieces.size() == 1) {
      return pieces.getFirst().keys();
    }
    TreeSet<Long> all = new TreeSet<>();
    pieces.forEach(piece -> all.addAll(piece.keys()));
    return List.copyOf(all);
  }

  /** Returns the longitude of the first vertex. */
  public double longitude() {
    return new S2LatLng(pieces.getFirst().start()).lngDegrees();
  }

  /** Returns the latitude of the first vertex. */
  public double latitude() {
    return new S2LatLng(pieces.getFirst().start()).latDegrees();
  }

  S2Region region() {
    List<S2Region> regions = new ArrayList<>();
    pieces.forEach(piece -> regions.add(piece.region()));
    return regions.size() == 1 ? regions.getFirst() : new S2RegionUnion(regions);
  }
}
