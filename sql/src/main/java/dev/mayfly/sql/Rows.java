package dev.mayfly.sql;

import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;

/** A part of a FROM clause: binds its variables in turn to all that they range over. Immutable. */
public interface Rows {
  /** Is shown the row with one set of bindings after the other. */
  @FunctionalInterface
  interface Visitor {
    /** False when nothing more needs to be shown. */
    boolean visit(Row row);
  }

  /** Shows all bindings for what is bound so far; false when the visitor has had enough. */
  boolean each(Row row, Visitor visitor);

  /** Binds nothing, once. */
  static Rows once() {
    return (row, visitor) -> visitor.visit(row);
  }

  /** Binds a variable to a value; to nothing at all when that is undefined. */
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

  /** Binds a variable to each element of an array; to nothing when the value is none. */
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

  /** Binds a variable to each element of the arrays of a subquery, and to its other results. */
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

  /** All combinations; each part sees what those before it have bound. */
  static Rows joined(List<Rows> parts) {
    Rows all = once();
    for (Rows part : parts.reversed()) {
      Rows rest = all;
      all = (row, visitor) -> part.each(row, inner -> rest.each(inner, visitor));
    }
    return parts.size() == 1 ? parts.getFirst() : all;
  }

  /** Those of which the condition is true. */
  default Rows where(Scalar condition) {
    return (row, visitor) ->
        each(row, inner -> !Logic.isTrue(condition.evaluate(inner)) || visitor.visit(inner));
  }
}
