package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Client;
import dev.mayfly.mongo.command.Identity;
import dev.mayfly.mongo.command.SaslExchange;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;

/**
 * SASL authentication of connections; a connection has at most one login in progress. Safe for many
 * threads.
 */
public final class Logins {
  private static final int CONVERSATION = 1;
  private static final int NONCE_BYTES = 24;

  private final Users users;
  private final SecureRandom random = new SecureRandom();

  public Logins(Users users) {
    this.users = users;
  }

  /**
   * Starts a login and writes the first reply.
   *
   * @param start the fields of {@code saslStart}, from the command or from a hello
   */
  void start(Client client, String database, Document start, DocumentWriter reply) {
    Mechanism mechanism = mechanism(start);
    Value skip = documentOf(start.field("options")).field("skipEmptyExchange");
    ScramConversation conversation =
        new ScramConversation(
            mechanism,
            database,
            nonce(),
            skip.type() == Type.BOOLEAN && skip.asBoolean(),
            identity -> users.credential(identity, mechanism),
            identity -> client.identity(Optional.of(identity)));
    client.conversation(Optional.of(conversation));
    turn(client, conversation, start, reply);
  }

  private static Document documentOf(Value value) {
    return value.type() == Type.OBJECT ? value.asDocument() : Document.EMPTY;
  }

  private static Mechanism mechanism(Document start) {
    Value name = start.field("mechanism");
    String label = name.type() == Type.STRING ? name.asString() : "";
    return Mechanism.labelled(label).orElseThrow(() -> unavailable(label));
  }

  static CommandException unavailable(String mechanism) {
    return new CommandException(
        new ErrorCode(334, "MechanismUnavailable"),
        "Received authentication for mechanism " + mechanism + " which is not enabled");
  }

  private String nonce() {
    byte[] bytes = new byte[NONCE_BYTES];
    random.nextBytes(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }

  /** Continues the login in progress. */
  void proceed(Client client, Document body, DocumentWriter reply) {
    Value id = body.field("conversationId");
    SaslExchange conversation =
        client
            .conversation()
            .filter(_ -> id.isNumber() && id.asDouble() == CONVERSATION)
            .orElseThrow(
                () ->
                    new CommandException(ErrorCode.PROTOCOL_ERROR, "No SASL session state found"));
    turn(client, conversation, body, reply);
  }

  private static void turn(
      Client client, SaslExchange conversation, Document body, DocumentWriter reply) {
    // a message that fails ends the login
    client.conversation(Optional.empty());
    SaslExchange.Turn turn = conversation.next(payload(body.field("payload")));
    if (!turn.done()) {
      client.conversation(Optional.of(conversation));
    }
    reply
        .put("conversationId", CONVERSATION)
        .put("done", turn.done())
        .put("payload", Value.binary((byte) 0, turn.message().getBytes(StandardCharsets.UTF_8)));
  }

  private static String payload(Value payload) {
    return switch (payload.type()) {
      case BINARY -> new String(payload.asBinary(), StandardCharsets.UTF_8);
      case STRING -> payload.asString();
      default -> throw ScramConversation.failed();
    };
  }

  /** Processes saslSupportedMechs and speculativeAuthenticate of a hello. */
  public void hello(Client client, Document hello, DocumentWriter reply) {
    Value user = hello.field("saslSupportedMechs");
    if (user.type() == Type.STRING) {
      String name = user.asString();
      int dot = Math.max(name.indexOf('.'), 0);
      // a user that does not exist gets the default mechanisms, so the reply does not reveal it
      reply.put(
          "saslSupportedMechs",
          users
              .find(new Identity(name.substring(0, dot), name.substring(dot + 1)))
              .map(User::mechanisms)
              .orElse(Mechanism.all()));
    }
    Document speculative = documentOf(hello.field("speculativeAuthenticate"));
    if (!speculative.field("saslStart").isMissing()
        && speculative.field("db").type() == Type.STRING) {
      speculate(client, speculative, reply);
    }
  }

  private void speculate(Client client, Document speculative, DocumentWriter reply) {
    try {
      DocumentWriter answer = Document.writer();
      start(client, speculative.field("db").asString(), speculative, answer);
      reply.put("speculativeAuthenticate", answer.build());
    } catch (CommandException failed) {
      // without a reply the driver sends saslStart, which reports the error
      client.conversation(Optional.empty());
    }
  }
}
