package dev.mayfly.mongo.change;

import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.command.Names;
import java.util.Optional;

/** Whose changes a stream tells: a collection's, a database's, or all. */
sealed interface WatchScope {
  /** One collection. */
  record OfCollection(Namespace namespace) implements WatchScope {}

  /** All collections of a database but those of the system. */
  record OfDatabase(String database) implements WatchScope {}

  /** All collections but those of the system. */
  record OfAll() implements WatchScope {}

  default boolean includes(Namespace candidate) {
    return switch (this) {
      case OfCollection(Namespace namespace) -> candidate.equals(namespace);
      case OfDatabase(String database) ->
          candidate.database().equals(database) && !isHidden(candidate);
      case OfAll() -> !Names.isInternal(candidate.database()) && !isHidden(candidate);
    };
  }

  /** The one collection, if there is but one. */
  default Optional<Namespace> single() {
    return this instanceof OfCollection(Namespace namespace)
        ? Optional.of(namespace)
        : Optional.empty();
  }

  /** Whether the end of a database is told. */
  default boolean includes(String database) {
    return switch (this) {
      case OfCollection _ -> false;
      case OfDatabase(String watched) -> database.equals(watched);
      case OfAll() -> !Names.isInternal(database);
    };
  }

  /** Whether it is over when a collection that is watched goes away. */
  default boolean endsWithCollection() {
    return this instanceof OfCollection;
  }

  /** Whether it is over when a database that is watched goes away. */
  default boolean endsWithDatabase() {
    return this instanceof OfDatabase;
  }

  /** What belongs to the system, and what a command fills before anybody can see it. */
  private static boolean isHidden(Namespace namespace) {
    return namespace.collection().startsWith("system.") || Names.isTemporary(namespace);
  }
}
