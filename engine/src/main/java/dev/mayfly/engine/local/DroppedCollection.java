package dev.mayfly.engine.local;

import dev.mayfly.engine.Dialect;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.store.Batch;
import dev.mayfly.store.Range;
import dev.mayfly.store.Space;
import dev.mayfly.value.Document;

/**
 * Dropped collection whose feeds are kept for change streams that have not read them to the end.
 *
 * @param droppedAt epoch milliseconds
 * @param bytes size of its feeds when it was dropped
 */
public record DroppedCollection(LocalCollection collection, long droppedAt, long bytes) {
  static DroppedCollection of(LocalCollection collection, long droppedAt) {
    long bytes = collection.owners().stream().mapToLong(ShardOwner::feedBytes).sum();
    return new DroppedCollection(collection, droppedAt, bytes);
  }

  /**
   * Returns whether the feeds of a collection must be kept: change streams exist only in MongoDB's
   * dialect, and there must be changes.
   */
  static boolean mustKeep(LocalCollection collection) {
    return collection.spec().dialect() == Dialect.MONGO
        && collection.owners().stream().anyMatch(owner -> owner.lastPosition() > owner.trimmedTo());
  }

  /** Returns whether its retention is over. */
  boolean past(long now) {
    return now - droppedAt >= collection.spec().feed().retentionMillis();
  }

  /** Removes all but the feeds. */
  void strip() {
    for (ShardOwner owner : collection.owners()) {
      Batch all = new Batch();
      all.deleteRange(Space.RECORDS, Range.all());
      all.deleteRange(Space.ENTRIES, Range.all());
      all.deleteRange(Space.QUEUES, Range.to(Layout.feedPrefix()));
      all.deleteRange(Space.QUEUES, Range.from(Layout.feed(Long.MAX_VALUE)));
      owner.shard().erase(all);
    }
  }

  public Document toDocument() {
    return Document.writer()
        .put("state", collection.state().toDocument())
        .put("droppedAt", droppedAt)
        .build();
  }
}
