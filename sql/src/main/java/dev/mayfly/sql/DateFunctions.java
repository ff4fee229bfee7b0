package dev.mayfly.sql;

import static dev.mayfly.sql.BuiltIn.named;
import static dev.mayfly.sql.Kind.INTEGER;
import static dev.mayfly.sql.Kind.TEXT;

import dev.mayfly.sql.BuiltIn.TimedComputation;
import dev.mayfly.value.Value;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongFunction;

/**
 * Date functions. Dates are strings; see {@link Ticks}.
 *
 * <p>The current time is the time of the query, the same for all rows.
 */
final class DateFunctions {
  /** First year for the origin of bins. */
  private static final int FIRST_BIN_YEAR = 1601;

  static final List<Function> ALL =
      List.of(
          named("AGO", TEXT, INTEGER)
              .varies((a, now) -> moved(a[0], -SqlNumbers.integer(a[1]), Optional.of(time(now)))),
          named("DATETIMEADD", TEXT, INTEGER, TEXT)
              .is(a -> moved(a[0], SqlNumbers.integer(a[1]), time(a[2]))),
          named("DATETIMEBIN", TEXT, TEXT, INTEGER, TEXT).required(2).is(DateFunctions::bin),
          named("DATETIMEDIFF", TEXT, TEXT, TEXT).is(DateFunctions::difference),
          named("DATETIMEFORMAT", TEXT, TEXT).is(DateFunctions::format),
          named("DATETIMEFROMPARTS", INTEGER).required(3).upTo(7).is(DateFunctions::fromParts),
          named("DATETIMEPART", TEXT, TEXT).is(a -> part(DatePart.find(a[0].asString()), a[1])),
          named("DATETIMETOTICKS", TEXT).is(a -> ticks(a[0], ticks -> Value.of(ticks))),
          named("DATETIMETOTIMESTAMP", TEXT)
              .is(a -> ticks(a[0], ticks -> Value.of(Math.floorDiv(ticks, Ticks.PER_MILLISECOND)))),
          named("DAY", TEXT).is(a -> part(Optional.of(DatePart.DAY), a[0])),
          current("GETCURRENTDATETIME", (_, now) -> text(time(now))),
          current("GETCURRENTDATETIMESTATIC", (_, now) -> text(time(now))),
          current("GETCURRENTTICKS", (_, now) -> Value.of(now * Ticks.PER_MILLISECOND)),
          current("GETCURRENTTICKSSTATIC", (_, now) -> Value.of(now * Ticks.PER_MILLISECOND)),
          current("GETCURRENTTIMESTAMP", (_, now) -> Value.of(now)),
          current("GETCURRENTTIMESTAMPSTATIC", (_, now) -> Value.of(now)),
          named("MONTH", TEXT).is(a -> part(Optional.of(DatePart.MONTH), a[0])),
          current("NOW", (_, now) -> text(time(now))),
          named("TICKSTODATETIME", INTEGER).is(a -> text(Ticks.time(SqlNumbers.integer(a[0])))),
          named("TIMESTAMPTODATETIME", INTEGER).is(DateFunctions::fromTimestamp),
          named("YEAR", TEXT).is(a -> part(Optional.of(DatePart.YEAR), a[0])));

  private DateFunctions() {}

  private static Function current(String name, TimedComputation computation) {
    return named(name).varies(computation);
  }

  private static Value moved(Value part, long number, Optional<LocalDateTime> time) {
    return DatePart.find(part.asString())
        .flatMap(found -> time.flatMap(from -> found.later(from, number)))
        .map(DateFunctions::text)
        .orElse(Value.MISSING);
  }

  private static Value difference(Value[] arguments) {
    Optional<DatePart> part = DatePart.find(arguments[0].asString());
    Optional<LocalDateTime> start = time(arguments[1]);
    Optional<LocalDateTime> end = time(arguments[2]);
    return part.isPresent() && start.isPresent() && end.isPresent()
        ? Value.of(part.get().between(start.get(), end.get()))
        : Value.MISSING;
  }

  private static Value part(Optional<DatePart> part, Value time) {
    return part.flatMap(found -> time(time).map(found::of)).map(Value::of).orElse(Value.MISSING);
  }

  private static Value bin(Value[] arguments) {
    long size = arguments.length > 2 ? SqlNumbers.integer(arguments[2]) : 1;
    Optional<LocalDateTime> time = time(arguments[0]);
    Optional<LocalDateTime> start =
        arguments.length > 3 ? time(arguments[3]) : Optional.of(Ticks.time(0));
    if (size <= 0 || time.isEmpty() || start.isEmpty() || start.get().getYear() < FIRST_BIN_YEAR) {
      return Value.MISSING;
    }
    return DatePart.find(arguments[1].asString())
        .flatMap(part -> part.bin(size))
        .map(length -> binned(Ticks.of(time.get()), Ticks.of(start.get()), length))
        .orElse(Value.MISSING);
  }

  private static Value binned(long ticks, long start, long length) {
    return text(Ticks.time(start + Math.floorDiv(ticks - start, length) * length));
  }

  private static Value fromParts(Value[] arguments) {
    int[] parts = new int[7];
    for (int i = 0; i < arguments.length; i++) {
      parts[i] = SqlNumbers.count(arguments[i]);
    }
    OptionalLong ticks =
        Ticks.of(parts[0], parts[1], parts[2], parts[3], parts[4], parts[5], parts[6]);
    return ticks.isPresent() ? text(Ticks.time(ticks.getAsLong())) : Value.MISSING;
  }

  private static Value fromTimestamp(Value[] arguments) {
    try {
      return text(
          Ticks.time(Math.multiplyExact(SqlNumbers.integer(arguments[0]), Ticks.PER_MILLISECOND)));
    } catch (ArithmeticException _) {
      return Value.MISSING;
    }
  }

  private static Value format(Value[] arguments) {
    return time(arguments[0])
        .map(time -> Value.of(new DatePicture(time).of(arguments[1].asString())))
        .orElse(Value.MISSING);
  }

  private static Value ticks(Value time, LongFunction<Value> result) {
    OptionalLong ticks = Ticks.parse(time.asString());
    return ticks.isPresent() ? result.apply(ticks.getAsLong()) : Value.MISSING;
  }

  private static Optional<LocalDateTime> time(Value text) {
    OptionalLong ticks = Ticks.parse(text.asString());
    return ticks.isPresent() ? Optional.of(Ticks.time(ticks.getAsLong())) : Optional.empty();
  }

  private static LocalDateTime time(long now) {
    return Ticks.time(now * Ticks.PER_MILLISECOND);
  }

  private static Value text(LocalDateTime time) {
    return Ticks.writable(time) ? Value.of(Ticks.text(time)) : Value.MISSING;
  }
}
