package dev.mayfly.mongo.access;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Explanation.Access;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** How often each way to the documents of a collection was taken. Safe for many threads. */
public final class Uses {
  /** What the index of the id is called. */
  static final String ID_INDEX = "_id_";

  /** Beyond so many collections counting starts anew, so that dropped ones do not pile up. */
  private static final int MOST = 10_000;

  private final LongSupplier clock;
  private final Map<Long, OfCollection> byId = new ConcurrentHashMap<>();

  /** The ways to one collection. */
  public static final class OfCollection {
    private final long since;
    private final LongAdder scans = new LongAdder();
    private final LongAdder byId = new LongAdder();
    private final Map<String, LongAdder> indexes = new ConcurrentHashMap<>();

    private OfCollection(long since) {
      this.since = since;
    }

    /** When counting began. */
    public long since() {
      return since;
    }

    /** How often all documents were read. */
    public long scans() {
      return scans.sum();
    }

    /** How often an index was read. */
    public long of(String index) {
      return index.equals(ID_INDEX)
          ? byId.sum()
          : Optional.ofNullable(indexes.get(index)).map(LongAdder::sum).orElse(0L);
    }

    void point() {
      byId.increment();
    }

    void took(Access access) {
      switch (access) {
        case Access.Point() -> byId.increment();
        case Access.Scan _ -> scans.increment();
        case Access.Index index -> index(index.index().name());
        case Access.Union(List<Access.Index> members) ->
            members.stream().map(member -> member.index().name()).distinct().forEach(this::index);
      }
    }

    private void index(String name) {
      if (name.equals(ID_INDEX)) {
        byId.increment();
      } else {
        indexes.computeIfAbsent(name, _ -> new LongAdder()).increment();
      }
    }
  }

  /**
   * Nothing was used yet.
   *
   * @param clock milliseconds of the day, for when counting began
   */
  Uses(LongSupplier clock) {
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
    return byId.computeIfAbsent(collection.id(), _ -> new OfCollection(clock.getAsLong()));
  }
}
