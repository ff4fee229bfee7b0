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
 * Memory of one connection: claims it for a message before that is received, and counts a reply
 * until it is written.
 *
 * <p>Belongs to one thread at a time, but for {@link #close}. A peer that holds memory has {@link
 * #GRACE_NANOS} and is then to send or read a mebibyte a second; the budget disconnects it when it
 * does not and others wait.
 */
final class ConnectionMemory implements FrameReader.Admission {
  /** What a message may have before login. */
  static final int MOST_BEFORE_LOGIN = 16 << 10;

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
    return beforeLogin() ? MOST_BEFORE_LOGIN : FrameBuffer.MAX_BYTES;
  }

  /** How many bytes may be read now of the frame that has begun. */
  int readable(FrameBuffer frames) {
    return admitted ? frames.missing() : Math.max(0, ByteBudget.FREE_BYTES - frames.held());
  }

  /**
   * Claims memory for a message.
   *
   * @param onGranted called by another thread when there is some later
   * @return false when there is none now
   */
  boolean admits(long bytes, Runnable onGranted) {
    if (!admitted && bytes > ByteBudget.FREE_BYTES) {
      admitted = message.message(bytes, onGranted);
      began();
      return admitted;
    }
    return true;
  }

  /** Goes on with a message that memory has been granted for. */
  void granted() {
    admitted = true;
    began();
  }

  @Override
  public void admit(long bytes) throws IOException {
    if (!admitted && bytes > ByteBudget.FREE_BYTES) {
      admitted = message.awaitMessage(bytes);
      if (!admitted) {
        throw new IOException("closed while it waited for memory");
      }
      began();
    }
  }

  private void began() {
    since = ticker.getAsLong();
    message.expectBy(since + GRACE_NANOS);
  }

  /** Takes note that more of a message has come, or all of it. */
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

  /** Takes note that the peer has read so many bytes of a reply. */
  void read(int bytes) {
    reply.expectBy(since + GRACE_NANOS + bytes * NANOS_PER_BYTE);
  }

  /** Gives back what the reply has used. */
  void sent() {
    reply.expectNothing();
    reply.release();
  }

  /** Gives back what the message and its reply have used. */
  void answered() {
    sent();
    admitted = false;
    message.release();
  }

  /** Gives everything back for good. From any thread. */
  void close() {
    message.close();
    reply.close();
  }
}
