package dev.mayfly.mongo.schema;

import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.collection.Indexes;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.collection.Namespaces.Found;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Names;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.Optional;
import java.util.Set;

/**
 * {@code drop}: drops a collection or a view. As in MongoDB since 7.0, it succeeds if there is
 * none.
 */
public final class DropCommand implements Command {
  private final Namespaces namespaces;

  public DropCommand(Namespaces namespaces) {
    this.namespaces = namespaces;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of("collectionUUID"));
    Namespace namespace = request.namespace();
    Names.checkDroppable(namespace);
    Optional<Found> found = namespaces.find(namespace);
    if (found.isEmpty() || !drop(namespaces, namespace)) {
      return;
    }
    if (!found.get().isView()) {
      reply.put("nIndexesWas", Indexes.of(found.get().spec()).size());
    }
    reply.put("ns", namespace.toString());
  }

  /** Drops a collection or view. Returns false if another client has dropped it first. */
  static boolean drop(Namespaces namespaces, Namespace namespace) {
    try {
      namespaces.engine().drop(namespace);
      return true;
    } catch (EngineException failure) {
      if (failure.reason() != EngineException.Reason.NO_SUCH_COLLECTION) {
        throw failure;
      }
      return false;
    }
  }
}
