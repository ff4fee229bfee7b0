package dev.mayfly.mongo.change;

import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.command.Names;
import java.util.Optional;

/** Scope of a change stream: a collection, a database or all databases. */
sealed interface WatchScope {
  /** One collection. */
  record OfCollection(Namespace namespace) implements WatchScope {}

  /** All collections of a database except system collections. */
  record OfDatabase(String database) implements WatchScope {}

  /** All collections except system collections and those of internal databases. */
  record OfAll() implements WatchScope {}

  default boolean includes(Namespace candidate) {
    return switch (this) {
      case OfCollection(Namespace namespace) -> candidate.equals(namespace);
      case OfDatabase(String database) ->
          candidate.database().equals(database) && !isHidden(candidate);
      case OfAll() -> !Names.isInternal(candidate.database()) && !isHidden(candidate);
    };
  }

  /** The collection of a stream on one collection. */
  default Optional<Namespace> single() {
    return this instanceof OfCollection(Namespace namespace)
        ? Optional.of(namespace)
        : Optional.empty();
  }

  /** Whether the drop of a database is reported. */
  default boolean includes(String database) {
    return switch (this) {
      case OfCollection _ -> false;
      case OfDatabase(String watched) -> database.equals(watched);
      case OfAll() -> !Names.isInternal(database);
    };
  }

  /** Whether the drop or rename of the collection invalidates the stream. */
  default boolean endsWithCollection() {
    return this instanceof OfCollection;
  }

  /** Whether the drop of the database invalidates the stream. */
  default boolean endsWithDatabase() {
    return this instanceof OfDatabase;
  }

  /** Whether a collection is a system collection or a temporary one of a command. */
  private static boolean isHidden(Namespace namespace) {
    return namespace.collection().startsWith("system.") || Names.isTemporary(namespace);
  }
}
