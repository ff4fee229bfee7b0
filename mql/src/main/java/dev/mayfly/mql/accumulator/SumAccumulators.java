package dev.mayfly.mql.accumulator;

import dev.mayfly.mql.expression.Elements;
import dev.mayfly.mql.expression.Operands;
import dev.mayfly.mql.function.CompensatedSum;
import dev.mayfly.mql.function.Decimals;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.math.BigDecimal;
import java.util.List;

/** Sums and means of numbers; other values do not count. */
final class SumAccumulators {
  private SumAccumulators() {}

  /** Sum, of the widest type that was added; integers that exceed a long become double. */
  static final class Sum implements Accumulator {
    private Type type = Type.INT32;
    private long whole;
    private final CompensatedSum real = new CompensatedSum();
    private Value decimal = Decimals.ZERO;

    @Override
    public void add(Value value) {
      switch (value.type()) {
        case INT32, INT64 -> addWhole(value.asLong());
        case DOUBLE -> real.add(value.asDouble());
        case DECIMAL128 -> decimal = Decimals.add(decimal, value);
        default -> {
          return;
        }
      }
      type = Operands.wider(type, value.type());
    }

    @Override
    public Value result() {
      return switch (type) {
        case INT32 -> Operands.intOrLong(whole);
        case INT64 -> Value.of(whole);
        case DOUBLE -> Value.of(total());
        default -> decimalTotal();
      };
    }

    @Override
    public long bytes() {
      return 96;
    }

    @Override
    public Value state() {
      return Value.array(
          List.of(
              Value.of((int) type.code()),
              Value.of(whole),
              Value.of(real.sum()),
              Value.of(real.rest()),
              decimal));
    }

    @Override
    public void merge(Value state) {
      List<Value> parts = Elements.list(state);
      Type other = Type.of((byte) parts.get(0).asInt());
      addWhole(parts.get(1).asLong());
      real.add(parts.get(2).asDouble());
      real.add(parts.get(3).asDouble());
      decimal = Decimals.add(decimal, parts.get(4));
      type = Operands.wider(type, other);
    }

    /** Returns the sum divided by a count, as a double or decimal. */
    Value over(long count) {
      return type == Type.DECIMAL128
          ? Decimals.divide(decimalTotal(), Value.of(count))
          : Value.of(total() / count);
    }

    private double total() {
      CompensatedSum all = new CompensatedSum();
      all.add(real.sum());
      all.add(real.rest());
      // A long is the sum of two doubles: its upper bits, and the rest.
      double upper = whole;
      all.add(upper);
      all.add(upper == 0x1p63 ? -1.0 - (Long.MAX_VALUE - whole) : whole - (long) upper);
      return all.total();
    }

    private Value decimalTotal() {
      Value wholes = Value.decimal(BigDecimal.valueOf(whole));
      Value reals =
          Double.isFinite(real.total())
              ? Value.decimal(new BigDecimal(real.sum()).add(new BigDecimal(real.rest())))
              : Decimals.of(real.total());
      return Decimals.add(
          real.sum() == 0 ? decimal : Decimals.add(decimal, reals),
          whole == 0 ? Decimals.ZERO : wholes);
    }

    private void addWhole(long number) {
      long total = whole + number;
      if (((whole ^ total) & (number ^ total)) < 0) {
        real.add((double) whole);
        type = Operands.wider(type, Type.DOUBLE);
        whole = number;
      } else {
        whole = total;
      }
    }
  }

  /** Mean; null without numbers. */
  static final class Average implements Accumulator {
    private final Sum sum = new Sum();
    private long count;

    @Override
    public void add(Value value) {
      if (value.isNumber()) {
        sum.add(value);
        count++;
      }
    }

    @Override
    public Value result() {
      return count == 0 ? Value.NULL : sum.over(count);
    }

    @Override
    public long bytes() {
      return sum.bytes() + 24;
    }

    @Override
    public Value state() {
      return Value.array(List.of(Value.of(count), sum.state()));
    }

    @Override
    public void merge(Value state) {
      count += Elements.at(state, 0).asLong();
      sum.merge(Elements.at(state, 1));
    }
  }

  /** Number of values, including missing ones. */
  static final class Count implements Accumulator {
    private long count;

    @Override
    public void add(Value value) {
      count++;
    }

    @Override
    public Value result() {
      return Operands.intOrLong(count);
    }

    @Override
    public long bytes() {
      return 24;
    }

    @Override
    public Value state() {
      return Value.of(count);
    }

    @Override
    public void merge(Value state) {
      count += state.asLong();
    }
  }

  /** Standard deviation by Welford's one-pass algorithm. */
  static final class Deviation implements Accumulator {
    private final boolean sample;
    private long count;
    private double mean;
    private double squares;

    Deviation(boolean sample) {
      this.sample = sample;
    }

    @Override
    public void add(Value value) {
      if (value.isNumber()) {
        count++;
        double delta = value.asDouble() - mean;
        mean += delta / count;
        squares += delta * (value.asDouble() - mean);
      }
    }

    @Override
    public Value result() {
      long degrees = sample ? count - 1 : count;
      return degrees <= 0 ? Value.NULL : Value.of(Math.sqrt(squares / degrees));
    }

    @Override
    public long bytes() {
      return 48;
    }

    @Override
    public Value state() {
      return Value.array(List.of(Value.of(count), Value.of(mean), Value.of(squares)));
    }

    @Override
    public void merge(Value state) {
      List<Value> parts = Elements.list(state);
      long others = parts.get(0).asLong();
      if (others == 0) {
        return;
      }
      double delta = parts.get(1).asDouble() - mean;
      long all = count + others;
      squares += parts.get(2).asDouble() + delta * delta * count / all * others;
      mean += delta * others / all;
      count = all;
    }
  }
}
