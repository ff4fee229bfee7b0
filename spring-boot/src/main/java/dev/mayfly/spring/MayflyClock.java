package dev.mayfly.spring;

import dev.mayfly.engine.Engine;
import dev.mayfly.expiry.ManualClock;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * Clock of the server, which tests move forward. As a {@link Clock} it is also the clock of an
 * application that injects one: both have the same time. Safe for many threads.
 */
public final class MayflyClock extends Clock {
  private final ManualClock clock;
  private final Engine engine;
  private final ZoneId zone;

  /** Creates a clock with the time zone UTC. */
  MayflyClock(ManualClock clock, Engine engine) {
    this(clock, engine, ZoneOffset.UTC);
  }

  private MayflyClock(ManualClock clock, Engine engine, ZoneId zone) {
    this.clock = clock;
    this.engine = engine;
    this.zone = zone;
  }

  /**
   * Moves the clock forward and returns the new time. What is due has expired then; it is swept in
   * the background.
   *
   * @throws IllegalArgumentException if the duration is negative or leads beyond the year 9999
   */
  public Instant advance(Duration by) {
    clock.advance(by);
    engine.clockMoved();
    return instant();
  }

  /**
   * Moves the clock forward to an instant and returns the new time.
   *
   * @throws IllegalArgumentException if the instant is in the past of this clock, or beyond the
   *     year 9999
   */
  public Instant set(Instant to) {
    return advance(Duration.between(instant(), to));
  }

  @Override
  public long millis() {
    return engine.now();
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  @Override
  public ZoneId getZone() {
    return zone;
  }

  /** Returns the same clock with another time zone: both move together. */
  @Override
  public MayflyClock withZone(ZoneId other) {
    return new MayflyClock(clock, engine, other);
  }
}
