package dev.mayfly.sql;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Instants in ticks of 100 nanoseconds since 1970, and their string form.
 *
 * <p>The string is a date, optionally followed by a space or a T and a time in seconds with up to
 * seven digits of a fraction; it may end with a Z and is always UTC. Formatted, it has all seven
 * digits and the Z.
 */
final class Ticks {
  static final long PER_MICROSECOND = 10;
  static final long PER_MILLISECOND = 10_000;
  static final long PER_SECOND = 10_000_000;

  private static final int NANOSECONDS = 100;
  private static final int FRACTION_DIGITS = 7;
  private static final int LAST_YEAR = 9999;

  private static final Pattern TEXT =
      Pattern.compile(
          "(\\d{4})-(\\d{2})-(\\d{2})" + "(?:[T ](\\d{2}):(\\d{2}):(\\d{2})(?:\\.(\\d{1,7}))?)?Z?");

  private Ticks() {}

  /** Parses a string; empty if it is malformed. */
  static OptionalLong parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      return OptionalLong.empty();
    }
    return of(
        number(parts, 1),
        number(parts, 2),
        number(parts, 3),
        number(parts, 4),
        number(parts, 5),
        number(parts, 6),
        fraction(parts.group(7)));
  }

  /** Returns the instant with these parts; empty if there is no such day or time. */
  static OptionalLong of(
      int year, int month, int day, int hour, int minute, int second, int fraction) {
    if (year < 1 || year > LAST_YEAR || fraction < 0 || fraction >= PER_SECOND) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(
          of(LocalDateTime.of(year, month, day, hour, minute, second, fraction * NANOSECONDS)));
    } catch (DateTimeException _) {
      return OptionalLong.empty();
    }
  }

  static long of(LocalDateTime time) {
    return time.toEpochSecond(ZoneOffset.UTC) * PER_SECOND + fraction(time);
  }

  static LocalDateTime time(long ticks) {
    int nanos = (int) Math.floorMod(ticks, PER_SECOND) * NANOSECONDS;
    return LocalDateTime.ofEpochSecond(Math.floorDiv(ticks, PER_SECOND), nanos, ZoneOffset.UTC);
  }

  /** Whether an instant can be formatted: its year has four digits. */
  static boolean writable(LocalDateTime time) {
    return time.getYear() >= 1 && time.getYear() <= LAST_YEAR;
  }

  static String text(LocalDateTime time) {
    return new DatePicture(time).of("yyyy-MM-ddTHH:mm:ss.fffffffZ");
  }

  /** Returns the ticks after the last whole second. */
  static int fraction(LocalDateTime time) {
    return time.get(ChronoField.NANO_OF_SECOND) / NANOSECONDS;
  }

  private static int number(Matcher parts, int group) {
    return parts.group(group) == null ? 0 : Integer.parseInt(parts.group(group));
  }

  private static int fraction(@Nullable String digits) {
    return digits == null
        ? 0
        : Integer.parseInt(digits + "0".repeat(FRACTION_DIGITS - digits.length()));
  }
}
