package dev.mayfly.mongo.session;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.command.Section;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Set;

/**
 * {@code killAllSessionsByPattern}: ends the sessions that match one of the patterns; without
 * patterns, all sessions.
 */
public final class KillAllSessionsByPatternCommand implements Command {
  private static final Set<String> FIELDS = Set.of("lsid", "uid", "users", "roles");
  private static final byte GENERIC = 0;

  private final Sessions sessions;

  public KillAllSessionsByPatternCommand(Sessions sessions) {
    this.sessions = sessions;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of());
    List<Document> patterns = request.documents(request.name());
    patterns.forEach(KillAllSessionsByPatternCommand::check);
    sessions.endAll(
        session ->
            patterns.isEmpty() || patterns.stream().anyMatch(pattern -> matches(session, pattern)));
  }

  private static void check(Document pattern) {
    Section section = new Section("KillAllSessionsByPattern", pattern).allow(FIELDS);
    if (section.has("users") || section.has("roles")) {
      throw new CommandException(
          ErrorCode.NOT_IMPLEMENTED,
          "killAllSessionsByPattern supports lsid and uid, not users and roles: use"
              + " killAllSessions to name users");
    }
    if (section.has("lsid")) {
      section.document("lsid");
    }
  }

  private static boolean matches(Session session, Document pattern) {
    Value lsid = pattern.field("lsid");
    return hasUser(session, pattern.field("uid"))
        && (lsid.isMissing()
            || (lsid.asDocument().field("id").equals(session.lsid().field("id"))
                && hasUser(session, lsid.asDocument().field("uid"))));
  }

  private static boolean hasUser(Session session, Value uid) {
    return uid.isMissing() || uid.equals(Value.binary(GENERIC, digest(session.owner())));
  }

  /** The digest of a user in the {@code uid} of session ids. */
  private static byte[] digest(String owner) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(owner.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
