package dev.mayfly.mongo.schema;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.ExpiryService;
import dev.mayfly.engine.ExpiryService.ChangeAuthor;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Usage;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.DocumentWriter;
import java.util.Set;

/**
 * {@code mayflyUndoExpiry}: restores the documents that the last TTL change has expired. Changes
 * that expired nothing are skipped.
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
      ExpiryService expiry = collection.expiry(request.operation());
      Usage restored = ChangeAuthor.as(GuardedAlter.author(request), expiry::undo);
      reply.put("restored", restored.documents());
    } catch (EngineException failure) {
      throw failure.reason() == EngineException.Reason.NOTHING_TO_UNDO
          ? new CommandException(
              ErrorCode.OPERATION_FAILED,
              "Nothing to undo in "
                  + namespace
                  + ": no TTL change within its grace period ("
                  + Grace.FIELD
                  + ") has expired documents that can be restored")
          : failure;
    }
  }
}
