package dev.mayfly.mongo.schema;

import dev.mayfly.mql.CommandException;

/** Validation of the limits of capped collections. */
final class Cap {
  private static final long MAX_BYTES = 1L << 50;
  private static final long MAX_DOCUMENTS = (1L << 31) - 1;

  private Cap() {}

  /** Returns a valid size in bytes. As in MongoDB since 6.2, it is not rounded up. */
  static long bytes(long requested, String field) {
    if (requested <= 0 || requested > MAX_BYTES) {
      throw CommandException.outOfBounds(
          field, requested <= 0 ? ">= 1" : "<= " + MAX_BYTES, requested);
    }
    return requested;
  }

  /**
   * Returns a number of documents. As in MongoDB, a negative or too large number means no limit,
   * which is 0.
   */
  static long documents(long requested) {
    return requested < 0 || requested > MAX_DOCUMENTS ? 0 : requested;
  }
}
