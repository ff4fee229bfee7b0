package dev.mayfly.mongo.topology;

import dev.mayfly.mongo.command.Client;
import dev.mayfly.value.Value;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The replica set this server says it is: one member, always primary.
 *
 * <p>It changes once, when the server stops; drivers that watch it are woken by that.
 */
public final class Topology {
  private final String setName;
  private final String advertisedHost;
  private final byte[] processId;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final AtomicLong version = new AtomicLong();

  /**
   * @param advertisedHost where drivers are told to find the member; empty for where they came to
   * @param processId twelve bytes that differ from one start of the server to the next
   */
  public Topology(String setName, String advertisedHost, byte[] processId) {
    this.setName = setName;
    this.advertisedHost = advertisedHost;
    this.processId = processId.clone();
  }

  public String setName() {
    return setName;
  }

  /** Host and port of the member, for this client. */
  public String host(Client client) {
    return advertisedHost.isEmpty() ? client.local() : advertisedHost;
  }

  Value processId() {
    return Value.objectId(processId);
  }

  long version() {
    return version.get();
  }

  /** Waits until the version is another one; false when the time is over. */
  boolean awaitOther(long known, long millis) {
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

  /** Wakes all who wait. */
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
