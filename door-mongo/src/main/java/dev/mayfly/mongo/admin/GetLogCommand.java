package dev.mayfly.mongo.admin;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.List;

/** {@code getLog}: the last lines of the log. */
public final class GetLogCommand implements Command {
  private final ServerLog log;

  public GetLogCommand(ServerLog log) {
    this.log = log;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    switch (request.text(request.name(), "")) {
      case "*" ->
          reply.put("names", Value.array(List.of(Value.of("global"), Value.of("startupWarnings"))));
      case "global" -> {
        List<Value> lines = log.lines().stream().map(Value::of).toList();
        reply.put("totalLinesWritten", log.total()).put("log", Value.array(lines));
      }
      case "startupWarnings" ->
          reply.put("totalLinesWritten", 0).put("log", Value.array(List.of()));
      default ->
          throw new CommandException(
              ErrorCode.OPERATION_FAILED, "No log named '" + request.target().asString() + "'");
    }
  }
}
