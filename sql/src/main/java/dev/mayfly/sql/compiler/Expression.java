package dev.mayfly.sql.compiler;

import dev.mayfly.query.Operator;
import dev.mayfly.sql.Arithmetic;
import dev.mayfly.value.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What stands for a value in a query. Immutable. */
public sealed interface Expression {
  Span span();

  /** A value that is written down; undefined is one of them. */
  record Literal(Value value, Span span) implements Expression {}

  /** A value that comes with the query. */
  record Parameter(String name, Span span) implements Expression {}

  /** The value of an alias. */
  record Name(String name, Span span) implements Expression {}

  /** A field by its name. */
  record Member(Expression of, String name, Span span) implements Expression {}

  /** An element by its place, or a field by a computed name. */
  record Element(Expression of, Expression index, Span span) implements Expression {}

  /** An operator of one operand. */
  record Unary(Sign sign, Expression operand, Span span) implements Expression {}

  /** The operators of one operand. */
  enum Sign {
    MINUS("-"),
    PLUS("+"),
    INVERT("~"),
    NOT("NOT ");

    private final String symbol;

    Sign(String symbol) {
      this.symbol = symbol;
    }

    String symbol() {
      return symbol;
    }
  }

  /** A calculation with two operands. */
  record Binary(Arithmetic.Operator operator, Expression left, Expression right, Span span)
      implements Expression {}

  /** A comparison of two operands. */
  record Compare(Operator operator, Expression left, Expression right, Span span)
      implements Expression {}

  /** All members are true, or any is. */
  record Logical(boolean all, List<Expression> members, Span span) implements Expression {
    public Logical {
      members = List.copyOf(members);
    }
  }

  /** One of several values. */
  record In(Expression value, List<Expression> others, Span span) implements Expression {
    public In {
      others = List.copyOf(others);
    }
  }

  /** Between two values, both included. */
  record Between(Expression value, Expression low, Expression high, Span span)
      implements Expression {}

  /** A text of a shape. */
  record Like(Expression value, Expression pattern, @Nullable Expression escape, Span span)
      implements Expression {}

  /** The first unless it is undefined, else the second. */
  record Coalesce(Expression first, Expression second, Span span) implements Expression {}

  /** The second when the first is true, else the third. */
  record Choice(Expression condition, Expression then, Expression otherwise, Span span)
      implements Expression {}

  /**
   * A function's value.
   *
   * @param custom whether it is one of the container's own
   */
  record Call(String name, boolean custom, List<Expression> arguments, Span span)
      implements Expression {
    public Call {
      arguments = List.copyOf(arguments);
    }
  }

  /** A new array. */
  record NewArray(List<Expression> elements, Span span) implements Expression {
    public NewArray {
      elements = List.copyOf(elements);
    }
  }

  /** A new object. */
  record NewObject(List<String> names, List<Expression> values, Span span) implements Expression {
    public NewObject {
      names = List.copyOf(names);
      values = List.copyOf(values);
    }
  }

  /** What becomes of the rows of a query inside the query. */
  record Subquery(Use use, Select query, Span span) implements Expression {}

  /** What a subquery stands for. */
  enum Use {
    /** Its only result. */
    ONLY(""),
    EXISTS("EXISTS"),
    ARRAY("ARRAY"),
    ALL("ALL"),
    FIRST("FIRST"),
    LAST("LAST");

    private final String word;

    Use(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }
  }
}
