package dev.mayfly.mongo.access;

import dev.mayfly.engine.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts index reads and collection scans per collection, as {@code $indexStats} reports them. Kept
 * in memory only. Safe for many threads.
 */
public final class IndexUsage {
  /** The name of the index on {@code _id}. */
  static final String ID_INDEX = "_id_";

  /**
   * With more collections all counts are reset, so that dropped collections do not use memory
   * forever.
   */
  private static final int MAX_COLLECTIONS = 10_000;

  private final Map<Long, OfCollection> byId = new ConcurrentHashMap<>();

  /** The reads of an index since an instant in epoch milliseconds. */
  private record Count(long since, LongAdder reads) {
    Count(long since) {
      this(since, new LongAdder());
    }
  }

  /** The counts of one collection. */
  public static final class OfCollection {
    private final Count byId;
    private final LongAdder scans = new LongAdder();
    private final Map<String, Count> indexes = new ConcurrentHashMap<>();

    private OfCollection(long since) {
      this.byId = new Count(since);
    }

    /** When the counting of an index began, in epoch milliseconds. */
    public long since(String index) {
      return count(index).since();
    }

    /** The number of collection scans. */
    public long scans() {
      return scans.sum();
    }

    /** The number of reads of an index. */
    public long of(String index) {
      return count(index).reads().sum();
    }

    /** Resets the count of an index that was changed or dropped. */
    public void restart(String index, long now) {
      indexes.put(index, new Count(now));
    }

    void point() {
      byId.reads().increment();
    }

    /** Counts a query of some indexes; of none, it is a scan. */
    void count(List<String> names) {
      if (names.isEmpty()) {
        scans.increment();
      }
      names.forEach(this::index);
    }

    private void index(String name) {
      count(name).reads().increment();
    }

    private Count count(String index) {
      return index.equals(ID_INDEX)
          ? byId
          : indexes.computeIfAbsent(index, _ -> new Count(byId.since()));
    }
  }

  /**
   * The counts of one collection.
   *
   * @param now the instant of the command, in epoch milliseconds: counting begins now if it has not
   */
  public OfCollection of(Collection collection, long now) {
    OfCollection known = byId.get(collection.id());
    if (known != null) {
      return known;
    }
    if (byId.size() >= MAX_COLLECTIONS) {
      byId.clear();
    }
    return byId.computeIfAbsent(collection.id(), _ -> new OfCollection(now));
  }
}
