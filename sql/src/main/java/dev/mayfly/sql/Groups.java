package dev.mayfly.sql;

import dev.mayfly.query.QueryMemory;
import dev.mayfly.sql.EvaluationException.Reason;
import dev.mayfly.value.KeyWriter;
import dev.mayfly.value.Order;
import dev.mayfly.value.Value;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Groups of a running query, in the order in which they were found. For one thread. */
public final class Groups {
  /** Approximate overhead of a group in bytes. */
  private static final int GROUP = 160;

  private static final int AGGREGATE = 56;

  private final Grouping grouping;
  private final QueryMemory.Holding memory;
  private final Map<ByteBuffer, Group> groups = new LinkedHashMap<>();
  private final KeyWriter writer = new KeyWriter();
  private final Value[] keys;
  private long bytes;

  private record Group(List<Value> keys, List<Accumulator> aggregates) {
    long bytes() {
      long sum = 0;
      for (Accumulator aggregate : aggregates) {
        sum += aggregate.bytes();
      }
      return sum;
    }
  }

  /**
   * @param memory budget for the groups
   */
  public Groups(Grouping grouping, QueryMemory.Holding memory) {
    this.grouping = grouping;
    this.memory = memory;
    this.keys = new Value[grouping.keys().size()];
    if (keys.length == 0) {
      group();
    }
  }

  /**
   * Adds a row to its group. Always returns true, so that it is a {@link Rows.Visitor}.
   *
   * @throws EvaluationException TOO_LARGE
   */
  public boolean add(Row row) {
    for (int i = 0; i < keys.length; i++) {
      keys[i] = grouping.keys().get(i).evaluate(row);
    }
    Group group = group();
    long before = group.bytes();
    for (int i = 0; i < group.aggregates().size(); i++) {
      Value value = grouping.aggregates().get(i).operand().evaluate(row);
      if (!value.isMissing()) {
        group.aggregates().get(i).add(value);
      }
    }
    reserve(group.bytes() - before);
    return true;
  }

  /** Binds the keys and aggregates of each group in turn. */
  public boolean each(Row row, Rows.Visitor visitor) {
    for (Group group : groups.values()) {
      int slot = grouping.firstSlot();
      for (Value key : group.keys()) {
        row.variable(slot++, key);
      }
      for (Accumulator aggregate : group.aggregates()) {
        row.variable(slot++, aggregate.result());
      }
      if (!visitor.visit(row)) {
        return false;
      }
    }
    return true;
  }

  private Group group() {
    writer.clear();
    for (Value key : keys) {
      writer.append(key, Order.COSMOS);
    }
    Group existing = groups.get(ByteBuffer.wrap(writer.buffer(), 0, writer.length()));
    return existing == null ? newGroup() : existing;
  }

  private Group newGroup() {
    List<Accumulator> aggregates =
        grouping.aggregates().stream().map(one -> Accumulator.of(one.kind())).toList();
    Group group = new Group(Arrays.stream(keys).map(DetachedValues::of).toList(), aggregates);
    groups.put(ByteBuffer.wrap(writer.bytes()), group);
    reserve(GROUP + 2L * writer.length() + (long) AGGREGATE * aggregates.size());
    return group;
  }

  private void reserve(long more) {
    bytes += more;
    if (!memory.hold(bytes)) {
      throw new EvaluationException(Reason.TOO_LARGE);
    }
  }
}
