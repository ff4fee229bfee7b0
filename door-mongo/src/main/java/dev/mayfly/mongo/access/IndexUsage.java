package dev.mayfly.mongo.access;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Explanation.Access;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

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

  private final LongSupplier clock;
  private final Map<Long, OfCollection> byId = new ConcurrentHashMap<>();

  /** The reads of an index since an instant in epoch milliseconds. */
  private record Count(long since, LongAdder reads) {
    Count(long since) {
      this(since, new LongAdder());
    }
  }

  /** The counts of one collection. */
  public static final class OfCollection {
    private final LongSupplier clock;
    private final Count byId;
    private final LongAdder scans = new LongAdder();
    private final Map<String, Count> indexes = new ConcurrentHashMap<>();

    private OfCollection(LongSupplier clock) {
      this.clock = clock;
      this.byId = new Count(clock.getAsLong());
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
    public void restart(String index) {
      indexes.put(index, new Count(clock.getAsLong()));
    }

    void point() {
      byId.reads().increment();
    }

    void count(Access access) {
      switch (access) {
        case Access.Point() -> point();
        case Access.Scan _ -> scans.increment();
        case Access.Index index -> index(index.index().name());
        case Access.Union(List<Access.Index> members) ->
            members.stream().map(member -> member.index().name()).distinct().forEach(this::index);
      }
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
   * All counts are 0.
   *
   * @param clock epoch milliseconds, for when counting began
   */
  public IndexUsage(LongSupplier clock) {
    this.clock = clock;
  }

  /** The counts of one collection. */
  public OfCollection of(Collection collection) {
    OfCollection known = byId.get(collection.id());
    if (known != null) {
      return known;
    }
    if (byId.size() >= MAX_COLLECTIONS) {
      byId.clear();
    }
    return byId.computeIfAbsent(collection.id(), _ -> new OfCollection(clock));
  }
}
