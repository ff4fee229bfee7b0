package dev.mayfly.cosmos.query;

import dev.mayfly.sql.EvaluationException;
import dev.mayfly.sql.EvaluationException.Reason;

/**
 * How long a page of a query may take.
 *
 * <p>A page ends when its time has passed, with what it has, and the next goes on. What cannot be
 * divided, because it is about one item or is done before the first, has as much time by itself;
 * after that the query is refused. It is what the thread of the page is interrupted by.
 */
final class PageLimit implements Runnable {
  private static final long MILLIS = 5000;

  private final Timer timer;
  private final Runnable request;
  private boolean begun = true;
  private boolean divisible;
  private long began;

  /**
   * @param request throws when nobody waits for the page any more
   */
  PageLimit(Timer timer, Runnable request) {
    this.timer = timer;
    this.request = request;
  }

  Timer timer() {
    return timer;
  }

  /** Whether the page is to end with what it has. */
  boolean passed() {
    return timer.passed(MILLIS);
  }

  /** Notes that work on another item begins. The clock is looked at when that takes long. */
  void item() {
    begun = false;
    divisible = false;
  }

  /** Notes that the page can end within this item, and the next go on there. */
  void divisible() {
    divisible = true;
  }

  /**
   * Goes on unless nobody waits, the page can and must end, or one item has taken too long.
   *
   * @throws EvaluationException TOO_LONG
   */
  @Override
  public void run() {
    request.run();
    if (!begun) {
      begun = true;
      began = timer.millis();
    }
    if (timer.passed(divisible ? MILLIS : began + MILLIS)) {
      throw new EvaluationException(Reason.TOO_LONG);
    }
  }
}
