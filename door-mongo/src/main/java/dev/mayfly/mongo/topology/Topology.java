package dev.mayfly.mongo.topology;

import dev.mayfly.mongo.command.Client;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The topology that the server reports to drivers: a replica set of this server alone, a replica
 * set of several servers, or a sharded cluster. Thread-safe.
 *
 * <p>The topology version changes when the members change, and when the server stops. That ends
 * awaitable hellos.
 */
public final class Topology {
  private final String setName;
  private final String advertisedHost;
  private final byte[] processId;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final AtomicLong version = new AtomicLong();
  private volatile Shape shape = new Alone();

  /** What the server is a part of. */
  public sealed interface Shape {}

  /** Of nothing: a replica set with one member. */
  public record Alone() implements Shape {}

  /** A router of a sharded cluster. */
  public record Sharded() implements Shape {}

  /**
   * A replica set of several servers.
   *
   * @param hosts the host and port of each member, the primary first; never empty
   * @param own position of this server in it
   */
  public record Members(List<String> hosts, int own) implements Shape {
    public Members {
      hosts = List.copyOf(hosts);
    }

    boolean isPrimary() {
      return own == 0;
    }
  }

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

  /** Returns what the server is a part of. */
  public Shape shape() {
    return shape;
  }

  /** Whether the server is a router of a sharded cluster. */
  public boolean isSharded() {
    return shape instanceof Sharded;
  }

  /** Sets what the server is a part of. */
  public void shape(Shape next) {
    if (!shape.equals(next)) {
      shape = next;
      change();
    }
  }

  /** Returns host and port of this server for a client. */
  public String host(Client client) {
    return switch (shape) {
      case Alone _, Sharded _ -> advertisedHost.isEmpty() ? client.local() : advertisedHost;
      case Members members -> members.hosts().get(members.own());
    };
  }

  /** Returns the hosts of the replica set for a client, the primary first. */
  List<String> hosts(Client client) {
    return shape instanceof Members members ? members.hosts() : List.of(host(client));
  }

  /** Returns the position of this server among {@link #hosts}. */
  int position() {
    return shape instanceof Members members ? members.own() : 0;
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
