package dev.mayfly.store.rocksdb;

import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Write-ahead logs of a directory that is not open. RocksDB replays them up to the first damage and
 * then deletes them, regardless of what follows; so they are read before it opens the directory.
 */
final class Logs {
  /** Folder for copies of damaged logs, in the data directory. */
  static final String ASIDE = "damaged-logs";

  private static final Pattern NAME = Pattern.compile("\\d{1,18}\\.log");

  private Logs() {}

  /** Returns the damage of the logs of a directory, if any. */
  static Optional<LogDamage> damage(Path directory) {
    try {
      List<LogFile.Reading> readings = new ArrayList<>();
      for (Path log : logs(directory)) {
        readings.add(LogFile.read(log, number(log)));
      }
      return damage(readings);
    } catch (IOException e) {
      throw new StoreException(Reason.IO, "cannot read the logs of " + directory, e);
    }
  }

  private static Optional<LogDamage> damage(List<LogFile.Reading> readings) {
    OptionalLong next = OptionalLong.empty();
    for (int i = 0; i < readings.size(); i++) {
      LogFile.Reading reading = readings.get(i);
      next = reading.nextSequence().isPresent() ? reading.nextSequence() : next;
      if (reading.damagedAt().isPresent()) {
        List<LogFile.Reading> later = readings.subList(i + 1, readings.size());
        if (reading.wholeAfterDamage() > 0 || !goOnAt(next, later)) {
          return Optional.of(damage(reading, later, next));
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Returns whether the next commits directly follow the damage: an earlier start has then dropped
   * the incomplete commit, and no other is missing.
   */
  private static boolean goOnAt(OptionalLong sequence, List<LogFile.Reading> later) {
    return sequence.isPresent()
        && later.stream()
            .map(LogFile.Reading::firstSequence)
            .filter(OptionalLong::isPresent)
            .findFirst()
            .map(sequence::equals)
            .orElse(false);
  }

  private static LogDamage damage(
      LogFile.Reading reading, List<LogFile.Reading> later, OptionalLong next) {
    long flushed =
        Stream.concat(Stream.of(reading), later.stream())
            .mapToLong(one -> one.flushed().orElse(-1))
            .max()
            .orElse(-1);
    long wholeCommits =
        reading.wholeAfterDamage() + later.stream().mapToLong(LogFile.Reading::commits).sum();
    // without notes, an earlier version wrote the log
    boolean wasFlushed = flushed < 0 ? wholeCommits > 0 : flushed >= next.orElse(0);
    return new LogDamage(
        reading.log(),
        reading.damagedAt().orElseThrow(),
        reading.bytesAfter(),
        wholeCommits,
        wasFlushed);
  }

  /**
   * Removes the logs after one with a gap: RocksDB might replay them, because to it a recycled log
   * may end anywhere.
   */
  static void removeAfter(Path directory, LogDamage damage) {
    try {
      for (Path log : logs(directory)) {
        if (number(log) > number(damage.log())) {
          Files.delete(log);
        }
      }
      Durable.force(directory);
    } catch (IOException e) {
      throw new StoreException(Reason.IO, "cannot remove logs of " + directory, e);
    }
  }

  /** Copies a damaged log and those after it to a folder; returns the folder. */
  static Path keepAside(Path directory, LogDamage damage) {
    Path folder = directory.resolve(ASIDE);
    try {
      OwnerOnly.createDirectories(folder);
      for (Path log : logs(directory)) {
        if (number(log) >= number(damage.log())) {
          Path copy = folder.resolve(log.getFileName());
          Files.copy(log, copy, StandardCopyOption.REPLACE_EXISTING);
          Durable.force(copy);
        }
      }
      Durable.force(folder);
      Durable.force(directory);
      return folder;
    } catch (IOException e) {
      throw new StoreException(Reason.IO, "cannot keep the damaged log in " + folder, e);
    }
  }

  /** Returns the size of the log that is being written. */
  static long newestBytes(Path directory) throws IOException {
    List<Path> logs = logs(directory);
    return logs.isEmpty() ? 0 : Files.size(logs.getLast());
  }

  private static List<Path> logs(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> NAME.matcher(file.getFileName().toString()).matches())
          .sorted(Comparator.comparingLong(Logs::number))
          .toList();
    }
  }

  private static long number(Path log) {
    String name = log.getFileName().toString();
    return Long.parseLong(name.substring(0, name.indexOf('.')));
  }
}
