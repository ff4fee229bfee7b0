package dev.mayfly.mql.function;

import dev.mayfly.mql.expression.Operands;
import dev.mayfly.query.QueryException;
import dev.mayfly.value.Value;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Locale;

/** Units of time for {@code $dateAdd}, {@code $dateDiff} and {@code $dateTrunc}. */
public enum DateUnits {
  YEAR,
  QUARTER,
  MONTH,
  WEEK,
  DAY,
  HOUR,
  MINUTE,
  SECOND,
  MILLISECOND;

  private static final LocalDate REFERENCE = LocalDate.of(2000, 1, 1);

  /** Returns the unit with this name. */
  public static DateUnits of(Value name) {
    String text =
        Operands.requireString(name, 5439013, "{} requires 'unit' to be a string, but got ");
    for (DateUnits unit : values()) {
      if (unit.name().toLowerCase(Locale.ROOT).equals(text)) {
        return unit;
      }
    }
    throw new QueryException(
        QueryException.Reason.BAD_VALUE,
        9,
        "{} parameter 'unit' value parsing failed :: caused by :: unknown time unit value: "
            + text);
  }

  /** Returns the day of the week with this name or its first three letters. */
  public static DayOfWeek dayOfWeek(Value name) {
    String text =
        Operands.requireString(name, 5439015, "{} requires 'startOfWeek' to be a string, but got ");
    String upper = text.toUpperCase(Locale.ROOT);
    for (DayOfWeek day : DayOfWeek.values()) {
      if (day.name().equals(upper) || day.name().substring(0, 3).equals(upper)) {
        return day;
      }
    }
    throw Operands.badValue(
        5439016,
        "{} parameter 'startOfWeek' value cannot be recognized as a day of a week: " + text);
  }

  /**
   * Adds an amount of units in the timezone; a day beyond the end of a month becomes its last day.
   */
  public Value add(long millis, long amount, ZoneId zone) {
    try {
      long moved =
          switch (this) {
            case YEAR -> plusMonths(millis, Math.multiplyExact(amount, 12L), zone);
            case QUARTER -> plusMonths(millis, Math.multiplyExact(amount, 3L), zone);
            case MONTH -> plusMonths(millis, amount, zone);
            case WEEK -> plusDays(millis, Math.multiplyExact(amount, 7L), zone);
            case DAY -> plusDays(millis, amount, zone);
            default -> Math.addExact(millis, Math.multiplyExact(amount, length()));
          };
      return Value.date(moved);
    } catch (ArithmeticException | DateTimeException _) {
      throw Operands.overflow(5166406, "{} overflowed");
    }
  }

  /** Returns the number of unit boundaries between two dates. */
  public long between(long from, long to, ZoneId zone, DayOfWeek startOfWeek) {
    LocalDateTime start = Dates.local(from, zone);
    LocalDateTime end = Dates.local(to, zone);
    return switch (this) {
      case YEAR -> (long) end.getYear() - start.getYear();
      case QUARTER -> Math.floorDiv(months(end), 3) - Math.floorDiv(months(start), 3);
      case MONTH -> months(end) - months(start);
      case WEEK -> week(end, startOfWeek) - week(start, startOfWeek);
      case DAY -> end.toLocalDate().toEpochDay() - start.toLocalDate().toEpochDay();
      case HOUR, MINUTE -> clockUnits(from, to, zone);
      case SECOND -> Math.floorDiv(to, 1_000L) - Math.floorDiv(from, 1_000L);
      case MILLISECOND -> Math.subtractExact(to, from);
    };
  }

  /**
   * Returns the start of the bin of {@code bin} units that contains the date; bins start at the
   * year 2000.
   */
  public Value truncate(long millis, long bin, ZoneId zone, DayOfWeek startOfWeek) {
    try {
      return Value.date(
          switch (this) {
            case YEAR -> monthStart(millis, Math.multiplyExact(bin, 12L), zone);
            case QUARTER -> monthStart(millis, Math.multiplyExact(bin, 3L), zone);
            case MONTH -> monthStart(millis, bin, zone);
            case WEEK ->
                dayStart(millis, Math.multiplyExact(bin, 7L), firstWeek(startOfWeek), zone);
            case DAY -> dayStart(millis, bin, REFERENCE, zone);
            default -> clockStart(millis, Math.multiplyExact(bin, length()), zone);
          });
    } catch (ArithmeticException | DateTimeException _) {
      throw Operands.overflow(5439005, "{} overflowed");
    }
  }

  /** Returns the length of a unit of the clock in milliseconds. */
  private long length() {
    return switch (this) {
      case HOUR -> 3_600_000;
      case MINUTE -> 60_000;
      case SECOND -> 1_000;
      default -> 1;
    };
  }

  private static long plusMonths(long millis, long months, ZoneId zone) {
    return moved(Dates.zoned(millis, zone), millis, months, 0);
  }

  private static long plusDays(long millis, long days, ZoneId zone) {
    return moved(Dates.zoned(millis, zone), millis, 0, days);
  }

  private static long moved(ZonedDateTime date, long millis, long months, long days) {
    return date.plusMonths(months).plusDays(days).toEpochSecond() * 1_000
        + Math.floorMod(millis, 1_000L);
  }

  private static long months(LocalDateTime date) {
    return date.getYear() * 12L + date.getMonthValue() - 1;
  }

  private static long week(LocalDateTime date, DayOfWeek startOfWeek) {
    return Math.floorDiv(date.toLocalDate().toEpochDay() - firstWeek(startOfWeek).toEpochDay(), 7L);
  }

  /**
   * Counts clock units; timezones differ by minutes, so local time and offset changes both matter.
   */
  private long clockUnits(long from, long to, ZoneId zone) {
    long before = offset(from, zone);
    long after = offset(to, zone);
    return Math.floorDiv(to + after, length())
        - Math.floorDiv(from + before, length())
        - (after - before) / length();
  }

  private static long offset(long millis, ZoneId zone) {
    return zone.getRules().getOffset(Instant.ofEpochMilli(millis)).getTotalSeconds() * 1_000L;
  }

  private static long monthStart(long millis, long bin, ZoneId zone) {
    LocalDateTime date = Dates.local(millis, zone);
    long since = months(date) - REFERENCE.getYear() * 12L;
    return start(REFERENCE.plusMonths(since - Math.floorMod(since, bin)), zone);
  }

  private static long dayStart(long millis, long bin, LocalDate reference, ZoneId zone) {
    long since = Dates.local(millis, zone).toLocalDate().toEpochDay() - reference.toEpochDay();
    return start(reference.plusDays(since - Math.floorMod(since, bin)), zone);
  }

  private static long clockStart(long millis, long bin, ZoneId zone) {
    long reference = start(REFERENCE, zone);
    return millis - Math.floorMod(Math.subtractExact(millis, reference), bin);
  }

  private static long start(LocalDate day, ZoneId zone) {
    return Math.multiplyExact(day.atStartOfDay(zone).toEpochSecond(), 1_000L);
  }

  private static LocalDate firstWeek(DayOfWeek startOfWeek) {
    int days = Math.floorMod(startOfWeek.getValue() - REFERENCE.getDayOfWeek().getValue(), 7);
    return REFERENCE.plusDays(days);
  }
}
