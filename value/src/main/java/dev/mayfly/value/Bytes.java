package dev.mayfly.value;

/** A hash over part of an array, which {@link java.util.Arrays} has only for whole ones. */
final class Bytes {
  private Bytes() {}

  static int hash(byte[] buffer, int offset, int length) {
    int hash = 1;
    for (int i = offset; i < offset + length; i++) {
      hash = 31 * hash + buffer[i];
    }
    return hash;
  }
}
