package dev.mayfly.mongo.admin;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.Set;

/** {@code connPoolStats}: connections of this server to other servers; always 0. */
public final class ConnPoolStatsCommand implements Command {
  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of());
    reply
        .put("numClientConnections", 0)
        .put("numAScopedConnections", 0)
        .put("totalInUse", 0)
        .put("totalAvailable", 0)
        .put("totalLeased", 0)
        .put("totalCreated", 0)
        .put("totalRefreshing", 0)
        .startDocument("pools")
        .end()
        .startDocument("hosts")
        .end()
        .startDocument("replicaSets")
        .end();
  }
}
