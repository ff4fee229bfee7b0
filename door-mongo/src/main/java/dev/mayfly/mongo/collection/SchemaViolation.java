package dev.mayfly.mongo.collection;

import dev.mayfly.mql.expression.TypeNames;
import dev.mayfly.mql.parser.JsonSchemaParser;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Order;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Details of a failed {@code $jsonSchema} validation: the keywords that a document does not
 * satisfy.
 */
final class SchemaViolation {
  /** Keywords that are evaluated together with a second keyword, and that keyword. */
  private static final Map<String, String> COMPANIONS =
      Map.of(
          "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "items", "additionalItems");

  private static final Set<String> NO_RULES =
      Set.of("title", "description", "exclusiveMinimum", "exclusiveMaximum", "additionalItems");

  private static final Map<String, String> REASONS =
      Map.ofEntries(
          Map.entry("bsonType", "type did not match"),
          Map.entry("type", "type did not match"),
          Map.entry("enum", "value was not found in enum"),
          Map.entry("minimum", "comparison failed"),
          Map.entry("maximum", "comparison failed"),
          Map.entry("minLength", "specified string length was not satisfied"),
          Map.entry("maxLength", "specified string length was not satisfied"),
          Map.entry("pattern", "regular expression did not match"),
          Map.entry("minItems", "array did not match specified length"),
          Map.entry("maxItems", "array did not match specified length"),
          Map.entry("uniqueItems", "found a duplicate item"),
          Map.entry("minProperties", "specified number of properties was not satisfied"),
          Map.entry("maxProperties", "specified number of properties was not satisfied"),
          Map.entry("multipleOf", "considered value is not a multiple of the specified value"));

  private SchemaViolation() {}

  static Document of(Document schema, Document document) {
    return described(Document.writer().put("operatorName", "$jsonSchema"), schema)
        .put("schemaRulesNotSatisfied", rules(schema, Value.of(document)))
        .build();
  }

  private static DocumentWriter described(DocumentWriter details, Document schema) {
    return details
        .put("title", schema.field("title"))
        .put("description", schema.field("description"));
  }

  private static Value rules(Document schema, Value value) {
    List<Value> broken = new ArrayList<>();
    Fields keywords = schema.fields();
    while (keywords.next()) {
      String keyword = keywords.name();
      boolean needsDocument = keyword.equals("properties") || keyword.equals("patternProperties");
      if (!NO_RULES.contains(keyword) && !(needsDocument && !value.isDocument())) {
        rule(schema, keyword, keywords.value(), value, broken);
      }
    }
    return Value.array(broken);
  }

  private static void rule(
      Document schema, String keyword, Value argument, Value value, List<Value> broken) {
    Document alone = alone(schema, keyword);
    if (JsonSchemaParser.parse(alone).conforms(value)) {
      return;
    }
    DocumentWriter details = Document.writer().put("operatorName", keyword);
    switch (keyword) {
      case "properties" -> details.put("propertiesNotSatisfied", properties(argument, value));
      case "required" ->
          details
              .put("specifiedAs", specified(keyword, argument))
              .put("missingProperties", missing(argument, value));
      case "additionalProperties" ->
          details
              .put("specifiedAs", specified(keyword, argument))
              .put("additionalProperties", additional(schema, value));
      default -> considered(details, keyword, argument, value);
    }
    broken.add(Value.of(details.build()));
  }

  /**
   * Returns a schema with this keyword, and with the keywords that are evaluated together with it.
   */
  private static Document alone(Document schema, String keyword) {
    DocumentWriter alone = Document.writer().put(keyword, schema.field(keyword));
    if (keyword.equals("additionalProperties")) {
      alone.put("properties", open(schema.field("properties")));
      alone.put("patternProperties", open(schema.field("patternProperties")));
    }
    String companion = COMPANIONS.get(keyword);
    if (companion != null) {
      alone.put(companion, schema.field(companion));
    }
    return alone.build();
  }

  /** Returns the same property names, with schemas that accept everything. */
  private static Value open(Value properties) {
    if (properties.isMissing()) {
      return properties;
    }
    DocumentWriter open = Document.writer();
    Fields fields = properties.asDocument().fields();
    while (fields.next()) {
      open.put(fields.name(), Document.EMPTY);
    }
    return Value.of(open.build());
  }

  private static Document specified(String keyword, Value argument) {
    return Document.writer().put(keyword, argument).build();
  }

  private static void considered(
      DocumentWriter details, String keyword, Value argument, Value value) {
    details
        .put("specifiedAs", specified(keyword, argument))
        .put("reason", REASONS.getOrDefault(keyword, "schema did not match"))
        .put("consideredValue", value);
    if (keyword.equals("bsonType") || keyword.equals("type")) {
      details.put("consideredType", TypeNames.of(value.type()));
    }
    if (keyword.equals("uniqueItems")) {
      details.put("duplicatedValue", duplicated(value));
    }
  }

  /** Returns the first element that occurs earlier in the array, or missing if all are distinct. */
  private static Value duplicated(Value array) {
    List<Value> before = new ArrayList<>();
    Fields elements = array.isArray() ? array.asDocument().fields() : Document.EMPTY.fields();
    while (elements.next()) {
      Value element = elements.value();
      if (before.stream().anyMatch(one -> Order.MONGO.compare(one, element) == 0)) {
        return element;
      }
      before.add(element);
    }
    return Value.MISSING;
  }

  private static Value properties(Value schemas, Value value) {
    List<Value> broken = new ArrayList<>();
    Fields fields = schemas.asDocument().fields();
    while (fields.next()) {
      Value property = value.asDocument().field(fields.name());
      Document schema = fields.value().asDocument();
      if (!property.isMissing() && !JsonSchemaParser.parse(schema).conforms(property)) {
        broken.add(
            Value.of(
                described(Document.writer().put("propertyName", fields.name()), schema)
                    .put("details", rules(schema, property))
                    .build()));
      }
    }
    return Value.array(broken);
  }

  private static Value missing(Value names, Value value) {
    List<Value> missing = new ArrayList<>();
    Fields required = names.asDocument().fields();
    while (required.next()) {
      if (value.asDocument().field(required.value().asString()).isMissing()) {
        missing.add(required.value());
      }
    }
    return Value.array(missing);
  }

  private static Value additional(Document schema, Value value) {
    List<Value> additional = new ArrayList<>();
    Document alone = alone(schema, "additionalProperties");
    Fields fields = value.asDocument().fields();
    while (fields.next()) {
      Document one = Document.writer().put(fields).build();
      if (!JsonSchemaParser.parse(alone).conforms(Value.of(one))) {
        additional.add(Value.of(fields.name()));
      }
    }
    return Value.array(additional);
  }
}
