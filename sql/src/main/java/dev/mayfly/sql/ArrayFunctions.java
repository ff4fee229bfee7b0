package dev.mayfly.sql;

import static dev.mayfly.sql.BuiltIn.named;
import static dev.mayfly.sql.Kind.ANYTHING;
import static dev.mayfly.sql.Kind.ARRAY;
import static dev.mayfly.sql.Kind.DEFINED;
import static dev.mayfly.sql.Kind.INTEGER;
import static dev.mayfly.sql.Kind.OBJECT;
import static dev.mayfly.sql.Kind.TEXT;

import dev.mayfly.query.limit.Interrupt;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Order;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/** Array and object functions, and conditional functions. */
final class ArrayFunctions {
  static final List<Function> ALL =
      List.of(
          named("ARRAY_AVG", ARRAY).is(ArrayFunctions::average),
          named("ARRAY_CONCAT", ARRAY, ARRAY).orMore().is(ArrayFunctions::concat),
          named("ARRAY_CONTAINS", ARRAY, DEFINED, ANYTHING)
              .required(2)
              .is(ArrayFunctions::contains),
          named("ARRAY_CONTAINS_ALL", ARRAY, ANYTHING).orMore().is(ArrayFunctions::containsAll),
          named("ARRAY_CONTAINS_ANY", ARRAY, ANYTHING).orMore().is(ArrayFunctions::containsAny),
          named("ARRAY_LENGTH", ARRAY).is(a -> Value.of(Elements.count(a[0]))),
          named("ARRAY_MAX", ARRAY).is(a -> extreme(a[0], 1)),
          named("ARRAY_MEDIAN", ARRAY).is(ArrayFunctions::median),
          named("ARRAY_MIN", ARRAY).is(a -> extreme(a[0], -1)),
          named("ARRAY_SLICE", ARRAY, INTEGER, INTEGER).required(2).is(ArrayFunctions::slice),
          named("ARRAY_SUM", ARRAY).is(ArrayFunctions::sum),
          named("CHOOSE", INTEGER, ANYTHING).orMore().is(ArrayFunctions::choose),
          named("DOCUMENTID", OBJECT).is(ArrayFunctions::documentId),
          named("IIF", ANYTHING, ANYTHING, ANYTHING).is(a -> Value.TRUE.equals(a[0]) ? a[1] : a[2]),
          named("OBJECTTOARRAY", OBJECT, TEXT, TEXT).required(1).is(ArrayFunctions::objectToArray),
          named("SETDIFFERENCE", ARRAY, ARRAY).is(ArrayFunctions::difference),
          named("SETEQUAL", ARRAY, ARRAY)
              .is(a -> Value.of(Elements.set(a[0]).equals(Elements.set(a[1])))),
          named("SETINTERSECT", ARRAY, ARRAY).is(ArrayFunctions::intersection),
          named("SETUNION", ARRAY, ARRAY).is(ArrayFunctions::union),
          named("_TRY_ARRAY_CONTAINS", ANYTHING, DEFINED, ANYTHING)
              .required(2)
              .is(a -> a[0].isArray() ? contains(a) : Value.FALSE));

  /** Length of an item's rid: eight bytes for its container and eight for the item. */
  private static final int RESOURCE_ID_BYTES = 16;

  private ArrayFunctions() {}

  private static Value concat(Value[] arguments) {
    DocumentWriter all = Document.writer();
    for (Value array : arguments) {
      Fields each = array.asDocument().fields();
      while (each.next()) {
        all.add(each.value());
      }
    }
    return Value.array(all.build());
  }

  private static Value contains(Value[] arguments) {
    boolean partial = arguments.length > 2 && Value.TRUE.equals(arguments[2]);
    return Value.of(
        partial
            ? containsPart(arguments[0], arguments[1])
            : Elements.contains(arguments[0], arguments[1]));
  }

  private static boolean containsPart(Value array, Value needle) {
    Fields each = array.asDocument().fields();
    while (each.next()) {
      if (includes(each.value(), needle)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a value contains all fields of another, recursively. */
  private static boolean includes(Value integer, Value part) {
    Interrupt.steps(1);
    if (!integer.isDocument() || !part.isDocument()) {
      return Order.COSMOS.compare(integer, part) == 0;
    }
    Fields each = part.asDocument().fields();
    while (each.next()) {
      if (!includes(integer.asDocument().field(each.name()), each.value())) {
        return false;
      }
    }
    return true;
  }

  /** True if an element equals one of the values; else undefined if one of them is undefined. */
  private static Value containsAny(Value[] arguments) {
    Value any = Value.FALSE;
    for (int i = 1; i < arguments.length; i++) {
      if (arguments[i].isMissing()) {
        any = Value.MISSING;
      } else if (Elements.contains(arguments[0], arguments[i])) {
        return Value.TRUE;
      }
    }
    return any;
  }

  /** False if no element equals a value; else undefined if one of the values is undefined. */
  private static Value containsAll(Value[] arguments) {
    Value all = Value.TRUE;
    for (int i = 1; i < arguments.length; i++) {
      if (arguments[i].isMissing()) {
        all = Value.MISSING;
      } else if (!Elements.contains(arguments[0], arguments[i])) {
        return Value.FALSE;
      }
    }
    return all;
  }

  private static Value slice(Value[] arguments) {
    List<Value> elements = Elements.list(arguments[0]);
    long start = SqlNumbers.count(arguments[1]);
    long length = arguments.length > 2 ? SqlNumbers.count(arguments[2]) : Integer.MAX_VALUE;
    int from = Math.clamp(start < 0 ? elements.size() + start : start, 0, elements.size());
    int to = Math.clamp(from + length, from, elements.size());
    return Value.array(elements.subList(from, to));
  }

  private static Value choose(Value[] arguments) {
    long index = SqlNumbers.integer(arguments[0]);
    return index >= 1 && index < arguments.length ? arguments[(int) index] : Value.MISSING;
  }

  private static Value objectToArray(Value[] arguments) {
    String name = arguments.length > 1 ? arguments[1].asString() : "k";
    String value = arguments.length > 2 ? arguments[2].asString() : "v";
    DocumentWriter pairs = Document.writer();
    Fields each = arguments[0].asDocument().fields();
    while (each.next()) {
      pairs.startDocument().put(name, each.name()).put(value, each.value()).end();
    }
    return Value.array(pairs.build());
  }

  private static Value union(Value[] arguments) {
    NavigableSet<Value> seen = new TreeSet<>(Interrupt.counting(Order.COSMOS));
    List<Value> union = new ArrayList<>();
    for (Value array : arguments) {
      for (Value element : Elements.list(array)) {
        if (seen.add(element)) {
          union.add(element);
        }
      }
    }
    return Value.array(union);
  }

  /** Returns the elements of both arrays, in the order of the second. */
  private static Value intersection(Value[] arguments) {
    NavigableSet<Value> left = Elements.set(arguments[0]);
    List<Value> shared = new ArrayList<>();
    for (Value element : Elements.list(arguments[1])) {
      if (left.remove(element)) {
        shared.add(element);
      }
    }
    return Value.array(shared);
  }

  private static Value difference(Value[] arguments) {
    NavigableSet<Value> seen = Elements.set(arguments[1]);
    List<Value> rest = new ArrayList<>();
    for (Value element : Elements.list(arguments[0])) {
      if (seen.add(element)) {
        rest.add(element);
      }
    }
    return Value.array(rest);
  }

  /** Returns the minimum or maximum element; undefined if empty or if one is not a primitive. */
  private static Value extreme(Value array, int sign) {
    Value extreme = Value.MISSING;
    for (Value element : Elements.list(array)) {
      if (!TypeChecks.isPrimitive(element)) {
        return Value.MISSING;
      }
      if (extreme.isMissing() || sign * Order.COSMOS.compare(element, extreme) > 0) {
        extreme = element;
      }
    }
    return extreme;
  }

  private static Value sum(Value[] arguments) {
    double sum = 0;
    for (Value element : Elements.list(arguments[0])) {
      if (!element.isNumber()) {
        return Value.MISSING;
      }
      sum += element.asDouble();
    }
    return SqlNumbers.finite(sum);
  }

  private static Value average(Value[] arguments) {
    Value sum = sum(arguments);
    int count = Elements.count(arguments[0]);
    return sum.isMissing() || count == 0 ? Value.MISSING : Value.of(sum.asDouble() / count);
  }

  private static Value median(Value[] arguments) {
    List<Double> numbers = new ArrayList<>();
    for (Value element : Elements.list(arguments[0])) {
      if (!element.isNumber()) {
        return Value.MISSING;
      }
      numbers.add(element.asDouble());
    }
    if (numbers.isEmpty()) {
      return Value.MISSING;
    }
    Collections.sort(numbers);
    int middle = numbers.size() / 2;
    return SqlNumbers.finite(
        numbers.size() % 2 == 1
            ? numbers.get(middle)
            : (numbers.get(middle - 1) + numbers.get(middle)) / 2);
  }

  /** Returns the number of the item in its container, which is the end of its rid. */
  private static Value documentId(Value[] arguments) {
    Value resourceId = arguments[0].asDocument().field("_rid");
    if (resourceId.type() != Type.STRING) {
      return Value.MISSING;
    }
    try {
      byte[] bytes = Base64.getDecoder().decode(resourceId.asString().replace('-', '/'));
      return bytes.length == RESOURCE_ID_BYTES
          ? Value.of(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(8))
          : Value.MISSING;
    } catch (IllegalArgumentException _) {
      return Value.MISSING;
    }
  }
}
