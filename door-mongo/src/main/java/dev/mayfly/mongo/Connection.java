package dev.mayfly.mongo;

import dev.mayfly.mongo.MongoSettings.Security;
import dev.mayfly.mongo.admin.Totals;
import dev.mayfly.mongo.command.Client;
import dev.mayfly.mongo.wire.FrameReader;
import dev.mayfly.mongo.wire.Message;
import dev.mayfly.mongo.wire.Reply;
import dev.mayfly.mongo.wire.WireException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;

/**
 * One conversation with one client: a message is read, answered, and only then the next is read.
 *
 * <p>Runs in a thread of its own; whoever stops it does so from another.
 */
final class Connection implements Runnable {
  private static final System.Logger LOG = System.getLogger(Connection.class.getName());

  private final Socket socket;
  private final Security security;
  private final Client client;
  private final Dispatcher dispatcher;
  private final Totals totals;
  private final Consumer<Connection> onEnd;
  private final Reply reply = new Reply();
  private volatile boolean busy;
  private volatile boolean stopping;

  Connection(
      Socket socket,
      Security security,
      Client client,
      Dispatcher dispatcher,
      Totals totals,
      Consumer<Connection> onEnd) {
    this.socket = socket;
    this.security = security;
    this.client = client;
    this.dispatcher = dispatcher;
    this.totals = totals;
    this.onEnd = onEnd;
  }

  Client client() {
    return client;
  }

  @Override
  public void run() {
    try (socket) {
      socket.setTcpNoDelay(true);
      socket.setKeepAlive(true);
      FrameReader plain = new FrameReader(socket.getInputStream());
      Optional<SSLContext> tls = security.tls();
      if (tls.isPresent() && plain.startsWithHandshake()) {
        converseSecretly(tls.get(), plain);
      } else if (!security.plain().allows(client)) {
        throw new WireException("it speaks no TLS, which is required of it");
      } else {
        converse(plain, socket.getOutputStream());
      }
    } catch (IOException gone) {
      LOG.log(System.Logger.Level.DEBUG, () -> client.remote() + " is gone: " + gone.getMessage());
    } catch (WireException broken) {
      LOG.log(
          System.Logger.Level.WARNING,
          () -> "closing " + client.remote() + ": " + broken.getMessage());
    } finally {
      onEnd.accept(this);
    }
  }

  /** What was read to find out that it is a handshake is given to those who make it. */
  private void converseSecretly(SSLContext context, FrameReader plain) throws IOException {
    SSLSocketFactory sockets = context.getSocketFactory();
    try (Socket secret = sockets.createSocket(socket, plain.taken(), true)) {
      converse(new FrameReader(secret.getInputStream()), secret.getOutputStream());
    }
  }

  private void converse(FrameReader frames, OutputStream out) throws IOException {
    for (byte[] frame = frames.next(); frame != null; frame = frames.next()) {
      busy = true;
      answer(Message.decode(frame), out);
      totals.carried(frame.length, reply.size());
      busy = false;
      if (stopping) {
        return;
      }
    }
  }

  private void answer(Message message, OutputStream out) throws IOException {
    boolean silent = message instanceof Message.Call call && call.silent();
    boolean streams = message instanceof Message.Call call && Dispatcher.streams(call);
    int responseTo = message.requestId();
    boolean more;
    do {
      boolean done = dispatcher.answer(client, message, reply.body());
      if (silent) {
        return;
      }
      more = streams && done && !stopping;
      responseTo = reply.send(out, message, responseTo, more);
    } while (more);
  }

  /** Ends the conversation after the reply that is being made, or at once when there is none. */
  void stop() {
    stopping = true;
    if (!busy) {
      end();
    }
  }

  /** Ends the conversation whatever is going on. */
  void end() {
    try {
      socket.close();
    } catch (IOException alreadyBroken) {
      LOG.log(System.Logger.Level.DEBUG, "closing a connection failed", alreadyBroken);
    }
  }
}
