package dev.mayfly.mongo;

import java.util.Collection;
import java.util.List;

/**
 * Lookup of the backend that serves a database.
 *
 * <p>Example: a server with one engine uses {@code MongoBackends.single(backend)}; a server with
 * several engines maps each database to one of them.
 */
interface MongoBackends {
  /** The backend that serves a database, whether the database exists or not. */
  MongoBackend of(String database);

  Collection<MongoBackend> all();

  /** One backend for all databases. */
  static MongoBackends single(MongoBackend backend) {
    List<MongoBackend> only = List.of(backend);
    return new MongoBackends() {
      @Override
      public MongoBackend of(String database) {
        return backend;
      }

      @Override
      public Collection<MongoBackend> all() {
        return only;
      }
    };
  }
}
