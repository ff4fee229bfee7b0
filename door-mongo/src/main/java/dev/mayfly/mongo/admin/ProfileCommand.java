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
 * {@code profile}: returns or sets the profiling level of a database, whose profile is {@code
 * system.profile}. Level 0 is off, 1 records operations that are slow or match a filter, 2 records
 * all.
 */
public final class ProfileCommand implements Command {
  private static final int READ_ONLY = -1;
  private static final int MAX_LEVEL = 2;
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
    long level = request.number(request.name(), READ_ONLY);
    long slow = request.number("slowms", profiler.slowMillis());
    double rate = rate(request);
    if (level < READ_ONLY || level > MAX_LEVEL || slow > Integer.MAX_VALUE) {
      throw new CommandException(ErrorCode.BAD_VALUE, "profile is out of bounds");
    }
    Profiler.Setting before = profiler.setting(request.database());
    Profiler.Setting after = withFilter(request, before);
    reply
        .put("was", before.level())
        .put("slowms", profiler.slowMillis())
        .put("sampleRate", profiler.sampleRate());
    before.filter().ifPresent(filter -> reply.put("filter", filter.syntax()).put("note", NOTE));
    if (level != READ_ONLY || request.has("filter")) {
      profiler.setting(
          request.database(), level == READ_ONLY ? after : after.withLevel((int) level));
    }
    profiler.slowMillis((int) slow);
    profiler.sampleRate(rate);
  }

  private static Profiler.Setting withFilter(Request request, Profiler.Setting before) {
    Value filter = request.field("filter");
    if (filter.isMissing()) {
      return before;
    }
    if (filter.isDocument()) {
      return before.withFilter(Optional.of(Profiler.EntryFilter.of(filter.asDocument())));
    }
    if (filter.equals(UNSET)) {
      return before.withFilter(Optional.empty());
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
