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
    out().println("The lag of the sweep is " + answer.field("lagMillis").asLong() / MILLIS + " s.");
    out().flush();
  }
}
