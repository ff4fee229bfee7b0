package dev.mayfly.engine;

/**
 * A condition that an operator must know of.
 *
 * @param subject what is concerned, such as a collection; empty for the engine
 * @param since when it was first raised, in epoch milliseconds
 * @param text what is wrong, for an operator: may name collections
 */
public record Alarm(Kind kind, String subject, Severity severity, long since, String text) {
  /** What is affected. The names are shown in readiness and metrics, and name no data. */
  public enum Kind {
    /** Time as the system clock shows it. */
    CLOCK,
    /** Removing expired documents. */
    SWEEP,
    /** Building indexes and lanes, and following lazy indexes. */
    BUILD,
    /** Trimming change feeds and receipts. */
    TRIM,
    /** Ending transactions that last too long. */
    TRANSACTIONS,
    /** Freeing the space of dropped collections. */
    PURGE,
    /** Compacting for the space of swept documents. */
    RECLAIM
  }

  /** How much an alarm weighs. */
  public enum Severity {
    /** Something is degraded; clients are served. */
    WARNING,
    /** Clients should not be sent here: readiness fails. */
    CRITICAL
  }
}
