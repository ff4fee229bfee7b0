package dev.mayfly.cli;

import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Command {@code cluster}: shows the servers of a cluster and their cells, and moves cells. */
@Command(
    name = "cluster",
    description = "Show the servers of a cluster and their cells, and move cells.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ManageCluster.Status.class,
      ManageCluster.Move.class,
      ManageCluster.Drain.class,
    })
final class ManageCluster implements Runnable {
  private static final double MILLIS = 1000;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new MissingCommand(spec.commandLine());
  }

  /** Command {@code cluster status}. */
  @Command(
      name = "status",
      description = "List servers and cells: owners, epochs, log lag, clock skew.")
  static final class Status extends RemoteCommand {
    @Override
    protected boolean changes() {
      return false;
    }

    @Override
    protected void run(CommandTarget connection) {
      show(connection.request("GET", "/cluster"), json(), out());
    }
  }

  /** Command {@code cluster move}. */
  @Command(name = "move", description = "Move a cell to a server.")
  static final class Move extends RemoteCommand {
    @Parameters(index = "0", paramLabel = "CELL", description = "Number of the cell.")
    private int cell;

    @Parameters(index = "1", paramLabel = "SERVER", description = "Number of the server.")
    private int server;

    @Override
    protected void run(CommandTarget connection) {
      Document body = Document.writer().put("cell", cell).put("server", server).build();
      show(connection.request("POST", "/cluster/move", body), json(), out());
    }
  }

  /** Command {@code cluster drain}. */
  @Command(
      name = "drain",
      description =
          "Let a server hand over all its cells and take none, until --end. Its clients go on: it"
              + " relays their requests.")
  static final class Drain extends RemoteCommand {
    @Parameters(paramLabel = "SERVER", description = "Number of the server.")
    private int server;

    @Option(names = "--end", description = "Let the server take cells again.")
    private boolean end;

    @Override
    protected void run(CommandTarget connection) {
      Document body = Document.writer().put("server", server).build();
      String path = end ? "/cluster/undrain" : "/cluster/drain";
      show(connection.request("POST", path, body), json(), out());
    }
  }

  private static void show(Document status, boolean json, PrintWriter out) {
    if (json) {
      out.println(ExtendedJson.relaxed(status));
      out.flush();
      return;
    }
    servers(status).print(out);
    out.println();
    cells(status).print(out);
    Value reason = status.field("reason");
    if (!reason.isMissing()) {
      out.println();
      out.println("The server that was asked serves no cells: " + reason.asString() + ".");
    }
    out.flush();
  }

  private static Table servers(Document status) {
    Table table =
        new Table("SERVER", "CELLS", "STATE", "CLOCK", "NAME", "MONGODB", "COSMOS DB", "VERSION");
    Fields each = status.field("servers").asDocument().fields();
    while (each.next()) {
      Document server = each.value().asDocument();
      table.row(
          Integer.toString(server.field("server").asInt()),
          Long.toString(server.field("cells").asLong()),
          state(server),
          skew(server.field("skewMillis")),
          server.field("name").asString(),
          server.field("mongo").asString(),
          server.field("cosmos").asString(),
          server.field("version").asString());
    }
    return table;
  }

  private static String state(Document server) {
    if (!server.field("live").asBoolean()) {
      return "silent for " + server.field("silentMillis").asLong() / MILLIS + " s";
    }
    String state = server.field("takesCells").asBoolean() ? "live" : "drained";
    return server.field("self").asBoolean() ? state + ", asked" : state;
  }

  private static String skew(Value millis) {
    return millis.isMissing() ? "unknown" : String.format("%+d ms", millis.asLong());
  }

  private static Table cells(Document status) {
    Table table = new Table("CELL", "SERVER", "EPOCH", "LOG LAG", "DATABASES");
    Fields each = status.field("cells").asDocument().fields();
    while (each.next()) {
      Document cell = each.value().asDocument();
      Value server = cell.field("server");
      String owner = server.isMissing() ? "none" : Integer.toString(server.asInt());
      table.row(
          Integer.toString(cell.field("cell").asInt()),
          cell.field("served").asBoolean() ? owner : owner + " (gone)",
          Long.toString(cell.field("epoch").asLong()),
          Long.toString(cell.field("logLag").asLong()),
          String.join(", ", names(cell.field("databases"))));
    }
    return table;
  }

  private static List<String> names(Value array) {
    List<String> names = new ArrayList<>();
    Fields each = array.asDocument().fields();
    while (each.next()) {
      names.add(each.value().asString());
    }
    return names;
  }
}
