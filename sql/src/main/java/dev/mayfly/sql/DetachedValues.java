package dev.mayfly.sql;

import dev.mayfly.value.Value;
import java.util.Arrays;

/** Values that outlive the document they were found in. */
final class DetachedValues {
  private DetachedValues() {}

  /** The value without the rest of the buffer that it is a part of. */
  static Value of(Value value) {
    int length = value.isMissing() ? 0 : value.length();
    if (length == value.buffer().length) {
      return value;
    }
    byte[] own = Arrays.copyOfRange(value.buffer(), value.offset(), value.offset() + length);
    return Value.view(value.type(), own, 0);
  }
}
