package dev.mayfly.cosmos.feed;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Page of the change feed that was computed by a scan of the container, for clients that read from
 * before the retained part of the feed: the items that were last written after a position, oldest
 * first, up to a limit.
 *
 * <p>An item that is written later has a position after the end of the page, so no item is lost or
 * returned twice. Immutable.
 *
 * @param from position after which it begins
 * @param to position up to which it is complete
 */
record ChangeFeedPage(long from, long to, List<Entry> entries) {
  private static final int MAX_ENTRIES = 50_000;

  /** Key and version of an item. */
  record Entry(long version, DocumentKey key) {}

  ChangeFeedPage {
    entries = List.copyOf(entries);
  }

  /**
   * Scans a container.
   *
   * @param end position up to which all changes are readable
   */
  static ChangeFeedPage of(Collection collection, long from, long end) {
    PriorityQueue<Entry> oldest =
        new PriorityQueue<>(Comparator.comparingLong(Entry::version).reversed());
    boolean all = true;
    try (Cursor cursor = collection.records(List.of())) {
      while (cursor.next()) {
        StoredDocument stored = cursor.current();
        boolean inRange = stored.version() > from && stored.version() <= end;
        if (inRange && (oldest.size() < MAX_ENTRIES || stored.version() < newest(oldest))) {
          oldest.add(new Entry(stored.version(), key(collection, stored.document())));
        }
        if (oldest.size() > MAX_ENTRIES) {
          oldest.remove();
          all = false;
        }
      }
    }
    List<Entry> entries = new ArrayList<>(oldest);
    entries.sort(Comparator.comparingLong(Entry::version));
    return new ChangeFeedPage(from, all ? end : entries.getLast().version(), entries);
  }

  private static long newest(PriorityQueue<Entry> oldest) {
    Entry newest = oldest.peek();
    return newest == null ? Long.MAX_VALUE : newest.version();
  }

  private static DocumentKey key(Collection collection, Document item) {
    List<Value> partition = DocumentKey.partition(item, collection.spec().partitionKey());
    return new DocumentKey(
        partition.stream().map(ChangeFeedPage::copy).toList(), copy(item.field("id")));
  }

  /** Copies a value, so that it does not retain the whole item. */
  private static Value copy(Value value) {
    return Document.writer().put("", value).build().field("");
  }

  /** Returns the entries after a position. */
  List<Entry> after(long position) {
    int low = 0;
    int high = entries.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (entries.get(middle).version() > position) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return entries.subList(low, entries.size());
  }
}
