package dev.mayfly.mql.function;

import dev.mayfly.mql.expression.Elements;
import dev.mayfly.mql.expression.Operands;
import dev.mayfly.mql.expression.Truthiness;
import dev.mayfly.mql.expression.TypeNames;
import dev.mayfly.query.Intermediate;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Object functions: merge, conversion to arrays and back, fields by name. */
public final class ObjectFunctions {
  private ObjectFunctions() {}

  /** Returns the fields of all objects: the last value of a field wins, at its first position. */
  public static Value merge(Value[] objects) {
    Map<String, Value> merged = new LinkedHashMap<>();
    for (Value object : objects) {
      if (!Truthiness.nullish(object)) {
        collect(object, merged);
      }
    }
    return object(merged);
  }

  /** Merges all objects of the array, like {@link #merge}. */
  public static Value mergeAll(Value array) {
    return merge(Elements.list(array).toArray(Value[]::new));
  }

  /** Returns an array of {@code {k: name, v: value}}. */
  public static Value toArray(Value object) {
    if (!object.isDocument()) {
      throw Operands.wrongType(
          40390, "{} requires a document input, found: " + Operands.typeName(object));
    }
    DocumentWriter pairs = Intermediate.writer();
    Fields each = object.asDocument().fields();
    while (each.next()) {
      pairs.startDocument().put("k", each.name()).put("v", each.value()).end();
    }
    return Value.array(pairs.build());
  }

  /**
   * Returns the object of an array of pairs: all arrays of two, or all {@code {k: name, v: value}}.
   */
  public static Value fromArray(Value array) {
    Operands.requireArray(array, 40386, "{} requires an array input, found: ");
    List<Value> elements = Elements.list(array);
    Map<String, Value> fields = new LinkedHashMap<>();
    if (elements.isEmpty()) {
      return object(fields);
    }
    Type form = elements.getFirst().type();
    if (form != Type.ARRAY && form != Type.OBJECT) {
      throw Operands.wrongType(
          40398, "Unrecognised input type format for {}: " + TypeNames.of(form));
    }
    for (Value element : elements) {
      if (form == Type.ARRAY) {
        putPair(element, fields);
      } else {
        putNamed(element, fields);
      }
    }
    return object(fields);
  }

  /** Returns the field with exactly this name of an object; null for null, missing for all else. */
  public static Value field(Value name, Value object) {
    String wanted = requireName(name);
    if (object.isDocument()) {
      return object.asDocument().field(wanted);
    }
    return Truthiness.nullish(object) && !object.isMissing() ? Value.NULL : Value.MISSING;
  }

  /**
   * Returns the object with the field of exactly this name set, or removed if the value is missing.
   */
  public static Value withField(Value name, Value object, Value value) {
    String wanted = requireName(name);
    if (Truthiness.nullish(object)) {
      return Value.NULL;
    }
    if (!object.isDocument()) {
      throw Operands.wrongType(
          4161105,
          "{} requires 'input' to evaluate to type Object, but got " + Operands.typeName(object));
    }
    DocumentWriter changed = Intermediate.writer();
    boolean found = false;
    Fields each = object.asDocument().fields();
    while (each.next()) {
      if (each.named(wanted)) {
        changed.put(wanted, found ? Value.MISSING : value);
        found = true;
      } else {
        changed.put(each);
      }
    }
    return Value.of((found ? changed : changed.put(wanted, value)).build());
  }

  /** Returns the size of an object in bytes. */
  public static Value size(Value object) {
    if (!object.isDocument()) {
      throw Operands.wrongType(
          31393, "{} requires a document input, found: " + Operands.typeName(object));
    }
    return Value.of(object.length());
  }

  /** Returns the size of a string or binary in bytes. */
  public static Value binarySize(Value value) {
    return switch (value.type()) {
      case STRING -> Value.of(value.length() - 5);
      case BINARY -> Value.of(value.asBinary().length);
      default ->
          throw Operands.wrongType(
              51276,
              "{} requires a string or BinData argument, found: " + Operands.typeName(value));
    };
  }

  public static void collect(Value object, Map<String, Value> merged) {
    if (!object.isDocument()) {
      throw Operands.wrongType(
          40400,
          "{} requires object inputs, but input "
              + object
              + " is of type "
              + Operands.typeName(object));
    }
    Fields each = object.asDocument().fields();
    while (each.next()) {
      merged.put(each.name(), each.value());
    }
  }

  public static Value object(Map<String, Value> fields) {
    DocumentWriter object = Intermediate.writer();
    fields.forEach(object::put);
    return Value.of(object.build());
  }

  private static void putPair(Value element, Map<String, Value> fields) {
    Operands.requireArray(
        element,
        40396,
        "{} requires a consistent input format. Elements must all be arrays or all be objects."
            + " Array was detected, now found: ");
    List<Value> pair = Elements.list(element);
    if (pair.size() != 2) {
      throw Operands.badValue(
          40397, "{} requires an array of size 2 arrays, found array of size: " + pair.size());
    }
    String name =
        Operands.requireString(
            pair.getFirst(),
            40395,
            "{} requires an array of key-value pairs, where the key must be of type string."
                + " Found key type: ");
    fields.put(requireNoNul(name, 4940400), pair.getLast());
  }

  private static void putNamed(Value element, Map<String, Value> fields) {
    if (!element.isDocument()) {
      throw Operands.wrongType(
          40391,
          "{} requires a consistent input format. Elements must all be arrays or all be objects."
              + " Object was detected, now found: "
              + Operands.typeName(element));
    }
    int size = Elements.count(element);
    if (size != 2) {
      throw Operands.badValue(
          40392,
          "{} requires an object keys of 'k' and 'v'. Found incorrect number of keys:" + size);
    }
    Value name = element.asDocument().field("k");
    Value value = element.asDocument().field("v");
    if (name.isMissing() || value.isMissing()) {
      throw Operands.badValue(
          40393,
          "{} requires an object with keys 'k' and 'v'. Missing either or both keys from: "
              + element);
    }
    String text =
        Operands.requireString(
            name,
            40394,
            "{} requires an object with keys 'k' and 'v', where the value of 'k' must be of type"
                + " string. Found type: ");
    fields.put(requireNoNul(text, 4940401), value);
  }

  private static String requireNoNul(String name, int number) {
    if (name.indexOf('\0') >= 0) {
      throw Operands.badValue(number, "Key field cannot contain an embedded null byte");
    }
    return name;
  }

  private static String requireName(Value name) {
    return Operands.requireString(
        name, 3041704, "{} requires 'field' to evaluate to type String, but got ");
  }
}
