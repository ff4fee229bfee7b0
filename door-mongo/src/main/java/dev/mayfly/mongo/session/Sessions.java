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

/** All sessions that are known, by their id and owner. Safe for many threads. */
public final class Sessions {
  private static final long IDLE_NANOS = TimeUnit.MINUTES.toNanos(30);
  private static final int MOST = 1_000_000;
  private static final byte UUID_SUBTYPE = 4;

  private final LongSupplier ticker;
  private final Map<Key, Session> sessions = new ConcurrentHashMap<>();
  private final List<Consumer<Session>> listeners = new CopyOnWriteArrayList<>();

  /** Two users may choose the same id and still mean two sessions. */
  private record Key(Value id, String owner) {}

  /**
   * No sessions yet.
   *
   * @param ticker nanoseconds that go on by themselves
   */
  public Sessions(LongSupplier ticker) {
    this.ticker = ticker;
  }

  /** Has somebody told of every session that ends, after what hung on it is closed. */
  public void onEnd(Consumer<Session> listener) {
    listeners.add(listener);
  }

  /** The session of a request, used by it; empty when it names none. */
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

  /** Whose sessions a request can use: the text of who it is. */
  public static String owner(Request request) {
    return request.client().identity().map(Identity::toString).orElse("");
  }

  /** The session of that id, now used; it comes into being if need be. */
  Session use(Document lsid, String owner) {
    long now = ticker.getAsLong();
    Key key = new Key(id(lsid), owner);
    Session session = sessions.get(key);
    if (session == null) {
      if (sessions.size() >= MOST) {
        throw new CommandException(
            new ErrorCode(261, "TooManyLogicalSessions"), "cannot add more sessions");
      }
      // The id is a view of a message that need not live as long as the session.
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

  /** Ends the session of that id, if there is one. */
  void end(Document lsid, String owner) {
    end(sessions.remove(new Key(id(lsid), owner)));
  }

  /** Ends all sessions that are so. */
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

  /** Ends those that have not been used for half an hour. */
  public void expire() {
    long now = ticker.getAsLong();
    endAll(session -> now - session.lastUsedNanos() > IDLE_NANOS);
  }

  /** Ends all. */
  public void close() {
    endAll(_ -> true);
  }

  /** For how long a session has not been used. */
  public long idleMillis(Session session) {
    return TimeUnit.NANOSECONDS.toMillis(ticker.getAsLong() - session.lastUsedNanos());
  }

  /** All there are, in no order. */
  public List<Session> all() {
    return List.copyOf(sessions.values());
  }
}
