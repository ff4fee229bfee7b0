package dev.mayfly.mql.update;

import dev.mayfly.mql.expression.TypeNames;
import dev.mayfly.mql.function.Arithmetic;
import dev.mayfly.query.Collation;
import dev.mayfly.query.QueryException;
import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.query.ShellText;
import dev.mayfly.query.limit.Interrupt;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Order;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** Update operators of single values; those of arrays are in {@link ArrayModifiers}. */
public final class Modifiers {
  private Modifiers() {}

  /** {@code $set}. */
  public record Set(Value value) implements Modifier {
    @Override
    public Value apply(Value before, String path, UpdateApplication application) {
      return value;
    }
  }

  /** {@code $setOnInsert}: sets a value if the update inserts the document. */
  public record SetOnInsert(Value value) implements Modifier {
    @Override
    public Value apply(Value before, String path, UpdateApplication application) {
      return application.context().inserting() ? value : before;
    }

    @Override
    public boolean creates(UpdateApplication application) {
      return application.context().inserting();
    }
  }

  /** {@code $unset}. */
  public record Unset() implements Modifier {
    @Override
    public Value apply(Value before, String path, UpdateApplication application) {
      return Value.MISSING;
    }

    @Override
    public boolean creates(UpdateApplication application) {
      return false;
    }
  }

  /** {@code $inc}. */
  public record Increment(Value by) implements Modifier {
    @Override
    public Value apply(Value before, String path, UpdateApplication application) {
      return before.isMissing() ? by : computed("$inc", before, path, application);
    }

    private Value computed(String name, Value before, String path, UpdateApplication application) {
      requireNumber(name, before, path, application);
      if (!isInteger(before) || !isInteger(by)) {
        return Arithmetic.add(before, by);
      }
      try {
        return integer(Math.addExact(before.asLong(), by.asLong()), before, by);
      } catch (ArithmeticException _) {
        throw overflow(name, before, application);
      }
    }
  }

  /** {@code $mul}; a missing value counts as zero. */
  public record Multiply(Value by) implements Modifier {
    @Override
    public Value apply(Value before, String path, UpdateApplication application) {
      return before.isMissing() ? zero() : computed("$mul", before, path, application);
    }

    private Value zero() {
      return switch (by.type()) {
        case INT32 -> Value.of(0);
        case INT64 -> Value.of(0L);
        case DOUBLE -> Value.of(0.0);
        default -> Value.decimal(BigDecimal.ZERO);
      };
    }

    private Value computed(String name, Value before, String path, UpdateApplication application) {
      requireNumber(name, before, path, application);
      if (!isInteger(before) || !isInteger(by)) {
        return Arithmetic.multiply(new Value[] {before, by});
      }
      try {
        return integer(Math.multiplyExact(before.asLong(), by.asLong()), before, by);
      } catch (ArithmeticException _) {
        throw overflow(name, before, application);
      }
    }
  }

  /** {@code $min} and {@code $max}. */
  public record Extreme(Value value, boolean greatest, Collation collation) implements Modifier {
    @Override
    public Value apply(Value before, String path, UpdateApplication application) {
      if (before.isMissing()) {
        return value;
      }
      int sign = Order.MONGO.compare(collation.fold(value), collation.fold(before));
      return (greatest ? sign > 0 : sign < 0) ? value : before;
    }
  }

  /** {@code $currentDate}: sets the time of the operation. */
  public record CurrentDate(boolean timestamp) implements Modifier {
    @Override
    public Value apply(Value before, String path, UpdateApplication application) {
      return timestamp
          ? Value.timestamp(application.context().timestamp())
          : Value.date(application.context().now());
    }
  }

  /**
   * {@code $rename}, at its target: moves the value of another path here; does nothing if there is
   * none.
   */
  public record MovedFrom(FieldPath source) implements Modifier {
    @Override
    public Value apply(Value before, String path, UpdateApplication application) {
      Value moved = moved(application);
      if (moved.isMissing()) {
        return before;
      }
      refuseElement(FieldPath.of(path), application);
      return moved;
    }

    /** Rejects a rename into an array element. */
    private static void refuseElement(FieldPath target, UpdateApplication application) {
      Value value = Value.of(application.before());
      for (int i = 0; i < target.length() && value.isDocument(); i++) {
        value = value.asDocument().field(target.step(i));
        if (value.isArray() && i < target.length() - 1) {
          throw inArray("destination", target, i, application);
        }
      }
    }

    private static QueryException inArray(
        String role, FieldPath path, int array, UpdateApplication application) {
      return UpdateApplication.failure(
          Reason.BAD_VALUE,
          "The "
              + role
              + " field cannot be an array element, '"
              + path
              + "' in doc with "
              + ShellText.field(IdField.ID, application.before().field(IdField.ID))
              + " has an array field called '"
              + path.step(array)
              + "'");
    }

    @Override
    public boolean creates(UpdateApplication application) {
      return !moved(application).isMissing();
    }

    private Value moved(UpdateApplication application) {
      Value value = Value.of(application.before());
      for (int i = 0; i < source.length(); i++) {
        if (value.isArray()) {
          throw inArray("source", source, i - 1, application);
        }
        if (!value.isDocument()) {
          return Value.MISSING;
        }
        value = value.asDocument().field(source.step(i));
      }
      return value;
    }
  }

  /** {@code $bit}: combines an integer with other integers bit by bit, in order. */
  public record Bitwise(List<Operation> operations) implements Modifier {
    /** Bitwise operation. */
    public enum Combination {
      AND,
      OR,
      XOR
    }

    /** One bitwise operation with one integer. */
    public record Operation(Combination how, Value with) {}

    public Bitwise {
      operations = List.copyOf(operations);
    }

    @Override
    public Value apply(Value before, String path, UpdateApplication application) {
      Value result = before.isMissing() ? Value.of(0) : before;
      if (!isInteger(result)) {
        throw UpdateApplication.failure(
            Reason.BAD_VALUE,
            "Cannot apply $bit to a value of non-integral type."
                + application.id()
                + " has the field "
                + last(path)
                + " of non-integer type "
                + TypeNames.of(before.type()));
      }
      for (Operation operation : operations) {
        result = combined(result, operation);
      }
      return result;
    }

    private static Value combined(Value value, Operation operation) {
      long left = value.asLong();
      long right = operation.with().asLong();
      long bits =
          switch (operation.how()) {
            case AND -> left & right;
            case OR -> left | right;
            case XOR -> left ^ right;
          };
      boolean small = value.type() == Type.INT32 && operation.with().type() == Type.INT32;
      return small ? Value.of((int) bits) : Value.of(bits);
    }
  }

  private static boolean isInteger(Value value) {
    return value.type() == Type.INT32 || value.type() == Type.INT64;
  }

  /** Returns an int if both operands are ints and the result fits. */
  private static Value integer(long result, Value left, Value right) {
    boolean small = left.type() == Type.INT32 && right.type() == Type.INT32;
    return small && result == (int) result ? Value.of((int) result) : Value.of(result);
  }

  private static void requireNumber(
      String name, Value before, String path, UpdateApplication application) {
    if (!before.isNumber()) {
      throw UpdateApplication.failure(
          Reason.WRONG_TYPE,
          "Cannot apply "
              + name
              + " to a value of non-numeric type. "
              + application.id()
              + " has the field '"
              + last(path)
              + "' of non-numeric type "
              + TypeNames.of(before.type()));
    }
  }

  private static RuntimeException overflow(
      String name, Value before, UpdateApplication application) {
    String kind = before.type() == Type.INT32 ? "NumberInt" : "NumberLong";
    return UpdateApplication.failure(
        Reason.BAD_VALUE,
        "Failed to apply "
            + name
            + " operations to current value (("
            + kind
            + ")"
            + before.asLong()
            + ") for document "
            + application.id());
  }

  /** Returns the last step of a path. */
  static String last(String path) {
    return path.substring(path.lastIndexOf('.') + 1);
  }

  /** Returns the elements of an array. */
  static List<Value> elements(Value array) {
    Interrupt.steps(Interrupt.ofBytes(array.length()));
    List<Value> values = new ArrayList<>();
    Fields elements = array.asDocument().fields();
    while (elements.next()) {
      values.add(elements.value());
    }
    return values;
  }
}
