package dev.mayfly.mongo.admin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * How much memory the process takes, in bytes: as Linux tells it, elsewhere that of the heap alone.
 *
 * @param resident what of it is in memory
 * @param virtual what it may reach
 */
public record ProcessMemory(long resident, long virtual) {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final long KIBIBYTE = 1024;

  public static ProcessMemory now() {
    Runtime heap = Runtime.getRuntime();
    List<String> lines = status();
    return new ProcessMemory(
        told(lines, "VmRSS:", heap.totalMemory()), told(lines, "VmSize:", heap.maxMemory()));
  }

  private static List<String> status() {
    try {
      return Files.isReadable(STATUS) ? Files.readAllLines(STATUS) : List.of();
    } catch (IOException unreadable) {
      return List.of();
    }
  }

  /** What a line of that name says, which is in kB. */
  private static long told(List<String> lines, String name, long otherwise) {
    return lines.stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()).replaceAll("\\D", ""))
        .filter(number -> !number.isEmpty())
        .mapToLong(number -> Long.parseLong(number) * KIBIBYTE)
        .findFirst()
        .orElse(otherwise);
  }
}
