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
 * Tells whether an equal value was there before. Equal values have equal keys, whatever the order
 * of their fields. For one thread.
 */
public final class DistinctFilter {
  /** About what an entry takes beside its bytes. */
  private static final int ENTRY = 112;

  private final Set<ByteBuffer> keys = new HashSet<>();
  private final KeyWriter writer = new KeyWriter();
  private final QueryMemory.Holding memory;
  private long bytes;

  /**
   * @param memory what it may take
   */
  public DistinctFilter(QueryMemory.Holding memory) {
    this.memory = memory;
  }

  /**
   * True when the value is new.
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

  /** About how much memory it takes. */
  public long bytes() {
    return bytes;
  }

  /** Shows a visitor the values that are new. */
  public Selection.Visitor before(Selection.Visitor visitor) {
    return value -> !add(value) || visitor.visit(value);
  }
}
