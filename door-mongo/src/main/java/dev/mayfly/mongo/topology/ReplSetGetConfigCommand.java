package dev.mayfly.mongo.topology;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import java.util.List;

/** {@code replSetGetConfig}: the configuration of the replica set. */
public final class ReplSetGetConfigCommand implements Command {
  private final Topology topology;

  public ReplSetGetConfigCommand(Topology topology) {
    this.topology = topology;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    reply
        .startDocument("config")
        .put("_id", topology.setName())
        .put("version", 1)
        .put("term", 1)
        .startArray("members");
    List<String> hosts = topology.hosts(request.client());
    for (int i = 0; i < hosts.size(); i++) {
      reply
          .startDocument()
          .put("_id", i)
          .put("host", hosts.get(i))
          .put("arbiterOnly", false)
          .put("buildIndexes", true)
          .put("hidden", false)
          .put("priority", 1)
          .put("tags", Document.EMPTY)
          .put("secondaryDelaySecs", 0L)
          .put("votes", 1)
          .end();
    }
    reply
        .end()
        .put("protocolVersion", 1L)
        .put("writeConcernMajorityJournalDefault", true)
        .startDocument("settings")
        .put("replicaSetId", topology.processId())
        .end()
        .end();
  }
}
