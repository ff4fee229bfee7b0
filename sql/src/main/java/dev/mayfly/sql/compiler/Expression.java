package dev.mayfly.sql.compiler;

import dev.mayfly.query.Operator;
import dev.mayfly.sql.Arithmetic;
import dev.mayfly.value.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Expression of the syntax tree. Immutable. */
public sealed interface Expression {
  Span span();

  /** A literal, including undefined. */
  record Literal(Value value, Span span) implements Expression {}

  /** A parameter of the query. */
  record Parameter(String name, Span span) implements Expression {}

  /** The value of an alias. */
  record Name(String name, Span span) implements Expression {}

  /** A field by its name. */
  record Member(Expression of, String name, Span span) implements Expression {}

  /** An element by its index, or a field by a computed name. */
  record Element(Expression of, Expression index, Span span) implements Expression {}

  /** A unary operation. */
  record Unary(Sign sign, Expression operand, Span span) implements Expression {}

  /** Unary operators. */
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

  /** A binary operation. */
  record Binary(Arithmetic.Operator operator, Expression left, Expression right, Span span)
      implements Expression {}

  /** A comparison. */
  record Compare(Operator operator, Expression left, Expression right, Span span)
      implements Expression {}

  /** AND or OR. */
  record Logical(boolean all, List<Expression> members, Span span) implements Expression {
    public Logical {
      members = List.copyOf(members);
    }
  }

  /** IN. */
  record In(Expression value, List<Expression> others, Span span) implements Expression {
    public In {
      others = List.copyOf(others);
    }
  }

  /** BETWEEN, bounds inclusive. */
  record Between(Expression value, Expression low, Expression high, Span span)
      implements Expression {}

  /** LIKE. */
  record Like(Expression value, Expression pattern, @Nullable Expression escape, Span span)
      implements Expression {}

  /** The {@code ??} operator: the first value, or the second if it is undefined. */
  record Coalesce(Expression first, Expression second, Span span) implements Expression {}

  /** The {@code ?:} operator. */
  record Choice(Expression condition, Expression then, Expression otherwise, Span span)
      implements Expression {}

  /**
   * A function call.
   *
   * @param custom whether it is a user-defined function
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

  /** A subquery. */
  record Subquery(Use use, Select query, Span span) implements Expression {}

  /** How a subquery yields a value. */
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
