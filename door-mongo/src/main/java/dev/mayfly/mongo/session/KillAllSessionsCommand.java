package dev.mayfly.mongo.session;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Identity;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Set;

/** {@code killAllSessions}: ends all sessions, or those of the given users. */
public final class KillAllSessionsCommand implements Command {
  private final Sessions sessions;

  public KillAllSessionsCommand(Sessions sessions) {
    this.sessions = sessions;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of());
    List<String> owners =
        request.documents(request.name()).stream().map(KillAllSessionsCommand::owner).toList();
    sessions.endAll(session -> owners.isEmpty() || owners.contains(session.owner()));
  }

  private static String owner(Document user) {
    Value name = user.field("user");
    Value database = user.field("db");
    boolean named = name.type() == Type.STRING && database.type() == Type.STRING;
    return named ? new Identity(database.asString(), name.asString()).toString() : "";
  }
}
