package dev.mayfly.store.rocksdb;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.mayfly.store.Space;
import dev.mayfly.store.rocksdb.FilterFactory.Judge;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;

/**
 * The functions of a native compaction filter for one space.
 *
 * <p>The native library of the Java binding also exports RocksDB's C API, in which a filter
 * consists of three function pointers: the decision about an entry, which is a stub that calls
 * {@link #filter}; its name; and its destructor, which is {@link JavaVm#detach}.
 */
@SuppressWarnings("restricted") // its whole point is to meet native code
final class FilterFunctions {
  private static final byte KEEP = 0;
  private static final byte DROP = 1;

  /** All of memory, to read what RocksDB points at. */
  private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private static final ValueLayout.OfInt BIG_ENDIAN =
      JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private static final FunctionDescriptor CREATE =
      FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS);
  private static final FunctionDescriptor NAME = FunctionDescriptor.of(ADDRESS, ADDRESS);

  /** Pointers are passed as numbers: no segment is created for those that are not read. */
  private static final FunctionDescriptor FILTER =
      FunctionDescriptor.of(
          JAVA_BYTE, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
          JAVA_LONG, JAVA_LONG);

  private final Space space;
  private final Judge judge;
  private final JavaVm vm;
  private final MethodHandle create;
  private final MemorySegment name;
  private final MemorySegment filter;

  private FilterFunctions(Space space, Judge judge, Arena arena) {
    this.space = space;
    this.judge = judge;
    this.vm = JavaVm.current();
    // The class loader of the binding, which is also ours, loaded the library.
    this.create =
        Linker.nativeLinker()
            .downcallHandle(
                SymbolLookup.loaderLookup().findOrThrow("rocksdb_compactionfilter_create"), CREATE);
    this.name = stub(constant(arena.allocateFrom("mayfly-" + space)), NAME, arena);
    this.filter = stub(bound(), FILTER, arena);
  }

  /**
   * Links all functions.
   *
   * @param arena keeps the functions until it is closed, after the last filter is gone
   * @throws RuntimeException or a {@link LinkageError} if the platform lacks something
   */
  static FilterFunctions link(Space space, Judge judge, Arena arena) {
    return new FilterFunctions(space, judge, arena);
  }

  /** Returns the address of a new filter. */
  long newFilter() {
    try {
      MemorySegment made =
          (MemorySegment) create.invokeExact(vm.pointer(), vm.detach(), filter, name);
      return made.address();
    } catch (Throwable e) {
      throw new AssertionError("a C function throws nothing", e);
    }
  }

  /** Called by RocksDB. An exception must not propagate: it would end the process. */
  @SuppressWarnings("unused") // the parameters are those of a C function
  private byte filter(
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
      return judge.dropped(shard, space, MEMORY.asSlice(value, valueLength)) ? DROP : KEEP;
    } catch (Throwable e) {
      return KEEP;
    }
  }

  private MethodHandle bound() {
    try {
      return MethodHandles.lookup().bind(this, "filter", FILTER.toMethodType());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the method is right above", e);
    }
  }

  private static MethodHandle constant(MemorySegment result) {
    return MethodHandles.dropArguments(
        MethodHandles.constant(MemorySegment.class, result), 0, MemorySegment.class);
  }

  private static MemorySegment stub(MethodHandle target, FunctionDescriptor type, Arena arena) {
    return Linker.nativeLinker().upcallStub(target, type, arena);
  }
}
