package dev.mayfly.sql;

import dev.mayfly.query.QueryMemory;
import dev.mayfly.sql.EvaluationException.Reason;
import dev.mayfly.value.KeyWriter;
import dev.mayfly.value.Order;
import dev.mayfly.value.Value;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;

/**
 * DISTINCT: passes each value once. Objects are equal without regard to the order of their fields.
 * For one thread.
 */
public final class DistinctFilter {
  /** Approximate overhead of an entry in bytes. */
  private static final int ENTRY = 112;

  private final Set<ByteBuffer> keys = new HashSet<>();
  private final KeyWriter writer = new KeyWriter();
  private final QueryMemory.Holding memory;
  private long bytes;

  /**
   * @param memory budget for its entries
   */
  public DistinctFilter(QueryMemory.Holding memory) {
    this.memory = memory;
  }

  /**
   * Adds a value; returns whether it is new.
   *
   * @throws EvaluationException TOO_LARGE
   */
  public boolean add(Value value) {
    byte[] key = writer.clear().append(value, Order.COSMOS).bytes();
    if (!keys.add(ByteBuffer.wrap(key))) {
      return false;
    }
    bytes += ENTRY + key.length;
    if (!memory.hold(bytes)) {
      throw new EvaluationException(Reason.TOO_LARGE);
    }
    return true;
  }

  /** Returns its approximate size in memory. */
  public long bytes() {
    return bytes;
  }

  /** Returns a visitor that passes new values to another. */
  public Selection.Visitor before(Selection.Visitor visitor) {
    return value -> !add(value) || visitor.visit(value);
  }
}
