package dev.mayfly.mongo.schema;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.Set;

/**
 * {@code compact}: returns the space of deleted and expired documents to the file system now. The
 * server also does this in the background.
 */
public final class CompactCommand implements Command {
  private final Namespaces namespaces;

  public CompactCommand(Namespaces namespaces) {
    this.namespaces = namespaces;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of("force", "freeSpaceTargetMB", "dryRun"));
    Namespace namespace = request.namespace();
    Collection collection =
        namespaces.collection(namespace, "collection does not exist").collection();
    if (request.flag("dryRun", false)) {
      reply.put("estimatedBytesFreed", collection.expiry(request.operation()).backlog().bytes());
      return;
    }
    long before = collection.bytesOnDisk();
    collection.compact();
    reply.put("bytesFreed", Math.max(0, before - collection.bytesOnDisk()));
  }
}
