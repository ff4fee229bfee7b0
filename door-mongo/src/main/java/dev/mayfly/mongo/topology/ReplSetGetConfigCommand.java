package dev.mayfly.mongo.topology;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;

/** {@code replSetGetConfig}: the configuration of a replica set with one member. */
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
        .startArray("members")
        .startDocument()
        .put("_id", 0)
        .put("host", topology.host(request.client()))
        .put("arbiterOnly", false)
        .put("buildIndexes", true)
        .put("hidden", false)
        .put("priority", 1)
        .put("tags", Document.EMPTY)
        .put("secondaryDelaySecs", 0L)
        .put("votes", 1)
        .end()
        .end()
        .put("protocolVersion", 1L)
        .put("writeConcernMajorityJournalDefault", true)
        .startDocument("settings")
        .put("replicaSetId", topology.processId())
        .end()
        .end();
  }
}
