package dev.mayfly.mongo;

import dev.mayfly.cluster.Cells;
import dev.mayfly.mongo.ServerCommands.Entry;
import dev.mayfly.mongo.admin.CurrentOpCommand;
import dev.mayfly.mongo.admin.ListCommandsCommand;
import dev.mayfly.mongo.auth.Guard;
import dev.mayfly.mongo.command.Access;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.failpoint.FailPoints;
import dev.mayfly.mongo.session.Transactions;
import dev.mayfly.mongo.topology.ListShardsCommand;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.DocumentWriter;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The commands of a server among several that need no cell: login, topology, monitoring.
 * Thread-safe.
 */
final class ServerScope implements CommandScope {
  private final Guard guard;
  private final FailPoints failPoints;
  private final Map<String, Entry> commands;

  ServerScope(MongoFrontend frontend, Cells cells, CellBackends backends) {
    this.guard = frontend.guard();
    this.failPoints = frontend.failPoints();
    Map<String, Entry> all = new HashMap<>(new ServerCommands(frontend).commands());
    all.put(
        "listCommands",
        new Entry(Access.KNOWN, new ListCommandsCommand(() -> Set.copyOf(Destination.commands()))));
    all.put(
        "currentOp",
        new Entry(
            Access.MONITOR,
            ServerCommands.admin(
                new CurrentOpCommand(frontend.monitoring().operations(), backends::monitoring))));
    all.put(
        "serverStatus",
        new Entry(Access.MONITOR, ServerCommands.status(frontend, backends::status)));
    all.put(
        "listShards",
        new Entry(Access.MONITOR, ServerCommands.admin(new ListShardsCommand(cells::members))));
    this.commands = Map.copyOf(all);
  }

  @Override
  public boolean profiles(String database) {
    return false;
  }

  @Override
  public void begin(Request request) {}

  @Override
  public void run(Request request, DocumentWriter reply) {
    Entry entry = commands.get(request.name());
    if (entry == null) {
      throw new CommandException(
          ErrorCode.COMMAND_NOT_FOUND, "no such command: '" + request.name() + "'");
    }
    guard.check(entry.access(), request);
    failPoints.before(request);
    if (Transactions.includes(request)) {
      Transactions.checkAllowed(request);
    }
    entry.command().run(request, reply);
    failPoints.after(request, reply);
  }

  @Override
  public void answered(Request request, boolean done) {}

  @Override
  public boolean hasCursor(long id) {
    return false;
  }
}
