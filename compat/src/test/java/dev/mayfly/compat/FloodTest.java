package dev.mayfly.compat;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.DeflaterOutputStream;
import org.bson.Document;
import org.junit.jupiter.api.Test;

/** Many connections request more memory than a server of 512 MiB has; other clients are served. */
final class FloodTest {
  private static final int ATTACKERS = 500;
  private static final int DECLARED_LENGTH = 47_999_999;

  /** Together they send three times the heap, if the server reads it. */
  private static final int SENT_EACH = 3 << 20;

  private static final int COMPRESSED = 2012;
  private static final int MSG = 2013;

  private final List<SocketChannel> attackers = new ArrayList<>();

  private void connect(InetSocketAddress address, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      SocketChannel channel = SocketChannel.open();
      channel.setOption(StandardSocketOptions.SO_SNDBUF, 64 << 10);
      channel.connect(address);
      channel.configureBlocking(false);
      attackers.add(channel);
    }
  }

  private void disconnect() throws IOException {
    for (SocketChannel attacker : attackers) {
      attacker.close();
    }
    attackers.clear();
  }

  private static InetSocketAddress mongo(ServerProcess server) {
    String[] host = new ConnectionString(server.uri()).getHosts().getFirst().split(":", -1);
    return new InetSocketAddress(host[0], Integer.parseInt(host[1]));
  }

  private static InetSocketAddress cosmos(ServerProcess server) {
    URI endpoint = URI.create(server.cosmosEndpoint());
    return new InetSocketAddress(endpoint.getHost(), endpoint.getPort());
  }

  /** All attackers send as much as the server reads, piece by piece, while a client works. */
  private void sendSlowly(byte[] head, int each, MongoCollection<Document> other)
      throws IOException {
    ByteBuffer zeros = ByteBuffer.allocate(128 << 10);
    for (SocketChannel attacker : attackers) {
      attacker.write(ByteBuffer.wrap(head));
    }
    for (int sent = 0; sent < each; sent += zeros.capacity()) {
      for (SocketChannel attacker : attackers) {
        try {
          attacker.write(zeros.clear());
        } catch (IOException disconnected) {
          // the server may close the connection of an attacker
          attacker.close();
        }
      }
      attackers.removeIf(attacker -> !attacker.isOpen());
      assertServed(other);
    }
  }

  private static void assertServed(MongoCollection<Document> other) {
    other.insertOne(new Document("text", "x".repeat(100_000)));
    assertThat(other.find().sort(new Document("_id", -1)).first()).isNotNull();
  }

  private static MongoCollection<Document> things(MongoClient client) {
    return client.getDatabase("flood").getCollection("things");
  }

  @Test
  void slowLargeMessagesDoNotBlockOthers() throws IOException {
    try (ServerProcess server = ServerProcess.inMemory();
        MongoClient client = server.client()) {
      connect(mongo(server), ATTACKERS);
      byte[] head = message(MSG, DECLARED_LENGTH, new byte[0]);
      sendSlowly(head, SENT_EACH, things(client));
      disconnect();
      assertServed(things(client));
    }
  }

  @Test
  void compressedBombsDoNotBlockOthers() throws IOException {
    try (ServerProcess server = ServerProcess.inMemory();
        MongoClient client = server.client()) {
      connect(mongo(server), 60);
      byte[] bomb = bomb();
      for (SocketChannel attacker : attackers) {
        attacker.configureBlocking(true);
        attacker.write(ByteBuffer.wrap(bomb));
      }
      for (int i = 0; i < 20; i++) {
        assertServed(things(client));
      }
      disconnect();
      assertServed(things(client));
    }
  }

  @Test
  void slowHttpBodiesDoNotBlockOthers() throws IOException {
    try (ServerProcess server = ServerProcess.inMemory();
        MongoClient client = server.client()) {
      connect(cosmos(server), ATTACKERS);
      int length = 2 << 20;
      String head =
          "POST /dbs/d/colls/c/docs HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
              + length
              + "\r\n\r\n";
      sendSlowly(head.getBytes(UTF_8), length - (256 << 10), things(client));
      disconnect();
      assertServed(things(client));
    }
  }

  @Test
  void unreadRepliesDoNotBlockOthers() throws IOException {
    try (ServerProcess server = ServerProcess.inMemory();
        MongoClient client = server.client()) {
      things(client).insertOne(new Document("_id", "large").append("text", "x".repeat(12 << 20)));
      connect(mongo(server), 100);
      byte[] find = call("find", "things", "filter", new Document("_id", "large"));
      for (SocketChannel attacker : attackers) {
        attacker.write(ByteBuffer.wrap(find));
      }
      MongoCollection<Document> others = client.getDatabase("flood").getCollection("others");
      for (int i = 0; i < 20; i++) {
        assertServed(others);
      }
      disconnect();
      assertThat(things(client).find(new Document("_id", "large")).first()).isNotNull();
    }
  }

  /** The beginning of a message with a given length. */
  private static byte[] message(int kind, int length, byte[] content) {
    return ByteBuffer.allocate(16 + content.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(length)
        .putInt(1)
        .putInt(0)
        .putInt(kind)
        .put(content)
        .array();
  }

  /** A compressed message of some kilobytes that decompresses to 47 MB. */
  private static byte[] bomb() throws IOException {
    int uncompressed = 47 << 20;
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    compressed.writeBytes(
        ByteBuffer.allocate(9)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(MSG)
            .putInt(uncompressed > DECLARED_LENGTH - 16 ? DECLARED_LENGTH - 16 : uncompressed)
            .put((byte) 2)
            .array());
    try (DeflaterOutputStream deflating = new DeflaterOutputStream(compressed)) {
      byte[] zeros = new byte[1 << 20];
      int left = Math.min(uncompressed, DECLARED_LENGTH - 16);
      while (left > 0) {
        deflating.write(zeros, 0, Math.min(left, zeros.length));
        left -= Math.min(left, zeros.length);
      }
    }
    return message(COMPRESSED, 16 + compressed.size(), compressed.toByteArray());
  }

  private static byte[] call(String command, String target, String field, Document value) {
    org.bson.RawBsonDocument body =
        org.bson.RawBsonDocument.parse(
            new Document(command, target).append(field, value).append("$db", "flood").toJson());
    ByteBuffer bytes = body.getByteBuffer().asNIO();
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    content.writeBytes(new byte[5]);
    byte[] document = new byte[bytes.remaining()];
    bytes.get(document);
    content.writeBytes(document);
    return message(MSG, 16 + content.size(), content.toByteArray());
  }
}
