package dev.mayfly.engine;

/**
 * Limits of a transaction.
 *
 * @param lifeMillis a transaction that is open for longer is aborted
 * @param bytes how many bytes it may write, including index entries
 * @param patienceMillis how long a write outside of a transaction waits for each transaction that
 *     has locked its document; if longer than the life, it waits until all are over
 */
public record TransactionLimits(long lifeMillis, long bytes, long patienceMillis) {
  private static final long MIN_BYTES = 64 << 20;
  private static final int SHARE_OF_MEMORY = 8;

  /** The limits for the memory of this process. */
  public static final TransactionLimits STANDARD = in(Runtime.getRuntime().maxMemory());

  /**
   * A minute, and an eighth of the memory but at least 64 MiB; other writes wait until it is over.
   * The writes of a transaction are in memory until the commit, and several times during it.
   */
  static TransactionLimits in(long memoryBytes) {
    return new TransactionLimits(
        60_000, Math.max(MIN_BYTES, memoryBytes / SHARE_OF_MEMORY), 65_000);
  }
}
