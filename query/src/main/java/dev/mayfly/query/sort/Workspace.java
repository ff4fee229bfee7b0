package dev.mayfly.query.sort;

import dev.mayfly.query.QueryMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What each blocking stage may use: so many bytes of memory and, when allowed, a directory for what
 * does not fit.
 *
 * <p>Files are made when they are needed and deleted by the stage that made them.
 */
public final class Workspace {
  /** What MongoDB gives each blocking stage. */
  public static final long DEFAULT_BYTES = 100L << 20;

  private final long memoryBytes;
  private final List<Path> directories;
  private final QueryMemory shared;

  private Workspace(long memoryBytes, List<Path> directories, QueryMemory shared) {
    this.memoryBytes = memoryBytes;
    this.directories = directories;
    this.shared = shared;
  }

  /** Memory alone: a stage that needs more fails. */
  public static Workspace memory(long bytes) {
    return new Workspace(bytes, List.of(), QueryMemory.PROCESS);
  }

  /** Memory, and beyond it files in the directory, which is made when the first file is. */
  public static Workspace spilling(long bytes, Path directory) {
    return new Workspace(bytes, List.of(directory), QueryMemory.PROCESS);
  }

  /** The same, with the memory taken from there. */
  Workspace sharing(QueryMemory memory) {
    return new Workspace(memoryBytes, directories, memory);
  }

  /** The same directory, and one part in so many of the memory. */
  public Workspace part(int parts) {
    return new Workspace(memoryBytes / parts, directories, shared);
  }

  /** How many bytes of memory a stage may keep. */
  long memoryBytes() {
    return memoryBytes;
  }

  /** The memory of a stage: no more than it may keep, nor than all queries have left. */
  public QueryMemory.Holding holding() {
    return shared.holding(memoryBytes);
  }

  /** True when a stage may go on in files. */
  public boolean spills() {
    return !directories.isEmpty();
  }

  /** A new file, to be deleted by the caller. */
  Path newFile() {
    try {
      Path directory = Files.createDirectories(directories.getFirst());
      return Files.createTempFile(directory, "run-", ".tmp");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make a temporary file", e);
    }
  }
}
