package dev.mayfly.engine;

import dev.mayfly.query.sort.Workspace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Limits of a sort.
 *
 * @param bytes how much it may hold in memory
 * @param directories where it may spill to files; empty if it may not. Used by one engine only
 */
public record SortLimits(long bytes, List<Path> directories) {
  /** 100 MiB of memory and no files. */
  public static final SortLimits STANDARD = new SortLimits(100 << 20, List.of());

  public SortLimits {
    directories = List.copyOf(directories);
  }

  /** Returns limits with this memory and no files. */
  public static SortLimits memory(long bytes) {
    return new SortLimits(bytes, List.of());
  }

  /** Returns limits with the same memory that spill to a directory, which is created on demand. */
  public SortLimits spillingTo(Path directory) {
    return new SortLimits(bytes, List.of(directory));
  }

  /** Deletes files that sorts of a killed process have left. */
  public void removeLeftovers() {
    for (Path directory : directories) {
      if (Files.isDirectory(directory)) {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(directory, "run-*.tmp")) {
          for (Path file : left) {
            Files.deleteIfExists(file);
          }
        } catch (IOException e) {
          throw new UncheckedIOException("cannot delete files of earlier sorts in " + directory, e);
        }
      }
    }
  }

  public Workspace workspace(boolean disk) {
    return disk && !directories.isEmpty()
        ? Workspace.spilling(bytes, directories.getFirst())
        : Workspace.memory(bytes);
  }
}
