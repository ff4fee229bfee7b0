package dev.mayfly.engine;

import java.util.Arrays;

/** Bytes that can be a key of a map. */
final class Bytes {
  private final byte[] array;
  private final int hash;

  Bytes(byte[] array) {
    this.array = array;
    this.hash = Arrays.hashCode(array);
  }

  byte[] array() {
    return array;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes bytes && Arrays.equals(array, bytes.array);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
