package dev.mayfly.cli;

import dev.mayfly.Mayfly;
import dev.mayfly.MayflySettings;
import dev.mayfly.StoppedClock;
import dev.mayfly.config.Settings;
import dev.mayfly.store.StoreException;
import dev.mayfly.store.rocksdb.OwnerOnly;
import dev.mayfly.store.rocksdb.RocksStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Command {@code restore}: creates a data directory from a backup. */
@Command(
    name = "restore",
    description = {
      "Create a data directory from a backup. The backup is not changed.",
      "Documents that have expired since the backup are invisible, and swept when a"
          + " server runs on the directory. With --stop-clock they are visible: the clock"
          + " is stopped until you remove the file stopped-clock from the directory."
    })
final class Restore implements Callable<Integer> {
  private static final Pattern MISSING = Pattern.compile("(\\d{6,}\\.sst)");

  @Parameters(index = "0", paramLabel = "BACKUP", description = "Directory of the backup.")
  private Path backup = Path.of("");

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Directory to create; must not exist [mayfly-data].")
  private Path data = Path.of(Settings.DATA.standard());

  @Option(
      names = "--stop-clock",
      description =
          "Stop the clock of the directory at the time of the backup (if unknown, the"
              + " time of its newest file).")
  private boolean stopClock;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    if (Files.notExists(backup.resolve("CURRENT"))) {
      throw new CommandFailure("There is no backup in " + backup + ".");
    }
    if (Files.exists(data)) {
      throw new CommandFailure(
          data + " exists: move it, or choose another directory with --data DIR.");
    }
    long at = takenAt();
    try {
      create(at);
    } catch (IOException | StoreException failure) {
      remove();
      throw new CommandFailure(
          "The backup in " + backup + " cannot be restored: " + String.join("; ", reasons(failure)),
          failure);
    }
    if (Files.notExists(backup.resolve(BackUp.INFO_FILE))) {
      spec.commandLine()
          .getErr()
          .println(
              backup
                  + " has no "
                  + BackUp.INFO_FILE
                  + ": it was not created by mayfly backup, or is incomplete. The"
                  + " restored directory can be opened; run mayfly check to verify it.");
    }
    spec.commandLine()
        .getOut()
        .println(
            "Restored to "
                + data
                + "."
                + (stopClock
                    ? " The clock is stopped at "
                        + Instant.ofEpochMilli(at)
                        + " until "
                        + StoppedClock.file(data)
                        + " is removed."
                    : ""));
    spec.commandLine().getOut().flush();
    return 0;
  }

  private void create(long at) throws IOException {
    copy();
    if (stopClock) {
      StoppedClock.at(at, data);
    }
    // fail now if the copy cannot be opened
    Mayfly.open(data, () -> at, MayflySettings.standard().withBackground(false)).close();
  }

  /**
   * Describes what is wrong with the backup. Names the files of the backup, not those of the copy.
   */
  private List<String> reasons(Exception failure) {
    List<String> damaged =
        RocksStore.isStore(backup)
            ? RocksStore.damagedFiles(backup).stream()
                .map(file -> file.name() + " is damaged")
                .toList()
            : List.of();
    String message = String.valueOf(failure.getMessage());
    Matcher missing = MISSING.matcher(message);
    if (missing.find() && Files.notExists(backup.resolve(missing.group(1)))) {
      return List.of(missing.group(1) + " is missing");
    }
    return damaged.isEmpty() ? List.of(message) : damaged;
  }

  /** Removes the incomplete copy, so that the next attempt can succeed. */
  private void remove() throws IOException {
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  private long takenAt() throws IOException {
    Path file = backup.resolve(BackUp.INFO_FILE);
    if (Files.exists(file)) {
      Document info = Json.parse(Files.readString(file), Limits.COSMOS);
      return info.field("at").asLong();
    }
    return stopClock ? lastWritten() : System.currentTimeMillis();
  }

  /** Returns the modification time of the newest file, for a backup without its time. */
  private long lastWritten() throws IOException {
    try (Stream<Path> files = Files.list(backup)) {
      return files.mapToLong(file -> file.toFile().lastModified()).max().orElseThrow();
    }
  }

  private void copy() throws IOException {
    OwnerOnly.createDirectories(data);
    try (Stream<Path> files = Files.list(backup)) {
      List<Path> all = files.filter(Files::isRegularFile).toList();
      for (Path file : all) {
        Files.copy(file, data.resolve(file.getFileName()));
      }
    }
  }
}
