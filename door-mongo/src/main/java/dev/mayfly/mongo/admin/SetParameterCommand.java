package dev.mayfly.mongo.admin;

import dev.mayfly.mongo.admin.Parameters.Effect;
import dev.mayfly.mongo.admin.Parameters.Parameter;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * {@code setParameter}: sets parameters until the server stops. The reply has a note if a parameter
 * is stored without effect.
 */
public final class SetParameterCommand implements Command {
  private final Parameters parameters;

  public SetParameterCommand(Parameters parameters) {
    this.parameters = parameters;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    Map<String, Value> requested = requested(request);
    if (requested.isEmpty()) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS, "no option found to set, use help:true to see options ");
    }
    boolean first = true;
    for (Map.Entry<String, Value> entry : requested.entrySet()) {
      Parameter parameter = parameters.find(entry.getKey()).orElseThrow();
      Value was = parameter.read().get();
      parameter.write().accept(entry.getValue());
      if (first) {
        reply.put("was", was);
        first = false;
      }
      if (parameter.effect() == Effect.NONE) {
        reply.put("note", entry.getKey() + " is stored but has no effect: the sweep paces itself");
      }
    }
  }

  private Map<String, Value> requested(Request request) {
    Map<String, Value> requested = new LinkedHashMap<>();
    Fields fields = request.body().fields();
    fields.next();
    while (fields.next()) {
      String name = fields.name();
      if (parameters.find(name).isPresent()) {
        requested.put(name, fields.value());
      } else if (!Request.generic(name)) {
        throw new CommandException(
            ErrorCode.INVALID_OPTIONS,
            "attempted to set unrecognized parameter ["
                + name
                + "], use help:true to see options ");
      }
    }
    return requested;
  }
}
