package dev.mayfly.store.rocksdb;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksIterator;

/**
 * Address of the current value of an iterator.
 *
 * <p>The Java binding returns copies only. RocksDB's C API, which the same library exports, returns
 * the address; its iterator is a structure that contains only the pointer that the binding calls
 * the handle.
 */
@SuppressWarnings("restricted") // its whole point is to meet native code
final class PinnedValue {
  private static final System.Logger LOG = System.getLogger(PinnedValue.class.getName());

  /** In C: {@code const char* rocksdb_iter_value(const rocksdb_iterator_t*, size_t* length)}. */
  private static final @Nullable MethodHandle VALUE = link();

  private final MemorySegment structure;
  private final MemorySegment length = MemorySegment.ofArray(new long[1]);

  /** Only if {@link #offered}. */
  PinnedValue(RocksIterator iterator) {
    this.structure = MemorySegment.ofArray(new long[] {iterator.getNativeHandle()});
  }

  /** Returns whether the platform supports it. */
  static boolean offered() {
    return VALUE != null;
  }

  /** Returns the value, readable until the arena is closed and the iterator moves. */
  MemorySegment value(Arena arena) {
    try {
      MemorySegment start =
          (MemorySegment) Objects.requireNonNull(VALUE).invokeExact(structure, length);
      return start.reinterpret(length.get(JAVA_LONG, 0), arena, null).asReadOnly();
    } catch (Throwable e) {
      throw new AssertionError("a C function throws nothing", e);
    }
  }

  /**
   * The function reads two fields of a structure and returns before a garbage collector would wait
   * for it: it can be linked as critical, with arrays of the heap.
   */
  private static @Nullable MethodHandle link() {
    try {
      return Linker.nativeLinker()
          .downcallHandle(
              SymbolLookup.loaderLookup().findOrThrow("rocksdb_iter_value"),
              FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS),
              Linker.Option.critical(true));
    } catch (RuntimeException | LinkageError e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "values cannot be read in place on this platform; scans will copy them",
          e);
      return null;
    }
  }
}
