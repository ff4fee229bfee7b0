package dev.mayfly.mongo.topology;

import dev.mayfly.cluster.Member;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
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
    members.get().forEach(member -> reply.add(Value.of(describe(member))));
    reply.end();
  }

  /** Describes a server, as in {@code config.shards}. */
  public static Document describe(Member member) {
    return Document.writer()
        .put("_id", name(member))
        .put("host", member.mongo())
        .put("state", 1)
        .build();
  }

  /** The name of a server as a shard. */
  public static String name(Member member) {
    return "server" + member.slot();
  }
}
