package dev.mayfly.engine;

/**
 * Alarm: a condition that an operator must know about. Immutable.
 *
 * @param subject the affected collection or shard; empty for the engine
 * @param since when it was first raised, in epoch milliseconds
 * @param text what is wrong, for an operator: may name collections
 */
public record Alarm(Kind kind, String subject, Severity severity, long since, String text) {
  /**
   * Kind of work that is affected. Readiness and metrics show these names, which contain no user
   * data.
   */
  public enum Kind {
    /** Time as the system clock shows it. */
    CLOCK,
    /** Removing expired documents. */
    SWEEP,
    /** Building indexes and lanes, and updating lazy indexes. */
    BUILD,
    /** Trimming change feeds and receipts. */
    TRIM,
    /** Ending transactions that last too long. */
    TRANSACTIONS,
    /** Freeing the space of dropped collections. */
    PURGE,
    /** Compacting for the space of swept documents. */
    RECLAIM,
    /** Delivering expired documents. */
    ARCHIVE
  }

  /** Severity of an alarm. */
  public enum Severity {
    /** Something is degraded; clients are served. */
    WARNING,
    /** Clients should not use this server: readiness fails. */
    CRITICAL
  }
}
