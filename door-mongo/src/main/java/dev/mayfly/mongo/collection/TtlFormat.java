package dev.mayfly.mongo.collection;

import dev.mayfly.expiry.TimeFormat;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Parser of {@code mayflyTtlFormat}: how a TTL rule reads the time in its field. This option is
 * Mayfly's own.
 */
public final class TtlFormat {
  public static final String FIELD = "mayflyTtlFormat";

  private TtlFormat() {}

  /**
   * Returns the format with a name.
   *
   * @throws CommandException BAD_VALUE
   */
  public static TimeFormat of(String name) {
    return TimeFormat.named(name).orElseThrow(() -> unknown(name));
  }

  private static CommandException unknown(String name) {
    return new CommandException(
        ErrorCode.BAD_VALUE,
        "'"
            + FIELD
            + "' is '"
            + name
            + "', but must be one of "
            + Arrays.stream(TimeFormat.values())
                .map(TimeFormat::code)
                .collect(Collectors.joining(", ")));
  }
}
