package dev.mayfly.mongo.command;

import dev.mayfly.engine.Namespace;
import java.nio.charset.StandardCharsets;

/** Which names databases and collections may have. */
public final class Names {
  private static final int MAX_DATABASE = 63;
  private static final int MAX_NAMESPACE = 255;

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
            || (database.length() + 1 + collection.getBytes(StandardCharsets.UTF_8).length)
                > MAX_NAMESPACE;
    if (bad) {
      throw new CommandException(
          ErrorCode.INVALID_NAMESPACE,
          "Invalid namespace specified '" + database + "." + collection + "'");
    }
    return new Namespace(database, collection);
  }

  /** Refuses a name that no database can have. */
  public static void checkDatabase(String database) {
    boolean bad =
        database.isEmpty()
            || database.getBytes(StandardCharsets.UTF_8).length > MAX_DATABASE
            || database.chars().anyMatch(Names::barred);
    if (bad) {
      throw new CommandException(
          ErrorCode.INVALID_NAMESPACE, "Invalid database name: '" + database + "'");
    }
  }

  private static boolean barred(int character) {
    return character == 0 || "/\\. \"$".indexOf(character) >= 0;
  }
}
