package dev.mayfly.mongo.cursor;

import dev.mayfly.net.ByteBudget;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Memory that open cursors keep between two requests: documents that were found and not returned
 * yet, and the requests that made the cursors.
 *
 * <p>When it is used up, those cursors go that have been idle for longest. One cursor alone may
 * keep any amount. What a cursor keeps up to {@link ByteBudget#FREE_BYTES} is not counted. Safe for
 * many threads.
 */
final class HeldMemory {
  private static final System.Logger LOG = System.getLogger(HeldMemory.class.getName());
  private static final long LOG_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** How many of those it gave up it remembers, for clients that ask for more of them. */
  private static final int MOST_REMEMBERED = 1_000;

  private final long most;
  private final LongSupplier ticker;

  // Guarded by this.
  private final Map<OpenCursor, Long> idle = new LinkedHashMap<>();
  private final Deque<Long> givenUp = new ArrayDeque<>();
  private long bytes;
  private long loggedAt;
  private boolean logged;

  /**
   * Nothing yet.
   *
   * @param most what all cursors may keep
   * @param ticker nanoseconds that go on by themselves
   */
  HeldMemory(long most, LongSupplier ticker) {
    this.most = most;
    this.ticker = ticker;
  }

  /** Counts a cursor that is idle from now on. Returns those that have to be closed for it. */
  synchronized List<OpenCursor> keep(OpenCursor cursor, long held) {
    forget(cursor);
    if (held <= ByteBudget.FREE_BYTES) {
      return List.of();
    }
    idle.put(cursor, held);
    bytes += held;
    List<OpenCursor> closed = new ArrayList<>();
    while (bytes > most && idle.size() > 1) {
      OpenCursor oldest = idle.keySet().iterator().next();
      forget(oldest);
      remember(oldest.id());
      closed.add(oldest);
    }
    return closed;
  }

  private void remember(long id) {
    if (givenUp.size() == MOST_REMEMBERED) {
      givenUp.remove();
    }
    givenUp.add(id);
    long now = ticker.getAsLong();
    if (!logged || now - loggedAt >= LOG_NANOS) {
      logged = true;
      loggedAt = now;
      LOG.log(
          System.Logger.Level.WARNING,
          () -> "open cursors hold too much memory (request-memory): cursor " + id + " is closed");
    }
  }

  /** Counts a cursor no longer: it is in use, or closed. */
  synchronized void forget(OpenCursor cursor) {
    Long held = idle.remove(cursor);
    bytes -= held == null ? 0 : held;
  }

  /** Whether a cursor was closed because too much was held, not too long ago. */
  synchronized boolean gaveUp(long id) {
    return givenUp.contains(id);
  }
}
