package dev.mayfly.mongo.admin;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.Optional;
import java.util.Set;

/**
 * {@code profile}: how much of what is done in a database is written to its {@code system.profile}:
 * 0 nothing, 1 what is slow or passes a filter, 2 everything.
 */
public final class ProfileCommand implements Command {
  private static final int ASK = -1;
  private static final int EVERYTHING = 2;
  private static final Value UNSET = Value.of("unset");
  private static final String NOTE =
      "When a filter expression is set, slowms and sampleRate are not used for profiling and"
          + " slow-query log lines.";

  private final Profiler profiler;

  public ProfileCommand(Profiler profiler) {
    this.profiler = profiler;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of("slowms", "sampleRate", "filter"));
    long level = request.number(request.name(), ASK);
    long slow = request.number("slowms", profiler.slowMillis());
    double rate = rate(request);
    if (level < ASK || level > EVERYTHING || slow > Integer.MAX_VALUE) {
      throw new CommandException(ErrorCode.BAD_VALUE, "profile is out of bounds");
    }
    Profiler.Setting before = profiler.setting(request.database());
    Profiler.Setting after = filtered(request, before);
    reply
        .put("was", before.level())
        .put("slowms", profiler.slowMillis())
        .put("sampleRate", profiler.sampleRate());
    before.wanted().ifPresent(wanted -> reply.put("filter", wanted.syntax()).put("note", NOTE));
    if (level != ASK || request.has("filter")) {
      profiler.setting(request.database(), level == ASK ? after : after.withLevel((int) level));
    }
    profiler.slowMillis((int) slow);
    profiler.sampleRate(rate);
  }

  private static Profiler.Setting filtered(Request request, Profiler.Setting before) {
    Value filter = request.field("filter");
    if (filter.isMissing()) {
      return before;
    }
    if (filter.isDocument()) {
      return before.withWanted(Optional.of(Profiler.Wanted.of(filter.asDocument())));
    }
    if (filter.equals(UNSET)) {
      return before.withWanted(Optional.empty());
    }
    throw new CommandException(ErrorCode.BAD_VALUE, "Expected an object, or the string 'unset'.");
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
