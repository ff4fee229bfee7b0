package dev.mayfly.cosmos;

import dev.mayfly.cluster.RelayMessage;
import dev.mayfly.cosmos.auth.AuthResult;
import dev.mayfly.cosmos.rest.Address;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.http.Reply;
import dev.mayfly.http.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Request as one server relays it to another, and its reply.
 *
 * <p>The request travels as the client has sent it, without its signature, which the first server
 * has checked. It trusts the permission that the client has shown to the second one, which stores
 * it.
 *
 * @param cell number of the cell that the request is for
 */
record RelayedCall(int cell, Call call) {
  private static final String CELL = "cell";
  private static final String METHOD = "method";
  private static final String TARGET = "target";
  private static final String ADDRESS = "address";
  private static final String PERMISSION = "permission";
  private static final String ACTIVITY = "activity";
  private static final String HEADERS = "headers";
  private static final String STATUS = "status";
  private static final String TYPE = "type";
  private static final String LOST = "lost";

  /** Reply that reports an unknown outcome. */
  static final RelayMessage UNKNOWN_OUTCOME =
      new RelayMessage(Document.writer().put(LOST, true).build(), new byte[0]);

  RelayMessage message() {
    Request request = call.request();
    DocumentWriter header =
        Document.writer()
            .put(CELL, cell)
            .put(METHOD, request.method())
            .put(TARGET, request.target())
            .put(ADDRESS, call.address().path())
            .put(ACTIVITY, call.activity());
    call.permission().ifPresent(link -> header.put(PERMISSION, link));
    header.startDocument(HEADERS);
    request.headers(
        (name, value) -> {
          if (!name.equals(HeaderNames.AUTHORIZATION)) {
            header.put(name, value);
          }
        });
    return new RelayMessage(header.end().build(), request.body());
  }

  /**
   * Parses a message of another server.
   *
   * @param gone whether nobody waits for the reply any more
   */
  static RelayedCall of(RelayMessage message, BooleanSupplier gone) {
    Document header = message.header();
    Request request =
        Request.of(
            header.field(METHOD).asString(),
            header.field(TARGET).asString(),
            texts(header.field(HEADERS)),
            message.payload(),
            gone);
    Value permission = header.field(PERMISSION);
    AuthResult caller =
        new AuthResult(
            Address.of(header.field(ADDRESS).asString()),
            permission.isMissing() ? Optional.empty() : Optional.of(permission.asString()));
    return new RelayedCall(
        header.field(CELL).asInt(),
        new Call(request, caller, header.field(ACTIVITY).asString(), Optional.empty()));
  }

  private static Map<String, String> texts(Value value) {
    Map<String, String> texts = new LinkedHashMap<>();
    Fields fields = value.asDocument().fields();
    while (fields.next()) {
      texts.put(fields.name(), fields.value().asString());
    }
    return texts;
  }

  /** Returns the message with a reply. */
  static RelayMessage message(Reply reply) {
    DocumentWriter header =
        Document.writer().put(STATUS, reply.status()).put(TYPE, reply.contentType());
    header.startDocument(HEADERS);
    reply.headers(header::put);
    return new RelayMessage(header.end().build(), reply.body());
  }

  /** Parses the message with a reply; empty if the outcome of the request is unknown. */
  static Optional<Reply> reply(RelayMessage message) {
    Document header = message.header();
    if (!header.field(LOST).isMissing()) {
      return Optional.empty();
    }
    Reply reply = new Reply(header.field(STATUS).asInt());
    texts(header.field(HEADERS)).forEach(reply::header);
    return Optional.of(reply.body(message.payload(), header.field(TYPE).asString()));
  }
}
