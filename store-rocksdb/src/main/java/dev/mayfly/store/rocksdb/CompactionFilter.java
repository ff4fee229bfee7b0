package dev.mayfly.store.rocksdb;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.mayfly.store.DropFilter;
import dev.mayfly.store.Space;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import java.util.EnumMap;
import java.util.Map;
import org.rocksdb.AbstractCompactionFilter;
import org.rocksdb.Slice;

/**
 * RocksDB's question "may this entry go?" answered in Java.
 *
 * <p>The Java binding carries compaction filters but none that are written in Java. The library
 * inside it exports RocksDB's C interface too, and that makes a filter of any function pointer:
 * here, of a stub that calls {@link Answers#filter}. Why, and what it rests on, is in decision
 * 0002.
 */
final class CompactionFilter extends AbstractCompactionFilter<Slice> {
  private static final System.Logger LOG = System.getLogger(CompactionFilter.class.getName());

  private CompactionFilter(long handle) {
    super(handle);
  }

  /** Whom the filters ask; nothing is dropped until somebody is named. Thread-safe. */
  static final class Judge {
    private volatile DropFilter current = (_, _, _) -> false;

    void replace(DropFilter filter) {
      current = filter;
    }
  }

  /**
   * A filter for every space that has one, or none at all where the platform does not offer the
   * means, which is then logged. The filters must be closed after the database that uses them, and
   * the arena after the filters.
   */
  static Map<Space, CompactionFilter> create(Judge judge, Arena arena) {
    Map<Space, CompactionFilter> filters = new EnumMap<>(Space.class);
    try {
      for (Space space : Space.values()) {
        if (space.filtered()) {
          filters.put(space, new CompactionFilter(new Answers(space, judge).filterHandle(arena)));
        }
      }
    } catch (Throwable e) {
      // Whatever it is, the store works without: it says so, and the dead are deleted one by one.
      LOG.log(
          System.Logger.Level.WARNING,
          "entries cannot be dropped while compacting on this platform; they will be deleted",
          e);
      filters.values().forEach(CompactionFilter::close);
      filters.clear();
    }
    return filters;
  }

  /** The functions that RocksDB calls, for one space. Called from RocksDB's threads. */
  @SuppressWarnings("restricted") // its whole point is to meet native code
  static final class Answers {
    private static final byte KEEP = 0;
    private static final byte DROP = 1;

    /** All of memory, to read what RocksDB points at. */
    private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private static final ValueLayout.OfInt BIG_ENDIAN =
        JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private static final FunctionDescriptor CREATE =
        FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS);
    private static final FunctionDescriptor DESTROY = FunctionDescriptor.ofVoid(ADDRESS);
    private static final FunctionDescriptor NAME = FunctionDescriptor.of(ADDRESS, ADDRESS);

    /** Pointers are taken as numbers: no segment has to be made for those that nobody looks at. */
    private static final FunctionDescriptor FILTER =
        FunctionDescriptor.of(
            JAVA_BYTE, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
            JAVA_LONG, JAVA_LONG);

    private final Space space;
    private final Judge judge;

    Answers(Space space, Judge judge) {
      this.space = space;
      this.judge = judge;
    }

    /** The address of a new native filter whose functions are in the arena. */
    private long filterHandle(Arena arena) throws Throwable {
      // The library was loaded by the class loader of the binding, which is ours as well.
      MemorySegment function =
          SymbolLookup.loaderLookup()
              .find("rocksdb_compactionfilter_create")
              .orElseThrow(() -> new UnsupportedOperationException("no C interface"));
      MethodHandle create = Linker.nativeLinker().downcallHandle(function, CREATE);
      MemorySegment name = arena.allocateFrom("mayfly-" + space);
      MemorySegment filter =
          (MemorySegment)
              create.invokeExact(
                  MemorySegment.NULL,
                  stub(MethodHandles.empty(DESTROY.toMethodType()), DESTROY, arena),
                  stub(bound("filter"), FILTER, arena),
                  stub(constant(name), NAME, arena));
      return filter.address();
    }

    private static MemorySegment stub(MethodHandle target, FunctionDescriptor type, Arena arena) {
      return Linker.nativeLinker().upcallStub(target, type, arena);
    }

    private MethodHandle bound(String method) throws ReflectiveOperationException {
      return MethodHandles.lookup().bind(this, method, FILTER.toMethodType());
    }

    private static MethodHandle constant(MemorySegment result) {
      return MethodHandles.dropArguments(
          MethodHandles.constant(MemorySegment.class, result), 0, MemorySegment.class);
    }

    /** An exception must not reach native code, which would end the process. */
    @SuppressWarnings("unused") // called by RocksDB
    byte filter(
        long state,
        int level,
        long key,
        long keyLength,
        long value,
        long valueLength,
        long newValue,
        long newValueLength,
        long valueChanged) {
      try {
        int shard = MEMORY.get(BIG_ENDIAN, key);
        return judge.current.drop(shard, space, MEMORY.asSlice(value, valueLength)) ? DROP : KEEP;
      } catch (Throwable e) {
        return KEEP;
      }
    }
  }
}
