package dev.mayfly.engine;

import dev.mayfly.value.DocumentWriter;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Forecast of expiry: documents and bytes that are live now and will have expired at an instant, by
 * the rule that expires them.
 *
 * <pre>{@code
 * Forecast hour = things.expiry().forecast(Forecast.until(engine.now(), 3_600));
 * hour.total().documents();      // live now, expired in an hour
 * hour.byRule().get("default");  // those of the default TTL
 * }</pre>
 *
 * @param until epoch milliseconds
 * @param byRule keyed by {@code default}, {@code own}, {@code id} or {@code index:} and its name
 */
public record Forecast(long until, SortedMap<String, Usage> byRule) {
  /** The horizons of a forecast without others, in seconds: a minute, an hour, a day, a week. */
  public static final List<Long> STANDARD_HORIZONS = List.of(60L, 3_600L, 86_400L, 604_800L);

  private static final long MILLIS = 1000;
  private static final long END_OF_TIME = 253_402_300_799_999L;

  public Forecast {
    byRule = Collections.unmodifiableSortedMap(new TreeMap<>(byRule));
  }

  /** Returns the instant that a horizon ends at, not after the year 9999. */
  public static long until(long now, long horizonSeconds) {
    return horizonSeconds > (END_OF_TIME - now) / MILLIS
        ? END_OF_TIME
        : now + horizonSeconds * MILLIS;
  }

  public Usage total() {
    return byRule.values().stream().reduce(Usage.NONE, Usage::plus);
  }

  /**
   * Writes the total, then {@code byRule} with the same fields for each rule.
   *
   * @param documents the name of the field with the number of documents
   */
  public void write(DocumentWriter writer, String documents) {
    total().write(writer, documents);
    writer.startDocument("byRule");
    byRule.forEach(
        (rule, usage) -> {
          writer.startDocument(rule);
          usage.write(writer, documents);
          writer.end();
        });
    writer.end();
  }

  /**
   * Forecast of expiry by spans of equal length.
   *
   * @param now the beginning of the first span, in epoch milliseconds
   * @param spans what expires in each span: after the end of the one before, and until its end
   * @param exactUntil spans up to this instant are exact; later ones are lower bounds
   * @param later what expires after the last span; empty if it was not counted
   */
  public record Series(long now, List<Forecast> spans, long exactUntil, Optional<Usage> later) {
    /** The maximum number of spans. */
    public static final int MAX_SPANS = 400;

    public Series {
      spans = List.copyOf(spans);
    }

    /** Returns whether all spans are exact. */
    public boolean complete() {
      return exactUntil >= spans.getLast().until();
    }

    /**
     * Returns how many documents no rule will ever expire; empty if not all were counted.
     *
     * @param live how many documents are live
     */
    public OptionalLong never(long live) {
      if (later.isEmpty()) {
        return OptionalLong.empty();
      }
      long ever = spans.stream().mapToLong(span -> span.total().documents()).sum();
      // writers may have removed documents between the two counts
      return OptionalLong.of(Math.max(0, live - ever - later.get().documents()));
    }

    /**
     * Spans to forecast.
     *
     * @param spanMillis their length, at least 1
     * @param count how many, 1 to {@link #MAX_SPANS}
     */
    public record Spans(long spanMillis, int count) {
      private static final long MAX_MILLIS = Long.MAX_VALUE / 4;

      /** One span until the end of time: everything that will ever expire. */
      public static final Spans ALL = new Spans(MAX_MILLIS, 1);

      public Spans {
        if (spanMillis < 1 || count < 1 || count > MAX_SPANS || spanMillis > MAX_MILLIS / count) {
          throw new EngineException(
              EngineException.Reason.BAD_SPEC,
              "a forecast has 1 to " + MAX_SPANS + " spans of at least one millisecond");
        }
      }

      /** The end of a span that begins at {@code now} if it is the first. */
      public long end(long now, int span) {
        return now + (span + 1) * spanMillis;
      }
    }
  }
}
