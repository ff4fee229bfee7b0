package dev.mayfly.mongo.topology;

import dev.mayfly.cluster.Member;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** {@code listShards}: the servers of the cluster. */
public final class ListShardsCommand implements Command {
  private final Supplier<List<Member>> members;

  public ListShardsCommand(Supplier<List<Member>> members) {
    this.members = members;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of());
    reply.startArray("shards");
    for (Member member : members.get()) {
      reply
          .startDocument()
          .put("_id", "server" + member.slot())
          .put("host", member.mongo())
          .put("state", 1)
          .end();
    }
    reply.end();
  }
}
