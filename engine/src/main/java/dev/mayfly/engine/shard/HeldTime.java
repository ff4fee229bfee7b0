package dev.mayfly.engine.shard;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Measures for how long writers hold what all writers of a shard share. A benchmark switches it on
 * with the system property {@code mayfly.measureLocks}; otherwise the JIT compiler removes it.
 *
 * <p>The measured time includes one reading of the ticker per section. Safe for many threads.
 */
public final class HeldTime {
  /** What is held. */
  public enum Section {
    /** The shard's lock in exclusive mode, from the moment when no write is in progress. */
    EXCLUSIVE,
    /** The wait for the writes in progress before that; new writes wait. */
    DRAIN,
    /** The registration of a group, and the update of counts, cursors and positions. */
    ORDER,
    /** The zone map of the records or of an index, when a key is above all others. */
    ZONES,
    /** The highest primary keys, when their floor is raised. */
    KEYS,
    /** The queue of batches to commit. */
    QUEUE
  }

  /**
   * No section but the exclusive ones does work for so long: the thread was not running, because of
   * the scheduler or a garbage collection.
   */
  private static final long INTERRUPTED_NANOS = 50_000;

  private static final boolean ON = Boolean.getBoolean("mayfly.measureLocks");
  private static final Map<Section, LongAdder> NANOS = adders();
  private static final Map<Section, LongAdder> INTERRUPTED = adders();

  /** Set before the first engine is opened. */
  private static LongSupplier ticker = () -> 0;

  private HeldTime() {}

  private static Map<Section, LongAdder> adders() {
    Map<Section, LongAdder> adders = new EnumMap<>(Section.class);
    for (Section section : Section.values()) {
      adders.put(section, new LongAdder());
    }
    return adders;
  }

  private static LongAdder of(Map<Section, LongAdder> adders, Section section) {
    return Objects.requireNonNull(adders.get(section));
  }

  /** Sets the clock for durations, in nanoseconds. */
  public static void useTicker(LongSupplier nanos) {
    ticker = nanos;
  }

  /** Returns whether it measures. */
  public static boolean isOn() {
    return ON;
  }

  /**
   * Returns the nanoseconds that sections of a kind have taken so far, without interrupted ones.
   */
  public static long nanos(Section section) {
    return of(NANOS, section).sum();
  }

  /** Returns the nanoseconds of sections in which the thread was not running all the time. */
  public static long interruptedNanos(Section section) {
    return of(INTERRUPTED, section).sum();
  }

  /** Returns the start of a section, for {@link #end}. Call it when the lock is held. */
  static long start() {
    return ON ? ticker.getAsLong() : 0;
  }

  /** Ends a section. Call it before the lock is released. */
  static void end(Section section, long start) {
    if (ON) {
      long nanos = ticker.getAsLong() - start;
      boolean interrupted =
          nanos > INTERRUPTED_NANOS && section != Section.EXCLUSIVE && section != Section.DRAIN;
      of(interrupted ? INTERRUPTED : NANOS, section).add(nanos);
    }
  }
}
