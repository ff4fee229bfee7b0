package dev.mayfly.mongo.command;

import dev.mayfly.engine.Namespace;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/** Which names databases and collections may have. */
public final class Names {
  private static final int MAX_DATABASE = 63;
  private static final int MAX_NAMESPACE = 255;
  private static final int MAX_CHARACTER_BYTES = 3;
  private static final String BARRED = "\0/\\. \"$";

  /** The databases that the server keeps for itself. */
  private static final Set<String> INTERNAL = Set.of("admin", "config", "local");

  private static final String SYSTEM = "system.";

  /** Collections of the system that clients write. */
  private static final Set<String> WRITTEN_BY_CLIENTS = Set.of("system.js");

  /** Collections of the system that clients make and drop. */
  private static final Set<String> MADE_BY_CLIENTS = Set.of("system.js", "system.profile");

  private static final Pattern ASIDE =
      Pattern.compile(
          "tmp\\.(agg_out|convertToCapped)\\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private Names() {}

  /**
   * The namespace of these two names.
   *
   * @throws CommandException INVALID_NAMESPACE
   */
  public static Namespace namespace(String database, String collection) {
    checkDatabase(database);
    boolean bad =
        collection.isEmpty()
            || collection.indexOf('\0') >= 0
            || collection.startsWith(".")
            || collection.indexOf('$') >= 0
            || exceeds(collection, MAX_NAMESPACE - database.length() - 1);
    if (bad) {
      throw new CommandException(
          ErrorCode.INVALID_NAMESPACE,
          "Invalid namespace specified '" + database + "." + collection + "'");
    }
    return new Namespace(database, collection);
  }

  /**
   * The namespace of a full name.
   *
   * @throws CommandException INVALID_NAMESPACE
   */
  public static Namespace full(String name) {
    int dot = name.indexOf('.');
    if (dot < 0) {
      throw new CommandException(
          ErrorCode.INVALID_NAMESPACE, "Invalid namespace specified '" + name + "'");
    }
    return namespace(name.substring(0, dot), name.substring(dot + 1));
  }

  /** Whether a collection belongs to the system. */
  public static boolean ofSystem(Namespace namespace) {
    return namespace.collection().startsWith(SYSTEM);
  }

  /**
   * Refuses a collection that clients cannot make: of those that belong to the system they can make
   * a few.
   *
   * @throws CommandException INVALID_NAMESPACE
   */
  public static void checkCreatable(Namespace namespace) {
    check(namespace, MADE_BY_CLIENTS);
  }

  /**
   * Refuses a collection that only the server writes.
   *
   * @throws CommandException INVALID_NAMESPACE
   */
  public static void checkWritable(Namespace namespace) {
    check(namespace, WRITTEN_BY_CLIENTS);
  }

  private static void check(Namespace namespace, Set<String> ofSystem) {
    if (!isOpen(namespace, ofSystem)) {
      throw new CommandException(
          ErrorCode.INVALID_NAMESPACE, "Invalid system namespace: " + namespace);
    }
  }

  /**
   * Refuses a collection that only the server drops: users, roles and its settings are in memory
   * too.
   *
   * @throws CommandException ILLEGAL_OPERATION
   */
  public static void checkDroppable(Namespace namespace) {
    if (isInternal(namespace.database()) && !isOpen(namespace, MADE_BY_CLIENTS)) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION, "can't drop system collection " + namespace);
    }
  }

  /**
   * Refuses a database that the server keeps for itself.
   *
   * @throws CommandException ILLEGAL_OPERATION
   */
  public static void checkDroppable(String database) {
    if (isInternal(database)) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION, "Dropping the '" + database + "' database is prohibited.");
    }
  }

  private static boolean isOpen(Namespace namespace, Set<String> ofSystem) {
    return !ofSystem(namespace)
        || ofSystem.contains(namespace.collection())
        || namespace.database().equals("local");
  }

  /**
   * A collection that is filled beside another, to take its name in the end. Nobody is told of it.
   */
  public static Namespace aside(Namespace namespace, String purpose) {
    return new Namespace(namespace.database(), "tmp." + purpose + "." + UUID.randomUUID());
  }

  /** Whether a collection is one that {@link #aside} has named. */
  public static boolean isAside(Namespace namespace) {
    return ASIDE.matcher(namespace.collection()).matches();
  }

  /** Whether a database is one that the server keeps for itself. */
  public static boolean isInternal(String database) {
    return INTERNAL.contains(database);
  }

  /** Refuses a name that no database can have. */
  public static void checkDatabase(String database) {
    boolean bad = database.isEmpty() || exceeds(database, MAX_DATABASE) || anyBarred(database);
    if (bad) {
      throw new CommandException(
          ErrorCode.INVALID_NAMESPACE, "Invalid database name: '" + database + "'");
    }
  }

  /** Whether a text has more bytes than this; most are so short that nobody has to count. */
  private static boolean exceeds(String text, int bytes) {
    return text.length() * MAX_CHARACTER_BYTES > bytes
        && text.getBytes(StandardCharsets.UTF_8).length > bytes;
  }

  private static boolean anyBarred(String database) {
    for (int i = 0; i < database.length(); i++) {
      if (BARRED.indexOf(database.charAt(i)) >= 0) {
        return true;
      }
    }
    return false;
  }

  /** The collection with the chunks of the files of GridFS that a request is about. */
  public static String chunks(Request request) {
    return request.text("root", "fs") + ".chunks";
  }
}
