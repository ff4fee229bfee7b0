package dev.mayfly;

import dev.mayfly.expiry.ManualClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/**
 * Stopped clock of a data directory, stored in a file there: nothing expires in a restored backup
 * before it is inspected. Removing the file starts the clock.
 */
public final class StoppedClock {
  private static final String FILE = "stopped-clock";

  private StoppedClock() {}

  /** The file that stops the clock of a directory. */
  public static Path file(Path directory) {
    return directory.resolve(FILE);
  }

  /** Stops the clock of a directory. */
  public static void at(long epochMillis, Path directory) throws IOException {
    Files.writeString(file(directory), Instant.ofEpochMilli(epochMillis) + "\n");
  }

  /**
   * The clock of a directory, if it is stopped.
   *
   * @throws IllegalArgumentException when the file exists and contains no time
   */
  public static Optional<ManualClock> in(Path directory) {
    Path file = file(directory);
    if (Files.notExists(file)) {
      return Optional.empty();
    }
    try {
      String text = Files.readString(file).strip();
      return Optional.of(new ManualClock(Instant.parse(text).toEpochMilli()));
    } catch (DateTimeParseException invalid) {
      throw new IllegalArgumentException(
          file
              + " contains no valid time, such as 2030-01-01T00:00:00Z: correct or remove the file",
          invalid);
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read " + file, failure);
    }
  }
}
