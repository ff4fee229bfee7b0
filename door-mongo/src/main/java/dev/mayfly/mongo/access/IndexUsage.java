package dev.mayfly.mongo.access;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Explanation.Access;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** How often each way to the documents of a collection was taken. Safe for many threads. */
public final class IndexUsage {
  /** What the index of the id is called. */
  static final String ID_INDEX = "_id_";

  /** Beyond so many collections counting starts anew, so that dropped ones do not pile up. */
  private static final int MOST = 10_000;

  private final LongSupplier clock;
  private final Map<Long, OfCollection> byId = new ConcurrentHashMap<>();

  /** How often an index was read since an instant. */
  private record Count(long since, LongAdder reads) {
    Count(long since) {
      this(since, new LongAdder());
    }
  }

  /** The ways to one collection. */
  public static final class OfCollection {
    private final LongSupplier clock;
    private final Count byId;
    private final LongAdder scans = new LongAdder();
    private final Map<String, Count> indexes = new ConcurrentHashMap<>();

    private OfCollection(LongSupplier clock) {
      this.clock = clock;
      this.byId = new Count(clock.getAsLong());
    }

    /** When the counting of an index began. */
    public long since(String index) {
      return count(index).since();
    }

    /** How often all documents were read. */
    public long scans() {
      return scans.sum();
    }

    /** How often an index was read. */
    public long of(String index) {
      return count(index).reads().sum();
    }

    /** Counts an index from here on: it is not what it was. */
    public void restart(String index) {
      indexes.put(index, new Count(clock.getAsLong()));
    }

    void point() {
      byId.reads().increment();
    }

    void took(Access access) {
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
   * Nothing was used yet.
   *
   * @param clock milliseconds of the day, for when counting began
   */
  public IndexUsage(LongSupplier clock) {
    this.clock = clock;
  }

  /** The ways to one collection. */
  public OfCollection of(Collection collection) {
    OfCollection known = byId.get(collection.id());
    if (known != null) {
      return known;
    }
    if (byId.size() >= MOST) {
      byId.clear();
    }
    return byId.computeIfAbsent(collection.id(), _ -> new OfCollection(clock));
  }
}
