package dev.mayfly.mongo.write;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;

/** How many statements a command may have. */
final class BatchLimits {
  private static final int MOST = 100_000;

  private BatchLimits() {}

  static void check(int statements) {
    if (statements < 1 || statements > MOST) {
      throw new CommandException(
          ErrorCode.INVALID_LENGTH,
          "Write batch sizes must be between 1 and "
              + MOST
              + ". Got "
              + statements
              + " operations.");
    }
  }
}
