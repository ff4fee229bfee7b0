package dev.mayfly.mql.parser;

import static dev.mayfly.mql.parser.FilterParser.bad;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.query.Filter;
import dev.mayfly.query.ShellText;
import dev.mayfly.query.geo.Geometry;
import dev.mayfly.query.geo.GeometryException;
import dev.mayfly.query.geo.NearQuery;
import dev.mayfly.query.geo.Region;
import dev.mayfly.query.geo.Winding;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Parser of geospatial query operators. */
public final class GeoSyntax {
  /** Metres per radian on earth. */
  public static final double EARTH_METRES = 6_378_100;

  private GeoSyntax() {}

  /** {@code $geoWithin}: the shape contains the whole location. */
  static Filter within(FieldPath path, String name, Value value) {
    Fields shape = onlyField(name, value);
    String operator = shape.name();
    Value argument = shape.value();
    try {
      Region region =
          switch (operator) {
            case "$geometry" -> withinGeometry(name, argument);
            case "$box" -> box(argument);
            case "$polygon" -> polygon(argument);
            case "$center" -> center(operator, argument, false);
            case "$centerSphere" -> center(operator, argument, true);
            default -> throw bad("unknown geo specifier: " + ShellText.field(operator, argument));
          };
      return new Filter.Geo(path, region);
    } catch (GeometryException wrong) {
      throw bad(wrong.explanation());
    }
  }

  /** {@code $geoIntersects}: the location and the geometry share a point. */
  static Filter intersects(FieldPath path, String name, Value value) {
    Fields shape = onlyField(name, value);
    if (!shape.named("$geometry") || shape.type() != Type.OBJECT) {
      throw bad(name + " not supported with provided geometry: " + ShellText.of(value));
    }
    try {
      return new Filter.Geo(path, Region.touching(shape.value().asDocument()));
    } catch (GeometryException wrong) {
      throw bad(wrong.explanation());
    }
  }

  /**
   * {@code $near} and {@code $nearSphere}: a GeoJSON point with distances in metres, or a
   * coordinate pair with distances in radians or, on the plane, in its own units.
   *
   * @param context the sibling operators, which may contain the distances for a pair
   */
  static Filter near(FieldPath path, String name, Value value, Document context) {
    try {
      if (value.isDocument() && !value.asDocument().field("$geometry").isMissing()) {
        Document options = value.asDocument();
        return new Filter.Geo(
            path, metres(name, options.field("$geometry"), options, "$").region());
      }
      return new Filter.Geo(path, pair(name, value, context, name.equals("$nearSphere")).region());
    } catch (GeometryException wrong) {
      throw bad("invalid point in geo near query $geometry argument: " + wrong.explanation());
    }
  }

  /** Accepts a distance beside a coordinate pair, which {@link #near} reads. */
  static Filter distance(String name, Document context) {
    boolean near =
        !context.field("$near").isMissing()
            || !context.field("$nearSphere").isMissing()
            || !context.field("$geoNear").isMissing();
    if (!near) {
      throw bad("unknown operator: " + name);
    }
    return Filter.all();
  }

  /** Returns the unit of distances in a filter: metres, or 1. */
  public static double unit(Document filter) {
    return nearGeometry(filter) ? EARTH_METRES : 1;
  }

  private static boolean nearGeometry(Document syntax) {
    Fields fields = syntax.fields();
    while (fields.next()) {
      if (fields.value().isDocument() || fields.value().isArray()) {
        Document inner = fields.value().asDocument();
        boolean near = fields.named("$near") || fields.named("$nearSphere");
        if (near ? !inner.field("$geometry").isMissing() : nearGeometry(inner)) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Returns the condition that orders documents by distance, if the filter has one.
   *
   * @param filter a result of {@link FilterParser}
   */
  public static Optional<Filter.Geo> nearness(Filter filter) {
    for (Filter conjunct : filter.conjuncts()) {
      if (conjunct instanceof Filter.Geo geo && geo.region().nearness().isPresent()) {
        return Optional.of(geo);
      }
    }
    return Optional.empty();
  }

  /** Rejects {@code $near} where documents are only selected. */
  public static void refuseNearness(Filter filter) {
    if (nearness(filter).isPresent()) {
      throw new CommandException(
          ErrorCode.of(5626500),
          "$geoNear, $near, and $nearSphere are not allowed in this context");
    }
  }

  /** Rejects {@code $near} that does not order the whole result. */
  static void requireNearOnTop(Filter filter, int nears) {
    long onTop =
        filter.conjuncts().stream()
            .filter(Filter.Geo.class::isInstance)
            .map(Filter.Geo.class::cast)
            .filter(geo -> geo.region().nearness().isPresent())
            .count();
    if (onTop < nears) {
      throw bad("geo $near must be top-level expr");
    }
    if (onTop > 1) {
      throw bad("Too many geoNear expressions");
    }
  }

  /** Parses a query near a GeoJSON point. The prefix begins the names of the distance options. */
  public static NearQuery metres(String name, Value geometry, Document options, String prefix) {
    if (!geometry.isDocument()) {
      throw bad(name + " requires a point, given " + ShellText.of(geometry));
    }
    Geometry point = Geometry.of(geometry, Winding.SMALLER);
    if (point.kind() != Geometry.Kind.POINT) {
      throw bad(name + " requires geojson point, given " + ShellText.of(geometry));
    }
    List<Double> coordinates = numbers(geometry.asDocument().field("coordinates"), name);
    return NearQuery.onSphere(
        coordinates.get(0),
        coordinates.get(1),
        number(options, prefix + "minDistance", 0) / EARTH_METRES,
        number(options, prefix + "maxDistance", Double.MAX_VALUE) / EARTH_METRES);
  }

  private static NearQuery pair(String name, Value value, Document options, boolean sphere) {
    List<Double> point = numbers(value, name);
    if (point.size() < 2) {
      throw bad(name + " requires a point, given " + ShellText.of(value));
    }
    double third = point.size() > 2 ? point.get(2) : Double.MAX_VALUE;
    double from = number(options, "$minDistance", 0);
    double to = number(options, "$maxDistance", third);
    return sphere
        ? NearQuery.onSphere(point.get(0), point.get(1), from, to)
        : NearQuery.onPlane(point.get(0), point.get(1), from, to);
  }

  public static double number(Document options, String name, double standard) {
    Value value = options.field(name);
    if (value.isMissing()) {
      return standard;
    }
    if (!value.isNumber()) {
      throw bad(name.replace("$", "") + " must be a number");
    }
    if (!(value.asDouble() >= 0)) {
      throw bad(name.replace("$", "") + " must be non-negative");
    }
    return value.asDouble();
  }

  private static Fields onlyField(String name, Value value) {
    if (!value.isDocument()) {
      throw bad(name + " must be an object");
    }
    Fields fields = value.asDocument().fields();
    if (!fields.next()) {
      throw bad("geo query doesn't have any geometry");
    }
    return fields;
  }

  private static Region withinGeometry(String name, Value geometry) {
    if (geometry.isDocument()) {
      Geometry area = Geometry.of(geometry, Winding.SMALLER);
      boolean fits =
          area.kind() == Geometry.Kind.POLYGON || area.kind() == Geometry.Kind.MULTI_POLYGON;
      if (fits) {
        return Region.within(geometry.asDocument());
      }
    }
    throw bad(name + " not supported with provided geometry: " + ShellText.of(geometry));
  }

  private static Region box(Value corners) {
    List<Value> two = elements(corners, "$box");
    if (two.size() != 2) {
      throw bad("$box must have exactly two points");
    }
    List<Double> first = point(two.get(0), "$box");
    List<Double> second = point(two.get(1), "$box");
    return Region.box(first.get(0), first.get(1), second.get(0), second.get(1));
  }

  private static Region polygon(Value corners) {
    List<Double> coordinates = new ArrayList<>();
    for (Value corner : elements(corners, "$polygon")) {
      coordinates.addAll(point(corner, "$polygon"));
    }
    if (coordinates.size() < 6) {
      throw bad("Polygon must have at least 3 points");
    }
    return Region.polygon(coordinates);
  }

  private static Region center(String name, Value value, boolean sphere) {
    List<Value> parts = elements(value, name);
    if (parts.size() != 2 || !parts.get(1).isNumber()) {
      throw bad(name + " requires a point and a radius");
    }
    List<Double> center = point(parts.get(0), name);
    double radius = parts.get(1).asDouble();
    if (!(radius >= 0)) {
      throw bad("radius must be a non-negative number");
    }
    return sphere
        ? Region.cap(center.get(0), center.get(1), radius)
        : Region.disc(center.get(0), center.get(1), radius);
  }

  public static List<Double> point(Value value, String name) {
    List<Double> numbers = numbers(value, name);
    if (numbers.size() < 2) {
      throw bad("Point must only contain numeric elements");
    }
    return numbers.subList(0, 2);
  }

  private static List<Double> numbers(Value value, String name) {
    List<Double> numbers = new ArrayList<>();
    for (Value element : elements(value, name)) {
      if (!element.isNumber() || !element.isFinite()) {
        throw bad("Point must only contain numeric elements");
      }
      numbers.add(element.asDouble());
    }
    return numbers;
  }

  /** Returns the elements of an array, or the values of an object regardless of their names. */
  private static List<Value> elements(Value value, String name) {
    if (!value.isArray() && !value.isDocument()) {
      throw bad(name + " must be an array or object");
    }
    List<Value> elements = new ArrayList<>();
    Fields each = value.asDocument().fields();
    while (each.next()) {
      elements.add(each.value());
    }
    return elements;
  }
}
