package dev.mayfly.mongo.write;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;

/** Limits the number of statements in a write command. */
final class BatchLimits {
  private static final int MAX_STATEMENTS = 100_000;

  private BatchLimits() {}

  static void check(int statements) {
    if (statements < 1 || statements > MAX_STATEMENTS) {
      throw new CommandException(
          ErrorCode.INVALID_LENGTH,
          "Write batch sizes must be between 1 and "
              + MAX_STATEMENTS
              + ". Got "
              + statements
              + " operations.");
    }
  }
}
