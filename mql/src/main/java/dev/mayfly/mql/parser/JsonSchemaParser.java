package dev.mayfly.mql.parser;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.expression.TypeNames;
import dev.mayfly.query.Operator;
import dev.mayfly.query.Schema;
import dev.mayfly.query.TextPattern;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Order;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Parser of {@code $jsonSchema}: draft 4 with BSON types. */
public final class JsonSchemaParser {
  private static final Schema ANYTHING = new Schema.All(List.of());
  private static final Schema NOTHING = new Schema.Not(ANYTHING);
  private static final Set<String> NOT_SUPPORTED =
      Set.of("$ref", "$schema", "default", "definitions", "format", "id");
  private static final Map<String, Set<Type>> JSON_TYPES =
      Map.of(
          "object", EnumSet.of(Type.OBJECT),
          "array", EnumSet.of(Type.ARRAY),
          "number", EnumSet.of(Type.INT32, Type.INT64, Type.DOUBLE, Type.DECIMAL128),
          "string", EnumSet.of(Type.STRING),
          "boolean", EnumSet.of(Type.BOOLEAN),
          "null", EnumSet.of(Type.NULL));

  private final Document syntax;
  private final List<Schema> rules = new ArrayList<>();

  private JsonSchemaParser(Document syntax) {
    this.syntax = syntax;
  }

  /**
   * Parses a schema.
   *
   * @throws CommandException if a keyword is unknown or its argument is of the wrong kind
   */
  public static Schema parse(Document syntax) {
    return new JsonSchemaParser(syntax).all();
  }

  private Schema all() {
    if (has("type") && has("bsonType")) {
      throw failed("Cannot specify both $jsonSchema keywords 'type' and 'bsonType'");
    }
    Fields keywords = syntax.fields();
    while (keywords.next()) {
      keyword(keywords.name(), keywords.value());
    }
    addFields();
    addElements();
    return rules.size() == 1 ? rules.getFirst() : new Schema.All(rules);
  }

  private void keyword(String name, Value value) {
    switch (name) {
      case "type" -> rules.add(new Schema.OfType(jsonTypes(value)));
      case "bsonType" -> rules.add(new Schema.OfType(bsonTypes(value)));
      case "enum" -> rules.add(new Schema.OneOf(choices(value)));
      case "minimum" -> rules.add(bound(name, value, "exclusiveMinimum", Operator.GTE));
      case "maximum" -> rules.add(bound(name, value, "exclusiveMaximum", Operator.LTE));
      case "exclusiveMinimum" -> requireBound(name, value, "minimum");
      case "exclusiveMaximum" -> requireBound(name, value, "maximum");
      case "multipleOf" -> rules.add(multiple(name, value));
      case "minLength" -> rules.add(new Schema.Length(count(name, value), Long.MAX_VALUE));
      case "maxLength" -> rules.add(new Schema.Length(0, count(name, value)));
      case "pattern" -> rules.add(new Schema.Matching(Patterns.pattern(text(name, value), "")));
      case "minItems" -> rules.add(new Schema.Items(count(name, value), Long.MAX_VALUE));
      case "maxItems" -> rules.add(new Schema.Items(0, count(name, value)));
      case "uniqueItems" -> addUniqueItems(name, value);
      case "minProperties" -> rules.add(new Schema.Size(count(name, value), Long.MAX_VALUE));
      case "maxProperties" -> rules.add(new Schema.Size(0, count(name, value)));
      case "required" -> rules.add(new Schema.Required(names(name, value)));
      case "dependencies" -> addDependencies(name, value);
      case "allOf" -> rules.add(new Schema.All(schemas(name, value)));
      case "anyOf" -> rules.add(new Schema.Some(schemas(name, value), false));
      case "oneOf" -> rules.add(new Schema.Some(schemas(name, value), true));
      case "not" -> rules.add(new Schema.Not(parse(object(name, value))));
      case "title", "description" -> text(name, value);
      case "properties", "patternProperties", "additionalProperties" -> {
        // Read together: additionalProperties depends on the other two.
      }
      case "items", "additionalItems" -> {
        // Read together, for the same reason.
      }
      default -> throw unknown(name);
    }
  }

  private static CommandException unknown(String name) {
    return NOT_SUPPORTED.contains(name)
        ? failed("$jsonSchema keyword '" + name + "' is not currently supported")
        : failed("Unknown $jsonSchema keyword: " + name);
  }

  private static Set<Type> jsonTypes(Value value) {
    Set<Type> types = EnumSet.noneOf(Type.class);
    for (String name : aliases("type", value)) {
      if (name.equals("integer")) {
        throw failed("$jsonSchema type 'integer' is not currently supported.");
      }
      Set<Type> known = JSON_TYPES.get(name);
      if (known == null) {
        throw new CommandException(ErrorCode.BAD_VALUE, "Unknown type name alias: " + name);
      }
      types.addAll(known);
    }
    return types;
  }

  private static Set<Type> bsonTypes(Value value) {
    Set<Type> types = EnumSet.noneOf(Type.class);
    aliases("bsonType", value).forEach(name -> TypeSets.addNamed(name, types));
    return types;
  }

  private static List<String> aliases(String keyword, Value value) {
    if (value.type() == Type.STRING) {
      return List.of(value.asString());
    }
    if (!value.isArray()) {
      throw wrong(
          "$jsonSchema keyword '" + keyword + "' must be either a string or an array of strings");
    }
    List<String> names = new ArrayList<>();
    Fields elements = value.asDocument().fields();
    while (elements.next()) {
      if (elements.type() != Type.STRING) {
        throw wrong("$jsonSchema keyword '" + keyword + "' array elements must be strings");
      }
      if (names.contains(elements.value().asString())) {
        throw failed(
            "$jsonSchema keyword '"
                + keyword
                + "' has duplicate value: "
                + elements.value().asString());
      }
      names.add(elements.value().asString());
    }
    if (names.isEmpty()) {
      throw failed("$jsonSchema keyword '" + keyword + "' must name at least one type");
    }
    return names;
  }

  private static List<Value> choices(Value value) {
    if (!value.isArray()) {
      throw wrong(
          "$jsonSchema keyword 'enum' must be an array, but found an element of type "
              + name(value));
    }
    List<Value> values = elements(value);
    if (values.isEmpty()) {
      throw failed("$jsonSchema keyword 'enum' cannot be an empty array");
    }
    Set<Value> different = new TreeSet<>(Order.MONGO);
    different.addAll(values);
    if (different.size() < values.size()) {
      throw failed("$jsonSchema keyword 'enum' array cannot contain duplicate values.");
    }
    return values;
  }

  private Schema bound(String name, Value value, String exclusive, Operator operator) {
    if (!value.isNumber()) {
      throw wrong("$jsonSchema keyword '" + name + "' must be a number");
    }
    boolean open = has(exclusive) && flag(exclusive, syntax.field(exclusive));
    Operator strict = operator == Operator.GTE ? Operator.GT : Operator.LT;
    return new Schema.Bound(open ? strict : operator, value);
  }

  private void requireBound(String name, Value value, String bound) {
    flag(name, value);
    if (!has(bound)) {
      throw failed(
          "$jsonSchema keyword '" + bound + "' must be a present if " + name + " is present");
    }
  }

  private static Schema multiple(String name, Value value) {
    if (!value.isNumber()) {
      throw wrong("$jsonSchema keyword '" + name + "' must be a number");
    }
    if (!value.isFinite() || value.asDecimal().signum() <= 0) {
      throw failed("$jsonSchema keyword '" + name + "' must have a positive value");
    }
    return new Schema.MultipleOf(value.asDecimal());
  }

  private void addUniqueItems(String name, Value value) {
    if (flag(name, value)) {
      rules.add(new Schema.UniqueItems());
    }
  }

  private void addDependencies(String name, Value value) {
    Fields dependencies = object(name, value).fields();
    while (dependencies.next()) {
      String field = dependencies.name();
      Value then = dependencies.value();
      rules.add(
          new Schema.Dependent(
              field,
              then.isArray()
                  ? new Schema.Required(names(name + "." + field, then))
                  : parse(object(name + "." + field, then))));
    }
  }

  private void addFields() {
    if (!has("properties") && !has("patternProperties") && !has("additionalProperties")) {
      return;
    }
    Map<TextPattern, Schema> patterns = new LinkedHashMap<>();
    named("patternProperties")
        .forEach((pattern, schema) -> patterns.put(Patterns.pattern(pattern, ""), schema));
    rules.add(new Schema.Properties(named("properties"), patterns, rest("additionalProperties")));
  }

  private Map<String, Schema> named(String keyword) {
    Map<String, Schema> schemas = new LinkedHashMap<>();
    if (has(keyword)) {
      Fields fields = object(keyword, syntax.field(keyword)).fields();
      while (fields.next()) {
        String path = keyword + "." + fields.name();
        schemas.put(fields.name(), parse(object(path, fields.value())));
      }
    }
    return schemas;
  }

  private void addElements() {
    Value items = syntax.field("items");
    Schema additional = rest("additionalItems");
    if (items.isArray()) {
      rules.add(new Schema.Elements(schemas("items", items), additional));
    } else if (!items.isMissing()) {
      rules.add(new Schema.Elements(List.of(), parse(object("items", items))));
    }
  }

  /** Parses the schema for members that no other keyword covers. */
  private Schema rest(String keyword) {
    Value rest = syntax.field(keyword);
    return switch (rest.type()) {
      case MISSING -> ANYTHING;
      case BOOLEAN -> rest.asBoolean() ? ANYTHING : NOTHING;
      case OBJECT -> parse(rest.asDocument());
      default ->
          throw wrong(
              "$jsonSchema keyword '" + keyword + "' must be either an object or a boolean");
    };
  }

  private static List<Schema> schemas(String name, Value value) {
    if (!value.isArray()) {
      throw wrong("$jsonSchema keyword '" + name + "' must be an array");
    }
    List<Schema> schemas =
        elements(value).stream().map(element -> parse(object(name, element))).toList();
    if (schemas.isEmpty() && !name.equals("items")) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "$jsonSchema keyword '" + name + "' must be a non-empty array");
    }
    return schemas;
  }

  private static List<String> names(String keyword, Value value) {
    if (!value.isArray()) {
      throw wrong(
          "$jsonSchema keyword '"
              + keyword
              + "' must be an array, but found an element of"
              + " type "
              + name(value));
    }
    List<String> names = new ArrayList<>();
    for (Value element : elements(value)) {
      if (element.type() != Type.STRING) {
        throw wrong(
            "$jsonSchema keyword '"
                + keyword
                + "' must be an array of strings, but found an element of type: "
                + name(element));
      }
      String name = element.asString();
      if (names.contains(name)) {
        throw failed("$jsonSchema keyword '" + keyword + "' array cannot contain duplicate values");
      }
      names.add(name);
    }
    if (names.isEmpty()) {
      throw failed("$jsonSchema keyword '" + keyword + "' cannot be an empty array");
    }
    return names;
  }

  private static List<Value> elements(Value array) {
    List<Value> values = new ArrayList<>();
    Fields elements = array.asDocument().fields();
    while (elements.next()) {
      values.add(elements.value());
    }
    return values;
  }

  private static long count(String name, Value value) {
    return Integers.nonNegative(name, value, ErrorCode.FAILED_TO_PARSE, "");
  }

  private static boolean flag(String name, Value value) {
    if (value.type() != Type.BOOLEAN) {
      throw wrong("$jsonSchema keyword '" + name + "' must be a boolean");
    }
    return value.asBoolean();
  }

  private static String text(String name, Value value) {
    if (value.type() != Type.STRING) {
      throw wrong("$jsonSchema keyword '" + name + "' must be of type string");
    }
    return value.asString();
  }

  private static Document object(String name, Value value) {
    if (!value.isDocument()) {
      throw wrong("$jsonSchema keyword '" + name + "' must be an object");
    }
    return value.asDocument();
  }

  private boolean has(String keyword) {
    return !syntax.field(keyword).isMissing();
  }

  private static String name(Value value) {
    return TypeNames.of(value.type());
  }

  private static CommandException wrong(String message) {
    return new CommandException(ErrorCode.TYPE_MISMATCH, message);
  }

  private static CommandException failed(String message) {
    return new CommandException(ErrorCode.FAILED_TO_PARSE, message);
  }
}
