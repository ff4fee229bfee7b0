package dev.mayfly.mql.function;

import dev.mayfly.mql.expression.Elements;
import dev.mayfly.mql.expression.Operands;
import dev.mayfly.mql.expression.Truthiness;
import dev.mayfly.query.Intermediate;
import dev.mayfly.query.QueryException;
import dev.mayfly.query.ShellText;
import dev.mayfly.query.limit.Interrupt;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** Array functions: size, search, slice, concatenation, range, zip. */
public final class ArrayFunctions {
  private static final int MAX_RANGE = 1 << 21;

  private ArrayFunctions() {}

  /** Operands: array, index. A negative index counts from the end; missing if out of bounds. */
  public static Value elementAt(Value array, Value index) {
    Operands.requireArray(array, 28689, "{}'s first argument must be an array, but is ");
    if (!index.isNumber()) {
      throw Operands.wrongType(
          28690,
          "{}'s second argument must be a numeric value, but is " + Operands.typeName(index));
    }
    if (!Operands.integral(index)) {
      throw Operands.badValue(
          28691, "{}'s second argument must be representable as a 32-bit integer: " + index);
    }
    int place = index.asInt();
    return Elements.at(array, place >= 0 ? place : (long) Elements.count(array) + place);
  }

  public static Value first(Value array) {
    Operands.requireArray(array, 28689, "{}'s argument must be an array, but is ");
    return Elements.at(array, 0);
  }

  public static Value last(Value array) {
    Operands.requireArray(array, 28689, "{}'s argument must be an array, but is ");
    Value last = Value.MISSING;
    Fields each = Elements.cursor(array);
    while (each.next()) {
      last = each.value();
    }
    return last;
  }

  public static Value size(Value array) {
    if (!array.isArray()) {
      throw Operands.wrongType(
          17124,
          "The argument to {} must be an array, but was of type: " + Operands.typeName(array));
    }
    return Value.of(Elements.count(array));
  }

  public static Value isArray(Value value) {
    return Value.of(value.isArray());
  }

  /** Returns whether the array contains a value equal to this one. */
  public static Value contains(Value value, Value array, Comparator<Value> order) {
    if (!array.isArray()) {
      throw Operands.wrongType(
          40081, "{} requires an array as a second argument, found: " + Operands.typeName(array));
    }
    Fields each = Elements.cursor(array);
    Comparator<Value> counting = Interrupt.counting(order);
    while (each.next()) {
      if (counting.compare(each.value(), value) == 0) {
        return Value.TRUE;
      }
    }
    return Value.FALSE;
  }

  /**
   * Operands: array, value, optionally start index and end index (exclusive). Returns -1 if not
   * found.
   */
  public static Value indexOf(Value[] operands, Comparator<Value> order) {
    if (Truthiness.nullish(operands[0])) {
      return Value.NULL;
    }
    Operands.requireArray(operands[0], 40090, "{} requires an array as a first argument, found: ");
    int from = StringSearch.bound(operands, 2, "starting index", 0);
    int to = StringSearch.bound(operands, 3, "ending index", Integer.MAX_VALUE);
    Fields each = Elements.cursor(operands[0]);
    Comparator<Value> counting = Interrupt.counting(order);
    for (int i = 0; i < to && each.next(); i++) {
      if (i >= from && counting.compare(each.value(), operands[1]) == 0) {
        return Value.of(i);
      }
    }
    return Value.of(-1);
  }

  /** Concatenates arrays; null if one is null or missing. */
  public static Value concat(Value[] arrays) {
    DocumentWriter joined = Intermediate.writer();
    for (Value array : arrays) {
      if (Truthiness.nullish(array)) {
        return Value.NULL;
      }
      Operands.requireArray(array, 28664, "{} only supports arrays, not ");
      Fields each = Elements.cursor(array);
      while (each.next()) {
        joined.add(each.value());
      }
    }
    return Value.array(joined.build());
  }

  public static Value reverse(Value array) {
    Operands.requireArray(array, 34435, "The argument to {} must be an array, but was of type: ");
    List<Value> elements = Elements.list(array);
    Collections.reverse(elements);
    return Intermediate.array(elements);
  }

  /** Operands: array and count, or array, position and count; negative ones count from the end. */
  public static Value slice(Value[] operands) {
    Value array = operands[0];
    Operands.requireArray(array, 28724, "First argument to {} must be an array, but is of type: ");
    int second = sliceBound(operands[1], "Second", 28725, 28726);
    int count = Elements.count(array);
    if (operands.length == 2) {
      return second >= 0
          ? Elements.range(array, 0, second)
          : Elements.range(array, Math.max(0L, (long) count + second), count);
    }
    int length = sliceBound(operands[2], "Third", 28727, 28728);
    if (length <= 0) {
      throw Operands.badValue(28729, "Third argument to {} must be positive: " + length);
    }
    long from = second >= 0 ? second : Math.max(0L, (long) count + second);
    return Elements.range(array, from, from + length);
  }

  /** Operands: start, end (exclusive), optionally step. Returns the integers of the range. */
  public static Value range(Value[] operands) {
    long start = rangeBound(operands[0], "starting", "a starting", 34443);
    long end = rangeBound(operands[1], "ending", "an ending", 34445);
    long step = operands.length > 2 ? rangeBound(operands[2], "step", "a step", 34447) : 1;
    if (step == 0) {
      throw Operands.badValue(34449, "{} requires a non-zero step value");
    }
    if ((end - start) / step > MAX_RANGE) {
      throw new QueryException(
          QueryException.Reason.LIMIT_EXCEEDED,
          146,
          "{} would use too much memory and cannot spill to disk");
    }
    DocumentWriter numbers = Intermediate.writer();
    for (long i = start; step > 0 ? i < end : i > end; i += step) {
      numbers.add(Value.of((int) i));
    }
    return Value.array(numbers.build());
  }

  /**
   * Returns arrays of the elements at the same index of each array.
   *
   * @param defaults for arrays that have ended; empty to stop with the shortest
   */
  public static Value zip(List<Value> arrays, List<Value> defaults, boolean longest) {
    List<List<Value>> columns = new ArrayList<>();
    for (Value array : arrays) {
      if (Truthiness.nullish(array)) {
        return Value.NULL;
      }
      if (!array.isArray()) {
        throw Operands.wrongType(
            34468, "{} found a non-array expression in input: " + ShellText.of(array));
      }
      columns.add(Elements.list(array));
    }
    var sizes = columns.stream().mapToInt(List::size);
    int rows = (longest ? sizes.max() : sizes.min()).orElse(0);
    DocumentWriter zipped = Intermediate.writer();
    for (int row = 0; row < rows; row++) {
      zipped.startArray();
      for (int column = 0; column < columns.size(); column++) {
        zipped.add(cell(columns.get(column), row, defaults, column));
      }
      zipped.end();
    }
    return Value.array(zipped.build());
  }

  private static Value cell(List<Value> column, int row, List<Value> defaults, int i) {
    if (row < column.size()) {
      return column.get(row);
    }
    Value otherwise = i < defaults.size() ? defaults.get(i) : Value.NULL;
    return otherwise.isMissing() ? Value.NULL : otherwise;
  }

  private static int sliceBound(Value operand, String which, int type, int range) {
    if (!operand.isNumber()) {
      throw Operands.wrongType(
          type,
          which
              + " argument to {} must be a numeric value, but is of type: "
              + Operands.typeName(operand));
    }
    if (!Operands.integral(operand)) {
      throw Operands.badValue(
          range, which + " argument to {} can't be represented as a 32-bit integer: " + operand);
    }
    return operand.asInt();
  }

  private static long rangeBound(Value operand, String what, String aWhat, int number) {
    if (!operand.isNumber()) {
      throw Operands.wrongType(
          number,
          "{} requires a numeric "
              + what
              + " value, found value of type: "
              + Operands.typeName(operand));
    }
    if (!Operands.integral(operand)) {
      throw Operands.badValue(
          number + 1,
          "{} requires "
              + aWhat
              + " value that can be represented as a 32-bit integer, found value: "
              + operand);
    }
    return operand.asInt();
  }
}
