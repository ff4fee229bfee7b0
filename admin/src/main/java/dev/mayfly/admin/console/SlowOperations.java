package dev.mayfly.admin.console;

import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The latest slow operations of both doors, in memory, as the log describes them: their shape
 * without values. Safe for many threads.
 */
public final class SlowOperations {
  private static final int MOST = 500;

  private final LongSupplier clock;
  private final int slowMillis;
  private final Deque<Document> latest = new ArrayDeque<>();

  /**
   * Creates an empty list.
   *
   * @param clock epoch milliseconds
   * @param slowMillis the duration from which an operation is slow; {@link Integer#MAX_VALUE} if
   *     none is
   */
  public SlowOperations(LongSupplier clock, int slowMillis) {
    this.clock = clock;
    this.slowMillis = slowMillis;
  }

  /** Adds an operation. */
  public void add(Document description) {
    DocumentWriter entry = Document.writer().put("at", Value.date(clock.getAsLong()));
    Document complete = entry.putAll(description).build();
    synchronized (latest) {
      latest.addFirst(complete);
      if (latest.size() > MOST) {
        latest.removeLast();
      }
    }
  }

  /** Returns the operations, newest first; without {@code slowMillis} if none is slow. */
  Document list() {
    List<Value> operations = new ArrayList<>();
    synchronized (latest) {
      latest.forEach(operation -> operations.add(Value.of(operation)));
    }
    DocumentWriter list = Document.writer().put("now", Value.date(clock.getAsLong()));
    if (slowMillis < Integer.MAX_VALUE) {
      list.put("slowMillis", slowMillis);
    }
    return list.put("operations", Value.array(operations)).build();
  }
}
