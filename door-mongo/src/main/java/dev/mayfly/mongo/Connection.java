package dev.mayfly.mongo;

import dev.mayfly.engine.PendingCommit;
import dev.mayfly.engine.WouldBlock;
import dev.mayfly.mongo.command.Client;
import dev.mayfly.mongo.command.Disconnect;
import dev.mayfly.mongo.wire.FrameBuffer;
import dev.mayfly.mongo.wire.FrameReader;
import dev.mayfly.mongo.wire.Message;
import dev.mayfly.mongo.wire.Reply;
import dev.mayfly.mongo.wire.WireException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Connection of one client: reads a message, answers it, and only then reads the next.
 *
 * <p>It belongs to an event loop, which answers short requests. A worker answers the others and
 * owns the connection until it returns it to the loop. Other threads may stop it.
 */
final class Connection {
  private static final System.Logger LOG = System.getLogger(Connection.class.getName());

  /** How long to wait for memory before checking whether the connection is still open. */
  private static final long PATIENCE_MILLIS = 1_000;

  /** Messages longer than this are answered by a worker. */
  private static final int MOST_BRIEF = 64 << 10;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /**
   * Factor on the handshake time for a client that has sent hello and does not log in: drivers
   * monitor servers through such connections and send a message about every ten seconds.
   */
  private static final int WATCHERS_PATIENCE = 10;

  private final SocketChannel channel;
  private final Client client;
  private final ConnectionContext connectionContext;
  private final Loop loop;
  private final FrameBuffer frames = new FrameBuffer();
  private final Reply reply = new Reply();
  private final ConnectionMemory memory;
  private final AtomicBoolean over = new AtomicBoolean();
  private @Nullable SelectionKey key;
  private boolean known;
  private @Nullable Answered answer;
  private volatile boolean busy;
  private volatile boolean stopping;

  /** Whether a message has begun for which there is no memory yet. */
  private volatile boolean waiting;

  /** Whether the client has sent a whole message. */
  private volatile boolean greeted;

  /** When it connected, or when its last reply was sent. */
  private volatile long heardAt;

  /** A reply that is built and not sent yet. */
  private record Answered(Message message, int bytes, PendingCommit pending, boolean done) {}

  Connection(SocketChannel channel, Client client, ConnectionContext connectionContext, Loop loop) {
    this.channel = channel;
    this.client = client;
    this.connectionContext = connectionContext;
    this.loop = loop;
    this.memory =
        new ConnectionMemory(
            connectionContext.memory(),
            client,
            connectionContext.security().login(),
            connectionContext.ticker(),
            this::tooSlow);
    this.heardAt = connectionContext.ticker().getAsLong();
    client.disconnectCheck(this::isGone);
  }

  Client client() {
    return client;
  }

  /** Registers for reading, at first or after a worker. Runs on the loop. */
  void enter() {
    attempt(
        () -> {
          if (key == null) {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            key = channel.register(loop.selector(), SelectionKey.OP_READ, this);
          } else {
            key.interestOps(SelectionKey.OP_READ);
            answered();
            goOn();
          }
        });
  }

  /** Reads available bytes. Runs on the loop. */
  void read(ByteBuffer buffer) {
    attempt(
        () -> {
          int most = Math.min(buffer.capacity(), memory.readable(frames));
          if (channel.read(buffer.clear().limit(most)) < 0) {
            if (!frames.isEmpty()) {
              throw new WireException("the connection ended in a message");
            }
            end();
            return;
          }
          frames.add(buffer.flip());
          if (known || recognized()) {
            goOn();
          }
        });
  }

  /**
   * Whether the connection continues without TLS; false if a TLS worker takes it, or too few bytes
   * have arrived.
   */
  private boolean recognized() throws IOException {
    if (!frames.hasBeginning()) {
      return false;
    }
    known = true;
    Optional<SSLContext> tls = connectionContext.security().tls();
    if (tls.isPresent() && frames.startsWithHandshake()) {
      loop.execute(() -> attempt(() -> leave(tls.get())));
      return false;
    }
    if (!connectionContext.security().plaintextPolicy().allows(client)) {
      throw new WireException("it speaks no TLS, which is required of it");
    }
    return true;
  }

  /** Leaves the loop for good: a TLS connection has a thread of its own, which blocks. */
  private void leave(SSLContext context) throws IOException {
    if (key != null) {
      key.cancel();
      loop.selector().selectNow(_ -> {});
    }
    channel.configureBlocking(true);
    connectionContext
        .workers()
        .execute(() -> attempt(() -> converseSecretly(context, frames.removeRest())));
  }

  /** Reads and answers until the client disconnects. Runs in a worker. */
  private void converseSecretly(SSLContext context, InputStream taken) throws IOException {
    try (Socket secret = context.getSocketFactory().createSocket(channel.socket(), taken, true)) {
      PushbackInputStream in = new PushbackInputStream(secret.getInputStream());
      client.disconnectCheck(() -> isGone(secret, in));
      FrameReader messages = new FrameReader(in, memory);
      OutputStream out = secret.getOutputStream();
      byte[] frame = messages.next();
      while (frame != null) {
        received(frame);
        answer(
            Message.decode(frame),
            frame.length,
            packed ->
                out.write(
                    packed.array(), packed.arrayOffset() + packed.position(), packed.remaining()));
        settle();
        frame = stopping ? null : messages.next();
      }
    } finally {
      end();
    }
  }

  /** Answers buffered messages until one of them has to wait. Runs on the loop. */
  private void goOn() throws IOException {
    boolean free = true;
    while (free) {
      byte[] frame = admitted() ? frames.next() : null;
      if (frame == null) {
        memory.received(frames.held(), false);
      }
      free = frame != null && answeredAndSent(frame);
    }
  }

  /** Claims memory for the message that has begun; reading stops until it is granted. */
  private boolean admitted() {
    if (waiting) {
      return false;
    }
    long needed = frames.needed(memory.maxMessageBytes());
    waiting = !memory.admits(needed, () -> loop.execute(this::granted));
    if (waiting && key != null) {
      key.interestOps(0);
    }
    return !waiting;
  }

  /** Continues to read a message after its memory was granted. Runs on the loop. */
  private void granted() {
    attempt(
        () -> {
          waiting = false;
          memory.granted();
          if (key != null) {
            key.interestOps(SelectionKey.OP_READ);
          }
          goOn();
        });
  }

  private void received(byte[] frame) {
    busy = true;
    greeted = true;
    memory.received(frame.length, true);
  }

  /** Answers a message; false if the reply is not sent yet. */
  private boolean answeredAndSent(byte[] frame) throws IOException {
    received(frame);
    if (Message.size(frame) > MOST_BRIEF) {
      handOver(() -> answer(Message.decode(frame), frame.length, this::write));
      return false;
    }
    Message message = Message.decode(frame);
    if (FastPath.is(message)) {
      PendingCommit pending = new PendingCommit();
      try {
        boolean done =
            connectionContext.dispatcher().answerAtOnce(client, message, pending, reply.body());
        return sent(new Answered(message, frame.length, pending, done));
      } catch (WouldBlock later) {
        LOG.log(System.Logger.Level.TRACE, "a request has to wait");
      }
    }
    handOver(() -> answer(message, frame.length, this::write));
    return false;
  }

  /** Sends a reply, unless its writes have to be committed with those of others first. */
  private boolean sent(Answered made) throws IOException {
    if (made.pending().isEmpty()) {
      return send(made);
    }
    answer = made;
    loop.answered(this);
    return false;
  }

  /** Sends the reply of this round after its writes were committed. Runs on the loop. */
  void finish() {
    attempt(
        () -> {
          Answered made = answer;
          answer = null;
          if (made != null && send(made)) {
            goOn();
          }
        });
  }

  /**
   * Waits for the disk, in a worker. The first of a round waits; the others are durable by then.
   */
  void awaitFlush() {
    Answered made = answer;
    if (made != null) {
      made.pending().awaitFlush();
    }
  }

  /** Sends the reply that waited for the disk, and reads again. Runs on the loop. */
  void flushed() {
    attempt(
        () -> {
          if (key != null) {
            key.interestOps(SelectionKey.OP_READ);
          }
        });
    finish();
  }

  Executor workers() {
    return connectionContext.workers();
  }

  /** Sends a reply; false if a worker has to send it, or its writes are not durable yet. */
  private boolean send(Answered made) throws IOException {
    boolean kept = keep(made, PendingCommit::tryCommit);
    if (!kept && made.pending().isCommitted()) {
      if (key != null) {
        key.interestOps(0);
      }
      answer = made;
      loop.unflushed(this);
      return false;
    }
    ByteBuffer packed = kept ? packed(made) : NOTHING;
    memory.sending(packed.remaining());
    channel.write(packed);
    if (!kept) {
      handOver(
          () -> {
            keep(made, Connection::keepWaiting);
            write(packed(made));
          });
      return false;
    }
    if (packed.hasRemaining()) {
      handOver(() -> write(packed));
      return false;
    }
    answered();
    return true;
  }

  private static boolean keepWaiting(PendingCommit pending) {
    pending.await();
    return true;
  }

  /** Commits the writes of the reply, or replaces the reply with the failure. */
  private boolean keep(Answered made, Predicate<PendingCommit> keeping) {
    boolean done = made.done();
    try {
      if (!keeping.test(made.pending())) {
        return false;
      }
    } catch (RuntimeException failure) {
      connectionContext.dispatcher().broken(made.message(), failure, reply.body());
      done = false;
    }
    connectionContext.dispatcher().ended(client, done);
    return true;
  }

  private ByteBuffer packed(Answered made) {
    Message message = made.message();
    ByteBuffer packed = silent(message) ? NOTHING : reply.pack(message, message.requestId(), false);
    connectionContext.totals().carried(made.bytes(), reply.size());
    return packed;
  }

  private static boolean silent(Message message) {
    return message instanceof Message.Call call && call.silent();
  }

  private void answered() {
    settle();
    if (stopping) {
      end();
    }
  }

  /** Releases the memory of the last message and its reply. */
  private void settle() {
    reply.releaseBuffer();
    memory.answered();
    heardAt = connectionContext.ticker().getAsLong();
    busy = false;
  }

  private interface Work {
    void run() throws IOException;
  }

  private interface Sending {
    void send(ByteBuffer packed) throws IOException;
  }

  /** Runs a blocking task in a worker. Called on the loop, which does not read meanwhile. */
  private void handOver(Work work) {
    if (key != null) {
      key.interestOps(0);
    }
    connectionContext
        .workers()
        .execute(
            () ->
                attempt(
                    () -> {
                      work.run();
                      loop.execute(this::enter);
                    }));
  }

  /**
   * Whether the client has closed the connection. Runs in a worker, which owns the connection;
   * bytes that arrive meanwhile are buffered.
   */
  private boolean isGone() {
    if (!frames.isEmpty()) {
      return false;
    }
    ByteBuffer next = ByteBuffer.allocate(1);
    try {
      boolean ended = channel.read(next) < 0;
      frames.add(next.flip());
      return ended;
    } catch (IOException broken) {
      LOG.log(System.Logger.Level.DEBUG, "a connection broke while it was answered", broken);
      return true;
    }
  }

  /** As {@link #isGone}, for a TLS connection. */
  private static boolean isGone(Socket secret, PushbackInputStream in) {
    try {
      int patience = secret.getSoTimeout();
      secret.setSoTimeout(1);
      try {
        int next = in.read();
        if (next >= 0) {
          in.unread(next);
        }
        return next < 0;
      } catch (SocketTimeoutException _) {
        return false;
      } finally {
        secret.setSoTimeout(patience);
      }
    } catch (IOException broken) {
      LOG.log(System.Logger.Level.DEBUG, "a connection broke while it was answered", broken);
      return true;
    }
  }

  /** Answers a message, however long it takes. Runs in a worker. */
  private void answer(Message message, int bytes, Sending sending) throws IOException {
    int responseTo = message.requestId();
    boolean more;
    do {
      boolean done = connectionContext.dispatcher().answer(client, message, reply.body());
      more =
          done
              && !stopping
              && message instanceof Message.Call call
              && connectionContext.dispatcher().streams(call);
      if (!silent(message)) {
        ByteBuffer packed = reply.pack(message, responseTo, more);
        memory.sending(packed.remaining());
        sending.send(packed);
        memory.sent();
        responseTo = reply.id();
      }
    } while (more);
    connectionContext.totals().carried(bytes, reply.size());
  }

  /** Sends the whole reply. Runs in a worker. */
  private void write(ByteBuffer packed) throws IOException {
    int start = packed.position();
    channel.write(packed);
    if (packed.hasRemaining()) {
      try (Selector room = Selector.open()) {
        channel.register(room, SelectionKey.OP_WRITE);
        while (packed.hasRemaining()) {
          memory.read(packed.position() - start);
          room.select(_ -> {}, PATIENCE_MILLIS);
          channel.write(packed);
        }
      }
    }
  }

  /** Runs a step of the connection and closes the connection if it fails. */
  private void attempt(Work work) {
    try {
      work.run();
    } catch (IOException gone) {
      LOG.log(System.Logger.Level.DEBUG, () -> client.remote() + " is gone: " + gone.getMessage());
      end();
    } catch (WireException broken) {
      connectionContext
          .warnings()
          .line(client.remote(), String.valueOf(broken.getMessage()))
          .ifPresent(line -> LOG.log(System.Logger.Level.WARNING, line));
      end();
    } catch (CancelledKeyException | ClosedSelectorException | Disconnect closed) {
      end();
    } catch (RuntimeException | Error failure) {
      // a failure must not affect other connections
      try {
        LOG.log(
            System.Logger.Level.ERROR, () -> "internal error: closing " + client.remote(), failure);
      } finally {
        end();
      }
    }
  }

  /** Called if the memory budget needs the memory of a client that neither sends nor reads. */
  private void tooSlow() {
    LOG.log(
        System.Logger.Level.INFO,
        () ->
            "disconnecting "
                + client.remote()
                + ": it sends or reads too slowly while memory for requests is used up");
    end();
  }

  /** Closes the connection of a client that takes too long to log in. Called from any thread. */
  void endIfLate(long now) {
    long silent = now - heardAt;
    long handshake = TimeUnit.MILLISECONDS.toNanos(connectionContext.security().handshakeMillis());
    if (busy || waiting || silent <= handshake) {
      return;
    }
    boolean watches = greeted && client.conversation().isEmpty();
    if (!greeted
        || (memory.beforeLogin() && silent > handshake * (watches ? WATCHERS_PATIENCE : 1))) {
      LOG.log(
          System.Logger.Level.DEBUG,
          () -> "closing " + client.remote() + ": it takes too long to say hello or to log in");
      end();
    }
  }

  /** Closes the connection after the reply in progress, or at once if there is none. */
  void stop() {
    stopping = true;
    if (!busy) {
      end();
    }
  }

  /** Closes the connection at once. */
  void end() {
    if (over.compareAndSet(false, true)) {
      try {
        channel.close();
      } catch (IOException alreadyBroken) {
        LOG.log(System.Logger.Level.DEBUG, "closing a connection failed", alreadyBroken);
      } finally {
        memory.close();
        connectionContext.onEnd().accept(this);
      }
    }
  }
}
