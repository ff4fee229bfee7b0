package dev.mayfly.cli;

import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Fields;
import picocli.CommandLine.Command;

/** Command {@code collections}: lists collections with sizes and TTL rules. */
@Command(
    name = "collections",
    description = "List collections: documents, bytes, TTL rules, and the lag of the sweep.")
final class ListCollections extends RemoteCommand {
  private static final double MILLIS = 1000;

  @Override
  protected boolean changes() {
    return false;
  }

  @Override
  protected void run(CommandTarget connection) {
    Document reply = connection.request("GET", "/collections");
    if (json()) {
      out().println(ExtendedJson.relaxed(reply));
      return;
    }
    Table table = new Table("COLLECTION", "DOCUMENTS", "SIZE", "ON DISK", "EXPIRE");
    Fields each = reply.field("collections").asDocument().fields();
    while (each.next()) {
      Document row = each.value().asDocument();
      table.row(
          row.field("database").asString() + "." + row.field("collection").asString(),
          Amounts.count(row.field("documents").asLong()),
          Amounts.bytes(row.field("bytes").asLong()),
          Amounts.bytes(row.field("bytesOnDisk").asLong()),
          Amounts.rules(row.field("rules").asDocument()));
    }
    table.print(out());
    out().println("The lag of the sweep is " + reply.field("lagMillis").asLong() / MILLIS + " s.");
    out().flush();
  }
}
