package dev.mayfly.mongo.failpoint;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;

/**
 * Fail point: a fault to inject into commands. Thread-safe.
 *
 * <p>Modes: off, always, the first n times, or always except the first n times.
 */
final class FailPoint {
  /** Injects nothing. */
  static final FailPoint OFF = new FailPoint(Mode.OFF, 0, Document.EMPTY);

  private enum Mode {
    OFF,
    ALWAYS,
    TIMES,
    SKIP
  }

  private final Mode mode;
  private final Document data;
  // guarded by this
  private long remaining;
  private long entered;

  private FailPoint(Mode mode, long remaining, Document data) {
    this.mode = mode;
    this.remaining = remaining;
    this.data = data;
  }

  /**
   * Parses mode and data of {@code configureFailPoint}.
   *
   * @throws CommandException ILLEGAL_OPERATION, BAD_VALUE, TYPE_MISMATCH
   */
  static FailPoint of(Value mode, Document data) {
    return switch (mode.type()) {
      case STRING -> named(mode.asString(), data);
      case OBJECT -> counted(mode.asDocument(), data);
      case MISSING ->
          throw new CommandException(
              ErrorCode.ILLEGAL_OPERATION, "When setting a failpoint, you must supply a 'mode'");
      case Type _ ->
          throw new CommandException(
              ErrorCode.TYPE_MISMATCH, "'mode' must be a string or JSON object");
    };
  }

  private static FailPoint named(String mode, Document data) {
    return switch (mode) {
      case "off" -> OFF;
      case "alwaysOn" -> new FailPoint(Mode.ALWAYS, 0, data);
      case String _ -> throw new CommandException(ErrorCode.BAD_VALUE, "unknown mode: " + mode);
    };
  }

  private static FailPoint counted(Document mode, Document data) {
    if (!mode.field("times").isMissing()) {
      return new FailPoint(Mode.TIMES, count(mode, "times"), data);
    }
    if (!mode.field("skip").isMissing()) {
      return new FailPoint(Mode.SKIP, count(mode, "skip"), data);
    }
    throw new CommandException(
        ErrorCode.BAD_VALUE, "'mode' must be one of 'off', 'alwaysOn', 'times' and 'skip'");
  }

  private static long count(Document mode, String field) {
    Value value = mode.field(field);
    if (!value.isNumber()) {
      throw new CommandException(ErrorCode.TYPE_MISMATCH, "'" + field + "' must be a number");
    }
    long count = (long) value.asDouble();
    if (count < 0) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "'" + field + "' option to 'mode' must be positive");
    }
    return count;
  }

  /** Describes the fault and the commands that it affects. */
  Document data() {
    return data;
  }

  /** Counts a command that matches. Returns whether to inject the fault. */
  synchronized boolean enter() {
    boolean active =
        switch (mode) {
          case OFF -> false;
          case ALWAYS -> true;
          case TIMES -> remaining > 0;
          case SKIP -> remaining == 0;
        };
    if (remaining > 0) {
      remaining--;
    }
    if (active) {
      entered++;
    }
    return active;
  }

  /** Returns the number of injected faults. */
  synchronized long entered() {
    return entered;
  }
}
