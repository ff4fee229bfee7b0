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
  private static final long LEAST_BYTES = 64 << 20;
  private static final int SHARE_OF_MEMORY = 8;

  /** The limits in a process with as much memory as this one. */
  public static final TransactionLimits STANDARD = in(Runtime.getRuntime().maxMemory());

  /**
   * A minute and an eighth of the memory, but at least 64 MiB; others wait until it is over. All
   * that a transaction writes is in memory until it commits, and several times while it does.
   */
  static TransactionLimits in(long memoryBytes) {
    return new TransactionLimits(
        60_000, Math.max(LEAST_BYTES, memoryBytes / SHARE_OF_MEMORY), 65_000);
  }
}
