package dev.mayfly.mongo;

import dev.mayfly.cluster.PeerException;
import dev.mayfly.cluster.RelayMessage;
import dev.mayfly.mongo.command.Disconnect;
import dev.mayfly.value.Document;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;

/**
 * Reply to a {@link RelayRequest}.
 *
 * @param done whether the command succeeded
 * @param body the reply for the client
 */
record RelayReply(boolean done, Document body) {
  private static final String DONE = "done";
  private static final String LOST = "lost";
  private static final String DISCONNECT = "disconnect";

  /** Replies consist of documents of clients, and of arrays of them. */
  private static final Limits LIMITS = new Limits(Integer.MAX_VALUE, 250);

  RelayMessage toMessage() {
    return new RelayMessage(Document.writer().put(DONE, done).build(), body.bytes());
  }

  /** Returns the reply of a server that has lost the cell: the outcome is unknown. */
  static RelayMessage lost(PeerException failure) {
    return failed(LOST, String.valueOf(failure.getMessage()));
  }

  /** Returns the reply after which the connection to the client is closed. */
  static RelayMessage disconnect() {
    return failed(DISCONNECT, "");
  }

  private static RelayMessage failed(String kind, String reason) {
    return new RelayMessage(Document.writer().put(kind, reason).build(), Document.EMPTY.bytes());
  }

  /**
   * Parses a reply.
   *
   * @throws PeerException LOST if the outcome is unknown
   * @throws Disconnect if the connection to the client has to be closed
   */
  static RelayReply of(RelayMessage message) {
    Value lost = message.header().field(LOST);
    if (lost.type() == Type.STRING) {
      throw new PeerException(PeerException.Reason.LOST, lost.asString(), null);
    }
    if (!message.header().field(DISCONNECT).isMissing()) {
      throw new Disconnect();
    }
    return new RelayReply(
        message.header().field(DONE).equals(Value.TRUE), Document.of(message.payload(), LIMITS));
  }
}
