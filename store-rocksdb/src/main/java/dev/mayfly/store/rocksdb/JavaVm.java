package dev.mayfly.store.rocksdb;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * This virtual machine as native code sees it, to let go of RocksDB's threads.
 *
 * <p>A thread of RocksDB that calls into Java is attached to the machine, and stays attached until
 * it ends. RocksDB ends its threads while the process exits, and waits for them; but the machine
 * has stopped by then, a thread that detaches waits for it forever, and the process never goes away
 * (JDK-8391662). So a thread is detached as soon as a compaction is done with its filter.
 *
 * @param pointer what the invocation interface of JNI calls {@code JavaVM*}
 * @param detach its function that detaches the current thread; its one argument is the pointer, and
 *     for a thread that is not attached, or has Java code on its stack, it does nothing
 */
@SuppressWarnings("restricted") // its whole point is to meet native code
record JavaVm(MemorySegment pointer, MemorySegment detach) {
  /** The place of the function in the table that the pointer points at. */
  private static final int DETACH_CURRENT_THREAD = 5;

  private static final FunctionDescriptor CREATED_VMS =
      FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS);

  static JavaVm current() {
    MemorySegment vm = pointerToCurrent();
    MemorySegment table = vm.reinterpret(ADDRESS.byteSize()).get(ADDRESS, 0);
    MemorySegment functions = table.reinterpret((DETACH_CURRENT_THREAD + 1) * ADDRESS.byteSize());
    return new JavaVm(vm, functions.getAtIndex(ADDRESS, DETACH_CURRENT_THREAD));
  }

  private static MemorySegment pointerToCurrent() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment symbol =
          SymbolLookup.libraryLookup(library(), Arena.global())
              .findOrThrow("JNI_GetCreatedJavaVMs");
      MemorySegment pointer = arena.allocate(ADDRESS);
      MemorySegment count = arena.allocate(JAVA_INT);
      int result =
          (int)
              Linker.nativeLinker()
                  .downcallHandle(symbol, CREATED_VMS)
                  .invokeExact(pointer, 1, count);
      if (result != 0 || count.get(JAVA_INT, 0) != 1) {
        throw new UnsupportedOperationException("the virtual machine is not known to itself");
      }
      return pointer.get(ADDRESS, 0);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("a C function throws nothing", e);
    }
  }

  /** It is loaded already; this finds it again. */
  private static Path library() {
    Path home = Path.of(System.getProperty("java.home"));
    String name = System.mapLibraryName("jvm");
    return Stream.of(home.resolve("lib/server"), home.resolve("bin/server"))
        .map(folder -> folder.resolve(name))
        .filter(Files::exists)
        .findFirst()
        .orElseThrow(() -> new UnsupportedOperationException("no library of the virtual machine"));
  }
}
