package dev.mayfly.mongo.topology;

import dev.mayfly.mongo.command.ClusterTime;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;

/** {@code replSetGetStatus}: the status of a replica set whose only member is primary. */
public final class ReplSetGetStatusCommand implements Command {
  private static final int PRIMARY = 1;
  private static final long TERM = 1;

  private final Topology topology;

  public ReplSetGetStatusCommand(Topology topology) {
    this.topology = topology;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    long now = request.now();
    Document time = Document.writer().put("ts", ClusterTime.of(now)).put("t", TERM).build();
    reply
        .put("set", topology.setName())
        .put("date", Value.date(now))
        .put("myState", PRIMARY)
        .put("term", TERM)
        .put("heartbeatIntervalMillis", 2_000L)
        .put("majorityVoteCount", 1)
        .put("writeMajorityCount", 1)
        .put("votingMembersCount", 1)
        .put("writableVotingMembersCount", 1);
    reply
        .startDocument("optimes")
        .put("lastCommittedOpTime", time)
        .put("readConcernMajorityOpTime", time)
        .put("appliedOpTime", time)
        .put("durableOpTime", time)
        .end();
    reply
        .startArray("members")
        .startDocument()
        .put("_id", 0)
        .put("name", topology.host(request.client()))
        .put("health", 1.0)
        .put("state", PRIMARY)
        .put("stateStr", "PRIMARY")
        .put("optime", time)
        .put("optimeDate", Value.date(now))
        .put("configVersion", 1)
        .put("configTerm", 1)
        .put("self", true)
        .end()
        .end();
  }
}
