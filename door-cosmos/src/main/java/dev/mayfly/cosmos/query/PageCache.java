package dev.mayfly.cosmos.query;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.FeedReader;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.sql.DistinctFilter;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the next page of a query need not compute again, by the continuation that asks for it.
 *
 * <p>Nothing depends on it: a page whose leftovers are gone, because they were too large, too old
 * or of another life of the server, is computed from the beginning. Safe for many threads.
 */
final class PageCache {
  /** What all of them may take, where there is plenty of memory. */
  private static final long MOST_BYTES = 64 << 20;

  /** What those of one query may take. */
  static final long BYTES_EACH = 8 << 20;

  private static final long MILLIS = 60_000;

  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final long most;
  private long bytes;

  /**
   * None yet.
   *
   * @param memory what all of them may take at most
   */
  PageCache(long memory) {
    this.most = Math.min(memory, MOST_BYTES);
  }

  /** What is left of a query. */
  sealed interface Leftover {
    /** About how much memory it takes. */
    long bytes();
  }

  /**
   * Results that were computed and not given.
   *
   * @param complete whether no others follow
   * @param together whether each depends on all items, so that none may have expired
   * @param basis what they were computed from
   */
  record Rest(List<Result> results, boolean complete, boolean together, Basis basis)
      implements Leftover {
    Rest {
      results = List.copyOf(results);
    }

    /** False when some of it depends on what has expired, or on what is no longer so. */
    boolean holdsAt(long now, Basis present) {
      return basis.equals(present)
          && !(together && results.stream().anyMatch(one -> !one.live(now)));
    }

    /** Returns the results after the first {@code count}. */
    Rest skip(int count) {
      return new Rest(results.subList(count, results.size()), complete, together, basis);
    }

    @Override
    public long bytes() {
      return results.stream().mapToLong(Result::bytes).sum();
    }
  }

  /**
   * What a container was like when results were computed: an item that is written later may be
   * gone, or expire sooner, than they know.
   *
   * @param rules by which the deadlines of items were found
   * @param changes the ends of the feeds of all shards, added up: any write moves one of them on
   */
  record Basis(TimeToLive rules, long changes) {
    static Basis of(Collection items) {
      long changes = items.feeds().stream().mapToLong(FeedReader::end).sum();
      return new Basis(items.spec().timeToLive(), changes);
    }
  }

  /** Results that have been given, so that equal ones are not given again. */
  record Given(DistinctFilter results) implements Leftover {
    @Override
    public long bytes() {
      return results.bytes();
    }
  }

  /** A result and when the first of the items that it was made of expires. */
  static final class Result {
    private static final int ENTRY = 64;

    private final byte[] json;
    private final long deadline;

    Result(byte[] json, long deadline) {
      this.json = json;
      this.deadline = deadline;
    }

    byte[] json() {
      return json;
    }

    boolean live(long now) {
      return now < deadline;
    }

    long bytes() {
      return ENTRY + (long) json.length;
    }
  }

  /** The leftovers of one query, which no other is given. */
  Shelf of(String query) {
    return new Shelf(this, query);
  }

  /**
   * The leftovers of one query.
   *
   * @param query its text and parameters, and all that it is asked of
   */
  record Shelf(PageCache all, String query) {
    /** Keeps what the page after this continuation may use, for a while and if there is room. */
    void keep(QueryContinuation next, Leftover leftover, long now) {
      boolean empty = leftover instanceof Rest rest && rest.results().isEmpty();
      if (!empty && leftover.bytes() + query.length() <= Math.min(BYTES_EACH, all.most)) {
        long size = leftover.bytes() + query.length();
        all.keep(query + '\n' + next.text(), new Entry(leftover, size, now + MILLIS), now);
      }
    }

    /** Gives out what was kept; it is not kept any longer. */
    Optional<Leftover> take(QueryContinuation from, long now) {
      return all.take(query + '\n' + from.text(), now);
    }
  }

  private record Entry(Leftover leftover, long bytes, long until) {}

  private synchronized void keep(String key, Entry entry, long now) {
    remove(key);
    forget(now, entry.bytes());
    entries.put(key, entry);
    bytes += entry.bytes();
  }

  private synchronized Optional<Leftover> take(String key, long now) {
    forget(now, 0);
    return remove(key);
  }

  private Optional<Leftover> remove(String key) {
    Entry entry = entries.remove(key);
    if (entry == null) {
      return Optional.empty();
    }
    bytes -= entry.bytes();
    return Optional.of(entry.leftover());
  }

  /**
   * Drops what has been kept for long enough, and more until there is room for so many bytes. The
   * oldest come first, and all are kept equally long.
   */
  private void forget(long now, long room) {
    Iterator<Entry> oldest = entries.values().iterator();
    while (oldest.hasNext()) {
      Entry entry = oldest.next();
      if (now < entry.until() && bytes <= most - room) {
        return;
      }
      bytes -= entry.bytes();
      oldest.remove();
    }
  }
}
