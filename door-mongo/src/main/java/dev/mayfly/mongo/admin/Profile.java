package dev.mayfly.mongo.admin;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.CommandException;
import dev.mayfly.mongo.command.ErrorCode;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.Set;

/**
 * {@code profile}: how much of what is done in a database is written to its {@code system.profile}:
 * 0 nothing, 1 what is slow, 2 everything.
 */
public final class Profile implements Command {
  private static final int ASK = -1;
  private static final int EVERYTHING = 2;

  private final Profiler profiler;

  public Profile(Profiler profiler) {
    this.profiler = profiler;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of("slowms", "sampleRate", "filter"));
    if (request.has("filter")) {
      throw new CommandException(ErrorCode.NOT_IMPLEMENTED, "profile takes no filter yet");
    }
    long level = request.number(request.name(), ASK);
    long slow = request.number("slowms", profiler.slowMillis());
    double rate = rate(request);
    if (level < ASK || level > EVERYTHING || slow > Integer.MAX_VALUE) {
      throw new CommandException(ErrorCode.BAD_VALUE, "profile is out of bounds");
    }
    reply
        .put("was", profiler.level(request.database()))
        .put("slowms", profiler.slowMillis())
        .put("sampleRate", profiler.sampleRate());
    if (level != ASK) {
      profiler.level(request.database(), (int) level);
    }
    profiler.slowMillis((int) slow);
    profiler.sampleRate(rate);
  }

  private double rate(Request request) {
    Value rate = request.field("sampleRate");
    if (rate.isMissing()) {
      return profiler.sampleRate();
    }
    double number = rate.isNumber() ? rate.asDouble() : Double.NaN;
    if (number >= 0 && number <= 1) {
      return number;
    }
    throw new CommandException(
        ErrorCode.BAD_VALUE, "'sampleRate' must be between 0.0 and 1.0 inclusive");
  }
}
