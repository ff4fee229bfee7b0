package dev.mayfly.mql.expression;

import dev.mayfly.query.RootFields;
import dev.mayfly.value.Value;
import java.util.List;

/** Boolean expressions on the {@linkplain Truthiness truth} of values. */
public final class Logic {
  private Logic() {}

  /** True if all members are; stops at the first false one. */
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

  /** True if a member is; stops at the first true one. */
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

  /** True if the member is false. */
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
