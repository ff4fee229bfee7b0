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
import java.nio.charset.StandardCharsets;
import java.util.Optional;
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

  /** How long to wait until the socket can be written, before the next attempt. */
  private static final long WRITE_WAIT_MILLIS = 1_000;

  /** Messages longer than this are answered by a worker. */
  private static final int MAX_FAST_BYTES = 64 << 10;

  private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

  /**
   * Factor on the handshake time for a client that has sent hello and does not log in: drivers
   * monitor servers through such connections and send a message about every ten seconds.
   */
  private static final int MONITOR_FACTOR = 10;

  private final SocketChannel channel;
  private final Client client;
  private final ConnectionContext connectionContext;
  private final Loop loop;
  private final FrameBuffer frames = new FrameBuffer();
  private final Reply reply = new Reply();
  private final ConnectionMemory memory;
  private final AtomicBoolean closed = new AtomicBoolean();
  private @Nullable SelectionKey key;
  private boolean protocolKnown;
  private @Nullable Answered answer;
  private volatile boolean busy;
  private volatile boolean stopping;

  /** Whether reading is paused until memory for the message is granted. */
  private volatile boolean waiting;

  /** Whether the client has sent a whole message. */
  private volatile boolean hasSentMessage;

  /** When it connected, or when its last reply was sent. */
  private volatile long lastActiveAt;

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
    this.lastActiveAt = connectionContext.ticker().getAsLong();
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
            processFrames();
          }
        });
  }

  /** Reads available bytes. Runs on the loop. */
  void read(ByteBuffer buffer) {
    attempt(
        () -> {
          if (answer != null) {
            // its reply waits for the disk; the client has sent more, or is gone
            interest(0);
            return;
          }
          int most = Math.min(buffer.capacity(), memory.readable(frames));
          if (channel.read(buffer.clear().limit(most)) < 0) {
            if (!frames.isEmpty()) {
              throw new WireException("the connection ended in a message");
            }
            end();
            return;
          }
          frames.add(buffer.flip());
          if (protocolKnown || isPlaintext()) {
            processFrames();
          }
        });
  }

  /**
   * Whether the connection continues without TLS; false if a TLS worker takes it, or too few bytes
   * have arrived.
   */
  private boolean isPlaintext() throws IOException {
    if (!frames.hasBeginning()) {
      return false;
    }
    protocolKnown = true;
    Optional<SSLContext> tls = connectionContext.security().tls();
    if (tls.isPresent() && frames.startsWithHandshake()) {
      loop.execute(() -> attempt(() -> moveToTlsWorker(tls.get())));
      return false;
    }
    if (frames.startsWithHttp()) {
      channel.write(browserReply());
      throw new WireException("a browser has connected to the port for MongoDB");
    }
    if (!connectionContext.security().plaintextPolicy().allows(client)) {
      throw new WireException("TLS is required");
    }
    return true;
  }

  private ByteBuffer browserReply() {
    String text = connectionContext.browserHint().get() + "\n";
    String head =
        "HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain; charset=utf-8\r\n"
            + "connection: close\r\ncontent-length: ";
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    return StandardCharsets.UTF_8.encode(head + body.length + "\r\n\r\n" + text);
  }

  /** Leaves the loop for good: a TLS connection is served by its own thread, which blocks. */
  private void moveToTlsWorker(SSLContext context) throws IOException {
    if (key != null) {
      key.cancel();
      loop.selector().selectNow(_ -> {});
    }
    channel.configureBlocking(true);
    connectionContext
        .workers()
        .execute(() -> attempt(() -> serveTls(context, frames.removeRest())));
  }

  /** Reads and answers until the client disconnects. Runs in a worker. */
  private void serveTls(SSLContext context, InputStream taken) throws IOException {
    try (Socket tlsSocket =
        context.getSocketFactory().createSocket(channel.socket(), taken, true)) {
      PushbackInputStream in = new PushbackInputStream(tlsSocket.getInputStream());
      client.disconnectCheck(() -> isGone(tlsSocket, in));
      FrameReader messages = new FrameReader(in, memory);
      OutputStream out = tlsSocket.getOutputStream();
      byte[] frame = messages.next();
      while (frame != null) {
        received(frame);
        answer(
            Message.decode(frame),
            frame.length,
            packed ->
                out.write(
                    packed.array(), packed.arrayOffset() + packed.position(), packed.remaining()));
        releaseMemory();
        frame = stopping ? null : messages.next();
      }
    } finally {
      end();
    }
  }

  /** Answers buffered messages until one of them has to wait. Runs on the loop. */
  private void processFrames() throws IOException {
    boolean free = true;
    while (free) {
      byte[] frame = claimMemory() ? frames.next() : null;
      if (frame == null) {
        memory.received(frames.held(), false);
      }
      free = frame != null && answeredAndSent(frame);
    }
  }

  /** Claims memory for the message that has begun; reading stops until it is granted. */
  private boolean claimMemory() {
    if (waiting) {
      return false;
    }
    long needed = frames.needed(memory.maxMessageBytes());
    waiting = !memory.admits(needed, () -> loop.execute(this::granted));
    if (waiting) {
      interest(0);
    }
    return !waiting;
  }

  /** Continues to read a message after its memory was granted. Runs on the loop. */
  private void granted() {
    attempt(
        () -> {
          waiting = false;
          memory.granted();
          interest(SelectionKey.OP_READ);
          processFrames();
        });
  }

  private void interest(int operations) {
    if (key != null) {
      key.interestOps(operations);
    }
  }

  private void received(byte[] frame) {
    busy = true;
    hasSentMessage = true;
    memory.received(frame.length, true);
  }

  /** Answers a message. Returns false if the reply is not sent yet. */
  private boolean answeredAndSent(byte[] frame) throws IOException {
    received(frame);
    if (Message.size(frame) > MAX_FAST_BYTES) {
      handOver(() -> answer(Message.decode(frame), frame.length, this::write));
      return false;
    }
    Message message = Message.decode(frame);
    if (FastPath.is(message)) {
      PendingCommit pending = new PendingCommit();
      try {
        boolean done =
            connectionContext.dispatcher().tryAnswer(client, message, pending, reply.body());
        return sent(new Answered(message, frame.length, pending, done));
      } catch (WouldBlock later) {
        LOG.log(System.Logger.Level.TRACE, "a request would block, a worker answers it");
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

  /**
   * Sends the reply of this round after its writes were committed and flushed. Runs on the loop.
   */
  void finish() {
    attempt(
        () -> {
          Answered made = answer;
          answer = null;
          if (made != null && send(made)) {
            interest(SelectionKey.OP_READ);
            processFrames();
          }
        });
  }

  /** Sends a reply. Returns false if a worker has to send it, or its writes are not durable yet. */
  private boolean send(Answered made) throws IOException {
    boolean committed =
        commit(made, PendingCommit::tryCommit)
            || (loop.servesOneClient() && commit(made, PendingCommit::tryFlush));
    if (!committed && made.pending().wakeAfterFlush(loop.flushSignal())) {
      answer = made;
      loop.unflushed(this);
      return false;
    }
    ByteBuffer packed = committed ? packed(made) : EMPTY;
    memory.sending(packed.remaining());
    channel.write(packed);
    if (!committed) {
      handOver(
          () -> {
            commit(made, Connection::awaitCommit);
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

  private static boolean awaitCommit(PendingCommit pending) {
    pending.await();
    return true;
  }

  /** Commits the writes of the reply, or replaces the reply with the failure. */
  private boolean commit(Answered made, Predicate<PendingCommit> committing) {
    boolean done = made.done();
    try {
      if (!committing.test(made.pending())) {
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
    ByteBuffer packed = isSilent(message) ? EMPTY : reply.pack(message, message.requestId(), false);
    connectionContext.totals().addTraffic(made.bytes(), reply.size());
    return packed;
  }

  private static boolean isSilent(Message message) {
    return message instanceof Message.Call call && call.silent();
  }

  private void answered() {
    releaseMemory();
    if (stopping) {
      end();
    }
  }

  /** Releases the memory of the last message and its reply. */
  private void releaseMemory() {
    reply.releaseBuffer();
    memory.answered();
    lastActiveAt = connectionContext.ticker().getAsLong();
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
    interest(0);
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
      LOG.log(System.Logger.Level.DEBUG, "a connection was lost during a request", broken);
      return true;
    }
  }

  /** As {@link #isGone}, for a TLS connection. */
  private static boolean isGone(Socket tlsSocket, PushbackInputStream in) {
    try {
      int timeout = tlsSocket.getSoTimeout();
      tlsSocket.setSoTimeout(1);
      try {
        int next = in.read();
        if (next >= 0) {
          in.unread(next);
        }
        return next < 0;
      } catch (SocketTimeoutException _) {
        return false;
      } finally {
        tlsSocket.setSoTimeout(timeout);
      }
    } catch (IOException broken) {
      LOG.log(System.Logger.Level.DEBUG, "a connection was lost during a request", broken);
      return true;
    }
  }

  /** Answers a message. Runs in a worker, may block. */
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
      if (!isSilent(message)) {
        ByteBuffer packed = reply.pack(message, responseTo, more);
        memory.sending(packed.remaining());
        sending.send(packed);
        memory.sent();
        responseTo = reply.id();
      }
    } while (more);
    connectionContext.totals().addTraffic(bytes, reply.size());
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
          room.select(_ -> {}, WRITE_WAIT_MILLIS);
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
      LOG.log(
          System.Logger.Level.DEBUG,
          () -> "connection to " + client.remote() + " is lost: " + gone.getMessage());
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
    long idle = now - lastActiveAt;
    long handshake = TimeUnit.MILLISECONDS.toNanos(connectionContext.security().handshakeMillis());
    if (busy || waiting || idle <= handshake) {
      return;
    }
    boolean monitors = hasSentMessage && client.conversation().isEmpty();
    if (!hasSentMessage
        || (memory.beforeLogin() && idle > handshake * (monitors ? MONITOR_FACTOR : 1))) {
      LOG.log(
          System.Logger.Level.DEBUG,
          () -> "closing " + client.remote() + ": handshake or login takes too long");
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
    if (closed.compareAndSet(false, true)) {
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
