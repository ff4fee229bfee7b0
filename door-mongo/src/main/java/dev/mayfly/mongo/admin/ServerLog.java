package dev.mayfly.mongo.admin;

import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last lines of the server log, in the format of MongoDB's log. Thread-safe. */
public final class ServerLog {
  private static final int MAX_LINES = 1_024;

  private final Deque<String> lines = new ArrayDeque<>();
  private long total;

  /**
   * Adds a line.
   *
   * @param component the log component, such as NETWORK or COMMAND
   */
  public synchronized void add(
      long epochMillis, String component, String message, Document attributes) {
    Document line =
        Document.writer()
            .put("t", Value.date(epochMillis))
            .put("s", "I")
            .put("c", component)
            .put("ctx", "mayfly")
            .put("msg", message)
            .put("attr", attributes)
            .build();
    if (lines.size() == MAX_LINES) {
      lines.removeFirst();
    }
    lines.addLast(line.toString());
    total++;
  }

  /** Returns the last lines, the oldest first. */
  synchronized List<String> lines() {
    return List.copyOf(lines);
  }

  /** Returns the number of lines written since the start. */
  synchronized long total() {
    return total;
  }
}
