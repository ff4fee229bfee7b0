package dev.mayfly.mongo.admin;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;

/** {@code getCmdLineOpts}: the arguments and options with which the server was started. */
public final class GetCmdLineOptsCommand implements Command {
  private final Host host;
  private final String setName;
  private final boolean testCommands;

  /**
   * @param testCommands whether test commands are enabled, which test suites check here
   */
  public GetCmdLineOptsCommand(Host host, String setName, boolean testCommands) {
    this.host = host;
    this.setName = setName;
    this.testCommands = testCommands;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    reply.put("argv", Value.array(host.arguments().stream().map(Value::of).toList()));
    reply.startDocument("parsed");
    if (!host.dataPath().isEmpty()) {
      reply.startDocument("storage").put("dbPath", host.dataPath()).end();
    }
    reply.startDocument("replication").put("replSet", setName).end();
    if (testCommands) {
      reply.startDocument("setParameter").put("enableTestCommands", "1").end();
    }
    reply.end();
  }
}
