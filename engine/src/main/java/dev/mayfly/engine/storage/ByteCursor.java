package dev.mayfly.engine.storage;

import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.value.Document;
import java.util.Arrays;

/** Cursor over bytes written by {@link ByteBuilder}. For one thread. */
public final class ByteCursor {
  private final byte[] buffer;
  private int at;

  public ByteCursor(byte[] buffer, int at) {
    this.buffer = buffer;
    this.at = at;
  }

  int at() {
    return at;
  }

  public boolean atEnd() {
    return at >= buffer.length;
  }

  public int read() {
    need(1);
    return buffer[at++] & 0xFF;
  }

  byte[] read(int length) {
    need(length);
    at += length;
    return Arrays.copyOfRange(buffer, at - length, at);
  }

  public long varint() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      int b = read();
      value |= (long) (b & 0x7F) << shift;
      if (b < 0x80) {
        return value;
      }
    }
    throw new EngineException(Reason.UNREADABLE, "a stored entry contains a varint without an end");
  }

  public long signed() {
    long value = varint();
    return value >>> 1 ^ -(value & 1);
  }

  public byte[] sized() {
    return read(Math.toIntExact(varint()));
  }

  public Document document() {
    Document document = Document.trusted(buffer, at);
    at += document.length();
    return document;
  }

  byte[] rest() {
    return Arrays.copyOfRange(buffer, at, buffer.length);
  }

  private void need(int bytes) {
    if (bytes < 0 || at + bytes > buffer.length) {
      throw new EngineException(Reason.UNREADABLE, "a stored entry is truncated");
    }
  }
}
