package dev.mayfly.mongo.session;

import dev.mayfly.value.Document;
import java.util.Optional;

/**
 * A session and what hangs on it. Safe for many threads, though drivers use one at a time.
 *
 * <p>At most one thing hangs on a session: a transaction that is open. It is closed when the
 * session ends before it does.
 */
public final class Session {
  private final Document lsid;
  private final String owner;
  private volatile long lastUsedNanos;
  private Optional<Held> held = Optional.empty();
  private boolean ended;

  /** What a session holds until it ends: closing it gives up what is not finished. */
  public interface Held extends AutoCloseable {
    @Override
    void close();
  }

  Session(Document lsid, String owner, long nowNanos) {
    this.lsid = lsid;
    this.owner = owner;
    this.lastUsedNanos = nowNanos;
  }

  /** What the client calls it. */
  public Document lsid() {
    return lsid;
  }

  /** The user it belongs to; empty when nobody had to be anybody. */
  public String owner() {
    return owner;
  }

  void use(long nowNanos) {
    lastUsedNanos = nowNanos;
  }

  long lastUsedNanos() {
    return lastUsedNanos;
  }

  /** What hangs on it. */
  public synchronized Optional<Held> held() {
    return held;
  }

  /** Hangs something on it in place of what was there, which is not closed by this. */
  public void hold(Held thing) {
    synchronized (this) {
      if (!ended) {
        held = Optional.of(thing);
        return;
      }
    }
    thing.close();
  }

  /** Takes what hangs on it. */
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
