package dev.mayfly.engine;

import java.util.Arrays;
import java.util.HexFormat;

/** Bytes that can be a key of a map. Immutable. */
public final class ByteKey {
  /** No bytes. */
  public static final ByteKey EMPTY = new ByteKey(new byte[0]);

  private final byte[] array;
  private final int hash;

  /** Takes over an array that nobody will change. */
  public ByteKey(byte[] array) {
    this.array = array;
    this.hash = Arrays.hashCode(array);
  }

  /** A copy of these bytes. */
  public static ByteKey of(byte[] bytes) {
    return new ByteKey(bytes.clone());
  }

  public boolean isEmpty() {
    return array.length == 0;
  }

  /** The bytes, to be read only. */
  public byte[] array() {
    return array;
  }

  /** A copy of the bytes. */
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
