package dev.mayfly.cosmos;

import java.util.Optional;

/**
 * Directory of the backends of one server. A server has one {@link Backend} per engine, and at
 * present one engine.
 *
 * <p>Called for every request, by many threads.
 */
@FunctionalInterface
interface Backends {
  /**
   * Returns the backend that owns a database; empty if no engine of this server does.
   *
   * @param database id or rid of the database; empty for resources that belong to no database, such
   *     as the list of databases and offers
   */
  Optional<Backend> owner(String database);

  /** Returns the directory of a server with one engine, which owns every database. */
  static Backends single(Backend backend) {
    Optional<Backend> only = Optional.of(backend);
    return _ -> only;
  }
}
