package dev.mayfly.mongo.admin;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;

/** {@code top}: time spent on each collection, in microseconds. */
public final class TopCommand implements Command {
  private final Totals totals;

  public TopCommand(Totals totals) {
    this.totals = totals;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    reply.startDocument("totals").put("note", "all times in microseconds");
    totals.writeTop(reply);
    reply.end();
  }
}
