package dev.mayfly.engine;

import java.util.UUID;

/** Something that happened to a collection itself, or to a whole database. */
public sealed interface CatalogChange {
  /** Its place among all changes, those of documents too. */
  long position();

  /** Epoch milliseconds at which it happened. */
  long time();

  /**
   * The collection that something happened to.
   *
   * @param id see {@link Collection#id}
   * @param uuid see {@link Collection#uuid}
   * @param namespace what it was called until then
   */
  record Subject(long id, UUID uuid, Namespace namespace) {}

  /** There is a collection. */
  record Created(long position, long time, Subject subject, CollectionSpec spec)
      implements CatalogChange {}

  /** A collection has become another: its indexes, rules or options. */
  record Altered(
      long position, long time, Subject subject, CollectionSpec before, CollectionSpec after)
      implements CatalogChange {}

  /**
   * A collection is gone.
   *
   * @param last the position of the last change of its documents; 0 when there is none to read
   * @param withDatabase whether all of its database went
   */
  record Dropped(
      long position,
      long time,
      Subject subject,
      CollectionSpec spec,
      long last,
      boolean withDatabase)
      implements CatalogChange {}

  /**
   * A collection has another name.
   *
   * @param replaced what had the name before, and was dropped for it; of {@link #NOTHING} else
   */
  record Renamed(
      long position, long time, Subject subject, CollectionSpec spec, Namespace to, Gone replaced)
      implements CatalogChange {}

  /** All collections of a database have been dropped, each told by itself. */
  record DatabaseDropped(long position, long time, String database) implements CatalogChange {}

  /** No collection was in the way of a new name. */
  Gone NOTHING = new Gone(0, new UUID(0, 0), 0);

  /**
   * A collection that gave way.
   *
   * @param id 0 for none
   * @param last as of {@link Dropped}
   */
  record Gone(long id, UUID uuid, long last) {}
}
