package dev.mayfly.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.mongo.testing.Frames;
import dev.mayfly.mongo.testing.RawClient;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many connections share one event loop and do not affect each other. */
final class LoopTest {
  private static final int CLIENTS = 20;

  private final MongoSettings settings =
      MongoSettings.standard(() -> 0).withAddress("127.0.0.1", 0).withLoops(1);
  private MemoryStore store;
  private Engine engine;
  private MongoDoor door;

  @BeforeEach
  void open() throws IOException {
    store = new MemoryStore();
    engine = engine();
    door = MongoDoor.open(engine, settings);
    try (RawClient client = new RawClient(door.address())) {
      assertThat(client.call(insert(0)).field("n").asInt()).isEqualTo(1);
    }
  }

  private Engine engine() {
    return LocalEngine.open(
        store, () -> 1_700_000_000_123L, EngineSettings.standard(() -> 0).withBackground(false));
  }

  @AfterEach
  void close() {
    door.close();
    engine.close();
    store.close();
  }

  @Test
  void writesOfManyClientsAreExecuted() throws IOException {
    List<RawClient> clients = new ArrayList<>();
    try {
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(new RawClient(door.address()));
      }
      for (RawClient client : clients) {
        client.send(Frames.msg(1, 0, increment(0)));
      }
      for (RawClient client : clients) {
        assertThat(client.answer().body().field("nModified").asInt()).isEqualTo(1);
      }
      assertThat(clients.getFirst().call(find(0))).asString().contains("\"n\":" + CLIENTS);
    } finally {
      for (RawClient client : clients) {
        client.close();
      }
    }
  }

  @Test
  void pipelinedMessagesAreAnsweredInOrder() throws IOException {
    ByteArrayOutputStream together = new ByteArrayOutputStream();
    for (int i = 1; i <= 30; i++) {
      String brief = i % 2 == 0 ? increment(0) : "{\"count\":\"things\",\"$db\":\"d\"}";
      together.writeBytes(Frames.msg(i, 0, brief));
    }
    try (RawClient client = new RawClient(door.address())) {
      client.send(together.toByteArray());
      for (int i = 1; i <= 30; i++) {
        RawClient.Answer answer = client.answer();
        assertThat(answer.responseTo()).isEqualTo(i);
        assertThat(answer.body().field("n").asInt()).isEqualTo(1);
      }
    }
  }

  @Test
  void findsByAnIndexAreAnsweredShortOrLong() throws IOException {
    try (RawClient client = new RawClient(door.address())) {
      client.call(
          "{\"createIndexes\":\"things\",\"$db\":\"d\","
              + "\"indexes\":[{\"key\":{\"n\":1},\"name\":\"n_1\"}]}");
      for (int i = 1; i <= 120; i++) {
        client.call(insert(i));
      }
      client.call(increment(7));
      for (int i = 0; i < 20; i++) {
        Document few = client.call(findByN(1, 101)).field("cursor").asDocument();
        assertThat(few.field("firstBatch").asDocument().toString()).contains("\"_id\":7");
        assertThat(few.field("id").asLong()).isZero();
        Document many = client.call(findByN(0, 101)).field("cursor").asDocument();
        assertThat(many.field("id").asLong()).as("more than a batch").isNotZero();
        Document first = client.call(findByN(0, 5)).field("cursor").asDocument();
        assertThat(first.field("id").asLong()).as("more than a small batch").isNotZero();
      }
    }
  }

  private static String findByN(int n, int batch) {
    return "{\"find\":\"things\",\"$db\":\"d\",\"filter\":{\"n\":"
        + n
        + "},\"batchSize\":"
        + batch
        + "}";
  }

  @Test
  void messageMayArriveByteByByte() throws IOException {
    byte[] frame = Frames.msg(7, 0, increment(0));
    try (RawClient slow = new RawClient(door.address());
        RawClient other = new RawClient(door.address())) {
      for (byte one : frame) {
        slow.send(new byte[] {one});
        assertThat(other.call(find(0)).field("ok").asDouble()).isEqualTo(1.0);
      }
      assertThat(slow.answer().responseTo()).isEqualTo(7);
    }
  }

  @Test
  void slowReaderDoesNotBlockOthers() throws IOException {
    try (RawClient deaf = new RawClient(door.address());
        RawClient other = new RawClient(door.address())) {
      String large = "x".repeat(8 << 20);
      deaf.call(
          "{\"insert\":\"things\",\"$db\":\"d\",\"documents\":[{\"_id\":1,\"t\":\""
              + large
              + "\"}]}");
      for (int i = 0; i < 8; i++) {
        deaf.send(Frames.msg(10 + i, 0, find(1)));
      }
      assertThat(other.call(increment(0)).field("nModified").asInt()).isEqualTo(1);
      for (int i = 0; i < 8; i++) {
        assertThat(deaf.answer().body().length()).isGreaterThan(8 << 20);
      }
    }
  }

  @Test
  void failedCommitIsNotAcknowledged() throws IOException {
    try (Engine successor = engine();
        RawClient client = new RawClient(door.address())) {
      Document refused = client.call(increment(0));
      assertThat(refused.field("ok").asDouble()).isZero();
      assertThat(refused.field("code").asInt()).isEqualTo(10107);
      assertThat(successor.now()).isPositive();
      Document found = client.call(find(0));
      assertThat(found).asString().contains("\"n\":0");
    }
  }

  @Test
  void longCommandDoesNotBlockTheEventLoop() throws IOException {
    try (RawClient waiting = new RawClient(door.address());
        RawClient other = new RawClient(door.address())) {
      String hello = "{\"hello\":1,\"$db\":\"admin\",\"maxAwaitTimeMS\":60000,\"topologyVersion\":";
      Document first = waiting.call("{\"hello\":1,\"$db\":\"admin\"}");
      waiting.send(Frames.msg(2, 0, hello + first.field("topologyVersion") + "}"));
      assertThat(other.call(find(0)).field("ok").asDouble()).isEqualTo(1.0);
    }
  }

  private static String insert(int id) {
    return "{\"insert\":\"things\",\"$db\":\"d\",\"documents\":[{\"_id\":" + id + ",\"n\":0}]}";
  }

  private static String increment(int id) {
    return "{\"update\":\"things\",\"$db\":\"d\",\"updates\":[{\"q\":{\"_id\":"
        + id
        + "},\"u\":{\"$inc\":{\"n\":1}}}]}";
  }

  private static String find(int id) {
    return "{\"find\":\"things\",\"$db\":\"d\",\"filter\":{\"_id\":" + id + "}}";
  }
}
