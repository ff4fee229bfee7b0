package dev.mayfly.engine.read;

import dev.mayfly.store.Range;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Splits a key range into pieces for a parallel scan. Stateless. */
final class RangeSplitter {
  private static final int WORD = Long.BYTES;

  private RangeSplitter() {}

  /**
   * Returns the pieces of a range, in order. Their borders are equidistant numbers, from the bytes
   * at which the first and the last key differ. The number of keys in each piece is unknown.
   *
   * @param most the maximum number of pieces
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

  /** Returns eight bytes of a key as a number, padded with zeros. */
  private static long word(byte[] key, int at) {
    byte[] bytes =
        Arrays.copyOfRange(key, Math.min(at, key.length), Math.min(at, key.length) + WORD);
    return ByteBuffer.wrap(bytes).getLong();
  }

  private static byte[] border(byte[] key, int common, long word) {
    return ByteBuffer.allocate(common + WORD).put(key, 0, common).putLong(word).array();
  }
}
