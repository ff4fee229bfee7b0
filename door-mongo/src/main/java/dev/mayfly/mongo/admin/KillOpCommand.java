package dev.mayfly.mongo.admin;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.DocumentWriter;
import java.util.Set;

/**
 * {@code killOp}: stops an operation at its next interrupt check. The reply is the same if the
 * operation does not exist.
 */
public final class KillOpCommand implements Command {
  private final Operations operations;

  public KillOpCommand(Operations operations) {
    this.operations = operations;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of("op"));
    if (!request.has("op")) {
      throw new CommandException(
          ErrorCode.MISSING_FIELD, "BSON field 'killOp.op' is missing but a required field");
    }
    operations.kill((int) request.number("op", 0));
    // as in MongoDB, also if the operation has ended
    reply.put("info", "attempting to kill op");
  }
}
