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
 * Instants counted in units of 100 nanoseconds from 1970, and their texts.
 *
 * <p>A text is a date, alone or with a time to the second and up to seven digits of a fraction,
 * behind a space or a T; it may end with a Z and means UTC in any case. Written, it has all seven
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

  /** The instant that a text tells; empty when it tells none. */
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

  /** The instant with these parts; empty when there is no such day or time. */
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

  /** True for instants that have a text: those of years with four digits. */
  static boolean writable(LocalDateTime time) {
    return time.getYear() >= 1 && time.getYear() <= LAST_YEAR;
  }

  static String text(LocalDateTime time) {
    return new DatePicture(time).of("yyyy-MM-ddTHH:mm:ss.fffffffZ");
  }

  /** What is left of the time behind its last whole second. */
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
