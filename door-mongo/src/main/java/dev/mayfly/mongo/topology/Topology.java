package dev.mayfly.mongo.topology;

import dev.mayfly.mongo.command.Client;
import dev.mayfly.value.Value;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The replica set that the server reports to drivers: one member, always primary. Thread-safe.
 *
 * <p>The topology version changes once, when the server stops. That ends awaitable hellos.
 */
public final class Topology {
  private final String setName;
  private final String advertisedHost;
  private final byte[] processId;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final AtomicLong version = new AtomicLong();

  /**
   * @param advertisedHost host and port that drivers connect to; empty for the address that each
   *     client used
   * @param processId twelve random bytes that are new at each start of the server
   */
  public Topology(String setName, String advertisedHost, byte[] processId) {
    this.setName = setName;
    this.advertisedHost = advertisedHost;
    this.processId = processId.clone();
  }

  public String setName() {
    return setName;
  }

  /** Returns host and port of the member for this client. */
  public String host(Client client) {
    return advertisedHost.isEmpty() ? client.local() : advertisedHost;
  }

  Value processId() {
    return Value.objectId(processId);
  }

  long version() {
    return version.get();
  }

  /** Waits until the version differs from the known one. Returns false after the time. */
  boolean awaitChange(long known, long millis) {
    lock.lock();
    try {
      long left = TimeUnit.MILLISECONDS.toNanos(millis);
      while (version.get() == known && left > 0) {
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
    return version.get() != known;
  }

  /** Increments the version and ends all waits. */
  public void change() {
    lock.lock();
    try {
      version.incrementAndGet();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
