package dev.mayfly.cosmos.item;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.container.ContainerFlag;
import dev.mayfly.engine.Change;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.FeedReader;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.value.Document;
import java.util.List;
import java.util.Optional;

/**
 * Finds items by the birth number in their rid.
 *
 * <p>The number is the position of the item's creation in the change feed. As long as the feed
 * retains that position it is one lookup; for older items, and for renamed items, it is a scan of
 * the container.
 */
public final class RidLookup {
  private RidLookup() {}

  /** Returns the key of the live item with a birth number. */
  public static Optional<DocumentKey> find(Container container, long birth) {
    Collection collection = container.collection();
    if (birth < 1 || birth > collection.lastPosition()) {
      return Optional.empty();
    }
    boolean complete = !container.has(ContainerFlag.RENAMED);
    for (FeedReader feed : collection.feeds()) {
      try {
        Optional<DocumentKey> key = inFeed(feed, birth).filter(one -> born(collection, one, birth));
        if (key.isPresent()) {
          return key;
        }
      } catch (EngineException trimmed) {
        if (trimmed.reason() != Reason.TRIMMED) {
          throw trimmed;
        }
        complete = false;
      }
    }
    return complete ? Optional.empty() : scan(collection, birth);
  }

  private static Optional<DocumentKey> inFeed(FeedReader feed, long birth) {
    return feed.read(birth - 1, 1).stream()
        .filter(change -> change.position() == birth && change.kind() == Change.Kind.INSERT)
        .map(Change::key)
        .findFirst();
  }

  private static boolean born(Collection collection, DocumentKey key, long birth) {
    return collection
        .read(key)
        .map(StoredDocument::birth)
        .filter(born -> born == birth)
        .isPresent();
  }

  private static Optional<DocumentKey> scan(Collection collection, long birth) {
    try (Cursor cursor = collection.records(List.of())) {
      while (cursor.next()) {
        if (cursor.current().birth() == birth) {
          return Optional.of(key(collection, cursor.document()));
        }
      }
    }
    return Optional.empty();
  }

  private static DocumentKey key(Collection collection, Document item) {
    return new DocumentKey(
        DocumentKey.partition(item, collection.spec().partitionKey()), item.field("id"));
  }
}
