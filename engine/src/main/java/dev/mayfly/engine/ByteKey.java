package dev.mayfly.engine;

import java.util.Arrays;
import java.util.HexFormat;

/** Byte array with equality by content, for keys of maps. Immutable. */
public final class ByteKey {
  /** No bytes. */
  public static final ByteKey EMPTY = new ByteKey(new byte[0]);

  private final byte[] array;
  private final int hash;

  /** Wraps an array, which must not change afterwards. */
  public ByteKey(byte[] array) {
    this.array = array;
    this.hash = Arrays.hashCode(array);
  }

  /** Returns a key with a copy of these bytes. */
  public static ByteKey of(byte[] bytes) {
    return new ByteKey(bytes.clone());
  }

  public boolean isEmpty() {
    return array.length == 0;
  }

  /** Returns the bytes, which must not be changed. */
  public byte[] array() {
    return array;
  }

  /** Returns a copy of the bytes. */
  public byte[] toArray() {
    return array.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ByteKey bytes && Arrays.equals(array, bytes.array);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(array);
  }
}
