package dev.mayfly.mongo.command;

import dev.mayfly.engine.Namespace;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/** Checks names of databases and collections, and which system collections clients may change. */
public final class Names {
  private static final int MAX_DATABASE = 63;
  private static final int MAX_NAMESPACE = 255;
  private static final int MAX_CHARACTER_BYTES = 3;
  private static final String FORBIDDEN_CHARACTERS = "\0/\\. \"$";

  /** The databases that MongoDB reserves for the server. */
  private static final Set<String> INTERNAL = Set.of("admin", "config", "local");

  private static final String SYSTEM = "system.";

  /** System collections that clients may write. */
  private static final Set<String> WRITABLE_SYSTEM = Set.of("system.js");

  /** System collections that clients may create and drop. */
  private static final Set<String> CREATABLE_SYSTEM = Set.of("system.js", "system.profile");

  private static final Pattern TEMPORARY =
      Pattern.compile(
          "tmp\\.(agg_out|convertToCapped)\\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private Names() {}

  /**
   * A namespace of checked names.
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
   * The namespace of a full name such as {@code db.collection}.
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

  /** Whether a collection is a system collection. */
  public static boolean isSystem(Namespace namespace) {
    return namespace.collection().startsWith(SYSTEM);
  }

  /**
   * Fails if clients cannot create a collection of this name.
   *
   * @throws CommandException INVALID_NAMESPACE
   */
  public static void checkCreatable(Namespace namespace) {
    check(namespace, CREATABLE_SYSTEM);
  }

  /**
   * Fails if only the server writes the collection.
   *
   * @throws CommandException INVALID_NAMESPACE
   */
  public static void checkWritable(Namespace namespace) {
    check(namespace, WRITABLE_SYSTEM);
  }

  private static void check(Namespace namespace, Set<String> allowedSystem) {
    if (!isAllowed(namespace, allowedSystem)) {
      throw new CommandException(
          ErrorCode.INVALID_NAMESPACE, "Invalid system namespace: " + namespace);
    }
  }

  /**
   * Fails if clients cannot drop the collection: users, roles and settings are cached in memory.
   *
   * @throws CommandException ILLEGAL_OPERATION
   */
  public static void checkDroppable(Namespace namespace) {
    if (isInternal(namespace.database()) && !isAllowed(namespace, CREATABLE_SYSTEM)) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION, "can't drop system collection " + namespace);
    }
  }

  /**
   * Fails if the database is reserved for the server.
   *
   * @throws CommandException ILLEGAL_OPERATION
   */
  public static void checkDroppable(String database) {
    if (isInternal(database)) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION, "Dropping the '" + database + "' database is prohibited.");
    }
  }

  private static boolean isAllowed(Namespace namespace, Set<String> allowedSystem) {
    return !isSystem(namespace)
        || allowedSystem.contains(namespace.collection())
        || namespace.database().equals("local");
  }

  /**
   * A name for a temporary collection that is filled and then renamed over another. Change streams
   * omit it.
   */
  public static Namespace temporary(Namespace namespace, String purpose) {
    return new Namespace(namespace.database(), "tmp." + purpose + "." + UUID.randomUUID());
  }

  /** Whether a name is one of {@link #temporary}. */
  public static boolean isTemporary(Namespace namespace) {
    return TEMPORARY.matcher(namespace.collection()).matches();
  }

  /** Whether a database is reserved for the server. */
  public static boolean isInternal(String database) {
    return INTERNAL.contains(database);
  }

  /** Fails if a database cannot have this name. */
  public static void checkDatabase(String database) {
    boolean bad =
        database.isEmpty() || exceeds(database, MAX_DATABASE) || hasForbiddenCharacter(database);
    if (bad) {
      throw new CommandException(
          ErrorCode.INVALID_NAMESPACE, "Invalid database name: '" + database + "'");
    }
  }

  /** Whether a text has more bytes in UTF-8; a short one is not encoded to find out. */
  private static boolean exceeds(String text, int bytes) {
    return text.length() * MAX_CHARACTER_BYTES > bytes
        && text.getBytes(StandardCharsets.UTF_8).length > bytes;
  }

  private static boolean hasForbiddenCharacter(String database) {
    for (int i = 0; i < database.length(); i++) {
      if (FORBIDDEN_CHARACTERS.indexOf(database.charAt(i)) >= 0) {
        return true;
      }
    }
    return false;
  }

  /** The name of the GridFS chunks collection that a request refers to. */
  public static String chunks(Request request) {
    return request.text("root", "fs") + ".chunks";
  }
}
