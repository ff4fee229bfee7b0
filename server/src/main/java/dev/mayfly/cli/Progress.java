package dev.mayfly.cli;

import dev.mayfly.value.Document;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Progress of an import or export: printed, and stored in a file next to the data file, so that an
 * interrupted transfer can continue.
 */
final class Progress {
  private static final long PRINT_MILLIS = 250;

  private final Path file;
  private final PrintWriter out;
  private long shownAt;

  /**
   * Creates the progress of the transfer of a file.
   *
   * @param out receives the status line
   */
  Progress(Path dataFile, PrintWriter out) {
    this.file = dataFile.resolveSibling(dataFile.getFileName() + ".progress");
    this.out = out;
  }

  /** Returns the stored progress; empty if there is no progress file. */
  Document stored() throws IOException {
    return Files.exists(file) ? Json.parse(Files.readString(file), Limits.COSMOS) : Document.EMPTY;
  }

  /** Stores the progress. Replaces the file atomically. */
  void save(Document progress) throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(temporary, Json.write(progress));
    Files.move(
        temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  void show(long documents, long bytes) {
    long now = System.currentTimeMillis();
    if (now - shownAt >= PRINT_MILLIS) {
      shownAt = now;
      out.print("\r" + Amounts.count(documents) + " documents, " + Amounts.bytes(bytes) + "   ");
      out.flush();
    }
  }

  /** Removes the progress file, after the transfer is complete. */
  void done() throws IOException {
    Files.deleteIfExists(file);
    if (shownAt > 0) {
      out.print("\r");
      out.flush();
    }
  }
}
