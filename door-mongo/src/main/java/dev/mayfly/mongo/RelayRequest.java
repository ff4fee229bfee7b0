package dev.mayfly.mongo;

import dev.mayfly.cluster.PeerException;
import dev.mayfly.cluster.RelayMessage;
import dev.mayfly.mongo.command.Client;
import dev.mayfly.mongo.command.Identity;
import dev.mayfly.mongo.wire.Message;
import dev.mayfly.mongo.wire.MessageEncoder;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.Optional;

/**
 * Request that one server relays to another: the message of a client, what is to run it there, and
 * what is known of the client.
 *
 * @param number of what runs it: a cell; 0 for the others
 * @param client the client, as the server describes it that the client is connected to
 */
record RelayRequest(Target target, int number, Sender client, Message.Call call) {
  /** What runs the message at the other server. */
  enum Target {
    /** The backend of one cell. */
    CELL,
    /** The backend that has a cursor. */
    CURSOR,
    /** The server itself. */
    SERVER,
    /** Each of its backends; the payload of the reply is an array of replies. */
    EVERY_CELL,
    /** Nothing: the reply is a copy of the documents in the home cell. */
    HOME_COPY
  }

  /**
   * A client of the other server.
   *
   * @param remote the address of the client
   * @param local the address that it connected to
   * @param checked whether its user needs privileges
   * @param metadata of its driver
   */
  record Sender(
      String remote, String local, boolean checked, Optional<Identity> user, Document metadata) {
    static Sender of(Client client, boolean checked) {
      return new Sender(
          client.remote(), client.local(), checked, client.identity(), client.metadata());
    }

    /** Returns a client of this server in its place. */
    Client toClient(long connection) {
      Client client =
          new Client(
              connection,
              remote,
              local,
              checked ? Client.Privileges.OF_USER : Client.Privileges.ALL);
      client.identity(user);
      client.metadata(metadata);
      return client;
    }
  }

  RelayMessage toMessage() {
    DocumentWriter header =
        Document.writer()
            .put("to", target.name())
            .put("number", number)
            .put("remote", client.remote())
            .put("local", client.local())
            .put("checked", client.checked())
            .put("metadata", client.metadata());
    client.user().ifPresent(user -> header.put("db", user.database()).put("user", user.user()));
    return new RelayMessage(header.build(), MessageEncoder.encode(call));
  }

  /**
   * Parses a request.
   *
   * @throws PeerException FAILED if it is malformed
   */
  static RelayRequest of(RelayMessage message) {
    Document header = message.header();
    try {
      Optional<Identity> user =
          header.field("user").isMissing()
              ? Optional.empty()
              : Optional.of(new Identity(text(header, "db"), text(header, "user")));
      if (Message.decode(message.payload()) instanceof Message.Call call) {
        return new RelayRequest(
            Target.valueOf(text(header, "to")),
            header.field("number").asInt(),
            new Sender(
                text(header, "remote"),
                text(header, "local"),
                header.field("checked").asBoolean(),
                user,
                header.field("metadata").asDocument()),
            call);
      }
    } catch (RuntimeException malformed) {
      throw new PeerException(
          PeerException.Reason.FAILED, "malformed request of another server", malformed);
    }
    throw new PeerException(
        PeerException.Reason.FAILED, "malformed request of another server", null);
  }

  private static String text(Document header, String field) {
    Value value = header.field(field);
    if (value.type() != Type.STRING) {
      throw new IllegalArgumentException(field + " is missing");
    }
    return value.asString();
  }
}
