package dev.mayfly.engine;

import java.util.function.UnaryOperator;

/**
 * Expiry of one collection: forecast, what-if, guarded change and undo. Obtained from {@link
 * Collection#expiry()}; both protocols, the admin API and the command line use it. Safe for many
 * threads.
 *
 * <pre>{@code
 * ExpiryService expiry = sessions.expiry();
 * UnaryOperator<CollectionSpec> tenMinutes = spec -> spec.withDefaultTtl(600);
 * expiry.whatIf(tenMinutes).documents();   // 40_000: expired by the change; nothing has changed
 * expiry.alter(tenMinutes, 1_000);         // fails with EXPIRES_TOO_MUCH; nothing has changed
 * expiry.alter(tenMinutes, 50_000);        // returns the 40_000 documents that it expired
 * expiry.undo();                           // within the grace: the 40_000 are live again
 * }</pre>
 */
public interface ExpiryService {
  /** For {@link #alter}: the change may expire any number of documents. */
  long NO_LIMIT = Long.MAX_VALUE;

  /** Returns the live documents that will have expired at an instant, by rule. */
  Forecast forecast(long until);

  /** Returns what a change of the collection would expire at once. Changes nothing. */
  Usage whatIf(UnaryOperator<CollectionSpec> change);

  /**
   * Changes the collection unless that expires too many documents at once. Returns what it expired.
   *
   * <p>With a limit, counting and changing are one step: no write comes between. Writers wait only
   * while the documents written during the count are counted; all others count as of its beginning.
   * With {@link #NO_LIMIT} the documents are counted beforehand, and writers never wait for the
   * count; a change that leaves all rules as they are counts nothing.
   *
   * @param mostExpired how many documents the change may expire, or {@link #NO_LIMIT}
   * @throws EngineException EXPIRES_TOO_MUCH with the number it would expire
   */
  Usage alter(UnaryOperator<CollectionSpec> change, long mostExpired);

  /**
   * Undoes the last change of rules that expired something, and the changes after it except those
   * that only lengthened lives. Returns the documents that are live again.
   *
   * @throws EngineException NOTHING_TO_UNDO if no document would be live again; no rule has changed
   *     then
   */
  Usage undo();

  /** Returns documents and bytes that have expired and are still to be swept. No read sees them. */
  Usage backlog();
}
