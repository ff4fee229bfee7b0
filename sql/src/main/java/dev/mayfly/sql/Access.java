package dev.mayfly.sql;

import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads variables, fields of objects and elements of arrays; a missing value is undefined. */
public final class Access {
  private Access() {}

  /** Returns the value of a variable. */
  public static Scalar variable(int slot) {
    return row -> row.variable(slot);
  }

  /** Returns the value at a path of nested fields of a variable. */
  public static Scalar path(int slot, List<String> names) {
    byte[][] steps = new byte[names.size()][];
    for (int i = 0; i < steps.length; i++) {
      steps[i] = names.get(i).getBytes(StandardCharsets.UTF_8);
    }
    return row -> follow(row.variable(slot), steps);
  }

  /** Returns the value of a field of an object. */
  public static Scalar member(Scalar of, String name) {
    byte[][] steps = {name.getBytes(StandardCharsets.UTF_8)};
    return row -> follow(of.evaluate(row), steps);
  }

  /** Returns a field or an element, by a computed name or index. */
  public static Scalar element(Scalar of, Scalar index) {
    return row -> element(of.evaluate(row), index.evaluate(row));
  }

  /** Returns the first value, or the second if it is undefined: stored before computed fields. */
  public static Scalar orElse(Scalar first, Scalar second) {
    return row -> {
      Value value = first.evaluate(row);
      return value.isMissing() ? second.evaluate(row) : value;
    };
  }

  private static Value follow(Value start, byte[][] steps) {
    if (start.type() != Type.OBJECT) {
      return Value.MISSING;
    }
    Fields fields = new Fields(start.buffer(), start.offset());
    for (int i = 0; ; i++) {
      do {
        if (!fields.next()) {
          return Value.MISSING;
        }
      } while (!fields.named(steps[i]));
      if (i == steps.length - 1) {
        return defined(fields.value());
      }
      if (fields.type() != Type.OBJECT) {
        return Value.MISSING;
      }
      fields.reset(fields.buffer(), fields.valueOffset());
    }
  }

  private static Value element(Value of, Value index) {
    if (index.type() == Type.STRING) {
      return of.type() == Type.OBJECT
          ? defined(of.asDocument().field(index.asString()))
          : Value.MISSING;
    }
    return of.isArray() && index.isNumber() ? at(of, index.asDouble()) : Value.MISSING;
  }

  private static Value at(Value array, double index) {
    Fields elements = array.asDocument().fields();
    for (long i = 0; i <= index && elements.next(); i++) {
      if (i == index) {
        return defined(elements.value());
      }
    }
    return Value.MISSING;
  }

  private static Value defined(Value value) {
    return value.type() == Type.UNDEFINED ? Value.MISSING : value;
  }
}
