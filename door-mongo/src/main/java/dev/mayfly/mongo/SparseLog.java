package dev.mayfly.mongo;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/**
 * Decides which warnings about clients are logged: a few of each kind in a minute, and then one
 * that says how many were left out. Clients could fill the log otherwise. Safe for many threads.
 */
final class SparseLog {
  /** How many of a kind are logged in a minute. */
  static final int MOST = 10;

  private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** Kinds are told apart by their words, of which there are few; this is a bound for all that. */
  private static final int MOST_KINDS = 100;

  /** What is said after a colon, and numbers, are the client's. */
  private static final Pattern DETAILS = Pattern.compile(":.*|[0-9]+");

  private final LongSupplier ticker;
  private final Map<String, Kind> kinds = new HashMap<>();

  /** The warnings of one kind since a minute began. */
  private static final class Kind {
    private long since;
    private int count;
    private long leftOut;

    Kind(long since) {
      this.since = since;
    }
  }

  /**
   * @param ticker nanoseconds that go on by themselves
   */
  SparseLog(LongSupplier ticker) {
    this.ticker = ticker;
  }

  /** What to log of a warning; empty when it is left out. */
  synchronized Optional<String> line(String who, String warning) {
    String words = DETAILS.matcher(warning).replaceAll("");
    long now = ticker.getAsLong();
    Kind kind =
        kinds.size() < MOST_KINDS
            ? kinds.computeIfAbsent(words, _ -> new Kind(now))
            : kinds.getOrDefault(words, kinds.values().iterator().next());
    if (now - kind.since >= MINUTE_NANOS) {
      kind.since = now;
      kind.count = 0;
    }
    if (kind.count >= MOST) {
      kind.leftOut++;
      return Optional.empty();
    }
    kind.count++;
    String line = "closing " + who + ": " + warning;
    if (kind.leftOut > 0) {
      line += " (" + kind.leftOut + " more of this kind were not logged)";
      kind.leftOut = 0;
    }
    return Optional.of(line);
  }
}
