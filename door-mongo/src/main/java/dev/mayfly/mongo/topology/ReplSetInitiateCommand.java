package dev.mayfly.mongo.topology;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;

/**
 * {@code replSetInitiate}: the server is a replica set from its start, so there is nothing to
 * initiate. An emulator confirms a configuration that fits, because scripts and libraries for tests
 * send one to every new server. Other servers report that the set exists.
 *
 * <p>The host in the configuration is not used: clients get the address that they have used.
 */
public final class ReplSetInitiateCommand implements Command {
  private final Topology topology;
  private final boolean confirms;

  /**
   * @param confirms whether the command succeeds
   */
  public ReplSetInitiateCommand(Topology topology, boolean confirms) {
    this.topology = topology;
    this.confirms = confirms;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    if (!confirms) {
      throw new CommandException(ErrorCode.ALREADY_INITIALIZED, "already initialized");
    }
    // the shell sends no document, or undefined, for rs.initiate()
    if (request.target().type() == Type.OBJECT) {
      check(request.target().asDocument());
    }
    reply.put("info", "the replica set '" + topology.setName() + "' exists since the start");
  }

  private void check(Document config) {
    Value name = config.field("_id");
    if (!name.isMissing()
        && !(name.type() == Type.STRING && name.asString().equals(topology.setName()))) {
      throw invalid(
          "Attempting to initiate a replica set with name "
              + (name.type() == Type.STRING ? name.asString() : name)
              + ", but this server is the set "
              + topology.setName()
              + ": use that name, or start the server with --set-name");
    }
    Value members = config.field("members");
    if (!members.isMissing() && (members.type() != Type.ARRAY || count(members) != 1)) {
      throw invalid("members must be an array with one member: Mayfly runs on one server");
    }
  }

  private static int count(Value members) {
    int count = 0;
    Fields each = members.asDocument().fields();
    while (each.next()) {
      count++;
    }
    return count;
  }

  private static CommandException invalid(String reason) {
    return new CommandException(ErrorCode.INVALID_REPLICA_SET_CONFIG, reason);
  }
}
