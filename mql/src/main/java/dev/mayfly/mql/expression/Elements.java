package dev.mayfly.mql.expression;

import dev.mayfly.query.Intermediate;
import dev.mayfly.query.Interrupt;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;

/** Arrays taken apart and put together. */
public final class Elements {
  public static final Value EMPTY = Value.array(Document.EMPTY);

  /** About a dozen elements, as a shift. */
  private static final int BYTES_OF_STEP = 7;

  private Elements() {}

  /** A cursor before the first element. */
  public static Fields cursor(Value array) {
    Interrupt.steps(1 + (array.length() >>> BYTES_OF_STEP));
    return new Fields(array.buffer(), array.offset());
  }

  /** The elements as a list that may be changed. */
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

  /** The element at a place counted from 0, or missing. */
  public static Value at(Value array, long index) {
    Fields each = cursor(array);
    for (long i = 0; each.next(); i++) {
      if (i == index) {
        return each.value();
      }
    }
    return Value.MISSING;
  }

  /** The array of the elements from one place up to, but without, another. */
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
