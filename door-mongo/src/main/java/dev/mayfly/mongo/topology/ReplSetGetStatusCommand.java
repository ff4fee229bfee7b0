package dev.mayfly.mongo.topology;

import dev.mayfly.mongo.command.ClusterTime;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.List;

/** {@code replSetGetStatus}: the status of a replica set whose first member is primary. */
public final class ReplSetGetStatusCommand implements Command {
  private static final int PRIMARY = 1;
  private static final int SECONDARY = 2;
  private static final long TERM = 1;

  private final Topology topology;

  public ReplSetGetStatusCommand(Topology topology) {
    this.topology = topology;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    long now = request.now();
    List<String> hosts = topology.hosts(request.client());
    Document time = Document.writer().put("ts", ClusterTime.of(now)).put("t", TERM).build();
    reply
        .put("set", topology.setName())
        .put("date", Value.date(now))
        .put("myState", state(topology.position()))
        .put("term", TERM)
        .put("heartbeatIntervalMillis", 2_000L)
        .put("majorityVoteCount", 1)
        .put("writeMajorityCount", 1)
        .put("votingMembersCount", hosts.size())
        .put("writableVotingMembersCount", hosts.size());
    reply
        .startDocument("optimes")
        .put("lastCommittedOpTime", time)
        .put("readConcernMajorityOpTime", time)
        .put("appliedOpTime", time)
        .put("durableOpTime", time)
        .end();
    reply.startArray("members");
    for (int i = 0; i < hosts.size(); i++) {
      reply
          .startDocument()
          .put("_id", i)
          .put("name", hosts.get(i))
          .put("health", 1.0)
          .put("state", state(i))
          .put("stateStr", state(i) == PRIMARY ? "PRIMARY" : "SECONDARY")
          .put("optime", time)
          .put("optimeDate", Value.date(now))
          .put("configVersion", 1)
          .put("configTerm", 1);
      if (i == topology.position()) {
        reply.put("self", true);
      }
      reply.end();
    }
    reply.end();
  }

  private static int state(int position) {
    return position == 0 ? PRIMARY : SECONDARY;
  }
}
