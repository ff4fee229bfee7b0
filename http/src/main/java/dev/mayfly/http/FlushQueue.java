package dev.mayfly.http;

import dev.mayfly.net.LoneClient;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Connections of one event loop whose replies wait for a flush to disk. The end of a flush wakes
 * the loop once for all of them. Belongs to the event loop, except for the signal.
 */
final class FlushQueue {
  private static final System.Logger LOG = System.getLogger(FlushQueue.class.getName());

  private final EventLoop loop;
  private final LoneClient loneClient = new LoneClient();
  private final AtomicBoolean flushed = new AtomicBoolean();
  private final Runnable signal = this::flushEnded;
  private List<Runnable> waiting = new ArrayList<>();
  private Runnable onDrained = () -> {};

  FlushQueue(EventLoop loop) {
    this.loop = loop;
  }

  /** Records a request of a connection. */
  void served(HttpConnection connection) {
    loneClient.served(connection);
  }

  /** Returns whether a single connection keeps the loop busy, and no reply waits for a flush. */
  boolean servesOneClient() {
    return loneClient.isAlone() && !isWaiting();
  }

  /** Returns whether a reply waits for a flush. */
  boolean isWaiting() {
    return !waiting.isEmpty();
  }

  /** To be called at the end of a flush, in any thread. Always the same object. */
  Runnable signal() {
    return signal;
  }

  private void flushEnded() {
    if (!flushed.getAndSet(true)) {
      try {
        loop.execute(this::retry);
      } catch (RejectedExecutionException closed) {
        LOG.log(System.Logger.Level.DEBUG, "closed before a reply could be sent", closed);
      }
    }
  }

  /** Runs an attempt after the next flush. Call it after the flush was requested. */
  void add(Runnable attempt) {
    waiting.add(attempt);
  }

  /** Calls {@code drained} as soon as no reply waits, on the event loop. From any thread. */
  void onDrained(Runnable drained) {
    loop.execute(
        () -> {
          onDrained = drained;
          reportIfDrained();
        });
  }

  private void retry() {
    flushed.set(false);
    List<Runnable> attempts = waiting;
    waiting = new ArrayList<>();
    attempts.forEach(Runnable::run);
    reportIfDrained();
  }

  private void reportIfDrained() {
    if (waiting.isEmpty()) {
      onDrained.run();
      onDrained = () -> {};
    }
  }
}
