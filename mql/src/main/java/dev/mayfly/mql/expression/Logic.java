package dev.mayfly.mql.expression;

import dev.mayfly.query.RootFields;
import dev.mayfly.value.Value;
import java.util.List;

/** Two-valued logic on the {@linkplain Truthiness truth} of values. */
public final class Logic {
  private Logic() {}

  /** True when all members are; stops at the first that is not. */
  public record And(List<Expression> members) implements Expression {
    public And {
      members = List.copyOf(members);
    }

    @Override
    public Value evaluate(Scope scope) {
      for (Expression member : members) {
        if (!Truthiness.truthy(member.evaluate(scope))) {
          return Value.FALSE;
        }
      }
      return Value.TRUE;
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

  /** True when a member is; stops at the first that is. */
  public record Or(List<Expression> members) implements Expression {
    public Or {
      members = List.copyOf(members);
    }

    @Override
    public Value evaluate(Scope scope) {
      for (Expression member : members) {
        if (Truthiness.truthy(member.evaluate(scope))) {
          return Value.TRUE;
        }
      }
      return Value.FALSE;
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

  /** True when the member is not. */
  public record Not(Expression member) implements Expression {
    @Override
    public Value evaluate(Scope scope) {
      return Value.of(!Truthiness.truthy(member.evaluate(scope)));
    }

    @Override
    public RootFields reads() {
      return member.reads();
    }

    @Override
    public boolean constant() {
      return member.constant();
    }
  }
}
