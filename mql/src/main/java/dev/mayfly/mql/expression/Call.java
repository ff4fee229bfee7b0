package dev.mayfly.mql.expression;

import dev.mayfly.query.QueryException;
import dev.mayfly.query.RootFields;
import dev.mayfly.value.Value;
import java.util.List;

/**
 * Call of a function with the values of its operands.
 *
 * <p>A function is a plain computation on values. The {@link Policy} decides about null, missing
 * and failures, in which languages differ. The name of the operation appears only in failures.
 */
public final class Call {
  private Call() {}

  /** How a call treats null and missing operands, and failures. */
  public enum Policy {
    /** Returns null if an operand is null or missing; failures propagate. */
    NULL_FOR_NULLISH,
    /** The function receives all operands unchanged; failures propagate. */
    AS_IS,
    /** Returns missing if an operand is missing or the function fails. */
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

  /** Returns the call of a function of one value; folds a constant operand. */
  public static Expression of(String operation, Policy policy, One function, Expression operand) {
    return Literal.folded(new Unary(operation, policy, function, operand));
  }

  /** Returns the call of a function of two values; folds constant operands. */
  public static Expression of(
      String operation, Policy policy, Two function, Expression left, Expression right) {
    return Literal.folded(new Binary(operation, policy, function, left, right));
  }

  /** Returns the call of a function of many values; folds constant operands. */
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
