package dev.mayfly.mql.function;

import dev.mayfly.mql.expression.Elements;
import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Operands;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.mql.expression.Truthiness;
import dev.mayfly.query.Intermediate;
import dev.mayfly.query.QueryException;
import dev.mayfly.query.RootFields;
import dev.mayfly.query.ShellText;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.List;

/** Expressions that declare variables. */
public final class Loops {
  private Loops() {}

  /** A variable of a {@link Let}. */
  public record Binding(int slot, Expression value) {}

  /** {@code $let}: an expression with variables; bindings do not see one another. */
  public record Let(List<Binding> bindings, Expression in) implements Expression {
    public Let {
      bindings = List.copyOf(bindings);
    }

    @Override
    public Value evaluate(Scope scope) {
      for (Binding binding : bindings) {
        scope.variable(binding.slot(), binding.value().evaluate(scope));
      }
      return in.evaluate(scope);
    }

    @Override
    public RootFields reads() {
      return Expression.readsOf(bindings.stream().map(Binding::value).toList()).and(in.reads());
    }
  }

  /** {@code $map}: the results of an expression for each element; null for null. */
  public record MapElements(String operation, Expression input, int slot, Expression in)
      implements Expression {
    @Override
    public Value evaluate(Scope scope) {
      Value array = input.evaluate(scope);
      if (Truthiness.nullish(array)) {
        return Value.NULL;
      }
      Operands.requireArray(array, 16883, "input to " + operation + " must be an array not ");
      long mark = scope.memory().mark();
      try {
        scope.memory().keep(array);
        return scope.made(Value.array(mapped(array, scope)));
      } finally {
        scope.memory().release(mark);
      }
    }

    private Document mapped(Value array, Scope scope) {
      DocumentWriter mapped = Intermediate.writer();
      Fields each = Elements.cursor(array);
      while (each.next()) {
        scope.step();
        scope.variable(slot, each.value());
        Value value = in.evaluate(scope);
        scope.memory().keep(value);
        mapped.add(value.isMissing() ? Value.NULL : value);
      }
      return mapped.build();
    }
  }

  /** {@code $filter}: the elements that match a condition, up to a limit; null for null. */
  public record FilterElements(
      String operation, Expression input, int slot, Expression condition, Expression limit)
      implements Expression {
    @Override
    public Value evaluate(Scope scope) {
      Value array = input.evaluate(scope);
      if (Truthiness.nullish(array)) {
        return Value.NULL;
      }
      Operands.requireArray(array, 28651, "input to " + operation + " must be an array not ");
      long rest = rest(limit.evaluate(scope));
      DocumentWriter kept = Intermediate.writer();
      Fields each = Elements.cursor(array);
      while (rest > 0 && each.next()) {
        scope.step();
        Value element = each.value();
        scope.variable(slot, element);
        if (Truthiness.truthy(condition.evaluate(scope))) {
          kept.add(element);
          rest--;
        }
      }
      return scope.made(Value.array(kept.build()));
    }

    private long rest(Value limit) {
      if (Truthiness.nullish(limit)) {
        return Long.MAX_VALUE;
      }
      if (!Operands.integral(limit)) {
        throw Operands.badValue(
            327391, operation + ": limit must be represented as a 32-bit integral value: " + limit);
      }
      if (limit.asInt() <= 0) {
        throw Operands.badValue(327392, operation + ": limit must be greater than 0: " + limit);
      }
      return limit.asInt();
    }
  }

  /** {@code $reduce}: combines the value so far with each element in order; null for null. */
  public record Reduce(
      String operation,
      Expression input,
      Expression initial,
      int valueSlot,
      int elementSlot,
      Expression in)
      implements Expression {
    @Override
    public Value evaluate(Scope scope) {
      Value array = input.evaluate(scope);
      if (Truthiness.nullish(array)) {
        return Value.NULL;
      }
      if (!array.isArray()) {
        throw Operands.wrongType(
            40080, operation + " requires that 'input' be an array, found: " + ShellText.of(array));
      }
      long mark = scope.memory().mark();
      try {
        scope.memory().keep(array);
        return reduced(array, scope);
      } finally {
        scope.memory().release(mark);
      }
    }

    private Value reduced(Value array, Scope scope) {
      Value value = initial.evaluate(scope);
      Fields each = Elements.cursor(array);
      while (each.next()) {
        scope.step();
        scope.variable(valueSlot, value);
        scope.variable(elementSlot, each.value());
        value = in.evaluate(scope);
        requireRoom(value);
      }
      return value;
    }

    /**
     * Fails if the value is too large: a value that doubles with each element would not stop by
     * itself.
     */
    private void requireRoom(Value value) {
      if (!value.isMissing() && value.length() > Strings.MAX_BYTES) {
        throw new QueryException(
            QueryException.Reason.LIMIT_EXCEEDED, 146, operation + " would use too much memory");
      }
    }
  }
}
