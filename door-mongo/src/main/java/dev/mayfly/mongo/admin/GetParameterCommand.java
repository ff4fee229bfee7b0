package dev.mayfly.mongo.admin;

import dev.mayfly.mongo.admin.Parameters.Effect;
import dev.mayfly.mongo.admin.Parameters.Parameter;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;

/** {@code getParameter}: the values of the named parameters, or of all. */
public final class GetParameterCommand implements Command {
  private final Parameters parameters;

  public GetParameterCommand(Parameters parameters) {
    this.parameters = parameters;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    Value target = request.target();
    Document options = target.type() == Type.OBJECT ? target.asDocument() : Document.EMPTY;
    boolean details = isTrue(options.field("showDetails"));
    boolean everything = target.equals(Value.of("*")) || isTrue(options.field("allParameters"));
    int found = 0;
    if (everything) {
      parameters.all().forEach((name, parameter) -> write(name, parameter, details, reply));
      found = parameters.all().size();
    } else {
      Fields fields = request.body().fields();
      fields.next();
      while (fields.next()) {
        String name = fields.name();
        if (parameters.find(name).isPresent()) {
          write(name, parameters.find(name).get(), details, reply);
          found++;
        }
      }
    }
    if (found == 0) {
      throw new CommandException(ErrorCode.INVALID_OPTIONS, "no option found to get");
    }
  }

  private static boolean isTrue(Value value) {
    return value.type() == Type.BOOLEAN && value.asBoolean();
  }

  private static void write(
      String name, Parameter parameter, boolean details, DocumentWriter reply) {
    if (!details) {
      reply.put(name, parameter.read().get());
      return;
    }
    reply
        .startDocument(name)
        .put("value", parameter.read().get())
        .put("settableAtRuntime", parameter.effect() != Effect.FIXED)
        .put("settableAtStartup", false)
        .end();
  }
}
