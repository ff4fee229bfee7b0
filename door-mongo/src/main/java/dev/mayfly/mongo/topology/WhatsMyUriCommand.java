package dev.mayfly.mongo.topology;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;

/** {@code whatsmyuri}: the address of the client as the server sees it. */
public final class WhatsMyUriCommand implements Command {
  @Override
  public void run(Request request, DocumentWriter reply) {
    reply.put("you", request.client().remote());
  }
}
