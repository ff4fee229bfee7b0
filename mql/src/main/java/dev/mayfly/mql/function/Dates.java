package dev.mayfly.mql.function;

import dev.mayfly.mql.expression.Operands;
import dev.mayfly.value.Document;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.util.Set;
import java.util.regex.Pattern;

/** Parts of dates in a timezone, and dates from parts. */
public final class Dates {
  private static final Pattern OFFSET = Pattern.compile("[+-]\\d{2}(:?\\d{2})?");
  private static final Set<String> NAMES = Set.copyOf(ZoneId.getAvailableZoneIds());

  /** Names of the time zone database that Java leaves out. */
  private static final Set<String> FIXED = Set.of("EST", "MST", "HST");

  private static final int MAX_PART = Short.MAX_VALUE;

  private Dates() {}

  /** Part of a date in a timezone. */
  public enum Part {
    YEAR,
    MONTH,
    DAY_OF_MONTH,
    HOUR,
    MINUTE,
    SECOND,
    MILLISECOND,
    DAY_OF_YEAR,
    DAY_OF_WEEK,
    WEEK,
    ISO_DAY_OF_WEEK,
    ISO_WEEK,
    ISO_WEEK_YEAR;

    int of(LocalDateTime date) {
      return switch (this) {
        case YEAR -> date.getYear();
        case MONTH -> date.getMonthValue();
        case DAY_OF_MONTH -> date.getDayOfMonth();
        case HOUR -> date.getHour();
        case MINUTE -> date.getMinute();
        case SECOND -> date.getSecond();
        case MILLISECOND -> date.get(ChronoField.MILLI_OF_SECOND);
        case DAY_OF_YEAR -> date.getDayOfYear();
        case DAY_OF_WEEK -> date.getDayOfWeek().getValue() % 7 + 1;
        // Days before the first Sunday of the year are in week 0.
        case WEEK -> (date.getDayOfYear() + 6 - date.getDayOfWeek().getValue() % 7) / 7;
        case ISO_DAY_OF_WEEK -> date.getDayOfWeek().getValue();
        case ISO_WEEK -> date.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR);
        case ISO_WEEK_YEAR -> date.get(IsoFields.WEEK_BASED_YEAR);
      };
    }
  }

  /** Returns the part of a date in the timezone. */
  public static Value part(Part part, Value date, ZoneId zone) {
    int number = part.of(local(millis(date), zone));
    return part == Part.ISO_WEEK_YEAR ? Value.of((long) number) : Value.of(number);
  }

  /** Returns all parts of a date in the timezone, by name. */
  public static Value parts(Value date, ZoneId zone, boolean iso) {
    LocalDateTime local = local(millis(date), zone);
    var parts = Document.writer();
    if (iso) {
      parts
          .put("isoWeekYear", Part.ISO_WEEK_YEAR.of(local))
          .put("isoWeek", Part.ISO_WEEK.of(local))
          .put("isoDayOfWeek", Part.ISO_DAY_OF_WEEK.of(local));
    } else {
      parts
          .put("year", local.getYear())
          .put("month", local.getMonthValue())
          .put("day", local.getDayOfMonth());
    }
    return Value.of(
        parts
            .put("hour", local.getHour())
            .put("minute", local.getMinute())
            .put("second", local.getSecond())
            .put("millisecond", Part.MILLISECOND.of(local))
            .build());
  }

  /** Returns the day with these numbers; numbers out of range carry over. */
  public static LocalDate day(long year, long month, long day) {
    requireYear(year, "year", 40523);
    requirePart(month, "month");
    requirePart(day, "day");
    return LocalDate.of((int) year, 1, 1).plusMonths(month - 1).plusDays(day - 1);
  }

  /**
   * Returns the day of the ISO week calendar with these numbers; numbers out of range carry over.
   */
  public static LocalDate isoDay(long year, long week, long day) {
    requireYear(year, "isoWeekYear", 31095);
    requirePart(week, "isoWeek");
    requirePart(day, "isoDayOfWeek");
    // The fourth of January is always in the first week.
    LocalDate fourth = LocalDate.of((int) year, 1, 4);
    LocalDate monday = fourth.minusDays(fourth.getDayOfWeek().getValue() - 1L);
    return monday.plusWeeks(week - 1).plusDays(day - 1);
  }

  /** Returns the date of a day and a time in the timezone; the time may carry over. */
  public static Value of(
      LocalDate day, long hour, long minute, long second, long millisecond, ZoneId zone) {
    requirePart(hour, "hour");
    requirePart(minute, "minute");
    try {
      long start =
          day.atTime(0, 0).plusHours(hour).plusMinutes(minute).toEpochSecond(ZoneOffset.UTC);
      long seconds = Math.addExact(start, second);
      LocalDateTime local = LocalDateTime.ofEpochSecond(seconds, 0, ZoneOffset.UTC);
      long whole = local.atZone(zone).toEpochSecond();
      return Value.date(Math.addExact(Math.multiplyExact(whole, 1_000L), millisecond));
    } catch (ArithmeticException | DateTimeException _) {
      throw Operands.overflow(159, "{} would make a date beyond what a date can be");
    }
  }

  /** Returns the timezone with this name or offset; UTC for missing. */
  public static ZoneId zone(Value name) {
    if (name.isMissing()) {
      return ZoneOffset.UTC;
    }
    String text = Operands.requireString(name, 40517, "timezone must evaluate to a string, found ");
    return zone(text);
  }

  /** Returns the timezone of an operator that extracts a part. */
  public static ZoneId partZone(Value name) {
    if (name.type() != Type.STRING) {
      throw Operands.wrongType(
          40533,
          "{} requires a string for the timezone argument, but was given a "
              + Operands.typeName(name)
              + " ("
              + name
              + ")");
    }
    return zone(name.asString());
  }

  static ZoneId zone(String name) {
    try {
      if (OFFSET.matcher(name).matches()) {
        return ZoneOffset.of(name);
      }
      if (NAMES.contains(name)) {
        ZoneId zone = ZoneId.of(name);
        return name.equals("UTC") || name.equals("GMT") ? ZoneOffset.UTC : zone;
      }
      if (FIXED.contains(name)) {
        return ZoneNames.offset(name).orElseThrow();
      }
    } catch (DateTimeException _) {
      // Reported below, like all other unknown names.
    }
    throw Operands.badValue(40485, "unrecognized time zone identifier: \"" + name + "\"");
  }

  /** Returns the milliseconds of a date, or the creation time of a timestamp or ObjectId. */
  static long millis(Value date) {
    return switch (date.type()) {
      case DATE -> date.asDate();
      case TIMESTAMP -> (date.asTimestamp() >>> 32) * 1_000;
      case OBJECT_ID -> (ByteBuffer.wrap(date.asObjectId()).getInt() & 0xFFFFFFFFL) * 1_000;
      default ->
          throw Operands.wrongType(
              16006, "can't convert from BSON type " + Operands.typeName(date) + " to Date");
    };
  }

  /** Returns whether {@link #millis} accepts the value. */
  static boolean datable(Value value) {
    return switch (value.type()) {
      case DATE, TIMESTAMP, OBJECT_ID -> true;
      default -> false;
    };
  }

  static LocalDateTime local(long millis, ZoneId zone) {
    Instant instant = Instant.ofEpochMilli(millis);
    int offset = zone.getRules().getOffset(instant).getTotalSeconds();
    return LocalDateTime.ofEpochSecond(
        instant.getEpochSecond() + offset, instant.getNano(), ZoneOffset.UTC);
  }

  static ZonedDateTime zoned(long millis, ZoneId zone) {
    return Instant.ofEpochMilli(millis).atZone(zone);
  }

  private static void requirePart(long number, String name) {
    if (number < Short.MIN_VALUE || number > MAX_PART) {
      throw Operands.badValue(
          31034,
          "'"
              + name
              + "' must evaluate to a value in the range [-32768, 32767]; value "
              + number
              + " is not in range");
    }
  }

  private static void requireYear(long year, String name, int number) {
    if (year < 1 || year > 9999) {
      throw Operands.badValue(
          number,
          "'" + name + "' must evaluate to an integer in the range 1 to 9999, found " + year);
    }
  }
}
