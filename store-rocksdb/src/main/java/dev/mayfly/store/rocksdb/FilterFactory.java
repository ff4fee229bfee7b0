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
 * Gives every compaction of a space a filter that asks a {@link Judge} which entries may go.
 *
 * <p>The Java binding carries filters but none that are written in Java; {@link FilterFunctions}
 * makes them in another way. Why, and what it rests on, is in decision 0002.
 */
final class FilterFactory extends AbstractCompactionFilterFactory<FilterFactory.Filter> {
  private static final System.Logger LOG = System.getLogger(FilterFactory.class.getName());

  private final Space space;
  private final FilterFunctions functions;

  private FilterFactory(Space space, FilterFunctions functions) {
    this.space = space;
    this.functions = functions;
  }

  /** Whom the filters ask; nothing is dropped until somebody is named. Thread-safe. */
  static final class Judge {
    private volatile CompactionFilter current = (_, _, _) -> false;

    void replace(CompactionFilter filter) {
      current = filter;
    }

    boolean dropped(int shard, Space space, MemorySegment value) {
      return current.drop(shard, space, value);
    }
  }

  /** A native filter, handed over to the compaction that asked for it. */
  static final class Filter extends AbstractCompactionFilter<Slice> {
    private Filter(long handle) {
      super(handle);
    }
  }

  /**
   * A factory for every space that is filtered, or none at all where the platform does not offer
   * the means, which is then logged. The arena must outlive the database that uses them.
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
      // Whatever it is, the store works without: it says so, and the dead are deleted one by one.
      LOG.log(
          System.Logger.Level.WARNING,
          "entries cannot be dropped while compacting on this platform; they will be deleted",
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
