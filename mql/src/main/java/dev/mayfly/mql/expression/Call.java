package dev.mayfly.mql.expression;

import dev.mayfly.query.QueryException;
import dev.mayfly.query.RootFields;
import dev.mayfly.value.Value;
import java.util.List;

/**
 * The application of a function to the values of its operands.
 *
 * <p>A function is a plain computation on values; what happens around it is the {@link Policy},
 * which is how languages differ. The name of the operation is only told in failures.
 */
public final class Call {
  private Call() {}

  /** What a call makes of operands that are nothing, and of failures. */
  public enum Policy {
    /** Null when an operand is null or missing; failures are failures. */
    NULL_FOR_NULLISH,
    /** The function sees all operands as they are; failures are failures. */
    AS_IS,
    /** Missing when an operand is missing, and when the function fails. */
    MISSING_FOR_FAILURE;

    boolean skips(Value operand) {
      return switch (this) {
        case NULL_FOR_NULLISH -> Truthiness.nullish(operand);
        case AS_IS -> false;
        case MISSING_FOR_FAILURE -> operand.isMissing();
      };
    }

    Value skipped() {
      return this == NULL_FOR_NULLISH ? Value.NULL : Value.MISSING;
    }

    Value failed(QueryException failure, String operation) {
      if (this == MISSING_FOR_FAILURE) {
        return Value.MISSING;
      }
      throw failure.of(operation);
    }
  }

  /** A function of one value. */
  @FunctionalInterface
  public interface One {
    Value apply(Value operand);
  }

  /** A function of two values. */
  @FunctionalInterface
  public interface Two {
    Value apply(Value left, Value right);
  }

  /** A function of any number of values. */
  @FunctionalInterface
  public interface Many {
    Value apply(Value[] operands);
  }

  /** The call of a function of one value, computed at once when that is constant. */
  public static Expression of(String operation, Policy policy, One function, Expression operand) {
    return Literal.folded(new Unary(operation, policy, function, operand));
  }

  /** The call of a function of two values, computed at once when they are constant. */
  public static Expression of(
      String operation, Policy policy, Two function, Expression left, Expression right) {
    return Literal.folded(new Binary(operation, policy, function, left, right));
  }

  /** The call of a function of many values, computed at once when they are constant. */
  public static Expression of(
      String operation, Policy policy, Many function, List<Expression> operands) {
    return Literal.folded(new Variadic(operation, policy, function, operands));
  }

  private record Unary(String operation, Policy policy, One function, Expression operand)
      implements Expression {
    @Override
    public Value evaluate(Scope scope) {
      Value value = operand.evaluate(scope);
      if (policy.skips(value)) {
        return policy.skipped();
      }
      try {
        return scope.made(function.apply(value));
      } catch (QueryException failure) {
        return policy.failed(failure, operation);
      }
    }

    @Override
    public RootFields reads() {
      return operand.reads();
    }

    @Override
    public boolean constant() {
      return operand.constant();
    }
  }

  private record Binary(
      String operation, Policy policy, Two function, Expression left, Expression right)
      implements Expression {
    @Override
    public Value evaluate(Scope scope) {
      Value a = left.evaluate(scope);
      long mark = scope.memory().mark();
      scope.memory().keep(a);
      Value b;
      try {
        b = right.evaluate(scope);
      } finally {
        scope.memory().release(mark);
      }
      if (policy.skips(a) || policy.skips(b)) {
        return policy.skipped();
      }
      try {
        return scope.made(function.apply(a, b));
      } catch (QueryException failure) {
        return policy.failed(failure, operation);
      }
    }

    @Override
    public RootFields reads() {
      return Expression.readsOf(left, right);
    }

    @Override
    public boolean constant() {
      return left.constant() && right.constant();
    }
  }

  private record Variadic(String operation, Policy policy, Many function, List<Expression> operands)
      implements Expression {
    Variadic {
      operands = List.copyOf(operands);
    }

    @Override
    public Value evaluate(Scope scope) {
      Value[] values = new Value[operands.size()];
      boolean skip = false;
      long mark = scope.memory().mark();
      try {
        for (int i = 0; i < values.length; i++) {
          values[i] = operands.get(i).evaluate(scope);
          skip |= policy.skips(values[i]);
          scope.memory().keep(values[i]);
        }
        return skip ? policy.skipped() : applied(scope, values);
      } finally {
        scope.memory().release(mark);
      }
    }

    private Value applied(Scope scope, Value[] values) {
      try {
        return scope.made(function.apply(values));
      } catch (QueryException failure) {
        return policy.failed(failure, operation);
      }
    }

    @Override
    public RootFields reads() {
      return Expression.readsOf(operands);
    }

    @Override
    public boolean constant() {
      return operands.stream().allMatch(Expression::constant);
    }
  }
}
