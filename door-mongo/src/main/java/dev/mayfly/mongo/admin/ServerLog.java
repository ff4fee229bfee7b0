package dev.mayfly.mongo.admin;

import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last lines of what happened, in the form of MongoDB's log. Safe for many threads. */
public final class ServerLog {
  private static final int MOST = 1_024;

  private final Deque<String> lines = new ArrayDeque<>();
  private long total;

  /**
   * Adds a line.
   *
   * @param component the part of the server it is about, such as NETWORK or COMMAND
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
    if (lines.size() == MOST) {
      lines.removeFirst();
    }
    lines.addLast(line.toString());
    total++;
  }

  /** The lines that are left, the oldest first. */
  synchronized List<String> lines() {
    return List.copyOf(lines);
  }

  /** How many lines there have been. */
  synchronized long total() {
    return total;
  }
}
