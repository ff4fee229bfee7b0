package dev.mayfly.mongo.session;

import dev.mayfly.mongo.command.Identity;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/** The logical sessions of an engine by id and user. Safe for many threads. */
public final class Sessions {
  private static final long IDLE_NANOS = TimeUnit.MINUTES.toNanos(30);
  private static final int MAX_SESSIONS = 1_000_000;
  private static final byte UUID_SUBTYPE = 4;

  private final LongSupplier ticker;
  private final Map<Key, Session> sessions = new ConcurrentHashMap<>();
  private final List<Consumer<Session>> listeners = new CopyOnWriteArrayList<>();

  /** The same id used by two users identifies two sessions. */
  private record Key(Value id, String owner) {}

  /**
   * No sessions.
   *
   * @param ticker monotonic nanoseconds
   */
  public Sessions(LongSupplier ticker) {
    this.ticker = ticker;
  }

  /**
   * Adds a listener that is called for every session that ends, after its transaction is closed.
   */
  public void onEnd(Consumer<Session> listener) {
    listeners.add(listener);
  }

  /** The session of a request, marked as used; empty if it has no {@code lsid}. */
  public Optional<Session> of(Request request) {
    Value lsid = request.field("lsid");
    if (lsid.isMissing()) {
      return Optional.empty();
    }
    if (lsid.type() != Type.OBJECT) {
      throw new CommandException(ErrorCode.TYPE_MISMATCH, "lsid must be an object");
    }
    return Optional.of(use(lsid.asDocument(), owner(request)));
  }

  /** The user whose sessions a request can use: user@database, or empty without authentication. */
  public static String owner(Request request) {
    return request.client().identity().map(Identity::toString).orElse("");
  }

  /** The session of that id, created if it does not exist, and marked as used. */
  Session use(Document lsid, String owner) {
    long now = ticker.getAsLong();
    Key key = new Key(id(lsid), owner);
    Session session = sessions.get(key);
    if (session == null) {
      if (sessions.size() >= MAX_SESSIONS) {
        throw new CommandException(
            new ErrorCode(261, "TooManyLogicalSessions"), "cannot add more sessions");
      }
      // copied: the id is a view of the message, which the session must not keep in memory
      Document own = Document.writer().put("id", key.id()).build();
      session =
          sessions.computeIfAbsent(
              new Key(own.field("id"), owner), _ -> new Session(own, owner, now));
    }
    session.use(now);
    return session;
  }

  private static Value id(Document lsid) {
    Value id = lsid.field("id");
    if (id.type() != Type.BINARY || id.binarySubtype() != UUID_SUBTYPE) {
      throw new CommandException(ErrorCode.BAD_VALUE, "lsid.id must be a UUID");
    }
    return id;
  }

  /** Ends the session of that id, if it exists. */
  void end(Document lsid, String owner) {
    end(sessions.remove(new Key(id(lsid), owner)));
  }

  /** Ends all sessions that match. */
  void endAll(Predicate<Session> which) {
    sessions
        .entrySet()
        .removeIf(
            entry -> {
              boolean chosen = which.test(entry.getValue());
              if (chosen) {
                end(entry.getValue());
              }
              return chosen;
            });
  }

  private void end(@org.jspecify.annotations.Nullable Session session) {
    if (session != null) {
      session.end();
      listeners.forEach(listener -> listener.accept(session));
    }
  }

  /** Ends the sessions that have been idle for half an hour. */
  public void expire() {
    long now = ticker.getAsLong();
    endAll(session -> now - session.lastUsedNanos() > IDLE_NANOS);
  }

  /** Ends all sessions. */
  public void close() {
    endAll(_ -> true);
  }

  /** How long a session has been idle. */
  public long idleMillis(Session session) {
    return TimeUnit.NANOSECONDS.toMillis(ticker.getAsLong() - session.lastUsedNanos());
  }

  /** All sessions, in no order. */
  public List<Session> all() {
    return List.copyOf(sessions.values());
  }
}
