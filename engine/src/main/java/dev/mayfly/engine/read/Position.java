package dev.mayfly.engine.read;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import java.util.Arrays;

/** Position of a scan in a shard. Immutable. */
public sealed interface Position {
  /** Before the first entry. */
  record Start() implements Position {}

  /** After the entry with a key. */
  record At(ByteKey key) implements Position {}

  /** After the last entry. */
  record End() implements Position {}

  /** Returns the rest of a range after this position. */
  default Range rest(Range range, Direction direction) {
    return switch (this) {
      case Start _ -> range;
      case At(ByteKey key) when direction == Direction.UP -> after(range, key.array());
      case At(ByteKey key) -> before(range, key.array());
      case End _ -> Range.to(new byte[0]);
    };
  }

  private static Range after(Range range, byte[] key) {
    // the next possible key: the same with a zero appended
    byte[] next = Arrays.copyOf(key, key.length + 1);
    byte[] from = range.from();
    byte[] start = from == null || Arrays.compareUnsigned(from, next) < 0 ? next : from;
    byte[] to = range.to();
    return to == null ? Range.from(start) : Range.of(start, to);
  }

  private static Range before(Range range, byte[] key) {
    byte[] to = range.to();
    byte[] end = to == null || Arrays.compareUnsigned(key, to) < 0 ? key : to;
    byte[] from = range.from();
    return from == null ? Range.to(end) : Range.of(from, end);
  }
}
