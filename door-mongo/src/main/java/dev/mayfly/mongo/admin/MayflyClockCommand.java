package dev.mayfly.mongo.admin;

import dev.mayfly.engine.Engine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * {@code mayflyClock}: returns the time of the server. On a server with a test clock, moves it
 * first: by {@code advanceMillis}, or to the date {@code to}.
 */
public final class MayflyClockCommand implements Command {
  private static final Set<String> FIELDS = Set.of("advanceMillis", "to");

  private final Engine engine;
  private final Optional<ManualClock> clock;

  public MayflyClockCommand(Engine engine, Optional<ManualClock> clock) {
    this.engine = engine;
    this.clock = clock;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(FIELDS);
    if (request.has("advanceMillis") || request.has("to")) {
      ManualClock movable =
          clock.orElseThrow(
              () ->
                  new CommandException(
                      ErrorCode.ILLEGAL_OPERATION,
                      "the clock of this server cannot be moved: it was not started with a test"
                          + " clock"));
      try {
        movable.advance(Duration.ofMillis(distance(request)));
      } catch (IllegalArgumentException impossible) {
        throw new CommandException(ErrorCode.BAD_VALUE, String.valueOf(impossible.getMessage()));
      }
      engine.clockMoved();
      request.operation().renew();
    }
    reply.put("now", Value.date(request.now()));
  }

  /** Returns the milliseconds by which to move the clock. */
  private static long distance(Request request) {
    if (!request.has("to")) {
      return request.count("advanceMillis", 0);
    }
    if (request.has("advanceMillis")) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "only one of advanceMillis and to can be used");
    }
    long now = request.now();
    long to = request.date("to", now);
    if (to < now) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "the clock can only be moved forward: it is " + Instant.ofEpochMilli(now));
    }
    return to - now;
  }
}
