package dev.mayfly.mongo.session;

import dev.mayfly.value.Document;
import java.util.Optional;

/**
 * Logical session of a client, with its open transaction if any. Safe for many threads, although
 * drivers use a session from one thread at a time.
 *
 * <p>The session owns the transaction and closes it when the session ends.
 */
public final class Session {
  private final Document lsid;
  private final String owner;
  private volatile long lastUsedNanos;
  private Optional<Held> held = Optional.empty();
  private boolean ended;

  /** The open transaction of a session; closing it aborts it. */
  public interface Held extends AutoCloseable {
    @Override
    void close();
  }

  Session(Document lsid, String owner, long nowNanos) {
    this.lsid = lsid;
    this.owner = owner;
    this.lastUsedNanos = nowNanos;
  }

  /** The session id, without the user digest. */
  public Document lsid() {
    return lsid;
  }

  /** The user of the session as user@database; empty without authentication. */
  public String owner() {
    return owner;
  }

  void use(long nowNanos) {
    lastUsedNanos = nowNanos;
  }

  long lastUsedNanos() {
    return lastUsedNanos;
  }

  /** The open transaction. */
  public synchronized Optional<Held> held() {
    return held;
  }

  /**
   * Replaces the open transaction without closing the previous one; closes the new one if the
   * session has ended.
   */
  public void hold(Held transaction) {
    synchronized (this) {
      if (!ended) {
        held = Optional.of(transaction);
        return;
      }
    }
    transaction.close();
  }

  /** Removes and returns the open transaction; the caller ends it. */
  public synchronized Optional<Held> release() {
    Optional<Held> taken = held;
    held = Optional.empty();
    return taken;
  }

  void end() {
    synchronized (this) {
      ended = true;
    }
    release().ifPresent(Held::close);
  }
}
