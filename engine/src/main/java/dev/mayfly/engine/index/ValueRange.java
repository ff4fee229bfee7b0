package dev.mayfly.engine.index;

import dev.mayfly.query.Interval;
import dev.mayfly.value.Brackets;
import dev.mayfly.value.Document;
import dev.mayfly.value.KeyReader;
import dev.mayfly.value.Order;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import dev.mayfly.value.ValueException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Range of values that a scan reads in one part of an index, for explain output. It is decoded from
 * keys, so a number has the smallest type that fits. Immutable.
 *
 * @param from the first value
 * @param fromIncluded whether the range contains {@code from}
 * @param to the last value
 * @param toIncluded whether the range contains {@code to}
 */
public record ValueRange(Value from, boolean fromIncluded, Value to, boolean toIncluded) {
  private static final Value LEAST = Value.view(Type.MIN_KEY, new byte[0], 0);
  private static final Value GREATEST = Value.view(Type.MAX_KEY, new byte[0], 0);

  /** All values. */
  public static final ValueRange ALL = new ValueRange(LEAST, true, GREATEST, true);

  /**
   * First and last value of a type.
   *
   * @param last the greatest value of the type, or the least value of the next type if there is
   *     none
   * @param lastIncluded whether {@code last} is of the type
   */
  private record Ends(Type type, Value least, Value last, boolean lastIncluded) {}

  private static final Value NO_BYTES = Value.binary((byte) 0, new byte[0]);
  private static final Value FIRST_ID = Value.objectId(new byte[12]);

  private static final List<Ends> ENDS =
      List.of(
          new Ends(
              Type.DOUBLE,
              Value.of(Double.NEGATIVE_INFINITY),
              Value.of(Double.POSITIVE_INFINITY),
              true),
          new Ends(Type.STRING, Value.of(""), Value.of(Document.EMPTY), false),
          new Ends(Type.OBJECT, Value.of(Document.EMPTY), Value.array(List.of()), false),
          new Ends(Type.ARRAY, Value.array(List.of()), NO_BYTES, false),
          new Ends(Type.BINARY, NO_BYTES, FIRST_ID, false),
          new Ends(Type.OBJECT_ID, FIRST_ID, Value.objectId(allOnes()), true),
          new Ends(Type.BOOLEAN, Value.of(false), Value.of(true), true),
          new Ends(Type.DATE, Value.date(Long.MIN_VALUE), Value.date(Long.MAX_VALUE), true),
          new Ends(Type.TIMESTAMP, Value.timestamp(0), Value.timestamp(-1), true));

  private static byte[] allOnes() {
    byte[] ones = new byte[12];
    Arrays.fill(ones, (byte) 0xFF);
    return ones;
  }

  /** One end of a range. */
  private record End(Value value, boolean included) {}

  /** Returns the values of an interval of ascending keys. */
  static ValueRange of(Interval interval, Order order) {
    if (interval.equals(Interval.ALL)) {
      return ALL;
    }
    End from = low(interval.from(), order);
    if (interval.isPoint()) {
      return new ValueRange(from.value(), true, from.value(), true);
    }
    End to = high(interval.to(), order);
    return new ValueRange(from.value(), from.included(), to.value(), to.included());
  }

  /** Joins adjacent ranges. */
  static List<ValueRange> joined(List<ValueRange> ranges) {
    List<ValueRange> joined = new ArrayList<>();
    for (ValueRange next : ranges) {
      if (!joined.isEmpty() && joined.getLast().touches(next)) {
        ValueRange last = joined.removeLast();
        joined.add(new ValueRange(last.from, last.fromIncluded, next.to, next.toIncluded));
      } else {
        joined.add(next);
      }
    }
    return List.copyOf(joined);
  }

  /**
   * Returns whether the next range is adjacent. Two ranges that meet at missing are, because
   * missing is stored as null.
   */
  private boolean touches(ValueRange next) {
    boolean both = to.isMissing() && next.from.isMissing();
    return both || (to.equals(next.from) && (toIncluded || next.fromIncluded));
  }

  private static End low(byte[] key, Order order) {
    byte[] before = before(key);
    return whole(key)
        .map(value -> new End(value, true))
        .or(() -> bracket(key, order).map(ends -> new End(ends.least(), true)))
        .or(() -> bracket(before, order).map(ends -> new End(ends.last(), !ends.lastIncluded())))
        .or(() -> whole(before).map(ValueRange::after))
        .orElse(new End(LEAST, true));
  }

  /** Returns the lower end after a value; NaN sorts before all other numbers. */
  private static End after(Value value) {
    boolean noNumber = value.type() == Type.DOUBLE && Double.isNaN(value.asDouble());
    return noNumber ? new End(Value.of(Double.NEGATIVE_INFINITY), true) : new End(value, false);
  }

  private static End high(byte[] key, Order order) {
    byte[] before = before(key);
    return whole(key)
        .map(value -> new End(value, false))
        .or(() -> bracket(before, order).map(ends -> new End(ends.last(), ends.lastIncluded())))
        .or(() -> bracket(key, order).map(ends -> new End(ends.least(), false)))
        .or(() -> whole(before).map(value -> new End(value, true)))
        .orElse(new End(GREATEST, true));
  }

  private static Optional<Ends> bracket(byte[] key, Order order) {
    return key.length > 1
        ? Optional.empty()
        : ENDS.stream().filter(ends -> Brackets.low(ends.type(), order) == key[0]).findFirst();
  }

  /** Decodes a key; empty if it is not the key of exactly one value. */
  private static Optional<Value> whole(byte[] key) {
    try {
      KeyReader reader = new KeyReader(key, 0);
      Value value = reader.read();
      return reader.position() == key.length ? Optional.of(value) : Optional.empty();
    } catch (ValueException | IndexOutOfBoundsException cut) {
      return Optional.empty();
    }
  }

  /**
   * Returns the prefix whose keys end at a key: the key is the first after all keys with this
   * prefix.
   */
  private static byte[] before(byte[] key) {
    byte[] before = key.clone();
    before[before.length - 1]--;
    return before;
  }
}
