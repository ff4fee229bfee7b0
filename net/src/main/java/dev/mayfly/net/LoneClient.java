package dev.mayfly.net;

import org.jspecify.annotations.Nullable;

/**
 * Detects that an event loop serves a single client, one request after another. Such a loop may
 * flush a write to disk in its own thread: it has nothing else to do, and to wake another thread
 * and be woken by it takes longer than many a flush. For one thread.
 */
public final class LoneClient {
  /** Requests in a row: other clients send one now and then, such as the monitor of a driver. */
  private static final int MIN_REQUESTS = 32;

  private @Nullable Object last;
  private int requests;

  /** Records a request of a client. */
  public void served(Object client) {
    if (client.equals(last)) {
      requests = Math.min(requests + 1, MIN_REQUESTS);
    } else {
      last = client;
      requests = 0;
    }
  }

  /** Returns whether all requests of late came from one client. */
  public boolean isAlone() {
    return requests == MIN_REQUESTS;
  }
}
