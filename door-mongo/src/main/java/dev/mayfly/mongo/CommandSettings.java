package dev.mayfly.mongo;

import dev.mayfly.engine.Durability;
import dev.mayfly.expiry.ManualClock;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How commands work.
 *
 * @param durability how durable a write is that does not say how durable it is to be
 * @param maxCursors how many cursors may wait for their next batch at a time
 * @param spillDirectory where what does not fit into the memory of an operation goes; nowhere when
 *     empty: such operations fail
 * @param clock the clock of a server for tests, which clients may move
 * @param slowMillis requests that take as long are slow, and told of in the log; clients who
 *     profile may change it
 * @param testCommands whether clients may have faults happen, to test what they do then
 * @param stop begins to end the server and returns at once; empty where clients cannot end it
 */
public record CommandSettings(
    Durability durability,
    int maxCursors,
    Optional<Path> spillDirectory,
    Optional<ManualClock> clock,
    int slowMillis,
    boolean testCommands,
    Optional<Runnable> stop) {
  private static final int SLOW_MILLIS = 100;

  /** Writes are on the disk when they are answered; 10,000 cursors; no spilling; slow is 100 ms. */
  public static final CommandSettings STANDARD =
      new CommandSettings(
          Durability.SYNCED,
          10_000,
          Optional.empty(),
          Optional.empty(),
          SLOW_MILLIS,
          false,
          Optional.empty());

  public CommandSettings withSpillDirectory(Path directory) {
    return new CommandSettings(
        durability, maxCursors, Optional.of(directory), clock, slowMillis, testCommands, stop);
  }

  public CommandSettings withSlowMillis(int millis) {
    return new CommandSettings(
        durability, maxCursors, spillDirectory, clock, millis, testCommands, stop);
  }

  public CommandSettings withClock(ManualClock movable) {
    return new CommandSettings(
        durability,
        maxCursors,
        spillDirectory,
        Optional.of(movable),
        slowMillis,
        testCommands,
        stop);
  }

  public CommandSettings withStop(Runnable ends) {
    return new CommandSettings(
        durability, maxCursors, spillDirectory, clock, slowMillis, testCommands, Optional.of(ends));
  }

  public CommandSettings withTestCommands() {
    return new CommandSettings(
        durability, maxCursors, spillDirectory, clock, slowMillis, true, stop);
  }

  public CommandSettings withDurability(Durability changed) {
    return new CommandSettings(
        changed, maxCursors, spillDirectory, clock, slowMillis, testCommands, stop);
  }
}
