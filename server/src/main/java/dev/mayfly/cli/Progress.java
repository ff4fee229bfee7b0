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
  private static final long EVERY_MILLIS = 250;

  private final Path file;
  private final PrintWriter shown;
  private long shownAt;

  /**
   * Progress of the transfer of a file.
   *
   * @param shown where the status line is printed
   */
  Progress(Path about, PrintWriter shown) {
    this.file = about.resolveSibling(about.getFileName() + ".progress");
    this.shown = shown;
  }

  /** The stored progress; empty if there is no progress file. */
  Document kept() throws IOException {
    return Files.exists(file) ? Json.parse(Files.readString(file), Limits.COSMOS) : Document.EMPTY;
  }

  /** Stores the progress. Replaces the file atomically. */
  void keep(Document reached) throws IOException {
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(draft, Json.write(reached));
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  void show(long documents, long bytes) {
    long now = System.currentTimeMillis();
    if (now - shownAt >= EVERY_MILLIS) {
      shownAt = now;
      shown.print("\r" + Amounts.count(documents) + " documents, " + Amounts.bytes(bytes) + "   ");
      shown.flush();
    }
  }

  /** The transfer is complete. */
  void done() throws IOException {
    Files.deleteIfExists(file);
    if (shownAt > 0) {
      shown.print("\r");
      shown.flush();
    }
  }
}
