package dev.mayfly.engine;

/**
 * How long and how large a transaction may be.
 *
 * @param lifeMillis one that is still open then is aborted
 * @param bytes how much it may write, with all entries that go with its documents
 * @param patienceMillis how long a write outside of a transaction waits for each that holds its
 *     document; longer than one lives, it waits until all are over
 */
public record TransactionLimits(long lifeMillis, long bytes, long patienceMillis) {
  /** A minute and 64 MiB; others wait until it is over. */
  public static final TransactionLimits STANDARD = new TransactionLimits(60_000, 64 << 20, 65_000);
}
