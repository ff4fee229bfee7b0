package dev.mayfly.mql.function;

import dev.mayfly.query.QueryException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.Month;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses dates without a pattern.
 *
 * <p>Accepted forms: ISO 8601 with dashes, slashes or no separators, the time optional; days with
 * the name of a month; days and weeks of a year; seconds since 1970 after an {@code @}. A year of
 * two digits is from 1970 to 2069. A timezone in the text is used; it is an error if another was
 * given as an argument.
 */
final class DateReader {
  private static final String TIME =
      "(?:[T ]\\s*(?<hour>\\d{1,2})(?:[:.](?<minute>\\d{2})(?:[:.](?<second>\\d{2})"
          + "(?:[.,](?<fraction>\\d{1,9}))?)?)?\\s*(?<half>[aApP][mM])?)?"
          + "\\s*(?<zone>(?:GMT|UTC)?[+-]\\d{1,2}(?::?\\d{2})?|[A-Za-z]{1,5}"
          + "|[A-Za-z]+/[A-Za-z_/]+)?";
  private static final Pattern[] FORMS = {
    Pattern.compile("(?<year>\\d{4})-(?<month>\\d{1,2})-(?<day>\\d{1,2})" + TIME),
    Pattern.compile("(?<year>\\d{4})/(?<month>\\d{1,2})/(?<day>\\d{1,2})" + TIME),
    Pattern.compile("(?<month>\\d{1,2})/(?<day>\\d{1,2})/(?<year>\\d{4}|\\d{2})" + TIME),
    Pattern.compile("(?<year>\\d{4})[-.]?(?<ordinal>\\d{3})" + TIME),
    Pattern.compile("(?<year>\\d{4})-?W(?<week>\\d{2})(?:-?(?<weekday>[0-7]))?" + TIME),
    Pattern.compile("(?<day>\\d{1,2})[-.](?<month>\\d{1,2})[-.](?<year>\\d{4})" + TIME),
    Pattern.compile("(?<year>\\d{4})(?<month>\\d{2})(?<day>\\d{2})" + TIME),
    Pattern.compile(
        "(?:[A-Za-z]{3,9},?\\s+)?(?<name>[A-Za-z]{3,9})\\.?\\s+(?<day>\\d{1,2})"
            + "(?:st|nd|rd|th)?,?\\s+(?<year>\\d{4})"
            + TIME),
    Pattern.compile(
        "(?:[A-Za-z]{3,9},?\\s+)?(?<day>\\d{1,2})(?:st|nd|rd|th)?[\\s-](?<name>[A-Za-z]{3,9})\\.?"
            + "[\\s-](?<year>\\d{4})"
            + TIME),
  };

  private static final Pattern SECONDS = Pattern.compile("@(-?\\d{1,15})(?:\\.(\\d{1,9}))?");

  private DateReader() {}

  /**
   * Parses the text; returns milliseconds since 1970.
   *
   * @param zone used if the text has none
   */
  static long parse(String text, ZoneId zone) {
    Matcher seconds = SECONDS.matcher(text.strip());
    if (seconds.matches()) {
      String fraction = (seconds.group(2) == null ? "" : seconds.group(2)) + "000";
      return Long.parseLong(seconds.group(1)) * 1000 + Integer.parseInt(fraction.substring(0, 3));
    }
    for (Pattern form : FORMS) {
      Matcher matcher = form.matcher(text.strip());
      if (matcher.matches()) {
        return read(text, matcher, zone);
      }
    }
    throw failure(text, "unknown format");
  }

  static QueryException failure(String text, String why) {
    return Conversions.failure("Error parsing date string '" + text + "'; " + why);
  }

  /** Returns the timezone to use: that of the text, or the argument. */
  static ZoneId zone(String text, String named, ZoneId argument) {
    if (named.isEmpty()) {
      return argument;
    }
    if (!argument.equals(ZoneOffset.UTC)) {
      throw Conversions.failure(
          "you cannot pass in a date/time string with time zone information ('"
              + named
              + "') together with a timezone argument");
    }
    Optional<ZoneOffset> known = ZoneNames.offset(named);
    return known.isPresent() ? known.get() : longZone(text, named);
  }

  /** Parses an offset in digits, possibly after GMT or UTC, or the name of a region. */
  private static ZoneId longZone(String text, String named) {
    try {
      String plain = named.matches("(GMT|UTC)[+-].*") ? named.substring(3) : named;
      String sign = plain.substring(0, 1);
      boolean offset = sign.equals("+") || sign.equals("-");
      boolean oneDigit = offset && (plain.length() == 2 || plain.indexOf(':') == 2);
      return Dates.zone(oneDigit ? sign + "0" + plain.substring(1) : plain);
    } catch (QueryException _) {
      throw failure(text, "the time zone is not known");
    }
  }

  static long millis(LocalDate day, LocalTime time, ZoneId zone) {
    return day.atTime(time).atZone(zone).toInstant().toEpochMilli();
  }

  private static long read(String text, Matcher matcher, ZoneId argument) {
    try {
      LocalDate day = day(text, matcher);
      LocalTime time =
          LocalTime.of(
              hour(matcher), number(matcher, "minute"), number(matcher, "second"), nanos(matcher));
      return millis(day, time, zone(text, group(matcher, "zone"), argument));
    } catch (DateTimeException _) {
      throw failure(text, "a number is out of range");
    }
  }

  private static LocalDate day(String text, Matcher matcher) {
    int year = year(matcher.group("year"));
    if (matcher.namedGroups().containsKey("ordinal")) {
      return LocalDate.ofYearDay(year, number(matcher, "ordinal"));
    }
    if (matcher.namedGroups().containsKey("week")) {
      LocalDate monday = LocalDate.of(year, 1, 4).with(ChronoField.DAY_OF_WEEK, 1);
      int weekday = group(matcher, "weekday").isEmpty() ? 1 : number(matcher, "weekday");
      return monday.plusWeeks(number(matcher, "week") - 1).plusDays(weekday - 1);
    }
    return LocalDate.of(year, month(text, matcher), Integer.parseInt(matcher.group("day")));
  }

  private static int year(String digits) {
    int year = Integer.parseInt(digits);
    if (digits.length() > 2) {
      return year;
    }
    return year < 70 ? 2000 + year : 1900 + year;
  }

  private static int hour(Matcher matcher) {
    int hour = number(matcher, "hour");
    return switch (group(matcher, "half").toLowerCase(Locale.ROOT)) {
      case "am" -> hour % 12;
      case "pm" -> hour % 12 + 12;
      default -> hour;
    };
  }

  private static int month(String text, Matcher matcher) {
    return matcher.namedGroups().containsKey("name")
        ? month(text, matcher.group("name"))
        : Integer.parseInt(matcher.group("month"));
  }

  /** Returns the number of the month with this English name or its first three letters. */
  static int month(String text, String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    for (Month month : Month.values()) {
      if (month.name().equals(upper) || month.name().substring(0, 3).equals(upper)) {
        return month.getValue();
      }
    }
    throw failure(text, "the month is not known");
  }

  private static int nanos(Matcher matcher) {
    String digits = group(matcher, "fraction");
    return digits.isEmpty() ? 0 : Integer.parseInt((digits + "00000000").substring(0, 9));
  }

  private static int number(Matcher matcher, String name) {
    String digits = group(matcher, name);
    return digits.isEmpty() ? 0 : Integer.parseInt(digits);
  }

  private static String group(Matcher matcher, String name) {
    String found = matcher.group(name);
    return found == null ? "" : found;
  }
}
