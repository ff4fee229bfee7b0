package dev.mayfly.query.sort;

import dev.mayfly.query.QueryMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Memory limit of each blocking stage and, if allowed, a directory for temporary files.
 *
 * <p>Files are created on demand and deleted by the stage that created them.
 */
public final class Workspace {
  /** MongoDB's limit for a blocking stage. */
  public static final long DEFAULT_BYTES = 100L << 20;

  private final long memoryBytes;
  private final List<Path> directories;
  private final QueryMemory shared;

  private Workspace(long memoryBytes, List<Path> directories, QueryMemory shared) {
    this.memoryBytes = memoryBytes;
    this.directories = directories;
    this.shared = shared;
  }

  /** Memory only: a stage that needs more fails. */
  public static Workspace memory(long bytes) {
    return new Workspace(bytes, List.of(), QueryMemory.PROCESS);
  }

  /** Memory, and beyond it files in the directory, which is created with the first file. */
  public static Workspace spilling(long bytes, Path directory) {
    return new Workspace(bytes, List.of(directory), QueryMemory.PROCESS);
  }

  /** Returns the same limits, with memory from this pool. */
  Workspace sharing(QueryMemory memory) {
    return new Workspace(memoryBytes, directories, memory);
  }

  /** Returns the same directory with a fraction of the memory. */
  public Workspace part(int parts) {
    return new Workspace(memoryBytes / parts, directories, shared);
  }

  /** Returns the memory limit of a stage in bytes. */
  long memoryBytes() {
    return memoryBytes;
  }

  /** Returns the memory of a stage: limited by the stage and by what all queries have left. */
  public QueryMemory.Holding holding() {
    return shared.holding(memoryBytes);
  }

  /** Returns whether a stage may use files. */
  public boolean spills() {
    return !directories.isEmpty();
  }

  /** Creates a file, which the caller must delete. */
  Path newFile() {
    try {
      Path directory = Files.createDirectories(directories.getFirst());
      return Files.createTempFile(directory, "run-", ".tmp");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make a temporary file", e);
    }
  }
}
