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
 * Budget for the memory that idle cursors hold: documents that were found and not returned yet, and
 * the requests that created the cursors.
 *
 * <p>If it is exceeded, the cursors that have been idle longest are closed. A single cursor may
 * hold any amount. A cursor that holds at most {@link ByteBudget#FREE_BYTES} is not counted. Safe
 * for many threads.
 */
final class HeldMemory {
  private static final System.Logger LOG = System.getLogger(HeldMemory.class.getName());
  private static final long LOG_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** The number of closed cursors whose ids are kept, to explain the error of a later getMore. */
  private static final int MAX_REMEMBERED = 1_000;

  private final long maxBytes;
  private final LongSupplier ticker;

  // Guarded by this.
  private final Map<OpenCursor, Long> idle = new LinkedHashMap<>();
  private final Deque<Long> closedIds = new ArrayDeque<>();
  private long bytes;
  private long loggedAt;
  private boolean logged;

  /**
   * No cursors.
   *
   * @param maxBytes the memory that all cursors may hold
   * @param ticker monotonic nanoseconds
   */
  HeldMemory(long maxBytes, LongSupplier ticker) {
    this.maxBytes = maxBytes;
    this.ticker = ticker;
  }

  /** Adds a cursor that is now idle; returns the cursors that the caller must close for it. */
  synchronized List<OpenCursor> keep(OpenCursor cursor, long held) {
    forget(cursor);
    if (held <= ByteBudget.FREE_BYTES) {
      return List.of();
    }
    idle.put(cursor, held);
    bytes += held;
    List<OpenCursor> closed = new ArrayList<>();
    while (bytes > maxBytes && idle.size() > 1) {
      OpenCursor oldest = idle.keySet().iterator().next();
      forget(oldest);
      remember(oldest.id());
      closed.add(oldest);
    }
    return closed;
  }

  private void remember(long id) {
    if (closedIds.size() == MAX_REMEMBERED) {
      closedIds.remove();
    }
    closedIds.add(id);
    long now = ticker.getAsLong();
    if (!logged || now - loggedAt >= LOG_NANOS) {
      logged = true;
      loggedAt = now;
      LOG.log(
          System.Logger.Level.WARNING,
          () -> "open cursors hold too much memory (request-memory): cursor " + id + " is closed");
    }
  }

  /** Removes a cursor that is in use or closed. */
  synchronized void forget(OpenCursor cursor) {
    Long held = idle.remove(cursor);
    bytes -= held == null ? 0 : held;
  }

  /** Whether a cursor was closed recently to free memory. */
  synchronized boolean wasClosed(long id) {
    return closedIds.contains(id);
  }
}
