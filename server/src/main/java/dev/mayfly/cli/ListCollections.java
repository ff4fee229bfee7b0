package dev.mayfly.cli;

import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Fields;
import picocli.CommandLine.Command;

/** Lists collections with what they hold and why it expires. */
@Command(
    name = "collections",
    description = "List collections: documents, bytes, rules, and how far the sweep is behind.")
final class ListCollections extends RemoteCommand {
  private static final double MILLIS = 1000;

  @Override
  protected boolean changes() {
    return false;
  }

  @Override
  protected void run(CommandTarget connection) {
    Document answer = connection.ask("GET", "/collections");
    if (json()) {
      out().println(ExtendedJson.relaxed(answer));
      return;
    }
    Table table = new Table("COLLECTION", "DOCUMENTS", "SIZE", "ON DISK", "EXPIRE");
    Fields each = answer.field("collections").asDocument().fields();
    while (each.next()) {
      Document one = each.value().asDocument();
      table.row(
          one.field("database").asString() + "." + one.field("collection").asString(),
          Amounts.count(one.field("documents").asLong()),
          Amounts.bytes(one.field("bytes").asLong()),
          Amounts.bytes(one.field("bytesOnDisk").asLong()),
          Amounts.rules(one.field("rules").asDocument()));
    }
    table.print(out());
    out().println("The sweep is " + answer.field("lagMillis").asLong() / MILLIS + " s behind.");
    out().flush();
  }
}
