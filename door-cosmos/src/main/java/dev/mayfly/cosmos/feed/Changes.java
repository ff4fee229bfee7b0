package dev.mayfly.cosmos.feed;

import dev.mayfly.engine.Change;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.FeedReader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Change feed of a container: the feeds of its shards, merged by position, up to the last position
 * at which all changes are readable.
 */
final class Changes {
  /** Batch size for skipping changes before an instant. */
  private static final int SKIP_BATCH = 100;

  private final List<FeedReader> feeds;
  private final long end;

  private Changes(List<FeedReader> feeds, long end) {
    this.feeds = feeds;
    this.end = end;
  }

  static Changes of(Collection collection) {
    List<FeedReader> feeds = collection.feeds();
    long end = collection.lastPosition();
    if (feeds.size() > 1) {
      // another shard may be about to write a lower position
      collection.settle();
    }
    return new Changes(feeds, end);
  }

  /** Returns the last position up to which all changes are readable. */
  long end() {
    return end;
  }

  /** Whether all changes after a position are retained. */
  boolean retainedAfter(long position) {
    return feeds.stream().allMatch(feed -> feed.oldest() <= position);
  }

  /**
   * Returns changes after a position, oldest first; empty if there are none up to the end.
   *
   * @param limit approximate number
   * @throws EngineException TRIMMED
   */
  List<Change> read(long after, int limit) {
    if (feeds.size() == 1) {
      return upTo(end, feeds.getFirst().read(after, limit));
    }
    List<Change> merged = new ArrayList<>();
    long complete = end;
    for (FeedReader feed : feeds) {
      List<Change> batch = feed.read(after, limit);
      if (batch.size() >= limit) {
        // later changes of this shard are not read yet
        complete = Math.min(complete, batch.getLast().position());
      }
      merged.addAll(batch);
    }
    merged.sort(Comparator.comparingLong(Change::position));
    return upTo(complete, merged);
  }

  private static List<Change> upTo(long last, List<Change> changes) {
    int size = changes.size();
    while (size > 0 && changes.get(size - 1).position() > last) {
      size--;
    }
    return changes.subList(0, size);
  }

  /** Whether changes at or after an instant may have been trimmed. */
  boolean trimmedSince(long instant) {
    for (FeedReader feed : feeds) {
      if (feed.oldest() > FeedReader.BEGINNING) {
        List<Change> first = feed.read(feed.oldest(), 1);
        if (first.isEmpty() || first.getFirst().time() >= instant) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns the position before the first change at or after an instant. */
  long before(long instant) {
    long position = end;
    for (FeedReader feed : feeds) {
      position = Math.min(position, before(feed, instant));
    }
    return position;
  }

  private static long before(FeedReader feed, long instant) {
    long position = feed.before(instant);
    List<Change> batch = feed.read(position, SKIP_BATCH);
    while (!batch.isEmpty()) {
      for (Change change : batch) {
        if (change.time() >= instant) {
          return position;
        }
        position = change.position();
      }
      batch = feed.read(position, SKIP_BATCH);
    }
    return position;
  }
}
