package dev.mayfly.query.expression;

import dev.mayfly.query.RootFields;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.List;

/** Expressions that put values together. */
public final class Construction {
  private Construction() {}

  /** A field of a {@link NewObject}. */
  public record Member(String name, Expression value) {}

  /** An object of these fields; those whose value is missing are left out. */
  public record NewObject(List<Member> members) implements Expression {
    public NewObject {
      members = List.copyOf(members);
    }

    @Override
    public Value evaluate(Scope scope) {
      DocumentWriter object = Document.writer();
      for (Member member : members) {
        object.put(member.name(), member.value().evaluate(scope));
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

  /** An array of these elements; one whose value is missing becomes null. */
  public record NewArray(List<Expression> elements) implements Expression {
    public NewArray {
      elements = List.copyOf(elements);
    }

    @Override
    public Value evaluate(Scope scope) {
      DocumentWriter array = Document.writer();
      for (Expression element : elements) {
        Value value = element.evaluate(scope);
        array.add(value.isMissing() ? Value.NULL : value);
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
