package dev.mayfly.engine;

import java.time.Duration;
import java.util.List;

/**
 * Reader of the change feed of one shard: changes in the order of their commits. Stateless: the
 * caller passes the position after which to read. Safe for many threads.
 *
 * <pre>{@code
 * long position = feed.end();  // from now on
 * while (feed.await(position, Duration.ofSeconds(10))) {
 *   for (Change change : feed.read(position, 100)) {
 *     handle(change);                // INSERT, UPDATE, DELETE, EXPIRE
 *     position = change.position();  // store it to resume later
 *   }
 * }
 * }</pre>
 */
public interface FeedReader {
  /**
   * The longest time between a write's reading of the clock and its change in the feed: times of
   * changes may be out of order by this much.
   */
  long DISORDER_MILLIS = 10_000;

  /** The position before the first change. */
  long BEGINNING = 0;

  /**
   * Returns changes after a position, oldest first; at least one if there are any.
   *
   * @param most about how many; a group of expiries is not split
   * @throws EngineException TRIMMED if changes after the position are no longer kept
   */
  List<Change> read(long after, int most);

  /** Waits for a change after a position. Returns false after the timeout. */
  boolean await(long after, Duration most) throws InterruptedException;

  /** Returns the position of the newest change. */
  long end();

  /** Returns whether all changes since an instant are kept. */
  boolean keptSince(long instant);

  /**
   * Returns a position such that all kept changes of an instant or later are after it, and few
   * earlier ones. Found by bisection. If times go back, it is before the first change that is as
   * late as the instant.
   */
  long before(long instant);

  /** Returns the lowest position that can be read from. */
  long oldest();
}
