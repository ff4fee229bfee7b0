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
 * Cache of results and state that a page leaves for the next page of its query, by continuation
 * token. One per engine.
 *
 * <p>Correctness does not depend on it: if an entry is missing, because it was too large, too old
 * or the server restarted, the next page computes it again. Safe for many threads.
 */
final class PageCache {
  /** Maximum size of the cache. */
  private static final long MAX_BYTES = 64 << 20;

  /** Maximum size of an entry. */
  static final long MAX_ENTRY_BYTES = 8 << 20;

  private static final long TTL_MILLIS = 60_000;

  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final long maxBytes;
  private long bytes;

  /**
   * @param memory maximum size of the cache in bytes
   */
  PageCache(long memory) {
    this.maxBytes = Math.min(memory, MAX_BYTES);
  }

  /** Content of an entry. */
  sealed interface Leftover {
    /** Returns the approximate size in memory. */
    long bytes();
  }

  /**
   * Results after the end of a page.
   *
   * @param complete whether these are all remaining results
   * @param dependent whether each result depends on all items: the results are valid only until the
   *     first of them expires
   * @param basis state of the container from which they were computed
   */
  record Rest(List<Result> results, boolean complete, boolean dependent, Basis basis)
      implements Leftover {
    Rest {
      results = List.copyOf(results);
    }

    /** Whether the results are still valid. */
    boolean isValid(long now, Basis current) {
      return basis.equals(current)
          && !(dependent && results.stream().anyMatch(one -> !one.live(now)));
    }

    /** Returns the results after the first {@code count}. */
    Rest skip(int count) {
      return new Rest(results.subList(count, results.size()), complete, dependent, basis);
    }

    @Override
    public long bytes() {
      return results.stream().mapToLong(Result::bytes).sum();
    }
  }

  /**
   * State of a container: results are valid as long as nothing was written since.
   *
   * @param rules from which deadlines were computed
   * @param changes sum of the ends of all shards' feeds: any write advances one of them
   */
  record Basis(TimeToLive rules, long changes) {
    static Basis of(Collection items) {
      long changes = items.feeds().stream().mapToLong(FeedReader::end).sum();
      return new Basis(items.spec().timeToLive(), changes);
    }
  }

  /** Distinct results of earlier pages. */
  record Returned(DistinctFilter results) implements Leftover {
    @Override
    public long bytes() {
      return results.bytes();
    }
  }

  /** A result and the earliest deadline of the items that it was computed from. */
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

  /** Returns the entries of one query. */
  QueryEntries of(String query) {
    return new QueryEntries(this, query);
  }

  /**
   * Entries of one query.
   *
   * @param query text, parameters and everything else that determines the results
   */
  record QueryEntries(PageCache all, String query) {
    /** Stores an entry for the page after a continuation token, if there is room. */
    void put(QueryContinuation next, Leftover leftover, long now) {
      boolean empty = leftover instanceof Rest rest && rest.results().isEmpty();
      if (!empty && leftover.bytes() + query.length() <= Math.min(MAX_ENTRY_BYTES, all.maxBytes)) {
        long size = leftover.bytes() + query.length();
        all.put(query + '\n' + next.text(), new Entry(leftover, size, now + TTL_MILLIS), now);
      }
    }

    /** Removes and returns an entry. */
    Optional<Leftover> take(QueryContinuation from, long now) {
      return all.take(query + '\n' + from.text(), now);
    }
  }

  private record Entry(Leftover leftover, long bytes, long until) {}

  private synchronized void put(String key, Entry entry, long now) {
    remove(key);
    evict(now, entry.bytes());
    entries.put(key, entry);
    bytes += entry.bytes();
  }

  private synchronized Optional<Leftover> take(String key, long now) {
    evict(now, 0);
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
   * Evicts expired entries, and further entries until {@code needed} bytes are free, oldest first.
   * All entries live equally long.
   */
  private void evict(long now, long needed) {
    Iterator<Entry> oldest = entries.values().iterator();
    while (oldest.hasNext()) {
      Entry entry = oldest.next();
      if (now < entry.until() && bytes <= maxBytes - needed) {
        return;
      }
      bytes -= entry.bytes();
      oldest.remove();
    }
  }
}
