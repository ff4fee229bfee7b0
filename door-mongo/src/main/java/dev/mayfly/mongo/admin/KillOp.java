package dev.mayfly.mongo.admin;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.CommandException;
import dev.mayfly.mongo.command.ErrorCode;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.Set;

/** {@code killOp}: stops an operation at its next check. Says the same whether there was one. */
public final class KillOp implements Command {
  private final Operations operations;

  public KillOp(Operations operations) {
    this.operations = operations;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of("op"));
    if (!request.has("op")) {
      throw new CommandException(
          ErrorCode.MISSING_FIELD, "BSON field 'killOp.op' is missing but a required field");
    }
    boolean found = operations.kill((int) request.number("op", 0));
    reply.put("info", found ? "attempting to kill op" : "no such op, nothing to kill");
  }
}
