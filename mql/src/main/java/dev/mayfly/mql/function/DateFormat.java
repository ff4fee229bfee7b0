package dev.mayfly.mql.function;

import dev.mayfly.mql.expression.Operands;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.TextStyle;
import java.util.Locale;

/** Formats dates by a pattern of {@code %} specifiers. */
final class DateFormat {
  static final String ISO_UTC = "%Y-%m-%dT%H:%M:%S.%LZ";
  static final String ISO_LOCAL = "%Y-%m-%dT%H:%M:%S.%L";
  private static final String LETTERS = "bBdGHjLmMSuUVwYzZ%";

  private DateFormat() {}

  /** Returns the date in UTC in ISO 8601, to the millisecond. */
  static String iso(long millis) {
    return format(millis, ZoneOffset.UTC, ISO_UTC);
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

  /** Formats the date in the timezone by a valid pattern. */
  static String format(long millis, ZoneId zone, String pattern) {
    LocalDateTime date = Dates.local(millis, zone);
    int offset = zone.getRules().getOffset(Instant.ofEpochMilli(millis)).getTotalSeconds();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      if (c == '%') {
        append(text, pattern.charAt(++i), date, offset);
      } else {
        text.append(c);
      }
    }
    return text.toString();
  }

  private static void append(StringBuilder text, char letter, LocalDateTime date, int offset) {
    switch (letter) {
      case 'd' -> pad(text, date.getDayOfMonth(), 2);
      case 'H' -> pad(text, date.getHour(), 2);
      case 'j' -> pad(text, date.getDayOfYear(), 3);
      case 'L' -> pad(text, Dates.Part.MILLISECOND.of(date), 3);
      case 'm' -> pad(text, date.getMonthValue(), 2);
      case 'M' -> pad(text, date.getMinute(), 2);
      case 'S' -> pad(text, date.getSecond(), 2);
      case 'G' -> pad(text, year(Dates.Part.ISO_WEEK_YEAR.of(date)), 4);
      case 'Y' -> pad(text, year(date.getYear()), 4);
      case 'U' -> pad(text, Dates.Part.WEEK.of(date), 2);
      case 'V' -> pad(text, Dates.Part.ISO_WEEK.of(date), 2);
      case 'w' -> text.append(Dates.Part.DAY_OF_WEEK.of(date));
      case 'u' -> text.append(Dates.Part.ISO_DAY_OF_WEEK.of(date));
      case 'b' -> text.append(date.getMonth().getDisplayName(TextStyle.SHORT, Locale.ROOT));
      case 'B' -> text.append(date.getMonth().getDisplayName(TextStyle.FULL, Locale.ENGLISH));
      case 'z' -> appendOffset(text, offset / 60);
      case 'Z' -> text.append(offset / 60);
      default -> text.append('%');
    }
  }

  private static void appendOffset(StringBuilder text, int minutes) {
    text.append(minutes < 0 ? '-' : '+');
    pad(text, Math.abs(minutes) / 60, 2);
    pad(text, Math.abs(minutes) % 60, 2);
  }

  private static int year(int year) {
    if (year < 0 || year > 9999) {
      throw Operands.badValue(
          18537, "{} is only defined on year 0-9999, tried to use year " + year);
    }
    return year;
  }

  private static void pad(StringBuilder text, int number, int digits) {
    String plain = Integer.toString(number);
    text.repeat('0', Math.max(0, digits - plain.length())).append(plain);
  }
}
