package dev.mayfly.query.geo;

import com.google.common.geometry.S2LatLng;
import com.google.common.geometry.S2Region;
import com.google.common.geometry.S2RegionUnion;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * A geometry of GeoJSON on the sphere: points, lines along shortest ways, areas.
 *
 * <p>Longitudes and latitudes are in degrees, distances in radians of the sphere, or in metres on
 * the WGS 84 ellipsoid.
 */
public final class Geometry {
  /** The names of the types that GeoJSON has. */
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

    /** As GeoJSON writes it. */
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
   * The geometry that an object of GeoJSON means.
   *
   * @throws GeometryException when it means none
   */
  public static Geometry of(Value geoJson, Winding winding) {
    return new GeoJson(winding).geometry(geoJson);
  }

  /**
   * A single point.
   *
   * @throws GeometryException when longitude or latitude are beyond what they can be
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

  /** True when each piece of the other lies in one of this. */
  public boolean contains(Geometry other) {
    for (GeometryPart inner : other.pieces) {
      if (pieces.stream().noneMatch(outer -> outer.contains(inner))) {
        return false;
      }
    }
    return true;
  }

  /** True when the two have a point in common. */
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

  /** The shortest way between the two. */
  public double radiansTo(Geometry other) {
    double least = Math.PI;
    for (GeometryPart mine : pieces) {
      for (GeometryPart theirs : other.pieces) {
        least = Math.min(least, mine.radiansTo(theirs));
      }
    }
    return least;
  }

  /** The shortest way between the two on the WGS 84 ellipsoid. */
  public double metresTo(Geometry other) {
    double least = Double.POSITIVE_INFINITY;
    for (GeometryPart mine : pieces) {
      for (GeometryPart theirs : other.pieces) {
        least = Math.min(least, mine.metresTo(theirs));
      }
    }
    return least;
  }

  /** As many radians as two geometries can be apart that {@link #metresTo} finds so near. */
  public static double mostRadians(double metres) {
    return Math.min(metres / Wgs84.LEAST_RADIAN, Math.PI);
  }

  /** How much of the WGS 84 ellipsoid the areas among the pieces are. */
  public double squareMetres() {
    double sum = 0;
    for (GeometryPart piece : pieces) {
      sum += piece instanceof AreaPart area ? Wgs84.squareMetres(area.polygon()) : 0;
    }
    return sum;
  }

  /** The cells that an index keeps it under, each once, in the order of their ids. */
  public List<Long> cells() {
    if (pieces.size() == 1) {
      return pieces.getFirst().keys();
    }
    TreeSet<Long> all = new TreeSet<>();
    pieces.forEach(piece -> all.addAll(piece.keys()));
    return List.copyOf(all);
  }

  /** The longitude of the first vertex. */
  public double longitude() {
    return new S2LatLng(pieces.getFirst().start()).lngDegrees();
  }

  /** The latitude of the first vertex. */
  public double latitude() {
    return new S2LatLng(pieces.getFirst().start()).latDegrees();
  }

  S2Region region() {
    List<S2Region> regions = new ArrayList<>();
    pieces.forEach(piece -> regions.add(piece.region()));
    return regions.size() == 1 ? regions.getFirst() : new S2RegionUnion(regions);
  }
}
