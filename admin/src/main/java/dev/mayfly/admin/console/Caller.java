package dev.mayfly.admin.console;

import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.InProcessSession;
import dev.mayfly.mongo.command.Identity;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * User of the console: a user of the MongoDB door with its roles, or one that may do everything.
 * Safe for many threads.
 */
final class Caller {
  /** Databases of the Cosmos door. Its containers have no roles: the key opens all of them. */
  static final String COSMOS = "cosmos:";

  /** How it has logged in. */
  enum Kind {
    /** On this machine, where programs need no key. */
    OPEN,
    /** With the password of a user of the MongoDB door. */
    USER,
    /** With the key of the Cosmos door. */
    KEY
  }

  private final Kind kind;
  private final Optional<Identity> user;
  private final String incarnation;
  private final InProcessSession session;
  private final Map<String, AtomicBoolean> running = new ConcurrentHashMap<>();

  /**
   * Creates a user.
   *
   * @param incarnation of the user in the MongoDB door: it may have another password later
   */
  Caller(Kind kind, Optional<Identity> user, String incarnation, InProcessSession session) {
    this.kind = kind;
    this.user = user;
    this.incarnation = incarnation;
    this.session = session;
  }

  Kind kind() {
    return kind;
  }

  Optional<Identity> user() {
    return user;
  }

  String incarnation() {
    return incarnation;
  }

  /** Runs its commands in the MongoDB door. */
  InProcessSession session() {
    return session;
  }

  /** Whether no role limits it. */
  boolean mayEverything() {
    return session.mayEverything();
  }

  /** Whether it may do an action on a collection or container. */
  boolean may(String action, Namespace on) {
    return on.database().startsWith(COSMOS) ? mayEverything() : session.may(action, on);
  }

  /** Whether it may see that a collection or container exists. */
  boolean maySee(Namespace namespace) {
    return namespace.database().startsWith(COSMOS) ? mayEverything() : session.mayUse(namespace);
  }

  /** Returns the flag that stops the request with a tag; until {@link #ended} is called. */
  AtomicBoolean begin(String tag) {
    AtomicBoolean stop = new AtomicBoolean();
    running.put(tag, stop);
    return stop;
  }

  void ended(String tag, AtomicBoolean stop) {
    running.remove(tag, stop);
  }

  /** Stops the request with a tag. Returns whether it was running. */
  boolean cancel(String tag) {
    AtomicBoolean stop = running.get(tag);
    if (stop != null) {
      stop.set(true);
    }
    return stop != null;
  }

  /** Stops its requests and closes its cursors. */
  void close() {
    running.values().forEach(stop -> stop.set(true));
    session.close();
  }
}
