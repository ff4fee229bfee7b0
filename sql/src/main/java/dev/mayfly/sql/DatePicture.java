package dev.mayfly.sql;

import java.time.LocalDateTime;
import java.time.format.TextStyle;
import java.util.Locale;

/**
 * Formats a time by a format string as in .NET: runs of a letter stand for a part of the time.
 *
 * <p>{@code y M d H h m s}, doubled with leading zeros; {@code MMM MMMM ddd dddd} for names; {@code
 * f} to {@code fffffff} for digits of the fraction, {@code F} without zeros at the end; {@code t
 * tt} for AM and PM. A backslash quotes the next character; every other character is literal.
 */
final class DatePicture {
  private static final int FRACTION_DIGITS = 7;

  private final LocalDateTime time;
  private final StringBuilder text = new StringBuilder();

  DatePicture(LocalDateTime time) {
    this.time = time;
  }

  String of(String picture) {
    int at = 0;
    while (at < picture.length()) {
      char letter = picture.charAt(at);
      if (letter == '\\' && at + 1 < picture.length()) {
        text.append(picture.charAt(at + 1));
        at += 2;
      } else {
        int length = run(picture, at);
        put(letter, length);
        at += length;
      }
    }
    return text.toString();
  }

  private static int run(String picture, int start) {
    int end = start + 1;
    while (end < picture.length() && picture.charAt(end) == picture.charAt(start)) {
      end++;
    }
    return end - start;
  }

  private void put(char letter, int length) {
    switch (letter) {
      case 'y' -> number(length <= 2 ? time.getYear() % 100 : time.getYear(), length);
      case 'M' -> month(length);
      case 'd' -> day(length);
      case 'H' -> number(time.getHour(), Math.min(length, 2));
      case 'h' -> number((time.getHour() + 11) % 12 + 1, Math.min(length, 2));
      case 'm' -> number(time.getMinute(), Math.min(length, 2));
      case 's' -> number(time.getSecond(), Math.min(length, 2));
      case 'f' -> text.append(fraction(length));
      case 'F' -> text.append(fraction(length).replaceFirst("0+$", ""));
      case 't' -> text.append(time.getHour() < 12 ? "AM" : "PM", 0, Math.min(length, 2));
      default -> text.repeat(letter, length);
    }
  }

  private void month(int length) {
    if (length <= 2) {
      number(time.getMonthValue(), length);
    } else {
      TextStyle style = length == 3 ? TextStyle.SHORT : TextStyle.FULL;
      text.append(time.getMonth().getDisplayName(style, Locale.ENGLISH));
    }
  }

  private void day(int length) {
    if (length <= 2) {
      number(time.getDayOfMonth(), length);
    } else {
      TextStyle style = length == 3 ? TextStyle.SHORT : TextStyle.FULL;
      text.append(time.getDayOfWeek().getDisplayName(style, Locale.ENGLISH));
    }
  }

  private void number(int number, int minDigits) {
    String digits = Integer.toString(number);
    text.repeat('0', Math.max(0, minDigits - digits.length())).append(digits);
  }

  private String fraction(int length) {
    String digits = Integer.toString(Ticks.fraction(time));
    String padded = "0".repeat(FRACTION_DIGITS - digits.length()) + digits;
    return padded.substring(0, Math.min(length, FRACTION_DIGITS));
  }
}
