package dev.mayfly.engine;

import java.time.Duration;
import java.util.List;

/**
 * The changes of one shard in the order of their commits.
 *
 * <p>A reader keeps no state here: it names the position behind which it wants to go on. Safe for
 * many threads.
 */
public interface FeedReader {
  /**
   * How long after its look at the clock a write may reach the feed, at most: by so much the times
   * of changes may be out of order.
   */
  long DISORDER_MILLIS = 10_000;

  /** The position before the first change. */
  long BEGINNING = 0;

  /**
   * The changes behind a position, oldest first, at least one if there is any.
   *
   * @param most about how many; a group of expiries is not split
   * @throws EngineException TRIMMED when changes behind the position are no longer kept
   */
  List<Change> read(long after, int most);

  /** Waits until there is a change behind a position; false when the time has run out. */
  boolean await(long after, Duration most) throws InterruptedException;

  /** The position of the newest change: reading behind it gives what is still to come. */
  long end();

  /** Whether all changes from an instant on are still kept. */
  boolean keptSince(long instant);

  /**
   * A position behind which all kept changes lie that were made at an instant or later; few that
   * were made before lie behind it. Found by bisection, not by reading the feed. Where times go
   * back it is before the first change whose time is that late.
   */
  long before(long instant);

  /** The lowest position that can be read from. */
  long oldest();
}
