package dev.mayfly.value;

/** Hash of a part of an array; {@link java.util.Arrays} hashes whole arrays only. */
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
