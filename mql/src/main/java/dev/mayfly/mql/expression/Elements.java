package dev.mayfly.mql.expression;

import dev.mayfly.query.Intermediate;
import dev.mayfly.query.limit.Interrupt;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;

/** Access to the elements of arrays. */
public final class Elements {
  public static final Value EMPTY = Value.array(Document.EMPTY);

  /** Bytes of an array per evaluation step, as a shift: about a dozen elements. */
  private static final int BYTES_OF_STEP = 7;

  private Elements() {}

  /** Returns a cursor before the first element. */
  public static Fields cursor(Value array) {
    Interrupt.steps(1 + (array.length() >>> BYTES_OF_STEP));
    return new Fields(array.buffer(), array.offset());
  }

  /** Returns the elements as a mutable list. */
  public static List<Value> list(Value array) {
    List<Value> elements = new ArrayList<>();
    Fields each = cursor(array);
    while (each.next()) {
      elements.add(each.value());
    }
    return elements;
  }

  public static int count(Value array) {
    int count = 0;
    Fields each = cursor(array);
    while (each.next()) {
      count++;
    }
    return count;
  }

  /** Returns the element at an index from 0, or missing. */
  public static Value at(Value array, long index) {
    Fields each = cursor(array);
    for (long i = 0; each.next(); i++) {
      if (i == index) {
        return each.value();
      }
    }
    return Value.MISSING;
  }

  /** Returns the array of the elements from one index, inclusive, to another, exclusive. */
  public static Value range(Value array, long from, long to) {
    DocumentWriter part = Intermediate.writer();
    Fields each = cursor(array);
    for (long i = 0; i < to && each.next(); i++) {
      if (i >= from) {
        part.add(each.value());
      }
    }
    return Value.array(part.build());
  }
}
