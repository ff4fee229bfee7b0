package dev.mayfly.mongo;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/**
 * Rate limit for warnings about clients, so that clients cannot fill the log. Logs a few of each
 * kind per minute; the next one after that reports the number of omitted ones. Thread-safe.
 */
final class SparseLog {
  /** The maximum number of warnings of a kind per minute. */
  static final int MAX_PER_MINUTE = 10;

  private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** An upper bound for the memory. Kinds differ in their constant text, so there are few. */
  private static final int MAX_KINDS = 100;

  /** The variable parts of a warning: the text after a colon, and numbers. */
  private static final Pattern DETAILS = Pattern.compile(":.*|[0-9]+");

  private final LongSupplier ticker;
  private final Map<String, Kind> kinds = new HashMap<>();

  /** The warnings of one kind in the current minute. */
  private static final class Kind {
    private long since;
    private int count;
    private long omitted;

    Kind(long since) {
      this.since = since;
    }
  }

  /**
   * @param ticker monotonic nanoseconds
   */
  SparseLog(LongSupplier ticker) {
    this.ticker = ticker;
  }

  /** Returns the line to log, or empty if the limit is reached. */
  synchronized Optional<String> line(String client, String warning) {
    String constantText = DETAILS.matcher(warning).replaceAll("");
    long now = ticker.getAsLong();
    Kind kind =
        kinds.size() < MAX_KINDS
            ? kinds.computeIfAbsent(constantText, _ -> new Kind(now))
            : kinds.getOrDefault(constantText, kinds.values().iterator().next());
    if (now - kind.since >= MINUTE_NANOS) {
      kind.since = now;
      kind.count = 0;
    }
    if (kind.count >= MAX_PER_MINUTE) {
      kind.omitted++;
      return Optional.empty();
    }
    kind.count++;
    String line = "closing " + client + ": " + warning;
    if (kind.omitted > 0) {
      line += " (" + kind.omitted + " more of this kind were not logged)";
      kind.omitted = 0;
    }
    return Optional.of(line);
  }
}
