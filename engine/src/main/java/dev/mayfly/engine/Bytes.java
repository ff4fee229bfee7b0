package dev.mayfly.engine;

import java.util.Arrays;
import java.util.HexFormat;

/** Bytes that can be a key of a map. Immutable. */
public final class Bytes {
  private final byte[] array;
  private final int hash;

  /** Takes over an array that nobody will change. */
  Bytes(byte[] array) {
    this.array = array;
    this.hash = Arrays.hashCode(array);
  }

  /** A copy of these bytes. */
  public static Bytes of(byte[] bytes) {
    return new Bytes(bytes.clone());
  }

  /** The bytes, to be read only. */
  byte[] array() {
    return array;
  }

  /** A copy of the bytes. */
  public byte[] toArray() {
    return array.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes bytes && Arrays.equals(array, bytes.array);
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
