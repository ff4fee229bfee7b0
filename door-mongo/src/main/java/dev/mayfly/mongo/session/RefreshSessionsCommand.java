package dev.mayfly.mongo.session;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.Set;

/** {@code refreshSessions}: keeps sessions alive. */
public final class RefreshSessionsCommand implements Command {
  private final Sessions sessions;

  public RefreshSessionsCommand(Sessions sessions) {
    this.sessions = sessions;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of());
    String owner = Sessions.owner(request);
    request.documents("refreshSessions").forEach(lsid -> sessions.use(lsid, owner));
  }
}
