package dev.mayfly.http;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/** The body of a request as it comes in. Grows with what has come, not with what is announced. */
final class Body {
  private static final byte[] NOTHING = {};
  private static final int FIRST = 4096;

  private int limit;
  private byte[] bytes = NOTHING;
  private int length;

  Body(int limit) {
    this.limit = limit;
  }

  /** Sets another limit, before the first bytes come. */
  void limit(int most) {
    limit = most;
  }

  int limit() {
    return limit;
  }

  /** How much of it has come. */
  int length() {
    return length;
  }

  /** Takes some more; false when that is too much. */
  boolean add(ByteBuf more) {
    int count = more.readableBytes();
    if (count > limit - length) {
      return false;
    }
    if (length + count > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(length + count, grown()));
    }
    more.readBytes(bytes, length, count);
    length += count;
    return true;
  }

  private int grown() {
    return Math.min(limit, bytes.length == 0 && length == 0 ? 0 : Math.max(FIRST, 2 * length));
  }

  /** All of it; the body is empty again. */
  byte[] take() {
    byte[] all = length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    bytes = NOTHING;
    length = 0;
    return all;
  }
}
