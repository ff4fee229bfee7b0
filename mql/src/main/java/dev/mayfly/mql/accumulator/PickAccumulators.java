package dev.mayfly.mql.accumulator;

import dev.mayfly.mql.expression.Elements;
import dev.mayfly.mql.expression.Truthiness;
import dev.mayfly.mql.function.ObjectFunctions;
import dev.mayfly.value.Value;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Accumulators whose result is one value: {@code $first}, {@code $min}, {@code $mergeObjects}. */
final class PickAccumulators {
  private static final long OVERHEAD = 40;

  private PickAccumulators() {}

  static long size(Value value) {
    return OVERHEAD + (value.isMissing() ? 0 : value.length());
  }

  /** Copies a value out of its document: a view would keep the whole document in memory. */
  static Value kept(Value value) {
    if (value.isMissing()) {
      return Value.NULL;
    }
    int length = value.length();
    return length == value.buffer().length
        ? value
        : Value.view(
            value.type(),
            Arrays.copyOfRange(value.buffer(), value.offset(), value.offset() + length),
            0);
  }

  /** The first or the last value; a missing value counts and is null. */
  static final class Edge implements Accumulator {
    private final boolean last;
    private boolean any;
    private Value picked = Value.NULL;

    Edge(boolean last) {
      this.last = last;
    }

    @Override
    public void add(Value value) {
      if (last || !any) {
        picked = kept(value);
        any = true;
      }
    }

    @Override
    public Value result() {
      return picked;
    }

    @Override
    public long bytes() {
      return size(picked);
    }

    @Override
    public Value state() {
      return any ? Value.array(List.of(picked)) : Elements.EMPTY;
    }

    @Override
    public void merge(Value state) {
      if (Elements.count(state) > 0) {
        add(Elements.at(state, 0));
      }
    }
  }

  /** The least value of an order; null and missing do not count. */
  static final class Least implements Accumulator {
    private final Comparator<Value> order;
    private Value least = Value.NULL;

    Least(Comparator<Value> order) {
      this.order = order;
    }

    @Override
    public void add(Value value) {
      if (!Truthiness.nullish(value) && (least.isNull() || order.compare(value, least) < 0)) {
        least = kept(value);
      }
    }

    @Override
    public Value result() {
      return least;
    }

    @Override
    public long bytes() {
      return size(least);
    }

    @Override
    public Value state() {
      return least;
    }

    @Override
    public void merge(Value state) {
      add(state);
    }
  }

  /** The fields of all objects; the last value of a field wins. */
  static final class Merged implements Accumulator {
    private final Map<String, Value> fields = new LinkedHashMap<>();
    private long bytes;

    @Override
    public void add(Value value) {
      if (!Truthiness.nullish(value)) {
        ObjectFunctions.collect(kept(value), fields);
        bytes += size(value);
      }
    }

    @Override
    public Value result() {
      return ObjectFunctions.object(fields);
    }

    @Override
    public long bytes() {
      return bytes;
    }

    @Override
    public Value state() {
      return result();
    }

    @Override
    public void merge(Value state) {
      add(state);
    }
  }
}
