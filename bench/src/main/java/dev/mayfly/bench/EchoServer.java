package dev.mayfly.bench;

import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Server for MongoDB's wire protocol that executes no commands: the upper bound for the MongoDB
 * door.
 *
 * <p>It reads only the name of a command and sends prepared bytes: one document of 1 KB for a find,
 * success for a write. Its throughput is the maximum for a blocking server on this machine with
 * this driver.
 */
final class EchoServer {
  private static final int HEADER = 16;
  private static final int QUERY = 2004;
  private static final int REPLY = 1;
  private static final int MSG = 2013;
  private static final int AWAIT_CAPABLE = 1 << 3;

  /** Offset of the first field's name: flags, section kind, length, type. */
  private static final int NAME = HEADER + 4 + 1 + 4 + 1;

  private static final int RESPONSE_TO = 8;

  private static final Map<String, byte[]> REPLIES =
      Map.of(
          "hello", message(hello()),
          "isMaster", message(hello()),
          "ismaster", message(hello()),
          "find", message(found()),
          "insert", message(Document.writer().put("n", 1).put("ok", 1.0).build()),
          "update", message(updated()));
  private static final byte[] OK = message(Document.writer().put("ok", 1.0).build());
  private static final byte[] GREETING = greeting();

  private EchoServer() {}

  /** Serves until the process ends. */
  public static void main(String[] arguments) throws IOException {
    try (ServerSocket listener = new ServerSocket(0, 64, InetAddress.getLoopbackAddress())) {
      System.out.println("mongodb://127.0.0.1:" + listener.getLocalPort());
      while (true) {
        Socket socket = listener.accept();
        Thread.ofPlatform().start(() -> serve(socket));
      }
    }
  }

  private static void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      InputStream in = socket.getInputStream();
      OutputStream out = socket.getOutputStream();
      byte[] buffer = new byte[64 << 10];
      while (fill(in, buffer)) {
        byte[] reply = reply(buffer).clone();
        System.arraycopy(buffer, 4, reply, RESPONSE_TO, 4);
        out.write(reply);
      }
    } catch (IOException closed) {
      System.err.println(closed.getMessage());
    }
  }

  /** Reads one message, mostly in one read: clients send the next one only after the reply. */
  private static boolean fill(InputStream in, byte[] buffer) throws IOException {
    int filled = 0;
    while (filled < 4 || filled < int32(buffer, 0)) {
      int read = in.read(buffer, filled, buffer.length - filled);
      if (read < 0) {
        return false;
      }
      filled += read;
    }
    return true;
  }

  private static byte[] reply(byte[] frame) {
    if (int32(frame, 12) == QUERY) {
      return GREETING;
    }
    int end = NAME;
    while (frame[end] != 0) {
      end++;
    }
    String name = new String(frame, NAME, end - NAME, StandardCharsets.UTF_8);
    return REPLIES.getOrDefault(name, OK);
  }

  private static Document hello() {
    return Document.writer()
        .put("helloOk", true)
        .put("ismaster", true)
        .put("isWritablePrimary", true)
        .put("maxBsonObjectSize", 16 << 20)
        .put("maxMessageSizeBytes", 48_000_000)
        .put("maxWriteBatchSize", 100_000)
        .put("localTime", Value.date(0))
        .put("logicalSessionTimeoutMinutes", 30)
        .put("minWireVersion", 0)
        .put("maxWireVersion", 21)
        .put("readOnly", false)
        .put("ok", 1.0)
        .build();
  }

  private static Document found() {
    return Document.writer()
        .startDocument("cursor")
        .put("firstBatch", Value.array(List.of(Value.of(Workload.order(7, 7)))))
        .put("id", 0L)
        .put("ns", "bench.orders")
        .end()
        .put("ok", 1.0)
        .build();
  }

  private static Document updated() {
    return Document.writer().put("n", 1).put("nModified", 1).put("ok", 1.0).build();
  }

  private static byte[] message(Document body) {
    byte[] bytes = body.bytes();
    int length = HEADER + 5 + bytes.length;
    return header(length, MSG).putInt(0).put((byte) 0).put(bytes).array();
  }

  private static byte[] greeting() {
    byte[] bytes = hello().bytes();
    int length = HEADER + 20 + bytes.length;
    return header(length, REPLY)
        .putInt(AWAIT_CAPABLE)
        .putLong(0)
        .putInt(0)
        .putInt(1)
        .put(bytes)
        .array();
  }

  private static ByteBuffer header(int length, int kind) {
    return ByteBuffer.allocate(length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(length)
        .putInt(1)
        .putInt(0)
        .putInt(kind);
  }

  private static int int32(byte[] buffer, int offset) {
    return ByteBuffer.wrap(buffer).order(ByteOrder.LITTLE_ENDIAN).getInt(offset);
  }
}
