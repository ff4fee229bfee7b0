package dev.mayfly.expiry;

import java.time.DateTimeException;
import java.time.LocalDate;

/**
 * Reader of ISO 8601 times: {@code 2026-11-18}, {@code 2026-11-18T12:51Z}, {@code
 * 2026-11-18T12:51:34.250+01:00}.
 *
 * <p>A space may stand for {@code T}. The offset is {@code Z}, {@code ±hh}, {@code ±hhmm} or {@code
 * ±hh:mm}; a time without an offset is in UTC, and a date without a time is its first instant in
 * UTC. Digits beyond milliseconds are dropped. The second may be 60. Years have four digits. Week
 * dates, ordinal dates and forms without hyphens are not read.
 */
final class IsoTime {
  private static final long SECOND = 1000;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;
  private static final int WRONG = -1;
  private static final int DATE_LENGTH = 10;

  private final String text;
  private int at;

  private IsoTime(String text) {
    this.text = text;
  }

  /** Returns epoch milliseconds, or {@link TimeFormat#NONE} if the text is no such time. */
  static long of(String text) {
    return new IsoTime(text).time();
  }

  private long time() {
    long day = day();
    if (day == TimeFormat.NONE || at == text.length()) {
      return day;
    }
    char separator = text.charAt(at++);
    if (separator != 'T' && separator != 't' && separator != ' ') {
      return TimeFormat.NONE;
    }
    long ofDay = timeOfDay();
    if (ofDay == TimeFormat.NONE) {
      return TimeFormat.NONE;
    }
    long offset = offset();
    return offset == TimeFormat.NONE || at < text.length() ? TimeFormat.NONE : day + ofDay - offset;
  }

  private long day() {
    if (text.length() < DATE_LENGTH) {
      return TimeFormat.NONE;
    }
    int century = twoDigits(99);
    int year = twoDigits(99);
    boolean separated = next('-');
    int month = twoDigits(12);
    separated &= next('-');
    int day = twoDigits(31);
    if (century < 0 || year < 0 || month < 1 || day < 1 || !separated) {
      return TimeFormat.NONE;
    }
    try {
      return LocalDate.of(century * 100 + year, month, day).toEpochDay() * DAY;
    } catch (DateTimeException noSuchDay) {
      return TimeFormat.NONE;
    }
  }

  private long timeOfDay() {
    int hour = twoDigits(23);
    boolean separated = next(':');
    int minute = twoDigits(59);
    if (hour < 0 || minute < 0 || !separated) {
      return TimeFormat.NONE;
    }
    long time = hour * HOUR + minute * MINUTE;
    if (!next(':')) {
      return time;
    }
    int second = twoDigits(60);
    if (second < 0) {
      return TimeFormat.NONE;
    }
    time += second * SECOND;
    return next('.') || next(',') ? withFraction(time) : time;
  }

  private long withFraction(long time) {
    long millis = 0;
    int digits = 0;
    for (long unit = SECOND / 10; digit() >= 0; unit /= 10) {
      millis += digit() * unit;
      digits++;
      at++;
    }
    return digits == 0 ? TimeFormat.NONE : time + millis;
  }

  private long offset() {
    if (at == text.length() || next('Z') || next('z')) {
      return 0;
    }
    boolean west = next('-');
    if (!west && !next('+')) {
      return TimeFormat.NONE;
    }
    int hours = twoDigits(23);
    int minutes = at < text.length() ? minutesOfOffset() : 0;
    if (hours < 0 || minutes < 0) {
      return TimeFormat.NONE;
    }
    long offset = hours * HOUR + minutes * MINUTE;
    return west ? -offset : offset;
  }

  private int minutesOfOffset() {
    next(':');
    return twoDigits(59);
  }

  private boolean next(char wanted) {
    boolean found = at < text.length() && text.charAt(at) == wanted;
    at += found ? 1 : 0;
    return found;
  }

  /** Reads two digits; {@link #WRONG} if there are no such digits or the number is too high. */
  private int twoDigits(int most) {
    int tens = digit();
    at++;
    int ones = digit();
    at++;
    int number = tens * 10 + ones;
    return tens < 0 || ones < 0 || number > most ? WRONG : number;
  }

  private int digit() {
    int digit = at < text.length() ? text.charAt(at) - '0' : WRONG;
    return digit >= 0 && digit <= 9 ? digit : WRONG;
  }
}
