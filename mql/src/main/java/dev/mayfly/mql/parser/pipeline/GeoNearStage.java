package dev.mayfly.mql.parser.pipeline;

import dev.mayfly.mql.parser.FilterParser;
import dev.mayfly.mql.parser.GeoSyntax;
import dev.mayfly.mql.parser.Syntax;
import dev.mayfly.mql.pipeline.DistanceRows;
import dev.mayfly.mql.pipeline.Stage;
import dev.mayfly.query.Filter;
import dev.mayfly.query.geo.GeometryException;
import dev.mayfly.query.geo.NearQuery;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Parser of {@code $geoNear}: the documents of a collection, nearest first.
 *
 * <p>It becomes a condition that orders by distance, and a stage that adds the distance to each
 * document.
 */
public final class GeoNearStage {
  private static final String NAME = "$geoNear";
  private static final String KEY = "key";

  private static final Set<String> FIELDS =
      Set.of(
          "near",
          "distanceField",
          "spherical",
          "maxDistance",
          "minDistance",
          "query",
          "distanceMultiplier",
          "includeLocs",
          KEY);

  private GeoNearStage() {}

  /** Returns whether the pipeline begins with {@code $geoNear}. */
  public static boolean begins(List<Document> stages) {
    return !stages.isEmpty() && !stages.getFirst().field(NAME).isMissing();
  }

  /** Returns whether the pipeline begins with {@code $geoNear} without a {@code key}. */
  public static boolean lacksKey(List<Document> stages) {
    Value specification = begins(stages) ? stages.getFirst().field(NAME) : Value.MISSING;
    return specification.isDocument() && specification.asDocument().field(KEY).isMissing();
  }

  /** Returns the same stages, with {@code key} set in the first one. */
  public static List<Document> withKey(List<Document> stages, String path) {
    DocumentWriter specification = Document.writer();
    specification.putAll(stages.getFirst().field(NAME).asDocument());
    List<Document> all = new ArrayList<>(stages);
    all.set(0, Document.writer().put(NAME, specification.put(KEY, path).build()).build());
    return all;
  }

  /** Returns the factor by which a leading {@code $geoNear} multiplies distances; 1 without one. */
  public static double unit(List<Document> stages) {
    Value specification = begins(stages) ? stages.getFirst().field(NAME) : Value.MISSING;
    return specification.isDocument()
        ? unit(specification.asDocument(), metres(specification.asDocument()))
        : 1;
  }

  private static boolean metres(Document options) {
    return options.field("near").isDocument() && isGeoJson(options.field("near"));
  }

  static List<Stage> parse(Value specification, Syntax syntax) {
    Document options =
        Syntax.object(
            specification, 10065, "invalid parameter: expected an object ($geoNear), is ");
    requireKnown(options);
    FieldPath path = Syntax.path(text(options, KEY, 5591600, "$geoNear parameter 'key' must be"));
    FieldPath into =
        Syntax.path(
            text(options, "distanceField", 16606, "$geoNear requires that 'distanceField' is"));
    boolean metres = metres(options);
    NearQuery near = near(options, metres);
    Filter place = new Filter.Geo(path, near.region());
    return List.of(
        new Stage.Match(Filter.and(List.of(place, query(options, syntax)))),
        new DistanceRows(path, near, unit(options, metres), into, places(options)).stage());
  }

  private static void requireKnown(Document options) {
    Fields fields = options.fields();
    while (fields.next()) {
      if (!FIELDS.contains(fields.name())) {
        throw Syntax.failure(
            40415, "BSON field '$geoNear." + fields.name() + "' is an unknown field.");
      }
    }
    if (options.field("near").isMissing()) {
      throw Syntax.failure(5860400, "$geoNear requires a 'near' argument");
    }
  }

  private static String text(Document options, String name, int code, String what) {
    return Syntax.text(options.field(name), code, what + " a string, found: ");
  }

  private static boolean isGeoJson(Value near) {
    return near.asDocument().field("type").type() == Type.STRING;
  }

  private static NearQuery near(Document options, boolean metres) {
    Value near = options.field("near");
    try {
      if (metres) {
        return GeoSyntax.metres(NAME, near, options, "");
      }
      boolean sphere = flag(options, "spherical");
      double from = GeoSyntax.number(options, "minDistance", 0);
      double to = GeoSyntax.number(options, "maxDistance", Double.MAX_VALUE);
      List<Double> point = GeoSyntax.point(near, NAME);
      return sphere
          ? NearQuery.onSphere(point.get(0), point.get(1), from, to)
          : NearQuery.onPlane(point.get(0), point.get(1), from, to);
    } catch (GeometryException wrong) {
      throw FilterParser.bad("$geoNear near argument is invalid: " + wrong.explanation());
    }
  }

  private static double unit(Document options, boolean metres) {
    double multiplier = GeoSyntax.number(options, "distanceMultiplier", 1);
    return metres ? GeoSyntax.EARTH_METRES * multiplier : multiplier;
  }

  private static Filter query(Document options, Syntax syntax) {
    Value query = options.field("query");
    if (query.isMissing()) {
      return Filter.all();
    }
    Filter filter =
        syntax.filter(Syntax.object(query, 10065, "'$geoNear.query' must be an object, found: "));
    if (GeoSyntax.nearness(filter).isPresent()) {
      throw Syntax.failure(
          4752300, "$near is not allowed inside of a $geoNear aggregation stage query");
    }
    return filter;
  }

  private static Optional<FieldPath> places(Document options) {
    return options.field("includeLocs").isMissing()
        ? Optional.empty()
        : Optional.of(
            Syntax.path(
                text(options, "includeLocs", 16607, "$geoNear requires that 'includeLocs' is")));
  }

  private static boolean flag(Document options, String name) {
    Value value = options.field(name);
    return value.type() == Type.BOOLEAN
        ? value.asBoolean()
        : value.isNumber() && value.asDouble() != 0;
  }
}
