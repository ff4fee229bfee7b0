package dev.mayfly.engine;

import java.util.UUID;

/**
 * Change of the catalog: a collection was created, altered, dropped or renamed, or a database was
 * dropped.
 *
 * <pre>{@code
 * for (CatalogChange change : engine.catalogChanges(position)) {
 *   switch (change) {
 *     case CatalogChange.Created created -> watch(created.subject());
 *     case CatalogChange.Dropped dropped -> forget(dropped.subject());
 *     case CatalogChange _ -> {}
 *   }
 * }
 * }</pre>
 */
public sealed interface CatalogChange {
  /** Returns its position among all changes, including those of documents. */
  long position();

  /** Returns its time in epoch milliseconds. */
  long time();

  /**
   * The collection that was changed.
   *
   * @param id see {@link Collection#id}
   * @param uuid see {@link Collection#uuid}
   * @param namespace its name before the change
   */
  record Subject(long id, UUID uuid, Namespace namespace) {}

  /** A collection was created. */
  record Created(long position, long time, Subject subject, CollectionSpec spec)
      implements CatalogChange {}

  /** Indexes, rules or options of a collection were changed. */
  record Altered(
      long position, long time, Subject subject, CollectionSpec before, CollectionSpec after)
      implements CatalogChange {}

  /**
   * A collection was dropped.
   *
   * @param last the position of the last change of its documents; 0 when there is none to read
   * @param withDatabase whether its whole database was dropped
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
   * A collection was renamed.
   *
   * @param replaced the collection that had the name and was dropped; {@link #NOTHING} if none
   */
  record Renamed(
      long position, long time, Subject subject, CollectionSpec spec, Namespace to, Gone replaced)
      implements CatalogChange {}

  /** All collections of a database were dropped; each has its own change. */
  record DatabaseDropped(long position, long time, String database) implements CatalogChange {}

  /** No collection was replaced by a rename. */
  Gone NOTHING = new Gone(0, new UUID(0, 0), 0);

  /**
   * A collection that a rename replaced.
   *
   * @param id 0 for none
   * @param last as of {@link Dropped}
   */
  record Gone(long id, UUID uuid, long last) {}
}
