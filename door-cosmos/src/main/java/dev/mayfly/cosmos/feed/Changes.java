package dev.mayfly.cosmos.feed;

import dev.mayfly.engine.Change;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.FeedReader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The changes of a container in the order of their positions, whatever shards they are in, up to
 * where all can be read.
 */
final class Changes {
  /** How many changes before an instant are read at a time. */
  private static final int SKIPPED = 100;

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
      // a lower position of another shard may be on its way
      collection.settle();
    }
    return new Changes(feeds, end);
  }

  /** The last position that all lower ones can be read up to. */
  long end() {
    return end;
  }

  /** Whether all changes behind a position are still kept. */
  boolean keptBehind(long position) {
    return feeds.stream().allMatch(feed -> feed.oldest() <= position);
  }

  /**
   * Changes behind a position, oldest first; none when there are none up to the end.
   *
   * @param most about how many
   * @throws EngineException TRIMMED
   */
  List<Change> read(long after, int most) {
    if (feeds.size() == 1) {
      return upTo(end, feeds.getFirst().read(after, most));
    }
    List<Change> merged = new ArrayList<>();
    long complete = end;
    for (FeedReader feed : feeds) {
      List<Change> some = feed.read(after, most);
      if (some.size() >= most) {
        // what this shard has behind those is not read yet
        complete = Math.min(complete, some.getLast().position());
      }
      merged.addAll(some);
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

  /** Whether changes of an instant and later may have been forgotten already. */
  boolean forgottenSince(long instant) {
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

  /** The position behind which changes of an instant and later begin. */
  long before(long instant) {
    long position = end;
    for (FeedReader feed : feeds) {
      position = Math.min(position, before(feed, instant));
    }
    return position;
  }

  private static long before(FeedReader feed, long instant) {
    long position = feed.before(instant);
    List<Change> some = feed.read(position, SKIPPED);
    while (!some.isEmpty()) {
      for (Change change : some) {
        if (change.time() >= instant) {
          return position;
        }
        position = change.position();
      }
      some = feed.read(position, SKIPPED);
    }
    return position;
  }
}
