package dev.mayfly.mongo.schema;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.DocumentWriter;
import java.util.Set;

/**
 * {@code mayflyUndoExpiry}: brings back what the last change of rules that expired something has
 * expired.
 */
public final class UndoExpiryCommand implements Command {
  private final Namespaces namespaces;

  public UndoExpiryCommand(Namespaces namespaces) {
    this.namespaces = namespaces;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of());
    Namespace namespace = request.namespace();
    Collection collection =
        namespaces.collection(namespace, "ns does not exist: " + namespace).collection();
    reply.put("ns", namespace.toString());
    try {
      reply.put("restored", collection.expiry().undo().documents());
    } catch (EngineException failure) {
      throw failure.reason() == EngineException.Reason.NOTHING_TO_UNDO
          ? new CommandException(
              ErrorCode.OPERATION_FAILED,
              "nothing can be undone in "
                  + namespace
                  + ": no change of its rules within its grace ("
                  + Grace.FIELD
                  + ") has expired anything that could come back")
          : failure;
    }
  }
}
