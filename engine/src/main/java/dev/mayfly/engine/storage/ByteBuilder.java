package dev.mayfly.engine.storage;

import java.util.Arrays;

/** Growable byte buffer with the variable-length numbers of the stored formats. For one thread. */
public final class ByteBuilder {
  private byte[] buffer = new byte[256];
  private int size;

  ByteBuilder clear() {
    size = 0;
    return this;
  }

  public int size() {
    return size;
  }

  public byte[] buffer() {
    return buffer;
  }

  public byte[] bytes() {
    return Arrays.copyOf(buffer, size);
  }

  /** Ensures capacity for more bytes at {@link #size()}, to be filled through {@link #buffer()}. */
  ByteBuilder reserve(int bytes) {
    if (size + bytes > buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, size + bytes));
    }
    return this;
  }

  ByteBuilder advance(int to) {
    size = to;
    return this;
  }

  public ByteBuilder put(int b) {
    reserve(1);
    buffer[size++] = (byte) b;
    return this;
  }

  ByteBuilder put(byte[] bytes) {
    return put(bytes, 0, bytes.length);
  }

  public ByteBuilder put(byte[] bytes, int from, int length) {
    reserve(length);
    System.arraycopy(bytes, from, buffer, size, length);
    size += length;
    return this;
  }

  /** Writes a varint: seven bits per byte, low bits first. */
  public ByteBuilder varint(long value) {
    reserve(10);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      buffer[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    buffer[size++] = (byte) rest;
    return this;
  }

  /** Writes a varint in zigzag encoding: small negative numbers are short, too. */
  public ByteBuilder signed(long value) {
    return varint(value << 1 ^ value >> 63);
  }

  /** Writes the length, then the bytes. */
  public ByteBuilder sized(byte[] bytes) {
    return varint(bytes.length).put(bytes);
  }
}
