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
 * How far a transfer has come: shown, and kept in a file beside the one it is about, so that it can
 * go on where it stopped.
 */
final class Progress {
  private static final long EVERY_MILLIS = 250;

  private final Path file;
  private final PrintWriter shown;
  private long shownAt;

  /**
   * The progress of a file's transfer.
   *
   * @param shown where a line is kept up to date
   */
  Progress(Path about, PrintWriter shown) {
    this.file = about.resolveSibling(about.getFileName() + ".progress");
    this.shown = shown;
  }

  /** What was kept of a transfer that stopped; empty when there is none. */
  Document kept() throws IOException {
    return Files.exists(file) ? Json.parse(Files.readString(file), Limits.COSMOS) : Document.EMPTY;
  }

  /** Keeps how far it is. Written beside and moved, so that there is always a whole one. */
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
