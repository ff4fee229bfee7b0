package dev.mayfly.query.geo;

import dev.mayfly.query.geo.GeometryException.Reason;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Geospatial condition on the locations in documents.
 *
 * <p>It has a form that can be stored: {@code is} names the kind of region, the other fields depend
 * on that. Regions are equal if their forms are.
 */
public final class Region {
  private static final String RINGS = "rings";
  private static final String LEFT = "left";

  private final Document form;
  private final Shape shape;
  private final Winding winding;

  private Region(Document form, Shape shape, Winding winding) {
    this.form = form;
    this.shape = shape;
    this.winding = winding;
  }

  /** Geometries completely inside a GeoJSON geometry. */
  public static Region within(Document geoJson) {
    return of(Document.writer().put("is", "within").put("geometry", geoJson).build());
  }

  /** Geometries that intersect a GeoJSON geometry. */
  public static Region touching(Document geoJson) {
    return of(Document.writer().put("is", "touching").put("geometry", geoJson).build());
  }

  /** Geometries completely within a distance of a point of the sphere. */
  public static Region cap(double longitude, double latitude, double radians) {
    return of(at("cap", longitude, latitude).put("to", radians).build());
  }

  /**
   * Returns the same region with polygons, its own and those tested, to the left of their rings.
   */
  public Region leftOfRings() {
    DocumentWriter writer = Document.writer();
    Fields fields = form.fields();
    while (fields.next()) {
      writer.put(fields.name(), fields.value());
    }
    return of(writer.put(RINGS, LEFT).build());
  }

  /** Geometries within a range of distances from a point of the sphere, both ends inclusive. */
  public static Region ring(
      double longitude, double latitude, double fromRadians, double toRadians) {
    return of(
        at("ring", longitude, latitude).put("from", fromRadians).put("to", toRadians).build());
  }

  /** Points of the plane in a rectangle. */
  public static Region box(double x1, double y1, double x2, double y2) {
    return of(corners("box", List.of(x1, y1, x2, y2)));
  }

  /** Points of the plane within a distance of a point. */
  public static Region disc(double x, double y, double radius) {
    return of(at("disc", x, y).put("to", radius).build());
  }

  /** Points of the plane within a range of distances from a point, both ends inclusive. */
  public static Region annulus(double x, double y, double from, double to) {
    return of(at("annulus", x, y).put("from", from).put("to", to).build());
  }

  /**
   * Points of the plane in a polygon.
   *
   * @param coordinates x and y of each vertex
   */
  public static Region polygon(List<Double> coordinates) {
    return of(corners("polygon", coordinates));
  }

  private static DocumentWriter at(String is, double x, double y) {
    return Document.writer()
        .put("is", is)
        .put("at", Value.array(List.of(Value.of(x), Value.of(y))));
  }

  private static Document corners(String is, List<Double> coordinates) {
    return Document.writer()
        .put("is", is)
        .put("corners", Value.array(coordinates.stream().map(Value::of).toList()))
        .build();
  }

  /**
   * Parses a stored form.
   *
   * @throws GeometryException if it is invalid
   */
  public static Region of(Document form) {
    Value is = form.field("is");
    String name = is.type() == Type.STRING ? is.asString() : "";
    Winding winding = form.field(RINGS).isMissing() ? Winding.SMALLER : Winding.LEFT;
    Shape shape =
        switch (name) {
          case "within" -> new Shape.Within(geometry(form, winding));
          case "touching" -> new Shape.Touching(geometry(form, winding));
          case "cap" -> new Shape.Cap(center(form), number(form, "to"));
          case "ring" -> new Shape.Ring(center(form), number(form, "from"), number(form, "to"));
          case "box" -> Shape.Box.of(coordinates(form));
          case "disc" -> new Shape.Annulus(at(form), 0, number(form, "to"));
          case "annulus" -> new Shape.Annulus(at(form), number(form, "from"), number(form, "to"));
          case "polygon" -> new Shape.Polygon(points(coordinates(form)));
          default -> throw new GeometryException(Reason.MALFORMED, "not the form of a region");
        };
    return new Region(form, shape, winding);
  }

  private static Geometry geometry(Document form, Winding winding) {
    return Geometry.of(form.field("geometry"), winding);
  }

  private static PlanePoint at(Document form) {
    return Location.pair(form.field("at"));
  }

  private static Geometry center(Document form) {
    PlanePoint at = at(form);
    return Geometry.point(at.x(), at.y());
  }

  private static double number(Document form, String name) {
    Value value = form.field(name);
    if (!value.isNumber()) {
      throw new GeometryException(Reason.MALFORMED, "not the form of a region");
    }
    return value.asDouble();
  }

  private static List<Double> coordinates(Document form) {
    List<Double> coordinates = new ArrayList<>();
    Value corners = form.field("corners");
    Fields each = (corners.isArray() ? corners.asDocument() : Document.EMPTY).fields();
    while (each.next()) {
      coordinates.add(each.value().asDouble());
    }
    if (coordinates.size() < 4 || coordinates.size() % 2 != 0) {
      throw new GeometryException(Reason.MALFORMED, "not the form of a region");
    }
    return coordinates;
  }

  private static List<PlanePoint> points(List<Double> coordinates) {
    List<PlanePoint> points = new ArrayList<>();
    for (int i = 0; i < coordinates.size(); i += 2) {
      points.add(new PlanePoint(coordinates.get(i), coordinates.get(i + 1)));
    }
    return points;
  }

  /** Returns whether the value is a location that satisfies the region. */
  public boolean holds(Value value) {
    Optional<Location> place = Location.find(value, winding);
    return place.isPresent() && shape.holds(place.get());
  }

  /** Returns the order by distance; a ring and an annulus have one. */
  public Optional<NearQuery> nearness() {
    return switch (shape) {
      case Shape.Ring ring -> {
        PlanePoint at = at(form);
        yield Optional.of(NearQuery.onSphere(at.x(), at.y(), ring.from(), ring.to()));
      }
      case Shape.Annulus(PlanePoint at, double from, double to)
          when form.field("is").asString().equals("annulus") ->
          Optional.of(NearQuery.onPlane(at.x(), at.y(), from, to));
      case Shape.Annulus _, Shape.Within _, Shape.Touching _, Shape.Cap _, Shape.Box _ ->
          Optional.empty();
      case Shape.Polygon _ -> Optional.empty();
    };
  }

  /** Returns the cells of everything in the region; empty if it is not on the sphere. */
  public Optional<List<CellRange>> cells() {
    return shape.cells();
  }

  /**
   * Returns a form that can be stored; {@link #of} reads it back, in this and every later version.
   */
  public Document form() {
    return form;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Region that && form.equals(that.form);
  }

  @Override
  public int hashCode() {
    return form.hashCode();
  }

  @Override
  public String toString() {
    return form.toString();
  }
}
