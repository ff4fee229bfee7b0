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

/** That something may be done to a resource. */
record Privilege(Resource resource, Set<String> actions) {
  private static final String SYSTEM = "system.";
  private static final String ANY = "anyAction";

  /** The databases that a privilege on all databases leaves out. */
  private static final Set<String> OWN = Set.of("config", "local");

  Privilege {
    actions = Set.copyOf(actions);
  }

  /** What something is done to. */
  sealed interface Resource {
    /**
     * A collection, or several.
     *
     * @param database empty for every one but config and local
     * @param collection empty for all but those of the system
     */
    record Named(String database, String collection) implements Resource {}

    /** The server. */
    record Cluster() implements Resource {}

    /** Whatever there is. */
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

  /** Whether it is about a collection. */
  boolean covers(Namespace namespace) {
    return switch (resource) {
      case Resource.Named named ->
          covers(named, new Resource.Named(namespace.database(), namespace.collection()));
      case Resource.Cluster _ -> false;
      case Resource.Anything _ -> true;
    };
  }

  /** All collections of all databases are neither the system's nor in the server's own. */
  private static boolean covers(Resource.Named held, Resource.Named asked) {
    if (held.collection().isEmpty()) {
      boolean inDatabase =
          held.database().equals(asked.database())
              || (held.database().isEmpty() && !OWN.contains(asked.database()));
      return inDatabase && !asked.collection().startsWith(SYSTEM);
    }
    return held.collection().equals(asked.collection())
        && (held.database().isEmpty() || held.database().equals(asked.database()));
  }

  /** Whether there is anything in a database that it is about. */
  boolean concerns(String database) {
    return switch (resource) {
      case Resource.Named(String named, _) ->
          named.isEmpty() ? !OWN.contains(database) : named.equals(database);
      case Resource.Cluster _ -> false;
      case Resource.Anything _ -> true;
    };
  }

  /** The database whose roles may have it; that of all when it reaches further than one. */
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
   * Privileges as commands and stored roles name them.
   *
   * @throws CommandException when they mean nothing
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
