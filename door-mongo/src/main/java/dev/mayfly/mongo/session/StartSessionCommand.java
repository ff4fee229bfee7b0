package dev.mayfly.mongo.session;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.UUID;

/** {@code startSession}: starts a session with an id that the server generates. */
public final class StartSessionCommand implements Command {
  private static final byte UUID_SUBTYPE = 4;
  private static final int TIMEOUT_MINUTES = 30;

  private final Sessions sessions;

  public StartSessionCommand(Sessions sessions) {
    this.sessions = sessions;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of());
    UUID id = UUID.randomUUID();
    ByteBuffer bytes = ByteBuffer.allocate(16);
    bytes.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
    Document lsid = Document.writer().put("id", Value.binary(UUID_SUBTYPE, bytes.array())).build();
    sessions.use(lsid, Sessions.owner(request));
    reply.put("id", lsid).put("timeoutMinutes", TIMEOUT_MINUTES);
  }
}
