package dev.mayfly.mql.expression;

import dev.mayfly.query.RootFields;
import dev.mayfly.value.Value;
import java.util.List;

/** Conditional expressions: only one branch is evaluated. */
public final class Choice {
  private Choice() {}

  /** {@code $cond}: one expression if the condition is true, another if not. */
  public record Cond(Expression condition, Expression then, Expression otherwise)
      implements Expression {
    @Override
    public Value evaluate(Scope scope) {
      boolean holds = Truthiness.truthy(condition.evaluate(scope));
      return (holds ? then : otherwise).evaluate(scope);
    }

    @Override
    public RootFields reads() {
      return Expression.readsOf(condition, then, otherwise);
    }

    @Override
    public boolean constant() {
      return condition.constant() && then.constant() && otherwise.constant();
    }
  }

  /** A branch of a {@link Switch}. */
  public record Branch(Expression condition, Expression then) {}

  /** {@code $switch}: the first branch whose condition is true, else the default. */
  public record Switch(List<Branch> branches, Expression otherwise) implements Expression {
    public Switch {
      branches = List.copyOf(branches);
    }

    @Override
    public Value evaluate(Scope scope) {
      for (Branch branch : branches) {
        if (Truthiness.truthy(branch.condition().evaluate(scope))) {
          return branch.then().evaluate(scope);
        }
      }
      return otherwise.evaluate(scope);
    }

    @Override
    public RootFields reads() {
      return branches.stream()
          .map(branch -> Expression.readsOf(branch.condition(), branch.then()))
          .reduce(otherwise.reads(), RootFields::and);
    }

    @Override
    public boolean constant() {
      return otherwise.constant()
          && branches.stream().allMatch(b -> b.condition().constant() && b.then().constant());
    }
  }

  /** {@code $ifNull}: the first member that is neither null nor missing; the last if all are. */
  public record Coalesce(List<Expression> members) implements Expression {
    public Coalesce {
      members = List.copyOf(members);
    }

    @Override
    public Value evaluate(Scope scope) {
      Value value = Value.MISSING;
      for (Expression member : members) {
        value = member.evaluate(scope);
        if (!Truthiness.nullish(value)) {
          return value;
        }
      }
      return value;
    }

    @Override
    public RootFields reads() {
      return Expression.readsOf(members);
    }

    @Override
    public boolean constant() {
      return members.stream().allMatch(Expression::constant);
    }
  }
}
