package dev.mayfly.mql.function;

import dev.mayfly.mql.expression.Operands;
import dev.mayfly.mql.expression.Truthiness;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.ZoneId;

/**
 * Functions on dates, units and timezones. All operands are given: the timezone is a name or an
 * offset, the unit and the first day of the week are names.
 */
public final class DateFunctions {
  private DateFunctions() {}

  /** Operands: date, unit, amount, timezone. */
  public static Value add(Value[] operands) {
    return moved(operands, amount(operands[2]));
  }

  /** Operands: date, unit, amount, timezone. */
  public static Value subtract(Value[] operands) {
    long amount = amount(operands[2]);
    if (amount == Long.MIN_VALUE) {
      throw Operands.badValue(6045000, "invalid {} 'amount' parameter value: " + amount);
    }
    return moved(operands, -amount);
  }

  /**
   * Operands: start, end, unit, timezone, first day of the week. Null if a relevant one is null.
   */
  public static Value difference(Value[] operands) {
    if (undetermined(operands, operands[2])) {
      return Value.NULL;
    }
    DateUnits unit = DateUnits.of(operands[2]);
    ZoneId zone = Dates.zone(operands[3]);
    long start = millis(operands[0], "startDate", 5166307);
    long end = millis(operands[1], "endDate", 5166307);
    return Value.of(unit.between(start, end, zone, startOfWeek(unit, operands[4])));
  }

  /**
   * Operands: date, unit, bin size, timezone, first day of the week. Null if a relevant one is
   * null.
   */
  public static Value truncate(Value[] operands) {
    if (undetermined(operands, operands[1])) {
      return Value.NULL;
    }
    Value bin = operands[2];
    if (!Operands.integral64(bin)) {
      throw Operands.badValue(
          5439017,
          "{} requires 'binSize' to be a 64-bit integer, but got value '"
              + bin
              + "' of type "
              + Operands.typeName(bin));
    }
    if (bin.asLong() <= 0) {
      throw Operands.badValue(
          5439018, "{} requires 'binSize' to be greater than 0, but got value " + bin);
    }
    DateUnits unit = DateUnits.of(operands[1]);
    ZoneId zone = Dates.zone(operands[3]);
    long date = millis(operands[0], "date", 5439012);
    return unit.truncate(date, bin.asLong(), zone, startOfWeek(unit, operands[4]));
  }

  /**
   * Returns whether a relevant operand is null; the first day of the week is relevant for weeks
   * only.
   */
  private static boolean undetermined(Value[] operands, Value unit) {
    for (int i = 0; i < operands.length - 1; i++) {
      if (Truthiness.nullish(operands[i])) {
        return true;
      }
    }
    return Truthiness.nullish(operands[operands.length - 1])
        && DateUnits.of(unit) == DateUnits.WEEK;
  }

  /** Parses the first day of the week, which is ignored unless the unit is weeks. */
  private static DayOfWeek startOfWeek(DateUnits unit, Value name) {
    return unit == DateUnits.WEEK ? DateUnits.dayOfWeek(name) : DayOfWeek.SUNDAY;
  }

  /** Operands: date, timezone, whether by ISO weeks. */
  public static Value parts(Value[] operands) {
    ZoneId zone = Dates.zone(operands[1]);
    if (operands[2].type() != Type.BOOLEAN) {
      throw Operands.wrongType(
          40521, "iso8601 must evaluate to a bool, found " + Operands.typeName(operands[2]));
    }
    return Dates.parts(operands[0], zone, operands[2].asBoolean());
  }

  /** Operands: year, month, day, hour, minute, second, millisecond, timezone. */
  public static Value fromParts(Value[] operands) {
    LocalDate day =
        Dates.day(
            whole(operands[0], "year"), whole(operands[1], "month"), whole(operands[2], "day"));
    return atTime(day, operands);
  }

  /** Operands: ISO year, week, day of the week, hour, minute, second, millisecond, timezone. */
  public static Value fromWeekParts(Value[] operands) {
    LocalDate day =
        Dates.isoDay(
            whole(operands[0], "isoWeekYear"),
            whole(operands[1], "isoWeek"),
            whole(operands[2], "isoDayOfWeek"));
    return atTime(day, operands);
  }

  /** Returns the seconds of a timestamp. */
  public static Value timestampSeconds(Value timestamp) {
    requireTimestamp(timestamp, 5687301);
    return Value.of(timestamp.asTimestamp() >>> 32);
  }

  /** Returns the increment of a timestamp. */
  public static Value timestampIncrement(Value timestamp) {
    requireTimestamp(timestamp, 5687302);
    return Value.of(timestamp.asTimestamp() & 0xFFFFFFFFL);
  }

  private static Value atTime(LocalDate day, Value[] operands) {
    return Dates.of(
        day,
        whole(operands[3], "hour"),
        whole(operands[4], "minute"),
        whole(operands[5], "second"),
        whole(operands[6], "millisecond"),
        Dates.zone(operands[7]));
  }

  private static Value moved(Value[] operands, long amount) {
    if (operands[1].type() != Type.STRING) {
      throw Operands.wrongType(5166404, "{} expects string defining the time unit");
    }
    DateUnits unit = DateUnits.of(operands[1]);
    ZoneId zone = Dates.zone(operands[3]);
    if (!Dates.datable(operands[0])) {
      throw Operands.wrongType(5166403, "{} requires startDate to be convertible to a date");
    }
    return unit.add(Dates.millis(operands[0]), amount, zone);
  }

  private static long amount(Value amount) {
    if (!Operands.integral64(amount)) {
      throw Operands.wrongType(5166405, "{} expects integer amount of time units");
    }
    return amount.asLong();
  }

  private static long millis(Value date, String name, int number) {
    if (!Dates.datable(date)) {
      throw Operands.wrongType(
          number, "{} requires '" + name + "' to be a date, but got " + Operands.typeName(date));
    }
    return Dates.millis(date);
  }

  private static long whole(Value number, String name) {
    if (!Operands.integral64(number)) {
      throw Operands.wrongType(
          40515,
          "'"
              + name
              + "' must evaluate to an integer, found "
              + Operands.typeName(number)
              + " with value "
              + number);
    }
    return number.asLong();
  }

  private static void requireTimestamp(Value value, int number) {
    if (value.type() != Type.TIMESTAMP) {
      throw Operands.wrongType(
          number, " Argument to {} must be a timestamp, but is " + Operands.typeName(value));
    }
  }
}
