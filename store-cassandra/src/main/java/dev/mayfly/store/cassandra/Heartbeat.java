package dev.mayfly.store.cassandra;

import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Signs of life of this server in the table of members, and the wait for those of another. A server
 * that has stopped in order has no row. One that was killed is taken for dead when its row has not
 * changed for a while: the wait is measured by the monotonic clock of the one that waits, so wall
 * clocks need not agree.
 */
final class Heartbeat implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Heartbeat.class.getName());

  static final long BEAT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** For how long a sign of life is valid. */
  private static final long LIFE_NANOS = TimeUnit.SECONDS.toNanos(4);

  /** For how long the row of a dead server has not changed: longer than a sign of life is valid. */
  private static final long SILENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(5500);

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final Tables tables;
  private final UUID server;
  private final String name;
  private final LongSupplier ticker;
  private final LongSupplier micros;
  private final Runnable lapsed;
  private final Thread thread;
  private volatile boolean closed;

  /** Guarded by this object. */
  private boolean started;

  /** The number of the last sign of life. Used by one thread at a time. */
  private long beat;

  /**
   * @param lapsed called after a pause in which another server may have taken the cells
   */
  Heartbeat(
      Tables tables,
      UUID server,
      String name,
      LongSupplier ticker,
      LongSupplier micros,
      Runnable lapsed) {
    this.tables = tables;
    this.server = server;
    this.name = name;
    this.ticker = ticker;
    this.micros = micros;
    this.lapsed = lapsed;
    this.thread = Thread.ofPlatform().daemon().name("mayfly-heartbeat").unstarted(this::run);
  }

  /** Gives the first sign of life before it returns. Starting it again does nothing. */
  synchronized void start() {
    if (!started) {
      beat();
      thread.start();
      started = true;
    }
  }

  private void beat() {
    beat++;
    long until = micros.getAsLong() + TimeUnit.NANOSECONDS.toMicros(LIFE_NANOS);
    tables.beat(server, name, beat, until);
  }

  private void run() {
    long last = ticker.getAsLong();
    while (!closed) {
      LockSupport.parkNanos(this, BEAT_NANOS);
      if (closed) {
        return;
      }
      try {
        long start = ticker.getAsLong();
        beat();
        if (start - last > LIFE_NANOS) {
          lapsed.run();
        }
        last = start;
      } catch (RuntimeException failure) {
        LOG.log(System.Logger.Level.DEBUG, "a sign of life was not written", failure);
      }
    }
  }

  /**
   * Returns when another server has left or is dead.
   *
   * @throws StoreException IN_USE if it lives
   */
  void awaitSilence(UUID other, int cell) {
    Tables.Member seen = tables.member(other);
    long start = ticker.getAsLong();
    while (seen != null) {
      Tables.Member now = tables.member(other);
      if (now == null) {
        return;
      }
      if (now.beat() != seen.beat()) {
        throw new StoreException(
            Reason.IN_USE,
            "another server uses this keyspace: "
                + now.name()
                + "; stop it first, or use another keyspace (cassandra-keyspace)");
      }
      if (ticker.getAsLong() - start > SILENCE_NANOS) {
        LOG.log(
            System.Logger.Level.INFO,
            "cell " + cell + " belonged to " + now.name() + ", which gives no sign of life");
        tables.leave(other);
        return;
      }
      LockSupport.parkNanos(this, POLL_NANOS);
    }
  }

  /** Ends the signs of life: other servers need not wait. */
  @Override
  public synchronized void close() {
    if (!started) {
      return;
    }
    closed = true;
    LockSupport.unpark(thread);
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    try {
      tables.leave(server);
    } catch (StoreException unanswered) {
      LOG.log(System.Logger.Level.DEBUG, "this server could not leave", unanswered);
    }
  }
}
