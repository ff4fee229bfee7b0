package dev.mayfly.mongo;

import dev.mayfly.cluster.MovedException;
import dev.mayfly.cluster.Peer;
import dev.mayfly.cluster.PeerException;
import dev.mayfly.cluster.RelayKind;
import dev.mayfly.mongo.admin.Operations;
import dev.mayfly.mongo.auth.Guard;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.wire.Compressor;
import dev.mayfly.mongo.wire.Message;
import dev.mayfly.mql.CommandException;
import dev.mayfly.value.Document;
import java.time.Duration;
import java.util.Map;

/**
 * Relays requests to other servers. While it waits, the request counts as running on this server,
 * too; if it is killed or its client disconnects, the other server stops as well. Thread-safe.
 */
final class Relay {
  /** Longer than any operation: its own time limit and the connection end the wait. */
  private static final Duration LIMIT = Duration.ofDays(1);

  private final Operations operations;
  private final Guard guard;

  Relay(MongoFrontend frontend) {
    this.operations = frontend.monitoring().operations();
    this.guard = frontend.guard();
  }

  /**
   * Sends a request to another server and returns its reply.
   *
   * @param number of the target, see {@link RelayRequest}
   * @throws MovedException if that server does not serve the cell; it has done nothing
   * @throws PeerException if the outcome is unknown
   * @throws CommandException if the request was killed or has exceeded its time limit
   */
  RelayReply call(
      Peer peer, RelayRequest.Target target, int number, Request request, Message.Call call) {
    RelayRequest.Sender sender =
        RelayRequest.Sender.of(request.client(), guard.requiresLogin(request.client()));
    operations.begin(request);
    try {
      return RelayReply.of(
          peer.call(
              RelayKind.MONGO,
              new RelayRequest(target, number, sender, call).toMessage(),
              LIMIT,
              () -> isOver(request)));
    } catch (PeerException failure) {
      if (failure.reason() == PeerException.Reason.ABANDONED) {
        request.check();
      }
      throw failure;
    } finally {
      request.client().running(null);
    }
  }

  private static boolean isOver(Request request) {
    try {
      request.check();
      return false;
    } catch (CommandException over) {
      return true;
    }
  }

  /** Returns a message with another body, without sequences, for a part of a request. */
  static Message.Call part(Message.Call of, Document body) {
    return new Message.Call(of.requestId(), Compressor.NOOP, false, false, body, Map.of());
  }
}
