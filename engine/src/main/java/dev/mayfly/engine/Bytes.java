package dev.mayfly.engine;

import java.util.Arrays;
import java.util.HexFormat;

/** Bytes that can be a key of a map. Immutable. */
public final class Bytes {
  /** No bytes. */
  public static final Bytes EMPTY = new Bytes(new byte[0]);

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

  public boolean isEmpty() {
    return array.length == 0;
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
