package dev.mayfly.mql.expression;

import dev.mayfly.query.Intermediate;
import dev.mayfly.query.RootFields;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.List;

/** Expressions that construct objects and arrays. */
public final class Construction {
  private Construction() {}

  /** A field of a {@link NewObject}. */
  public record Member(String name, Expression value) {}

  /** An object with these fields; fields with a missing value are left out. */
  public record NewObject(List<Member> members) implements Expression {
    public NewObject {
      members = List.copyOf(members);
    }

    @Override
    public Value evaluate(Scope scope) {
      DocumentWriter object = Intermediate.writer();
      long mark = scope.memory().mark();
      try {
        for (Member member : members) {
          Value value = member.value().evaluate(scope);
          scope.memory().keep(value);
          object.put(member.name(), value);
        }
      } finally {
        scope.memory().release(mark);
      }
      return scope.made(Value.of(object.build()));
    }

    @Override
    public RootFields reads() {
      return Expression.readsOf(members.stream().map(Member::value).toList());
    }

    @Override
    public boolean constant() {
      return members.stream().allMatch(member -> member.value().constant());
    }
  }

  /** An array of these elements; a missing value becomes null. */
  public record NewArray(List<Expression> elements) implements Expression {
    public NewArray {
      elements = List.copyOf(elements);
    }

    @Override
    public Value evaluate(Scope scope) {
      DocumentWriter array = Intermediate.writer();
      long mark = scope.memory().mark();
      try {
        for (Expression element : elements) {
          Value value = element.evaluate(scope);
          scope.memory().keep(value);
          array.add(value.isMissing() ? Value.NULL : value);
        }
      } finally {
        scope.memory().release(mark);
      }
      return scope.made(Value.array(array.build()));
    }

    @Override
    public RootFields reads() {
      return Expression.readsOf(elements);
    }

    @Override
    public boolean constant() {
      return elements.stream().allMatch(Expression::constant);
    }
  }
}
