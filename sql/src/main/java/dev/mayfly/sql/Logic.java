package dev.mayfly.sql;

import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;

/**
 * Three-valued logic: undefined is between false and true; a value that is not a boolean acts as
 * undefined.
 */
public final class Logic {
  private Logic() {}

  /** False if any member is false, true if all are true, otherwise undefined. */
  public static Scalar and(List<Scalar> members) {
    return fold(members, Value.FALSE, Value.TRUE);
  }

  /** True if any member is true, false if all are false, otherwise undefined. */
  public static Scalar or(List<Scalar> members) {
    return fold(members, Value.TRUE, Value.FALSE);
  }

  public static Scalar not(Scalar member) {
    return row -> {
      Value value = member.evaluate(row);
      return value.type() == Type.BOOLEAN ? Value.of(!value.asBoolean()) : Value.MISSING;
    };
  }

  /** Returns the second value if the condition is true, otherwise the third. */
  public static Scalar choice(Scalar condition, Scalar then, Scalar otherwise) {
    return row -> isTrue(condition.evaluate(row)) ? then.evaluate(row) : otherwise.evaluate(row);
  }

  public static boolean isTrue(Value value) {
    return value.type() == Type.BOOLEAN && value.asBoolean();
  }

  private static Scalar fold(List<Scalar> members, Value decisive, Value otherwise) {
    Scalar[] all = members.toArray(Scalar[]::new);
    boolean decides = decisive.asBoolean();
    return row -> {
      boolean known = true;
      for (Scalar member : all) {
        row.step();
        Value value = member.evaluate(row);
        boolean isBoolean = value.type() == Type.BOOLEAN;
        if (isBoolean && value.asBoolean() == decides) {
          return decisive;
        }
        known &= isBoolean;
      }
      return known ? otherwise : Value.MISSING;
    };
  }
}
