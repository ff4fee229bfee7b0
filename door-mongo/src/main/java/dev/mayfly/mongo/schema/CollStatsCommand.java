package dev.mayfly.mongo.schema;

import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.collection.Sizes;
import dev.mayfly.mongo.collection.StorageStats;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.Set;

/** {@code collStats}: storage statistics of a collection; all zero if it does not exist. */
public final class CollStatsCommand implements Command {
  private final Namespaces namespaces;

  public CollStatsCommand(Namespaces namespaces) {
    this.namespaces = namespaces;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of("scale"));
    long scale = Sizes.scale(request);
    Namespace namespace = request.namespace();
    reply.put("ns", namespace.toString());
    namespaces
        .find(namespace)
        .map(found -> StorageStats.of(request.operation(), found.asCollection()))
        .orElse(StorageStats.NONE)
        .write(scale, reply);
  }
}
