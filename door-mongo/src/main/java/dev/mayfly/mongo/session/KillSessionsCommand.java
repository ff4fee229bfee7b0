package dev.mayfly.mongo.session;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.Set;

/** {@code killSessions}: ends sessions, with their transactions and cursors. */
public final class KillSessionsCommand implements Command {
  private final Sessions sessions;

  public KillSessionsCommand(Sessions sessions) {
    this.sessions = sessions;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of());
    String owner = Sessions.owner(request);
    request.documents("killSessions").forEach(lsid -> sessions.end(lsid, owner));
  }
}
