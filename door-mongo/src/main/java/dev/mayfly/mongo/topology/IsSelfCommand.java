package dev.mayfly.mongo.topology;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.Set;

/** {@code _isSelf}: the id of this process, so that a server can detect a connection to itself. */
public final class IsSelfCommand implements Command {
  private final Value id;

  public IsSelfCommand(Topology topology) {
    this.id = topology.processId();
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of());
    reply.put("id", id);
  }
}
