package dev.mayfly.mql.function;

import dev.mayfly.mql.expression.Operands;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;

/** Parses a date by a pattern of {@code %} specifiers. */
final class DatePattern {
  private static final String LETTERS = "bBdGHjLmMSuVYzZ%";

  private final String text;
  private final String pattern;
  private int at;
  private int year = -1;
  private int month = -1;
  private int day = -1;
  private int dayOfYear = -1;
  private int isoYear = -1;
  private int isoWeek = -1;
  private int isoDay = 1;
  private int hour;
  private int minute;
  private int second;
  private int millisecond;
  private String zone = "";

  private DatePattern(String text, String pattern) {
    this.text = text;
    this.pattern = pattern;
  }

  /** Rejects patterns with unknown specifiers. */
  static void validate(String pattern) {
    for (int i = pattern.indexOf('%'); i >= 0; i = pattern.indexOf('%', i + 2)) {
      if (i + 1 == pattern.length()) {
        throw Operands.badValue(18535, "Unmatched '%' at end of format string");
      }
      if (LETTERS.indexOf(pattern.charAt(i + 1)) < 0) {
        throw Operands.badValue(
            18536, "Invalid format character '%" + pattern.charAt(i + 1) + "' in format string");
      }
    }
  }

  /** Parses the text by a valid pattern; returns milliseconds since 1970. */
  static long parse(String text, String pattern, ZoneId zone) {
    return new DatePattern(text, pattern).read(zone);
  }

  private long read(ZoneId argument) {
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      if (c == '%') {
        take(pattern.charAt(++i));
      } else {
        literal(c);
      }
    }
    if (at < text.length()) {
      throw DateReader.failure(text, "Trailing data");
    }
    try {
      LocalTime time = LocalTime.of(hour, minute, second, millisecond * 1_000_000);
      return DateReader.millis(date(), time, DateReader.zone(text, zone, argument));
    } catch (DateTimeException _) {
      throw DateReader.failure(text, "a number is out of range");
    }
  }

  private LocalDate date() {
    if (isoYear >= 0) {
      return Dates.isoDay(isoYear, Math.max(isoWeek, 1), isoDay);
    }
    if (year >= 0 && dayOfYear >= 0) {
      return LocalDate.ofYearDay(year, dayOfYear);
    }
    if (year < 0 || month < 0 || day < 0) {
      throw DateReader.failure(text, "an incomplete date/time string has been found");
    }
    return LocalDate.of(year, month, day);
  }

  private void take(char letter) {
    switch (letter) {
      case 'Y' -> year = digits(4);
      case 'm' -> month = digits(2);
      case 'd' -> day = digits(2);
      case 'j' -> dayOfYear = digits(3);
      case 'G' -> isoYear = digits(4);
      case 'V' -> isoWeek = digits(2);
      case 'u' -> isoDay = digits(1);
      case 'H' -> hour = digits(2);
      case 'M' -> minute = digits(2);
      case 'S' -> second = digits(2);
      case 'L' -> millisecond = fraction();
      case 'b', 'B' -> month = DateReader.month(text, letters());
      case 'z', 'Z' -> zone = letter == 'z' ? zoneName() : minutes();
      default -> literal('%');
    }
  }

  private void literal(char c) {
    if (at >= text.length() || text.charAt(at) != c) {
      throw DateReader.failure(text, "Format literal not found");
    }
    at++;
  }

  private int digits(int most) {
    int start = at;
    while (at < text.length() && at - start < most && Character.isDigit(text.charAt(at))) {
      at++;
    }
    if (start == at) {
      throw DateReader.failure(text, "A number could not be found");
    }
    return Integer.parseInt(text.substring(start, at));
  }

  private int fraction() {
    int start = at;
    int number = digits(3);
    return number * (at - start == 1 ? 100 : at - start == 2 ? 10 : 1);
  }

  private String letters() {
    int start = at;
    while (at < text.length() && Character.isLetter(text.charAt(at))) {
      at++;
    }
    return text.substring(start, at);
  }

  private String zoneName() {
    while (at < text.length() && text.charAt(at) == ' ') {
      at++;
    }
    int start = at;
    while (at < text.length() && inZoneName(text.charAt(at))) {
      at++;
    }
    return text.substring(start, at);
  }

  private static boolean inZoneName(char c) {
    return "+-:/_".indexOf(c) >= 0 || Character.isLetterOrDigit(c);
  }

  /** Reads an offset as a signed number of minutes. */
  private String minutes() {
    int sign = at < text.length() && text.charAt(at) == '-' ? -1 : 1;
    if (at < text.length() && (text.charAt(at) == '-' || text.charAt(at) == '+')) {
      at++;
    }
    int minutes = digits(4);
    return (sign < 0 ? "-" : "+") + two(minutes / 60) + ":" + two(minutes % 60);
  }

  private static String two(int number) {
    return number < 10 ? "0" + number : Integer.toString(number);
  }
}
