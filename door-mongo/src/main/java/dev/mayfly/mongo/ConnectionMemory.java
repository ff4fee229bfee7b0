package dev.mayfly.mongo;

import dev.mayfly.mongo.auth.Login;
import dev.mayfly.mongo.command.Client;
import dev.mayfly.mongo.wire.FrameBuffer;
import dev.mayfly.mongo.wire.FrameReader;
import dev.mayfly.net.ByteBudget;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Memory of one connection in the budget of the server: claimed for a message before it is
 * received, and for a reply until it is written.
 *
 * <p>Used by one thread at a time, except {@link #close}. A client that occupies memory has {@link
 * #GRACE_NANOS}, and must then send or read at least one mebibyte per second. If it is slower and
 * other connections wait for memory, the budget disconnects it.
 */
final class ConnectionMemory implements FrameReader.Admission {
  /** The maximum size of a message before login. */
  static final int MAX_BEFORE_LOGIN = 16 << 10;

  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long NANOS_PER_BYTE = TimeUnit.SECONDS.toNanos(1) >> 20;

  private final ByteBudget.Claim message;
  private final ByteBudget.Claim reply;
  private final Client client;
  private final Login login;
  private final LongSupplier ticker;
  private boolean admitted;
  private long since;

  ConnectionMemory(
      ByteBudget budget, Client client, Login login, LongSupplier ticker, Runnable disconnect) {
    this.message = budget.claim(disconnect);
    this.reply = budget.claim(disconnect);
    this.client = client;
    this.login = login;
    this.ticker = ticker;
    client.replyMemory(reply);
  }

  /** Whether the client has to log in and has not yet. */
  boolean beforeLogin() {
    return login.requiresLogin(client) && client.identity().isEmpty();
  }

  @Override
  public int maxMessageBytes() {
    return beforeLogin() ? MAX_BEFORE_LOGIN : FrameBuffer.MAX_BYTES;
  }

  /** Returns the number of bytes of the current frame that may be read now. */
  int readable(FrameBuffer frames) {
    return admitted ? frames.missing() : Math.max(0, ByteBudget.FREE_BYTES - frames.held());
  }

  /**
   * Claims memory for a message.
   *
   * @param onGranted called by another thread when the memory is granted later
   * @return false if the memory is not available now
   */
  boolean admits(long bytes, Runnable onGranted) {
    if (!admitted && bytes > ByteBudget.FREE_BYTES) {
      admitted = message.message(bytes, onGranted);
      startTimer();
      return admitted;
    }
    return true;
  }

  /** Records that the memory for the message has been granted. */
  void granted() {
    admitted = true;
    startTimer();
  }

  @Override
  public void admit(long bytes) throws IOException {
    if (!admitted && bytes > ByteBudget.FREE_BYTES) {
      admitted = message.awaitMessage(bytes);
      if (!admitted) {
        throw new IOException("the connection was closed while it waited for memory");
      }
      startTimer();
    }
  }

  private void startTimer() {
    since = ticker.getAsLong();
    message.expectBy(since + GRACE_NANOS);
  }

  /** Records progress of a message: {@code bytes} have been received, or the whole message. */
  void received(int bytes, boolean whole) {
    if (whole) {
      message.expectNothing();
    } else if (admitted) {
      message.expectBy(since + GRACE_NANOS + bytes * NANOS_PER_BYTE);
    }
  }

  /** Counts a reply that is about to be written. */
  void sending(int bytes) {
    reply.settleReply(bytes);
    since = ticker.getAsLong();
    reply.expectBy(since + GRACE_NANOS);
  }

  /** Records that the client has read {@code bytes} of the reply. */
  void read(int bytes) {
    reply.expectBy(since + GRACE_NANOS + bytes * NANOS_PER_BYTE);
  }

  /** Releases the memory of the reply. */
  void sent() {
    reply.expectNothing();
    reply.release();
  }

  /** Releases the memory of the message and its reply. */
  void answered() {
    sent();
    admitted = false;
    message.release();
  }

  /** Releases all memory and ends the claims. Called from any thread. */
  void close() {
    message.close();
    reply.close();
  }
}
