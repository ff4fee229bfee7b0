package dev.mayfly.sql;

import dev.mayfly.sql.EvaluationException.Reason;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;

/** Subqueries that yield a value. */
public final class Subqueries {
  /** Approximate overhead of a list element in bytes. */
  private static final int ENTRY_BYTES = 40;

  private Subqueries() {}

  /** Returns the only result, undefined if none; fails with SEVERAL_ROWS if there are more. */
  public static Scalar only(Selection subquery) {
    return row -> {
      Value[] only = {Value.MISSING};
      subquery.each(
          row,
          value -> {
            if (!only[0].isMissing()) {
              throw new EvaluationException(Reason.SEVERAL_ROWS);
            }
            only[0] = value;
            return true;
          });
      return only[0];
    };
  }

  /** Whether there is a result. */
  public static Scalar exists(Selection subquery) {
    return row -> Value.of(!subquery.each(row, _ -> false));
  }

  /** Whether all results are true. */
  public static Scalar all(Selection subquery) {
    return row -> Value.of(subquery.each(row, Logic::isTrue));
  }

  /** Returns all results as an array. */
  public static Scalar array(Selection subquery) {
    return row -> {
      List<Value> values = new ArrayList<>();
      long mark = row.memory().mark();
      try {
        subquery.each(
            row,
            value -> {
              row.memory().keep(ENTRY_BYTES + value.length());
              return values.add(value);
            });
        return row.counted(Value.array(values));
      } finally {
        row.memory().release(mark);
      }
    };
  }

  /** Returns the first result; undefined if there is none. */
  public static Scalar first(Selection subquery) {
    return row -> {
      Value[] first = {Value.MISSING};
      subquery.each(
          row,
          value -> {
            first[0] = value;
            return false;
          });
      return first[0];
    };
  }

  /** Returns the last result; undefined if there is none. */
  public static Scalar last(Selection subquery) {
    return row -> {
      Value[] last = {Value.MISSING};
      subquery.each(
          row,
          value -> {
            last[0] = value;
            return true;
          });
      return last[0];
    };
  }
}
