package dev.mayfly.cosmos.container;

import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * Validates spatial indexes and the geospatial type of a container: Geography (on the earth) or
 * Geometry (on a plane within a bounding box).
 */
public final class SpatialPolicies {
  private static final String INDEXES = "spatialIndexes";
  private static final String TYPES = "types";
  private static final String BOX = "boundingBox";
  private static final String GEOMETRY = "Geometry";
  private static final String GEOGRAPHY = "Geography";

  /** Types of every index, whichever of them a client names. */
  private static final List<Value> ALL_TYPES =
      List.of("Point", "LineString", "Polygon", "MultiPolygon").stream().map(Value::of).toList();

  private SpatialPolicies() {}

  /**
   * Validates the spatial policies of a new definition.
   *
   * @param body of the request
   * @throws CosmosException 400
   */
  public static void check(Document body) {
    boolean flat = isFlat(Elements.object(body.field("geospatialConfig"), "geospatialConfig"));
    Document policy = Elements.object(body.field("indexingPolicy"), "indexingPolicy");
    for (Value index : Elements.of(policy, INDEXES)) {
      Document form = Elements.object(index, INDEXES);
      String path = form.field("path").type() == Type.STRING ? form.field("path").asString() : "";
      checkTypes(Elements.of(form, TYPES), path);
      checkBox(Elements.object(form.field(BOX), BOX), flat, path);
    }
  }

  private static boolean isFlat(Document config) {
    Value type = config.field("type");
    if (Elements.absent(type)) {
      return false;
    }
    String word = type.type() == Type.STRING ? type.asString() : type.toString();
    if (!word.equalsIgnoreCase(GEOMETRY) && !word.equalsIgnoreCase(GEOGRAPHY)) {
      throw CosmosException.wrong(
          "The geospatial type '" + word + "' is neither Geography nor Geometry.");
    }
    return word.equalsIgnoreCase(GEOMETRY);
  }

  private static void checkTypes(List<Value> types, String path) {
    if (types.isEmpty()) {
      throw CosmosException.wrong(
          "The spatial data types array cannot be empty. Assign at least one spatial type for the"
              + " 'types' array for the path '"
              + path
              + "'");
    }
  }

  private static void checkBox(Document box, boolean flat, String path) {
    if (!flat && !box.isEmpty()) {
      throw CosmosException.wrong(
          "Incorrect parameter 'boundingBox' specified for 'Geography' collection");
    }
    if (flat && box.isEmpty()) {
      throw CosmosException.wrong(
          "Required parameter 'boundingBox' for 'Geometry' collection is missing in spatial path '"
              + path
              + "'");
    }
    if (flat) {
      checkSides(box, "xmin", "xmax", path);
      checkSides(box, "ymin", "ymax", path);
    }
  }

  private static void checkSides(Document box, String low, String high, String path) {
    if (side(box, high, path) <= side(box, low, path)) {
      throw CosmosException.wrong(
          "The value of parameter '%s' must be greater than the value of parameter '%s' in"
                  .formatted(high, low)
              + " 'boundingBox' for spatial path '"
              + path
              + "'");
    }
  }

  private static double side(Document box, String name, String path) {
    Value side = box.field(name);
    if (!side.isNumber()) {
      throw CosmosException.wrong(
          "The value of parameter '%s' in 'boundingBox' for spatial path '%s' must be a number."
              .formatted(name, path));
    }
    return side.asDouble();
  }

  /** Whether a word is a type of a spatial index. */
  static boolean isType(String word) {
    return ALL_TYPES.stream().anyMatch(type -> type.asString().equalsIgnoreCase(word));
  }

  /** Returns the indexes in JSON, each with all types. */
  static Value withAllTypes(Value indexes) {
    List<Value> completed = new ArrayList<>();
    Fields elements = indexes.asDocument().fields();
    while (elements.next()) {
      Value index = elements.value();
      completed.add(index.isDocument() ? Value.of(withAllTypes(index.asDocument())) : index);
    }
    return Value.array(completed);
  }

  private static Document withAllTypes(Document index) {
    DocumentWriter writer = Document.writer();
    Fields fields = index.fields();
    while (fields.next()) {
      if (!fields.name().equals(TYPES)) {
        writer.put(fields);
      }
    }
    return writer.put(TYPES, Value.array(ALL_TYPES)).build();
  }
}
