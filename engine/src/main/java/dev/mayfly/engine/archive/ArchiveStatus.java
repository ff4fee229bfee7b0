package dev.mayfly.engine.archive;

import dev.mayfly.value.DocumentWriter;

/**
 * State of the delivery of expired documents. Immutable.
 *
 * @param waiting documents that have expired and are not delivered
 * @param waitingBytes their size
 * @param lagMillis how long ago the first of them expired; 0 if none waits
 * @param delivered documents that were delivered, since the collection exists
 * @param failures failed attempts since the engine was opened; each is repeated
 * @param failing failed attempts in a row; 0 if the last attempt succeeded
 * @param lastFailure the text of the last failure; empty if there was none or it is over
 * @param discarded documents that were discarded since the collection exists, because too many
 *     waited
 */
public record ArchiveStatus(
    long waiting,
    long waitingBytes,
    long lagMillis,
    long delivered,
    long failures,
    int failing,
    String lastFailure,
    long discarded) {
  /** Nothing was ever to be delivered. */
  public static final ArchiveStatus NONE = new ArchiveStatus(0, 0, 0, 0, 0, 0, "", 0);

  /** Returns the state of two collections together: the longer lag, and otherwise the sums. */
  public ArchiveStatus plus(ArchiveStatus other) {
    return new ArchiveStatus(
        waiting + other.waiting,
        waitingBytes + other.waitingBytes,
        Math.max(lagMillis, other.lagMillis),
        delivered + other.delivered,
        failures + other.failures,
        failing + other.failing,
        lastFailure.isEmpty() ? other.lastFailure : lastFailure,
        discarded + other.discarded);
  }

  /** Writes its fields. */
  public void write(DocumentWriter to) {
    to.put("waiting", waiting)
        .put("waitingBytes", waitingBytes)
        .put("lagMillis", lagMillis)
        .put("delivered", delivered)
        .put("failures", failures)
        .put("failing", failing)
        .put("discarded", discarded);
    if (!lastFailure.isEmpty()) {
      to.put("lastFailure", lastFailure);
    }
  }
}
