package dev.mayfly.mongo.failpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.mongo.CommandSettings;
import dev.mayfly.mongo.MongoDoor;
import dev.mayfly.mongo.MongoSettings;
import dev.mayfly.mongo.testing.Frames;
import dev.mayfly.mongo.testing.RawClient;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Fail points of {@code configureFailPoint}. */
final class FailPointTest {
  private static final String LSID =
      "\"lsid\":{\"id\":{\"$uuid\":\"00000000-0000-4000-8000-000000000001\"}}";
  private static final String RETRYABLE = LSID + ",\"txnNumber\":{\"$numberLong\":\"1\"}";
  private static final String BEGIN = RETRYABLE + ",\"autocommit\":false,\"startTransaction\":true";

  private final MongoSettings settings =
      MongoSettings.standard(System::nanoTime).withAddress("127.0.0.1", 0).withLoops(1);
  private MemoryStore store;
  private Engine engine;
  private MongoDoor door;
  private RawClient client;

  @BeforeEach
  void open() throws IOException {
    store = new MemoryStore();
    engine =
        LocalEngine.open(
            store,
            () -> 1_700_000_000_123L,
            EngineSettings.standard(() -> 0).withBackground(false));
    door = MongoDoor.open(engine, settings.withWork(CommandSettings.STANDARD.withTestCommands()));
    client = new RawClient(door.address());
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    door.close();
    engine.close();
    store.close();
  }

  /** Sets the fail point {@code failCommand} on a separate connection. */
  private Document fail(String mode, String data) throws IOException {
    return set("failCommand", mode, data);
  }

  private Document set(String point, String mode, String data) throws IOException {
    try (RawClient test = new RawClient(door.address())) {
      Document reply =
          test.call(
              "{\"configureFailPoint\":\""
                  + point
                  + "\",\"mode\":"
                  + mode
                  + ",\"data\":{"
                  + data
                  + "},\"$db\":\"admin\"}");
      assertThat(reply.field("ok").asDouble()).as(reply.toString()).isEqualTo(1);
      return reply;
    }
  }

  private Document insert(int id, String options) throws IOException {
    return client.call(
        "{\"insert\":\"c\",\"documents\":[{\"_id\":" + id + "}]," + options + "\"$db\":\"d\"}");
  }

  private int count() throws IOException {
    return client.call("{\"count\":\"c\",\"$db\":\"d\"}").field("n").asInt();
  }

  @Test
  void failPointsNeedTestCommands() throws IOException {
    try (MongoDoor plain = MongoDoor.open(engine, settings);
        RawClient other = new RawClient(plain.address())) {
      Document reply =
          other.call("{\"configureFailPoint\":\"failCommand\",\"mode\":\"off\",\"$db\":\"admin\"}");
      assertThat(reply.field("code").asInt()).isEqualTo(59);
    }
  }

  @Test
  void modeTimesFailsTheFirstCommands() throws IOException {
    fail("{\"times\":2}", "\"failCommands\":[\"insert\"],\"errorCode\":11600");
    for (int i = 0; i < 2; i++) {
      Document refused = insert(1, "");
      assertThat(refused.field("ok").asDouble()).isZero();
      assertThat(refused.field("code").asInt()).isEqualTo(11600);
      assertThat(refused.field("codeName").asString()).isEqualTo("InterruptedAtShutdown");
      assertThat(refused.field("errorLabels").isMissing()).isTrue();
    }
    assertThat(count()).isZero();
    assertThat(insert(1, "").field("n").asInt()).isEqualTo(1);
    assertThat(fail("\"off\"", "").field("count").asLong()).isEqualTo(2);
  }

  @Test
  void modeSkipFailsAllButTheFirstCommands() throws IOException {
    fail("{\"skip\":1}", "\"failCommands\":[\"insert\"],\"errorCode\":2");
    assertThat(insert(1, "").field("ok").asDouble()).isEqualTo(1);
    assertThat(insert(2, "").field("code").asInt()).isEqualTo(2);
    assertThat(insert(2, "").field("code").asInt()).isEqualTo(2);
    fail("\"off\"", "");
    assertThat(insert(2, "").field("ok").asDouble()).isEqualTo(1);
  }

  @Test
  void injectedErrorsHaveErrorLabels() throws IOException {
    String again = "\"failCommands\":[\"insert\"],\"errorCode\":91";
    fail("\"alwaysOn\"", again);
    assertThat(labels(insert(1, RETRYABLE + ","))).isEqualTo("[\"RetryableWriteError\"]");
    assertThat(labels(insert(1, BEGIN + ","))).isEqualTo("[\"TransientTransactionError\"]");
    fail("\"alwaysOn\"", again + ",\"errorLabels\":[]");
    assertThat(insert(1, RETRYABLE + ",").field("errorLabels").isMissing()).isTrue();
    fail("\"alwaysOn\"", again + ",\"errorLabels\":[\"Mine\"]");
    assertThat(labels(insert(1, ""))).isEqualTo("[\"Mine\"]");
  }

  private static String labels(Document reply) {
    return reply.field("errorLabels").toString();
  }

  @Test
  void failedCommitCanBeRetried() throws IOException {
    insert(0, "");
    assertThat(insert(1, BEGIN + ",").field("ok").asDouble()).isEqualTo(1);
    fail("{\"times\":1}", "\"failCommands\":[\"commitTransaction\"],\"errorCode\":10107");
    String commit =
        "{\"commitTransaction\":1," + RETRYABLE + ",\"autocommit\":false,\"$db\":\"admin\"}";
    assertThat(labels(client.call(commit))).isEqualTo("[\"RetryableWriteError\"]");
    assertThat(client.call(commit).field("ok").asDouble()).isEqualTo(1);
    assertThat(count()).isEqualTo(2);
  }

  @Test
  void closeConnectionClosesTheConnection() throws IOException {
    fail("{\"times\":1}", "\"failCommands\":[\"ping\"],\"closeConnection\":true");
    client.send(Frames.msg(1, 0, "{\"ping\":1,\"$db\":\"d\"}"));
    assertThat(client.closed()).isTrue();
  }

  @Test
  void blockConnectionBlocksOnlyItsCommand() throws IOException {
    insert(1, "");
    fail(
        "\"alwaysOn\"",
        "\"failCommands\":[\"find\"],\"blockConnection\":true,\"blockTimeMS\":600000");
    client.send(
        Frames.msg(
            1, 0, "{\"find\":\"c\",\"filter\":{\"_id\":1},\"maxTimeMS\":300,\"$db\":\"d\"}"));
    try (RawClient other = new RawClient(door.address())) {
      assertThat(other.call("{\"ping\":1,\"$db\":\"d\"}").field("ok").asDouble()).isEqualTo(1);
    }
    assertThat(client.answer().body().field("code").asInt()).isEqualTo(50);
  }

  @Test
  void writeConcernErrorIsAddedToTheReply() throws IOException {
    fail(
        "{\"times\":1}",
        "\"failCommands\":[\"insert\"],\"writeConcernError\":{\"code\":91,\"errmsg\":\"no\"}");
    Document reply = insert(1, RETRYABLE + ",");
    assertThat(reply.field("n").asInt()).isEqualTo(1);
    assertThat(reply.field("writeConcernError").asDocument().field("code").asInt()).isEqualTo(91);
    assertThat(labels(reply)).isEqualTo("[\"RetryableWriteError\"]");
  }

  @Test
  void appNameSelectsTheClient() throws IOException {
    fail("\"alwaysOn\"", "\"failCommands\":[\"ping\"],\"errorCode\":2,\"appName\":\"mine\"");
    String ping = "{\"ping\":1,\"$db\":\"d\"}";
    assertThat(client.call(ping).field("ok").asDouble()).isEqualTo(1);
    client.call("{\"hello\":1,\"client\":{\"application\":{\"name\":\"mine\"}},\"$db\":\"admin\"}");
    assertThat(client.call(ping).field("code").asInt()).isEqualTo(2);
  }

  @Test
  void failedChangeStreamIsResumable() throws IOException {
    insert(1, "");
    Document cursor =
        client
            .call(
                "{\"aggregate\":\"c\",\"pipeline\":[{\"$changeStream\":{}}],\"cursor\":{},"
                    + "\"$db\":\"d\"}")
            .field("cursor")
            .asDocument();
    set("failGetMoreAfterCursorCheckout", "{\"times\":1}", "\"errorCode\":6");
    Document refused =
        client.call(
            "{\"getMore\":{\"$numberLong\":\""
                + cursor.field("id").asLong()
                + "\"},\"collection\":\"c\",\"$db\":\"d\"}");
    assertThat(refused.field("codeName").asString()).isEqualTo("HostUnreachable");
    assertThat(labels(refused)).isEqualTo("[\"ResumableChangeStreamError\"]");
  }

  @Test
  void retriedWriteIsAppliedOnce() throws IOException {
    insert(0, "");
    String point = "onPrimaryTransactionalWrite";
    set(point, "{\"times\":1}", "");
    String insert =
        "{\"insert\":\"c\",\"documents\":[{\"_id\":1}]," + RETRYABLE + ",\"$db\":\"d\"}";
    client.send(Frames.msg(1, 0, insert));
    assertThat(client.closed()).isTrue();
    client = new RawClient(door.address());
    assertThat(client.call(insert).field("n").asInt()).isEqualTo(1);
    assertThat(count()).isEqualTo(2);
  }

  @Test
  void invalidFailPointsFail() throws IOException {
    assertThat(errorCode("{\"configureFailPoint\":\"other\",\"mode\":\"off\"")).isEqualTo(266);
    assertThat(errorCode("{\"configureFailPoint\":\"failCommand\"")).isEqualTo(20);
    assertThat(errorCode("{\"configureFailPoint\":\"failCommand\",\"mode\":\"on\"")).isEqualTo(2);
  }

  private int errorCode(String command) throws IOException {
    return client.call(command + ",\"$db\":\"admin\"}").field("code").asInt();
  }
}
