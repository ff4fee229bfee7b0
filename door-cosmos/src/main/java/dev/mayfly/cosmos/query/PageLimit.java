package dev.mayfly.cosmos.query;

import dev.mayfly.sql.EvaluationException;
import dev.mayfly.sql.EvaluationException.Reason;

/**
 * Time limit of a query page.
 *
 * <p>When the time has passed the page ends with the results so far, and the next page continues.
 * Work that cannot be divided, on one item or before the first item, has the same time limit; when
 * that is exceeded, the query fails. Runs as the interrupt check of the page's thread.
 */
final class PageLimit implements Runnable {
  private static final long MILLIS = 5000;

  private final Timer timer;
  private final Runnable request;
  private boolean itemStarted = true;
  private boolean divisible;
  private long itemStart;

  /**
   * @param request throws if the client has disconnected
   */
  PageLimit(Timer timer, Runnable request) {
    this.timer = timer;
    this.request = request;
  }

  Timer timer() {
    return timer;
  }

  /** Whether the page should end with the results so far. */
  boolean passed() {
    return timer.passed(MILLIS);
  }

  /** Records that work on another item begins. The clock is read at the next {@link #run}. */
  void item() {
    itemStarted = false;
    divisible = false;
  }

  /** Records that the page can end within this item and the next continue there. */
  void divisible() {
    divisible = true;
  }

  /**
   * Fails if the client has disconnected, or if the page or the item has taken too long.
   *
   * @throws EvaluationException TOO_LONG
   */
  @Override
  public void run() {
    request.run();
    if (!itemStarted) {
      itemStarted = true;
      itemStart = timer.millis();
    }
    if (timer.passed(divisible ? MILLIS : itemStart + MILLIS)) {
      throw new EvaluationException(Reason.TOO_LONG);
    }
  }
}
