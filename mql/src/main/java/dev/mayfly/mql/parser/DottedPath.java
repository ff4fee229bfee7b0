package dev.mayfly.mql.parser;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.FieldPath;

/** Parser of dotted field names in filters, sorts and projections. */
final class DottedPath {
  private static final int MAX_STEPS = 200;

  private DottedPath() {}

  /**
   * Parses a name.
   *
   * @throws CommandException if it has too many steps
   */
  static FieldPath of(String name) {
    FieldPath path = FieldPath.of(name);
    if (path.length() > MAX_STEPS) {
      throw new CommandException(ErrorCode.location(5729100), "FieldPath is too long");
    }
    return path;
  }
}
