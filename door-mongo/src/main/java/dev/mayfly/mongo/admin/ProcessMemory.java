package dev.mayfly.mongo.admin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Memory of the process in bytes, from {@code /proc} on Linux; elsewhere that of the Java heap.
 *
 * @param resident resident set size; elsewhere the current size of the heap
 * @param virtual size of the address space; elsewhere the maximum size of the heap
 */
public record ProcessMemory(long resident, long virtual) {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final long KIBIBYTE = 1024;

  public static ProcessMemory now() {
    Runtime heap = Runtime.getRuntime();
    List<String> lines = status();
    return new ProcessMemory(
        value(lines, "VmRSS:", heap.totalMemory()), value(lines, "VmSize:", heap.maxMemory()));
  }

  private static List<String> status() {
    try {
      return Files.isReadable(STATUS) ? Files.readAllLines(STATUS) : List.of();
    } catch (IOException unreadable) {
      return List.of();
    }
  }

  /** Returns the value in the line with the name, converted from kB to bytes. */
  private static long value(List<String> lines, String name, long fallback) {
    return lines.stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()).replaceAll("\\D", ""))
        .filter(number -> !number.isEmpty())
        .mapToLong(number -> Long.parseLong(number) * KIBIBYTE)
        .findFirst()
        .orElse(fallback);
  }
}
