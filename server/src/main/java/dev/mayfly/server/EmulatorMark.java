package dev.mayfly.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * File that marks a data directory as the directory of an emulator. An emulator serves everybody,
 * so it must not open the data of another server; and data that everybody could write must not be
 * served as that of another server.
 */
public final class EmulatorMark {
  private static final String FILE = "emulator-mode";
  private static final String TEXT =
      "A server with --emulator has written this directory. Every client could write to it.\n";

  private EmulatorMark() {}

  /** The file that marks a directory. */
  public static Path file(Path directory) {
    return directory.resolve(FILE);
  }

  /**
   * Checks that a server may open a directory.
   *
   * @throws ModeException when a server in another mode has written it
   */
  static void check(Path directory, boolean emulator) {
    boolean marked = Files.exists(file(directory));
    if (marked && !emulator) {
      throw new ModeException(
          directory
              + " was written by a server with --emulator, which every client could write to:"
              + " start with --emulator, or choose another directory with --data DIR.");
    }
    if (emulator && !marked && hasFiles(directory)) {
      throw new ModeException(
          directory
              + " was written by a server without --emulator, and with --emulator every client"
              + " could read and write it: start without --emulator, or choose another directory"
              + " with --data DIR.");
    }
  }

  private static boolean hasFiles(Path directory) {
    if (!Files.isDirectory(directory)) {
      return false;
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.findAny().isPresent();
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot list " + directory, failure);
    }
  }

  /** Marks a directory. */
  static void write(Path directory) {
    try {
      Files.writeString(file(directory), TEXT);
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write " + file(directory), failure);
    }
  }

  /** Marks a backup if its source is marked. */
  public static void copy(Path directory, Path backup) {
    if (Files.exists(file(directory))) {
      write(backup);
    }
  }
}
