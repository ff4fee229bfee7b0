package dev.mayfly.mql.accumulator;

import dev.mayfly.mql.expression.Elements;
import dev.mayfly.mql.expression.SortedInput;
import dev.mayfly.mql.expression.Truthiness;
import dev.mayfly.query.Intermediate;
import dev.mayfly.value.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.NavigableSet;
import java.util.PriorityQueue;
import java.util.TreeSet;

/** Accumulators whose result is an array of values: {@code $push}, {@code $addToSet} and others. */
final class ListAccumulators {
  private ListAccumulators() {}

  private static void mergeElements(Accumulator into, Value state) {
    Elements.list(state).forEach(into::add);
  }

  /** Accumulator that keeps some of the values it is given. Its state is its result. */
  abstract static class Kept implements Accumulator {
    private final Collection<Value> values;
    private final long overhead;
    private long bytes;

    /**
     * @param overhead bytes that an element takes in the collection besides its value
     */
    Kept(Collection<Value> values, long overhead) {
      this.values = values;
      this.overhead = overhead;
    }

    final void keep(Value value) {
      Value kept = PickAccumulators.kept(value);
      values.add(kept);
      bytes += PickAccumulators.size(kept) + overhead;
    }

    /** Accounts for a value that the subclass has removed from the collection. */
    final void removed(Value value) {
      bytes -= PickAccumulators.size(value) + overhead;
    }

    @Override
    public Value result() {
      return Intermediate.array(values);
    }

    @Override
    public final long bytes() {
      return bytes;
    }

    @Override
    public final Value state() {
      return result();
    }

    @Override
    public final void merge(Value state) {
      mergeElements(this, state);
    }
  }

  /** All values; missing ones are left out. */
  static final class All extends Kept {
    All() {
      super(new ArrayList<>(), 0);
    }

    @Override
    public void add(Value value) {
      if (!value.isMissing()) {
        keep(value);
      }
    }
  }

  /** All distinct values; missing ones are left out. */
  static final class Distinct extends Kept {
    private final NavigableSet<Value> values;

    Distinct(Comparator<Value> order) {
      this(new TreeSet<>(order));
    }

    private Distinct(NavigableSet<Value> values) {
      super(values, 40);
      this.values = values;
    }

    @Override
    public void add(Value value) {
      if (!value.isMissing() && !values.contains(value)) {
        keep(value);
      }
    }
  }

  /** The first or the last {@code count} values; missing ones are null. */
  static final class Edges extends Kept {
    private final boolean last;
    private final long count;
    private final Deque<Value> values;

    Edges(boolean last, long count) {
      this(last, count, new ArrayDeque<>());
    }

    private Edges(boolean last, long count, Deque<Value> values) {
      super(values, 0);
      this.last = last;
      this.count = count;
      this.values = values;
    }

    @Override
    public void add(Value value) {
      if (!last && values.size() >= count) {
        return;
      }
      keep(value);
      if (values.size() > count) {
        removed(values.removeFirst());
      }
    }
  }

  /** The {@code count} least values of an order, least first; null and missing do not count. */
  static final class Leasts extends Kept {
    private final Comparator<Value> order;
    private final long count;
    private final PriorityQueue<Value> greatestFirst;

    Leasts(Comparator<Value> order, long count) {
      this(order, count, new PriorityQueue<>(order.reversed()));
    }

    private Leasts(Comparator<Value> order, long count, PriorityQueue<Value> greatestFirst) {
      super(greatestFirst, 0);
      this.order = order;
      this.count = count;
      this.greatestFirst = greatestFirst;
    }

    @Override
    public void add(Value value) {
      if (Truthiness.nullish(value)) {
        return;
      }
      boolean full = greatestFirst.size() >= count;
      if (full && order.compare(value, greatestFirst.element()) >= 0) {
        return;
      }
      keep(value);
      if (full) {
        removed(greatestFirst.remove());
      }
    }

    @Override
    public Value result() {
      List<Value> sorted = new ArrayList<>(greatestFirst);
      sorted.sort(order);
      return Intermediate.array(sorted);
    }
  }

  /**
   * The outputs with the {@code count} lowest or highest sort keys, in the order of the keys.
   *
   * <p>Values are pairs of a sort key, as comparable bytes, and an output; see {@link SortedInput}.
   */
  static final class Ranked implements Accumulator {
    private static final Comparator<Entry> BY_KEY =
        (a, b) -> {
          int byKey = Arrays.compareUnsigned(a.key.bytes, b.key.bytes);
          return byKey != 0 ? byKey : Long.compare(a.place, b.place);
        };

    private final boolean highest;
    private final long count;
    private final boolean single;
    private final PriorityQueue<Entry> worstFirst;
    private long place;
    private long bytes;

    /** The key of an entry: bytes to be compared as unsigned. */
    private static final class Key {
      private final byte[] bytes;

      Key(byte[] bytes) {
        this.bytes = bytes;
      }
    }

    private record Entry(Key key, long place, Value output) {
      Value pair() {
        return Value.array(List.of(Value.binary((byte) 0, key.bytes), output));
      }

      long size() {
        return PickAccumulators.size(output) + key.bytes.length + 48;
      }
    }

    Ranked(boolean highest, long count, boolean single) {
      this.highest = highest;
      this.count = count;
      this.single = single;
      this.worstFirst = new PriorityQueue<>(highest ? BY_KEY : BY_KEY.reversed());
    }

    @Override
    public void add(Value pair) {
      Value output = PickAccumulators.kept(Elements.at(pair, 1));
      Entry entry = new Entry(new Key(Elements.at(pair, 0).asBinary()), place++, output);
      worstFirst.add(entry);
      bytes += entry.size();
      if (worstFirst.size() > count) {
        bytes -= worstFirst.remove().size();
      }
    }

    @Override
    public Value result() {
      List<Value> outputs = sorted().stream().map(Entry::output).toList();
      if (!single) {
        return Intermediate.array(outputs);
      }
      return outputs.isEmpty() ? Value.NULL : highest ? outputs.getLast() : outputs.getFirst();
    }

    @Override
    public long bytes() {
      return bytes;
    }

    @Override
    public Value state() {
      return Intermediate.array(sorted().stream().map(Entry::pair).toList());
    }

    @Override
    public void merge(Value state) {
      mergeElements(this, state);
    }

    private List<Entry> sorted() {
      List<Entry> entries = new ArrayList<>(worstFirst);
      entries.sort(BY_KEY);
      return entries;
    }
  }

  /** Percentiles of the numbers; other values are ignored. */
  static final class Percentiles implements Accumulator {
    private final double[] parts;
    private final boolean single;
    private double[] numbers = new double[16];
    private int count;

    Percentiles(double[] parts, boolean single) {
      this.parts = parts.clone();
      this.single = single;
    }

    @Override
    public void add(Value value) {
      if (value.isNumber() && !value.isNaN()) {
        if (count == numbers.length) {
          numbers = Arrays.copyOf(numbers, count * 2);
        }
        numbers[count++] = value.asDouble();
      }
    }

    @Override
    public Value result() {
      double[] sorted = Arrays.copyOf(numbers, count);
      Arrays.sort(sorted);
      if (single) {
        return at(sorted, parts[0]);
      }
      var array = Intermediate.writer();
      for (double part : parts) {
        array.add(at(sorted, part));
      }
      return Value.array(array.build());
    }

    @Override
    public long bytes() {
      return 8L * numbers.length + 48;
    }

    @Override
    public Value state() {
      var array = Intermediate.writer();
      for (int i = 0; i < count; i++) {
        array.add(Value.of(numbers[i]));
      }
      return Value.array(array.build());
    }

    @Override
    public void merge(Value state) {
      mergeElements(this, state);
    }

    private static Value at(double[] sorted, double part) {
      if (sorted.length == 0) {
        return Value.NULL;
      }
      int rank = (int) Math.ceil(part * sorted.length);
      return Value.of(sorted[Math.clamp(rank - 1L, 0, sorted.length - 1)]);
    }
  }
}
