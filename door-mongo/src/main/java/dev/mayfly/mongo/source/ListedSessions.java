package dev.mayfly.mongo.source;

import dev.mayfly.mongo.access.ServerStages;
import dev.mayfly.mongo.command.Identity;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.command.Section;
import dev.mayfly.mongo.session.Session;
import dev.mayfly.mongo.session.Sessions;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.pipeline.Target;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** {@code $listSessions} and {@code $listLocalSessions}: one row for each open session. */
final class ListedSessions implements ServerStages.Source {
  private static final Set<String> FIELDS = Set.of("allUsers", "users");

  private final Sessions sessions;

  ListedSessions(Sessions sessions) {
    this.sessions = sessions;
  }

  @Override
  public Rows rows(Request request, Target target, Document specification) {
    Section section = new Section("$listSessions", specification).allow(FIELDS);
    boolean all = section.flag("allUsers");
    Set<String> owners =
        section.has("users") ? named(section.field("users")) : Set.of(Sessions.owner(request));
    List<Document> rows =
        sessions.all().stream()
            .filter(session -> all || owners.contains(session.owner()))
            .map(session -> row(session, request.now()))
            .toList();
    return Rows.of(rows);
  }

  private static Set<String> named(Value users) {
    Set<String> owners = new HashSet<>();
    Fields each = users.isArray() ? users.asDocument().fields() : Document.EMPTY.fields();
    while (each.next()) {
      Document user = each.type() == Type.OBJECT ? each.value().asDocument() : Document.EMPTY;
      Section one = new Section("$listSessions.users", user).allow(Set.of("user", "db"));
      owners.add(new Identity(one.text("db"), one.text("user")).toString());
    }
    if (owners.isEmpty()) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE, "$listSessions.users must be an array of users");
    }
    return owners;
  }

  private Document row(Session session, long now) {
    return Document.writer()
        .startDocument("_id")
        .put("id", session.lsid().field("id"))
        .put("uid", Value.binary((byte) 0, digest(session.owner())))
        .end()
        .put("lastUse", Value.date(now - sessions.idleMillis(session)))
        .put("user", session.owner().isEmpty() ? Value.MISSING : Value.of(session.owner()))
        .build();
  }

  private static byte[] digest(String owner) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(owner.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has SHA-256", impossible);
    }
  }
}
