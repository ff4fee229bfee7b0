package dev.mayfly.http;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/** Buffer of a request body. Grows with the bytes received, not with the announced length. */
final class Body {
  private static final byte[] EMPTY = {};
  private static final int MIN_BYTES = 4096;

  private int limit;
  private byte[] bytes = EMPTY;
  private int length;

  Body(int limit) {
    this.limit = limit;
  }

  /** Sets another limit, before the first bytes arrive. */
  void limit(int maxBytes) {
    limit = maxBytes;
  }

  int limit() {
    return limit;
  }

  /** Returns the number of bytes received. */
  int length() {
    return length;
  }

  /** Appends bytes; returns false if the body exceeds the limit. */
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
    return Math.min(limit, bytes.length == 0 && length == 0 ? 0 : Math.max(MIN_BYTES, 2 * length));
  }

  /** Returns the whole body and clears the buffer. */
  byte[] take() {
    byte[] all = length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    bytes = EMPTY;
    length = 0;
    return all;
  }
}
