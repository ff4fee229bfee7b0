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
 * The Java virtual machine as native code sees it, to detach RocksDB's threads.
 *
 * <p>A thread of RocksDB that calls into Java is attached to the virtual machine until it ends.
 * RocksDB ends its threads while the process exits, and waits for them; but the virtual machine has
 * stopped by then, a thread that detaches waits for it forever, and the process hangs
 * (JDK-8391662). Therefore a thread is detached as soon as a compaction has finished with its
 * filter.
 *
 * @param pointer the {@code JavaVM*} of the JNI invocation interface
 * @param detach its function that detaches the current thread; its argument is the pointer, and it
 *     does nothing for a thread that is not attached or has Java code on its stack
 */
@SuppressWarnings("restricted") // its whole point is to meet native code
record JavaVm(MemorySegment pointer, MemorySegment detach) {
  /** Index of the function in the invocation interface. */
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

  /** Finds the library, which is already loaded. */
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
