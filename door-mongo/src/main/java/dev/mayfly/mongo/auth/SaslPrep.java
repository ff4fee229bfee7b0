package dev.mayfly.mongo.auth;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import java.text.Normalizer;

/**
 * SASLprep (RFC 4013) of passwords, as drivers apply it before hashing: maps spaces to U+0020,
 * removes invisible characters and normalises the rest (NFKC).
 */
final class SaslPrep {
  private SaslPrep() {}

  /**
   * Prepares a password.
   *
   * @throws CommandException BAD_VALUE if it contains prohibited characters
   */
  static String prepare(String password) {
    if (password.chars().allMatch(one -> one >= ' ' && one < 0x7F)) {
      return password;
    }
    StringBuilder mapped = new StringBuilder();
    password
        .codePoints()
        .filter(one -> !invisible(one))
        .forEach(one -> mapped.appendCodePoint(map(one)));
    String normal = Normalizer.normalize(mapped, Normalizer.Form.NFKC);
    if (normal.codePoints().anyMatch(SaslPrep::prohibited)) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "A password cannot contain control or unassigned characters");
    }
    return normal;
  }

  /** Table B.1 of RFC 3454: commonly mapped to nothing. */
  private static boolean invisible(int one) {
    return one == 0xAD
        || one == 0x34F
        || one == 0x1806
        || (one >= 0x180B && one <= 0x180D)
        || (one >= 0x200B && one <= 0x200D)
        || one == 0x2060
        || (one >= 0xFE00 && one <= 0xFE0F)
        || one == 0xFEFF;
  }

  private static int map(int one) {
    return Character.getType(one) == Character.SPACE_SEPARATOR ? ' ' : one;
  }

  private static boolean prohibited(int one) {
    return switch (Character.getType(one)) {
      case Character.CONTROL,
          Character.PRIVATE_USE,
          Character.SURROGATE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }
}
