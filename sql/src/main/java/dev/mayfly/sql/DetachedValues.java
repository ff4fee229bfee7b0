package dev.mayfly.sql;

import dev.mayfly.value.Value;
import java.util.Arrays;

/** Copies values so that they do not retain the document they were read from. */
final class DetachedValues {
  private DetachedValues() {}

  /** Returns the value without the rest of its buffer. */
  static Value of(Value value) {
    int length = value.isMissing() ? 0 : value.length();
    if (length == value.buffer().length) {
      return value;
    }
    byte[] own = Arrays.copyOfRange(value.buffer(), value.offset(), value.offset() + length);
    return Value.view(value.type(), own, 0);
  }
}
