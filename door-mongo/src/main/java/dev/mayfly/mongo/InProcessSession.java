package dev.mayfly.mongo;

import dev.mayfly.engine.Explanation;
import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.admin.Profiler;
import dev.mayfly.mongo.auth.Guard;
import dev.mayfly.mongo.command.Client;
import dev.mayfly.mongo.command.Identity;
import dev.mayfly.mongo.wire.Compressor;
import dev.mayfly.mongo.wire.Message;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/**
 * Session of a user in this process, without a connection. Its commands run as those of a driver
 * do: with the same table, privileges, profiler and slow query log. Cursors belong to the session.
 * Safe for many threads.
 *
 * <pre>{@code
 * try (InProcessSession session = door.session(Optional.empty(), "console")) {
 *   session.run("shop", Document.writer().put("count", "carts").build(), () -> false).reply();
 * }
 * }</pre>
 */
public final class InProcessSession implements AutoCloseable {
  private static final byte UUID_SUBTYPE = 4;
  private static final int UUID_BYTES = 16;

  private final MessageHandler dispatcher;
  private final MongoFrontend frontend;
  private final Optional<Identity> user;
  private final String origin;
  private final Document lsid;

  InProcessSession(
      MessageHandler dispatcher, MongoFrontend frontend, Optional<Identity> user, String origin) {
    this.dispatcher = dispatcher;
    this.frontend = frontend;
    this.user = user;
    this.origin = origin;
    UUID id = UUID.randomUUID();
    byte[] bytes =
        ByteBuffer.allocate(UUID_BYTES)
            .putLong(id.getMostSignificantBits())
            .putLong(id.getLeastSignificantBits())
            .array();
    this.lsid = Document.writer().put("id", Value.binary(UUID_SUBTYPE, bytes)).build();
  }

  /**
   * Reply to a command.
   *
   * @param done whether the command succeeded; otherwise the reply contains the error
   * @param plan summary of the plan of its last query, as in the slow query log
   * @param search what its queries examined
   */
  public record Answer(
      Document reply, boolean done, Optional<String> plan, Optional<Explanation> search) {}

  /**
   * Runs a command.
   *
   * @param command without {@code $db} and {@code lsid}
   * @param stopped called repeatedly; if it returns true, the command is interrupted
   */
  public Answer run(String database, Document command, BooleanSupplier stopped) {
    Client client = client();
    client.disconnectCheck(stopped);
    DocumentWriter body = Document.writer();
    body.putAll(command);
    body.put("$db", database).put("lsid", lsid);
    Message call = new Message.Call(0, Compressor.NOOP, false, false, body.build(), Map.of());
    DocumentWriter reply = Document.writer();
    frontend.monitoring().clients().add(client);
    try {
      boolean done = dispatcher.answer(client, call, reply);
      Optional<Explanation> search = client.lastSearch();
      return new Answer(reply.build(), done, search.map(Profiler::summary), search);
    } finally {
      frontend.monitoring().clients().remove(client);
    }
  }

  private Client client() {
    // not limited: the operator must get in when all connections are taken
    Client client =
        new Client(
            frontend.monitoring().clients().inProcess(),
            origin,
            origin,
            user.isPresent() ? Client.Privileges.OF_USER : Client.Privileges.ALL);
    client.identity(user);
    return client;
  }

  private Guard guard() {
    return frontend.guard();
  }

  /** Whether the user may do an action, such as {@code find}, on a collection. */
  public boolean may(String action, Namespace on) {
    return guard().may(client(), action, on);
  }

  /** Whether the user may do an action, such as {@code serverStatus}, on the server. */
  public boolean mayOnCluster(String action) {
    return guard().mayOnCluster(client(), action);
  }

  /** Whether the user has any privilege on a collection. */
  public boolean mayUse(Namespace namespace) {
    return guard().mayUse(client(), namespace);
  }

  /** Whether there is no user, or one with the role root. */
  public boolean mayEverything() {
    return guard().mayEverything(client());
  }

  /** Ends the session and closes its cursors. */
  @Override
  public void close() {
    Document end =
        Document.writer().put("endSessions", Value.array(List.of(Value.of(lsid)))).build();
    var _ = run("admin", end, () -> false);
  }
}
