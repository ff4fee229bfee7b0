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
public record WorkSettings(
    Durability durability,
    int maxCursors,
    Optional<Path> spillDirectory,
    Optional<ManualClock> clock,
    int slowMillis,
    boolean testCommands,
    Optional<Runnable> stop) {
  private static final int SLOW_MILLIS = 100;

  /** Writes are on the disk when they are answered; 10,000 cursors; no spilling; slow is 100 ms. */
  public static final WorkSettings STANDARD =
      new WorkSettings(
          Durability.SYNCED,
          10_000,
          Optional.empty(),
          Optional.empty(),
          SLOW_MILLIS,
          false,
          Optional.empty());

  public WorkSettings withSpillDirectory(Path directory) {
    return new WorkSettings(
        durability, maxCursors, Optional.of(directory), clock, slowMillis, testCommands, stop);
  }

  public WorkSettings withSlowMillis(int millis) {
    return new WorkSettings(
        durability, maxCursors, spillDirectory, clock, millis, testCommands, stop);
  }

  public WorkSettings withClock(ManualClock movable) {
    return new WorkSettings(
        durability,
        maxCursors,
        spillDirectory,
        Optional.of(movable),
        slowMillis,
        testCommands,
        stop);
  }

  public WorkSettings withStop(Runnable ends) {
    return new WorkSettings(
        durability, maxCursors, spillDirectory, clock, slowMillis, testCommands, Optional.of(ends));
  }

  public WorkSettings withTestCommands() {
    return new WorkSettings(durability, maxCursors, spillDirectory, clock, slowMillis, true, stop);
  }

  public WorkSettings withDurability(Durability changed) {
    return new WorkSettings(
        changed, maxCursors, spillDirectory, clock, slowMillis, testCommands, stop);
  }
}
