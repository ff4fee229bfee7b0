package dev.mayfly.mongo;

import dev.mayfly.engine.Durability;
import dev.mayfly.expiry.ManualClock;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Settings of commands.
 *
 * @param durability the durability of writes without {@code w} and {@code j}
 * @param maxCursors the maximum number of open cursors
 * @param spillDirectory the directory for data that exceeds the memory of an operation; if empty,
 *     such operations fail
 * @param clock the clock of a test server, which clients can advance
 * @param slowMillis the duration from which requests are logged as slow; the command {@code
 *     profile} can change it
 * @param testCommands whether test commands such as {@code configureFailPoint} are enabled
 * @param emulator whether {@code replSetInitiate} succeeds, as on a new server of an image for
 *     tests
 * @param stop starts the shutdown of the server and returns; empty if clients cannot stop it
 */
public record CommandSettings(
    Durability durability,
    int maxCursors,
    Optional<Path> spillDirectory,
    Optional<ManualClock> clock,
    int slowMillis,
    boolean testCommands,
    boolean emulator,
    Optional<Runnable> stop) {
  private static final int SLOW_MILLIS = 100;

  /** Writes are synced before the reply; 10,000 cursors; no spilling; slow from 100 ms on. */
  public static final CommandSettings STANDARD =
      new CommandSettings(
          Durability.SYNCED,
          10_000,
          Optional.empty(),
          Optional.empty(),
          SLOW_MILLIS,
          false,
          false,
          Optional.empty());

  public CommandSettings withSpillDirectory(Path directory) {
    return new CommandSettings(
        durability,
        maxCursors,
        Optional.of(directory),
        clock,
        slowMillis,
        testCommands,
        emulator,
        stop);
  }

  public CommandSettings withSlowMillis(int millis) {
    return new CommandSettings(
        durability, maxCursors, spillDirectory, clock, millis, testCommands, emulator, stop);
  }

  public CommandSettings withClock(ManualClock testClock) {
    return new CommandSettings(
        durability,
        maxCursors,
        spillDirectory,
        Optional.of(testClock),
        slowMillis,
        testCommands,
        emulator,
        stop);
  }

  public CommandSettings withStop(Runnable shutdown) {
    return new CommandSettings(
        durability,
        maxCursors,
        spillDirectory,
        clock,
        slowMillis,
        testCommands,
        emulator,
        Optional.of(shutdown));
  }

  public CommandSettings withTestCommands() {
    return new CommandSettings(
        durability, maxCursors, spillDirectory, clock, slowMillis, true, emulator, stop);
  }

  public CommandSettings withDurability(Durability changed) {
    return new CommandSettings(
        changed, maxCursors, spillDirectory, clock, slowMillis, testCommands, emulator, stop);
  }

  public CommandSettings withEmulator() {
    return new CommandSettings(
        durability, maxCursors, spillDirectory, clock, slowMillis, testCommands, true, stop);
  }
}
