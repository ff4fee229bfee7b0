package dev.mayfly.engine.read;

import dev.mayfly.store.Range;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Cuts ranges of keys into pieces. */
final class RangeSplitter {
  private static final int WORD = Long.BYTES;

  private RangeSplitter() {}

  /**
   * Pieces that make up a range, in order, at most so many. They are equally wide where the first
   * and the last key that are known of begin to differ, seen as numbers; how many keys are in each
   * is not known.
   */
  static List<Range> of(Range range, byte[] first, byte[] last, int most) {
    int common = Math.max(0, Arrays.mismatch(first, last));
    long low = word(first, common);
    long width = Long.divideUnsigned(word(last, common) - low, most);
    List<Range> pieces = new ArrayList<>();
    Range rest = range;
    for (int i = 1; i < most && width != 0; i++) {
      byte[] border = border(last, common, low + i * width);
      pieces.add(rest.from() == null ? Range.to(border) : Range.of(rest.from(), border));
      rest = range.to() == null ? Range.from(border) : Range.of(border, range.to());
    }
    pieces.add(rest);
    return pieces;
  }

  /** Some bytes of a key as a number, zeros behind its end. */
  private static long word(byte[] key, int at) {
    byte[] bytes =
        Arrays.copyOfRange(key, Math.min(at, key.length), Math.min(at, key.length) + WORD);
    return ByteBuffer.wrap(bytes).getLong();
  }

  private static byte[] border(byte[] key, int common, long word) {
    return ByteBuffer.allocate(common + WORD).put(key, 0, common).putLong(word).array();
  }
}
