package dev.mayfly.store.rocksdb;

import dev.mayfly.store.CompactionFilter;
import dev.mayfly.store.Space;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;
import org.rocksdb.AbstractCompactionFilter;
import org.rocksdb.AbstractCompactionFilterFactory;
import org.rocksdb.Slice;

/**
 * Factory of native compaction filters for one space; they call a {@link Judge}.
 *
 * <p>The Java binding supports native filters but none written in Java; {@link FilterFunctions}
 * creates them in another way. Decision 0002 explains why.
 */
final class FilterFactory extends AbstractCompactionFilterFactory<FilterFactory.Filter> {
  private static final System.Logger LOG = System.getLogger(FilterFactory.class.getName());

  private final Space space;
  private final FilterFunctions functions;

  private FilterFactory(Space space, FilterFunctions functions) {
    this.space = space;
    this.functions = functions;
  }

  /** The installed compaction filter; nothing is dropped before one is installed. Thread-safe. */
  static final class Judge {
    private volatile CompactionFilter current = (_, _, _) -> false;

    void replace(CompactionFilter filter) {
      current = filter;
    }

    boolean dropped(int shard, Space space, MemorySegment value) {
      return current.drop(shard, space, value);
    }
  }

  /** A native filter, owned by the compaction that requested it. */
  static final class Filter extends AbstractCompactionFilter<Slice> {
    private Filter(long handle) {
      super(handle);
    }
  }

  /**
   * Creates a factory for every filtered space. Returns an empty map, and logs the reason, if the
   * platform does not support it. The arena must outlive the database that uses them.
   */
  static Map<Space, FilterFactory> create(Judge judge, Arena arena) {
    Map<Space, FilterFactory> factories = new EnumMap<>(Space.class);
    try {
      for (Space space : Space.values()) {
        if (space.filtered()) {
          FilterFunctions functions = FilterFunctions.link(space, judge, arena);
          factories.put(space, new FilterFactory(space, functions));
        }
      }
    } catch (RuntimeException | LinkageError e) {
      // The store works without filters: expired entries are then deleted one by one.
      LOG.log(
          System.Logger.Level.WARNING,
          "compaction filters are not supported on this platform; expired entries will be deleted",
          e);
      factories.values().forEach(FilterFactory::close);
      factories.clear();
    }
    return factories;
  }

  @Override
  public Filter createCompactionFilter(AbstractCompactionFilter.Context context) {
    return new Filter(functions.newFilter());
  }

  @Override
  public String name() {
    return "mayfly-" + space;
  }
}
