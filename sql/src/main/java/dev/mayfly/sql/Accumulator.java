package dev.mayfly.sql;

import dev.mayfly.query.QueryMemory;
import dev.mayfly.value.Order;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;

/** State of an aggregate function for one group. Ignores undefined values. For one thread. */
sealed interface Accumulator {
  void add(Value value);

  Value result();

  /** Returns the approximate size of the values it holds. */
  default long bytes() {
    return 0;
  }

  static Accumulator of(Aggregate.Kind kind) {
    return switch (kind) {
      case COUNT -> new Count(false);
      case COUNTIF -> new Count(true);
      case SUM -> new Sum(false);
      case AVG -> new Sum(true);
      case MIN -> new Extreme(-1);
      case MAX -> new Extreme(1);
      case MAKELIST -> new Gathered(false);
      case MAKESET -> new Gathered(true);
    };
  }

  /** Counts all values, or those that are true. */
  final class Count implements Accumulator {
    private final boolean onlyTrue;
    private long count;

    Count(boolean onlyTrue) {
      this.onlyTrue = onlyTrue;
    }

    @Override
    public void add(Value value) {
      if (!onlyTrue || Logic.isTrue(value)) {
        count++;
      }
    }

    @Override
    public Value result() {
      return count == (int) count ? Value.of((int) count) : Value.of(count);
    }
  }

  /** Adds numbers; integers exactly as long as the sum fits into a long. */
  final class Sum implements Accumulator {
    private final boolean mean;
    private double approximate;
    private long exact;
    private boolean isExact = true;
    private boolean invalid;
    private long count;

    Sum(boolean mean) {
      this.mean = mean;
    }

    @Override
    public void add(Value value) {
      if (!value.isNumber()) {
        invalid = true;
        return;
      }
      count++;
      approximate += value.asDouble();
      addExactly(value);
    }

    private void addExactly(Value value) {
      isExact &= value.type() == Type.INT32 || value.type() == Type.INT64;
      if (isExact) {
        long term = value.asLong();
        long sum = exact + term;
        isExact = ((exact ^ sum) & (term ^ sum)) >= 0;
        exact = sum;
      }
    }

    @Override
    public Value result() {
      if (invalid || (mean && count == 0)) {
        return Value.MISSING;
      }
      if (mean) {
        return Arithmetic.number((isExact ? exact : approximate) / count);
      }
      boolean small = exact == (int) exact;
      return !isExact
          ? Arithmetic.number(approximate)
          : small ? Value.of((int) exact) : Value.of(exact);
    }
  }

  /** Keeps the minimum or the maximum. */
  final class Extreme implements Accumulator {
    private final int sign;
    private Value best = Value.MISSING;
    private boolean invalid;

    Extreme(int sign) {
      this.sign = sign;
    }

    @Override
    public void add(Value value) {
      invalid |= value.isArray() || value.isDocument();
      if (best.isMissing() || Integer.signum(Order.COSMOS.compare(value, best)) == sign) {
        best = DetachedValues.of(value);
      }
    }

    @Override
    public Value result() {
      return invalid ? Value.MISSING : best;
    }

    @Override
    public long bytes() {
      return best.isMissing() ? 0 : best.length();
    }
  }

  /** Keeps all values, or all distinct values. */
  final class Gathered implements Accumulator {
    private final boolean distinct;
    private final DistinctFilter distinctFilter = new DistinctFilter(QueryMemory.unlimited());
    private final List<Value> values = new ArrayList<>();
    private long bytes;

    Gathered(boolean distinct) {
      this.distinct = distinct;
    }

    @Override
    public void add(Value value) {
      if (!distinct || distinctFilter.add(value)) {
        values.add(DetachedValues.of(value));
        bytes += 64L + value.length();
      }
    }

    @Override
    public Value result() {
      return Value.array(values);
    }

    @Override
    public long bytes() {
      return bytes + distinctFilter.bytes();
    }
  }
}
