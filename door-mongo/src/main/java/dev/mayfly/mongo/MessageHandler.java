package dev.mayfly.mongo;

import dev.mayfly.engine.PendingCommit;
import dev.mayfly.engine.WouldBlock;
import dev.mayfly.mongo.command.Client;
import dev.mayfly.mongo.wire.Message;
import dev.mayfly.value.DocumentWriter;

/**
 * Answers the messages of clients: a {@link Dispatcher} on a server that is alone, a {@link
 * ClusterDispatcher} on one of several. Thread-safe; a reply belongs to the calling thread.
 */
interface MessageHandler {
  /** Writes the reply to a message. Returns whether the command succeeded. May block. */
  boolean answer(Client client, Message message, DocumentWriter reply);

  /**
   * As {@link #answer} for a caller that must not block. The reply is valid once the pending writes
   * are committed, and the request counts as running until {@link #ended} is called.
   *
   * @throws WouldBlock if the request would block; then it has had no effect
   */
  boolean tryAnswer(Client client, Message message, PendingCommit pending, DocumentWriter reply);

  /** Records that the request of a client has ended. */
  void ended(Client client, boolean done);

  /** Writes the reply to a message whose pending writes failed to commit. */
  void broken(Message message, RuntimeException failure, DocumentWriter reply);

  /**
   * Whether a further reply to an exhaust message follows the one just written: the next hello, or
   * the next batch of a cursor that is still open.
   */
  boolean streams(Message.Call call);
}
