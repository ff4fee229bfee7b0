package dev.mayfly.sql;

import dev.mayfly.value.Value;
import java.util.List;

/** Calls a built-in function. */
public final class Call {
  private Call() {}

  /** Returns a call; the number of arguments must fit the function. */
  public static Scalar of(Function function, List<Scalar> arguments) {
    Scalar[] operands = arguments.toArray(Scalar[]::new);
    return row -> {
      Value[] values = new Value[operands.length];
      long mark = row.memory().mark();
      try {
        for (int i = 0; i < operands.length; i++) {
          values[i] = operands[i].evaluate(row);
          row.memory().keep(values[i]);
        }
        return row.counted(function.call(values, row));
      } finally {
        row.memory().release(mark);
      }
    };
  }
}
