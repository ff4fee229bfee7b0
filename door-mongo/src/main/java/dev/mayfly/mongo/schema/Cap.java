package dev.mayfly.mongo.schema;

import dev.mayfly.mql.CommandException;

/** The limits of capped collections. */
final class Cap {
  private static final long LARGEST = 1L << 50;
  private static final long MOST = (1L << 31) - 1;

  private Cap() {}

  /** A size in bytes; as from MongoDB 6.2 on it is not rounded up. */
  static long bytes(long asked, String field) {
    if (asked <= 0 || asked > LARGEST) {
      throw CommandException.outOfBounds(field, asked <= 0 ? ">= 1" : "<= " + LARGEST, asked);
    }
    return asked;
  }

  /** A number of documents; 0 for no limit, as MongoDB takes what is negative or too large. */
  static long documents(long asked) {
    return asked < 0 || asked > MOST ? 0 : asked;
  }
}
