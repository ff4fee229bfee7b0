package dev.mayfly.engine;

import dev.mayfly.engine.archive.ArchiveSettings;
import java.util.function.LongSupplier;

/**
 * Settings of an engine.
 *
 * @param background whether threads of the engine do background work; else {@link Engine#work} does
 * @param dropInCompaction whether dead entries are left to the store's compaction where it can drop
 *     them; else they are deleted one by one
 * @param reclaimBytes bytes of swept documents in a shard that start a compaction
 * @param sorting limits of a sort
 * @param slice how many lane entries one slice of background work reads at most; slices that do
 *     more per entry read a fraction of it
 * @param receiptMillis how long a session must be idle before the receipts of its retryable writes
 *     are removed
 * @param transactions limits of a transaction
 * @param retiredLanes how many lanes without a rule a collection keeps before they are removed
 * @param clock limits within which the clock is trusted
 * @param archive limits of actions on expiry
 * @param ticker nanoseconds from any origin, for pacing and for measuring
 */
public record EngineSettings(
    boolean background,
    boolean dropInCompaction,
    long reclaimBytes,
    SortLimits sorting,
    int slice,
    long receiptMillis,
    TransactionLimits transactions,
    int retiredLanes,
    ClockLimits clock,
    ArchiveSettings archive,
    LongSupplier ticker) {
  /** Background threads, drops in compaction, compacts from 64 MiB, sorts up to 100 MiB. */
  public static EngineSettings standard(LongSupplier ticker) {
    return new EngineSettings(
        true,
        true,
        64 << 20,
        SortLimits.STANDARD,
        2000,
        30 * 60_000,
        TransactionLimits.STANDARD,
        8,
        ClockLimits.STANDARD,
        ArchiveSettings.STANDARD,
        ticker);
  }

  public EngineSettings withBackground(boolean on) {
    return new EngineSettings(
        on,
        dropInCompaction,
        reclaimBytes,
        sorting,
        slice,
        receiptMillis,
        transactions,
        retiredLanes,
        clock,
        archive,
        ticker);
  }

  public EngineSettings withDropInCompaction(boolean on) {
    return new EngineSettings(
        background,
        on,
        reclaimBytes,
        sorting,
        slice,
        receiptMillis,
        transactions,
        retiredLanes,
        clock,
        archive,
        ticker);
  }

  public EngineSettings withReclaimBytes(long bytes) {
    return new EngineSettings(
        background,
        dropInCompaction,
        bytes,
        sorting,
        slice,
        receiptMillis,
        transactions,
        retiredLanes,
        clock,
        archive,
        ticker);
  }

  public EngineSettings withSorting(SortLimits limits) {
    return new EngineSettings(
        background,
        dropInCompaction,
        reclaimBytes,
        limits,
        slice,
        receiptMillis,
        transactions,
        retiredLanes,
        clock,
        archive,
        ticker);
  }

  public EngineSettings withSlice(int entries) {
    return new EngineSettings(
        background,
        dropInCompaction,
        reclaimBytes,
        sorting,
        entries,
        receiptMillis,
        transactions,
        retiredLanes,
        clock,
        archive,
        ticker);
  }

  public EngineSettings withReceiptMillis(long millis) {
    return new EngineSettings(
        background,
        dropInCompaction,
        reclaimBytes,
        sorting,
        slice,
        millis,
        transactions,
        retiredLanes,
        clock,
        archive,
        ticker);
  }

  public EngineSettings withTransactions(TransactionLimits limits) {
    return new EngineSettings(
        background,
        dropInCompaction,
        reclaimBytes,
        sorting,
        slice,
        receiptMillis,
        limits,
        retiredLanes,
        clock,
        archive,
        ticker);
  }

  public EngineSettings withClock(ClockLimits limits) {
    return new EngineSettings(
        background,
        dropInCompaction,
        reclaimBytes,
        sorting,
        slice,
        receiptMillis,
        transactions,
        retiredLanes,
        limits,
        archive,
        ticker);
  }

  public EngineSettings withRetiredLanes(int lanes) {
    return new EngineSettings(
        background,
        dropInCompaction,
        reclaimBytes,
        sorting,
        slice,
        receiptMillis,
        transactions,
        lanes,
        clock,
        archive,
        ticker);
  }

  public EngineSettings withArchive(ArchiveSettings limits) {
    return new EngineSettings(
        background,
        dropInCompaction,
        reclaimBytes,
        sorting,
        slice,
        receiptMillis,
        transactions,
        retiredLanes,
        clock,
        limits,
        ticker);
  }
}
