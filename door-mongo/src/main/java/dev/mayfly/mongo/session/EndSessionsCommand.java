package dev.mayfly.mongo.session;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.Set;

/** {@code endSessions}: ends sessions that their client no longer needs. */
public final class EndSessionsCommand implements Command {
  private final Sessions sessions;

  public EndSessionsCommand(Sessions sessions) {
    this.sessions = sessions;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of());
    String owner = Sessions.owner(request);
    request.documents("endSessions").forEach(lsid -> sessions.end(lsid, owner));
  }
}
