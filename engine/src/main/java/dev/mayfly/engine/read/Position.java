package dev.mayfly.engine.read;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import java.util.Arrays;

/** How far a source has come on its way through a shard. */
public sealed interface Position {
  /** Nothing has been looked at. */
  record Start() implements Position {}

  /** The entry of this key has been looked at, and all before it. */
  record At(ByteKey key) implements Position {}

  /** Everything has been looked at. */
  record End() implements Position {}

  /** What is left of a range for who goes on from here; empty when nothing is. */
  default Range rest(Range range, Direction direction) {
    return switch (this) {
      case Start _ -> range;
      case At(ByteKey key) when direction == Direction.UP -> behind(range, key.array());
      case At(ByteKey key) -> before(range, key.array());
      case End _ -> Range.to(new byte[0]);
    };
  }

  private static Range behind(Range range, byte[] key) {
    // nothing lies between a key and the same key with a zero behind it
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
