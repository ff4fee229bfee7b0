package dev.mayfly.mongo.auth;

import dev.mayfly.engine.Namespace;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A privilege: a resource and the actions that are allowed on it. */
record Privilege(Resource resource, Set<String> actions) {
  private static final String SYSTEM = "system.";
  private static final String ANY = "anyAction";

  /** The databases that a privilege on all databases does not include. */
  private static final Set<String> INTERNAL = Set.of("config", "local");

  Privilege {
    actions = Set.copyOf(actions);
  }

  /** The resource of a privilege. */
  sealed interface Resource {
    /**
     * A collection or several.
     *
     * @param database empty for all databases except config and local
     * @param collection empty for all collections except system collections
     */
    record Named(String database, String collection) implements Resource {}

    /** The cluster: actions on the server. */
    record Cluster() implements Resource {}

    /** Any resource. */
    record Anything() implements Resource {}
  }

  /** Whether it allows an action on a resource. */
  boolean allows(String action, Resource on) {
    return has(action)
        && switch (resource) {
          case Resource.Named named -> on instanceof Resource.Named other && covers(named, other);
          case Resource.Cluster _ -> on instanceof Resource.Cluster;
          case Resource.Anything _ -> true;
        };
  }

  private boolean has(String action) {
    return actions.contains(action) || actions.contains(ANY);
  }

  /** Whether its resource includes a collection. */
  boolean covers(Namespace namespace) {
    return switch (resource) {
      case Resource.Named named ->
          covers(named, new Resource.Named(namespace.database(), namespace.collection()));
      case Resource.Cluster _ -> false;
      case Resource.Anything _ -> true;
    };
  }

  /**
   * An empty collection name does not include system collections; an empty database name with it
   * not config and local.
   */
  private static boolean covers(Resource.Named held, Resource.Named required) {
    if (held.collection().isEmpty()) {
      boolean inDatabase =
          held.database().equals(required.database())
              || (held.database().isEmpty() && !INTERNAL.contains(required.database()));
      return inDatabase && !required.collection().startsWith(SYSTEM);
    }
    return held.collection().equals(required.collection())
        && (held.database().isEmpty() || held.database().equals(required.database()));
  }

  /** Whether its resource includes collections of a database. */
  boolean concerns(String database) {
    return switch (resource) {
      case Resource.Named(String named, _) ->
          named.isEmpty() ? !INTERNAL.contains(database) : named.equals(database);
      case Resource.Cluster _ -> false;
      case Resource.Anything _ -> true;
    };
  }

  /**
   * The database on which a user needs grantRole to grant it; admin if it includes several
   * databases.
   */
  String database() {
    return resource instanceof Resource.Named(String named, _) && !named.isEmpty()
        ? named
        : Users.ADMIN;
  }

  Value toValue() {
    DocumentWriter writer = Document.writer().startDocument("resource");
    switch (resource) {
      case Resource.Named(String database, String collection) ->
          writer.put("db", database).put("collection", collection);
      case Resource.Cluster _ -> writer.put("cluster", true);
      case Resource.Anything _ -> writer.put("anyResource", true);
    }
    List<Value> sorted = new TreeSet<>(actions).stream().map(Value::of).toList();
    return Value.of(writer.end().put("actions", Value.array(sorted)).build());
  }

  static Value toValue(List<Privilege> privileges) {
    return Value.array(privileges.stream().map(Privilege::toValue).toList());
  }

  /**
   * Parses the privileges in commands and stored roles.
   *
   * @throws CommandException if they are malformed
   */
  static List<Privilege> parse(Value privileges) {
    if (!privileges.isArray()) {
      throw new CommandException(ErrorCode.TYPE_MISMATCH, "\"privileges\" must be an array");
    }
    List<Privilege> parsed = new ArrayList<>();
    Fields elements = privileges.asDocument().fields();
    while (elements.next()) {
      if (elements.type() != Type.OBJECT) {
        throw new CommandException(ErrorCode.TYPE_MISMATCH, "a privilege must be an object");
      }
      Document one = elements.value().asDocument();
      parsed.add(new Privilege(resource(one.field("resource")), actions(one.field("actions"))));
    }
    return parsed;
  }

  private static Resource resource(Value syntax) {
    if (syntax.type() == Type.OBJECT) {
      Document named = syntax.asDocument();
      Value database = named.field("db");
      Value collection = named.field("collection");
      if (database.type() == Type.STRING && collection.type() == Type.STRING) {
        return new Resource.Named(database.asString(), collection.asString());
      }
      if (named.field("cluster").equals(Value.TRUE)) {
        return new Resource.Cluster();
      }
      if (named.field("anyResource").equals(Value.TRUE)) {
        return new Resource.Anything();
      }
    }
    throw new CommandException(
        ErrorCode.BAD_VALUE,
        "A resource is {db, collection}, {cluster: true} or {anyResource: true}");
  }

  private static Set<String> actions(Value syntax) {
    Set<String> actions = new TreeSet<>();
    if (syntax.isArray()) {
      Fields elements = syntax.asDocument().fields();
      while (elements.next()) {
        actions.add(elements.type() == Type.STRING ? elements.value().asString() : "");
      }
    }
    Set<String> unknown = new TreeSet<>(actions);
    unknown.removeAll(Actions.KNOWN);
    if (actions.isEmpty() || !unknown.isEmpty()) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "Unrecognized action privilege strings: " + unknown);
    }
    return actions;
  }
}
