package dev.mayfly.mongo.auth;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import java.text.Normalizer;

/**
 * Brings passwords into the form in which all drivers hash them (RFC 4013): spaces are made alike,
 * what is invisible is left out, the rest is normalised.
 */
final class SaslPrep {
  private SaslPrep() {}

  /**
   * The prepared form.
   *
   * @throws CommandException BAD_VALUE when the password has characters that no password may have
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
    if (normal.codePoints().anyMatch(SaslPrep::barred)) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "A password cannot hold control or unassigned characters");
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

  private static boolean barred(int one) {
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
