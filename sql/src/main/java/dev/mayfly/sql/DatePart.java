package dev.mayfly.sql;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Part of a date and time, for DateTimePart, DateTimeAdd, DateTimeDiff and DateTimeBin. */
enum DatePart {
  YEAR(0, "year yyyy yy"),
  MONTH(0, "month mm m"),
  DAY(24 * 3600 * Ticks.PER_SECOND, "day dd d"),
  HOUR(3600 * Ticks.PER_SECOND, "hour hh"),
  MINUTE(60 * Ticks.PER_SECOND, "minute mi n"),
  SECOND(Ticks.PER_SECOND, "second ss s"),
  MILLISECOND(Ticks.PER_MILLISECOND, "millisecond ms"),
  MICROSECOND(Ticks.PER_MICROSECOND, "microsecond mcs"),
  NANOSECOND(0, "nanosecond ns");

  private static final long NANOSECONDS_PER_TICK = 100;

  private static final Map<String, DatePart> BY_NAME =
      Arrays.stream(values())
          .flatMap(part -> Arrays.stream(part.names.split(" ")).map(name -> Map.entry(name, part)))
          .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

  /** Length of the part in ticks; 0 if it varies or is shorter than a tick. */
  private final long ticks;

  private final String names;

  DatePart(long ticks, String names) {
    this.ticks = ticks;
    this.names = names;
  }

  static Optional<DatePart> find(String name) {
    return Optional.ofNullable(BY_NAME.get(name.toLowerCase(Locale.ROOT)));
  }

  /** Returns this part of a time; below a second, the whole fraction of the second. */
  int of(LocalDateTime time) {
    return switch (this) {
      case YEAR -> time.getYear();
      case MONTH -> time.getMonthValue();
      case DAY -> time.getDayOfMonth();
      case HOUR -> time.getHour();
      case MINUTE -> time.getMinute();
      case SECOND -> time.getSecond();
      case MILLISECOND -> time.getNano() / 1_000_000;
      case MICROSECOND -> time.getNano() / 1_000;
      case NANOSECOND -> time.getNano();
    };
  }

  /** Adds {@code number} parts to a time; empty if the result is out of range. */
  Optional<LocalDateTime> later(LocalDateTime time, long number) {
    try {
      LocalDateTime moved =
          switch (this) {
            case YEAR -> time.plusYears(number);
            case MONTH -> time.plusMonths(number);
            case DAY, HOUR, MINUTE, SECOND, MILLISECOND, MICROSECOND ->
                Ticks.time(Math.addExact(Ticks.of(time), Math.multiplyExact(number, ticks)));
            case NANOSECOND ->
                Ticks.time(Math.addExact(Ticks.of(time), number / NANOSECONDS_PER_TICK));
          };
      return Optional.of(moved).filter(Ticks::writable);
    } catch (ArithmeticException | DateTimeException _) {
      return Optional.empty();
    }
  }

  /** Returns the number of boundaries of this part between two times. */
  long between(LocalDateTime start, LocalDateTime end) {
    return switch (this) {
      case YEAR -> (long) end.getYear() - start.getYear();
      case MONTH ->
          12L * (end.getYear() - start.getYear()) + end.getMonthValue() - start.getMonthValue();
      case DAY, HOUR, MINUTE, SECOND, MILLISECOND, MICROSECOND ->
          Math.floorDiv(Ticks.of(end), ticks) - Math.floorDiv(Ticks.of(start), ticks);
      case NANOSECOND -> (Ticks.of(end) - Ticks.of(start)) * NANOSECONDS_PER_TICK;
    };
  }

  /**
   * Returns the length in ticks of a bin of {@code size} parts, at least one tick; empty for parts
   * of varying length.
   */
  Optional<Long> bin(long size) {
    try {
      return switch (this) {
        case YEAR, MONTH -> Optional.empty();
        case DAY, HOUR, MINUTE, SECOND, MILLISECOND, MICROSECOND ->
            Optional.of(Math.multiplyExact(size, ticks));
        case NANOSECOND -> Optional.of(Math.max(1, size / NANOSECONDS_PER_TICK));
      };
    } catch (ArithmeticException _) {
      return Optional.empty();
    }
  }
}
