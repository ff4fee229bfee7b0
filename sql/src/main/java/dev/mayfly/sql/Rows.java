package dev.mayfly.sql;

import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;

/** Source in a FROM clause: binds its variables to all their values in turn. Immutable. */
public interface Rows {
  /** Receives the row once for each set of bindings. */
  @FunctionalInterface
  interface Visitor {
    /** Returns false if no further rows are needed. */
    boolean visit(Row row);
  }

  /** Visits all bindings, given those so far; returns false if the visitor did. */
  boolean each(Row row, Visitor visitor);

  /** Returns a source with one row and no variables. */
  static Rows once() {
    return (row, visitor) -> visitor.visit(row);
  }

  /** Binds a variable to a value; no row if the value is undefined. */
  static Rows bound(int slot, Scalar value) {
    return (row, visitor) -> {
      Value found = value.evaluate(row);
      if (found.isMissing()) {
        return true;
      }
      row.variable(slot, found);
      return visitor.visit(row);
    };
  }

  /** Binds a variable to each element of an array; no row if the value is not an array. */
  static Rows elements(int slot, Scalar array) {
    return (row, visitor) -> {
      Value found = array.evaluate(row);
      return found.type() != Type.ARRAY || eachElement(found, slot, row, visitor);
    };
  }

  private static boolean eachElement(Value array, int slot, Row row, Visitor visitor) {
    Fields elements = new Fields(array.buffer(), array.offset());
    while (elements.next()) {
      row.next(slot, elements.value());
      if (!visitor.visit(row)) {
        return false;
      }
    }
    return true;
  }

  /** Binds a variable to each element of a subquery's array results, and to its other results. */
  static Rows spread(int slot, Selection subquery) {
    return (row, visitor) ->
        subquery.each(
            row,
            value -> {
              if (value.type() == Type.ARRAY) {
                return eachElement(value, slot, row, visitor);
              }
              row.next(slot, value);
              return visitor.visit(row);
            });
  }

  /** Binds a variable to each result of a subquery. */
  static Rows results(int slot, Selection subquery) {
    return (row, visitor) ->
        subquery.each(
            row,
            value -> {
              row.next(slot, value);
              return visitor.visit(row);
            });
  }

  /** Joins sources; each sees the bindings of those before it. */
  static Rows joined(List<Rows> parts) {
    Rows all = once();
    for (Rows part : parts.reversed()) {
      Rows rest = all;
      all = (row, visitor) -> part.each(row, inner -> rest.each(inner, visitor));
    }
    return parts.size() == 1 ? parts.getFirst() : all;
  }

  /** Returns the rows for which the condition is true. */
  default Rows where(Scalar condition) {
    return (row, visitor) ->
        each(row, inner -> !Logic.isTrue(condition.evaluate(inner)) || visitor.visit(inner));
  }
}
