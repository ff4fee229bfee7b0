package dev.mayfly.mongo.failpoint;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Type;
import java.util.Set;

/** {@code configureFailPoint}: sets a fail point. Available only if test commands are enabled. */
public final class ConfigureFailPointCommand implements Command {
  private static final Set<String> FIELDS = Set.of("mode", "data");

  private final FailPoints points;

  public ConfigureFailPointCommand(FailPoints points) {
    this.points = points;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(FIELDS);
    if (request.target().type() != Type.STRING) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH, "configureFailPoint needs the name of a fail point");
    }
    long before =
        points.set(request.target().asString(), request.field("mode"), request.document("data"));
    reply.put("count", before);
  }
}
