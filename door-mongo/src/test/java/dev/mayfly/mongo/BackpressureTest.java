package dev.mayfly.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.mongo.auth.Login;
import dev.mayfly.mongo.testing.Frames;
import dev.mayfly.mongo.testing.RawClient;
import dev.mayfly.net.ByteBudget;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients that send or read slowly, or send large messages before login, do not affect others. */
final class BackpressureTest {
  private static final String PING = "{\"ping\":1,\"$db\":\"admin\"}";
  private static final String HELLO = "{\"hello\":1,\"$db\":\"admin\"}";
  private static final int MIB = 1 << 20;

  private final AtomicLong nanos = new AtomicLong();

  /** How long a request runs after it has read the clock, which it does when it begins. */
  private final AtomicLong nanosPerRequest = new AtomicLong();

  private final ByteBudget budget = new ByteBudget(5 * MIB);
  private final List<RawClient> clients = new ArrayList<>();
  private final MemoryStore store = new MemoryStore();
  private final Engine engine =
      LocalEngine.open(
          store, this::clock, EngineSettings.standard(nanos::get).withBackground(false));
  private MongoDoor door = open(Login.REMOTE);

  private long clock() {
    nanos.addAndGet(nanosPerRequest.get());
    return 1_700_000_000_123L;
  }

  private MongoDoor open(Login login) {
    return MongoDoor.open(
        engine,
        MongoSettings.standard(nanos::get)
            .withAddress("127.0.0.1", 0)
            .withMemory(budget)
            .withLogin(login)
            .withHandshakeMillis(30_000));
  }

  private void reopen(Login login) {
    door.close();
    door = open(login);
  }

  @AfterEach
  void close() throws IOException {
    for (RawClient client : clients) {
      client.close();
    }
    door.close();
    engine.close();
    store.close();
  }

  private RawClient connect() throws IOException {
    RawClient client = new RawClient(door.address());
    clients.add(client);
    return client;
  }

  /** The first bytes of a message with this length. */
  private static byte[] begun(int announced, int sent) {
    byte[] head =
        ByteBuffer.allocate(16)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(announced)
            .putInt(1)
            .putInt(0)
            .putInt(Frames.MSG)
            .array();
    return Arrays.copyOf(head, sent);
  }

  private void seconds(long more) {
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(more));
  }

  /** Calls the server from another connection until a condition holds. */
  private void await(BooleanSupplier condition) throws IOException {
    RawClient other = connect();
    for (int i = 0; i < 1_000_000 && !condition.getAsBoolean(); i++) {
      assertThat(other.call(PING).field("ok").asDouble()).isEqualTo(1.0);
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }

  @Test
  void messageAbove16KibBeforeLoginClosesTheConnection() throws IOException {
    reopen(Login.ALWAYS);
    assertThat(connect().send(begun((16 << 10) + 1, 16)).closed()).isTrue();
    String comment = "x".repeat(16_000);
    Document hello = connect().call(HELLO.replace("}", ",\"comment\":\"" + comment + "\"}"));
    assertThat(hello.field("ok").asDouble()).isEqualTo(1.0);
  }

  @Test
  void uncompressedSizeCountsBeforeLogin() throws IOException {
    reopen(Login.ALWAYS);
    assertThat(connect().send(packed(100_000)).closed()).isTrue();
    assertThat(connect().send(packed(10_000)).answered()).isTrue();
  }

  /** A compressed message with invalid contents. */
  private static byte[] packed(int size) throws IOException {
    ByteArrayOutputStream zlib = new ByteArrayOutputStream();
    try (DeflaterOutputStream deflating = new DeflaterOutputStream(zlib)) {
      deflating.write(Frames.int32(0));
      deflating.write(new byte[size - 4]);
    }
    return Frames.frame(
        7,
        Frames.COMPRESSED,
        Frames.int32(Frames.MSG),
        Frames.int32(size),
        new byte[] {2},
        zlib.toByteArray());
  }

  @Test
  void silentClientIsDisconnectedBeforeLogin() throws IOException {
    RawClient silent = connect();
    RawClient slow = connect().send(begun(1000, 10));
    RawClient pooled = connect();
    pooled.call(HELLO);
    seconds(31);
    assertThat(silent.closed()).isTrue();
    assertThat(slow.closed()).isTrue();
    seconds(100_000);
    assertThat(connect().call(HELLO).field("ok").asDouble()).isEqualTo(1.0);
    assertThat(pooled.call(PING).field("ok").asDouble()).as("idle, and stays").isEqualTo(1.0);
  }

  @Test
  void clientWithoutLoginMayMonitorButNotIdle() throws IOException {
    reopen(Login.ALWAYS);
    RawClient watching = connect();
    watching.call(HELLO);
    RawClient loggingIn = connect();
    loggingIn.call(HELLO);
    loggingIn.call(
        "{\"saslStart\":1,\"mechanism\":\"SCRAM-SHA-256\",\"$db\":\"admin\",\"payload\":"
            + "{\"$binary\":{\"base64\":\"bixuPWEscj1h\",\"subType\":\"00\"}}}");
    seconds(31);
    RawClient silent = connect();
    connect().call(HELLO);
    seconds(31);
    assertThat(silent.closed()).isTrue();
    assertThat(watching.call(HELLO).field("ok").asDouble()).isEqualTo(1.0);
    await(
        () -> {
          // less than the idle limit of the other clients, which send a message in between
          seconds(10);
          return door.connections() == 1;
        });
    assertThat(watching.closed()).isTrue();
  }

  @Test
  void slowLargeMessagesDoNotBlockOthers() throws IOException {
    for (int i = 0; i < 100; i++) {
      connect().send(begun(48_000_000, 20_000));
    }
    await(() -> budget.waiting() == 99);
    assertThat(budget.usedBytes()).isEqualTo(48_000_000);
    RawClient other = connect();
    assertThat(other.call(insert(1, 900_000)).field("n").asInt()).isEqualTo(1);
    assertThat(other.call(insert(2, 3 * MIB)).field("n").asInt()).isEqualTo(1);
    for (RawClient client : clients) {
      client.close();
    }
    clients.clear();
    await(() -> budget.usedBytes() == 0);
    assertThat(budget.waiting()).isZero();
  }

  @Test
  void messageThatWaitedForMemoryIsAnswered() throws IOException {
    RawClient first = connect().send(begun(48_000_000, 20_000));
    await(() -> budget.usedBytes() > 0);
    String document = "{\"t\":\"" + "x".repeat(10 * MIB) + "\"}";
    byte[] large =
        Frames.frame(
            9,
            Frames.MSG,
            Frames.int32(0),
            Frames.body("{\"insert\":\"things\",\"$db\":\"d\"}"),
            Frames.sequence("documents", document, document));
    RawClient second = connect();
    Thread sending = Thread.ofVirtual().start(() -> sent(second, large));
    await(() -> budget.waiting() == 1);
    first.close();
    assertThat(second.answer().responseTo()).isEqualTo(9);
    assertThat(sending.isAlive()).isFalse();
    await(() -> budget.usedBytes() == 0);
  }

  private static void sent(RawClient client, byte[] frame) {
    try {
      client.send(frame);
    } catch (IOException failure) {
      throw new java.io.UncheckedIOException(failure);
    }
  }

  @Test
  void slowSenderIsDisconnectedIfOthersWait() throws IOException {
    RawClient slow = connect().send(begun(48_000_000, 20_000));
    await(() -> budget.usedBytes() > 0);
    seconds(3600);
    RawClient patient = connect();
    assertThat(patient.call(PING).field("ok").asDouble()).isEqualTo(1.0);
    slow.send(new byte[1]);
    RawClient waiting = connect().send(begun(47_000_000, 20_000));
    assertThat(slow.closed()).isTrue();
    await(() -> budget.usedBytes() == 47_000_000);
    waiting.send(new byte[1]);
    assertThat(patient.call(PING).field("ok").asDouble()).isEqualTo(1.0);
  }

  @Test
  void uncompressedSizeIsLimitedByTheMemoryBudget() throws IOException {
    for (int i = 0; i < 8; i++) {
      connect().send(packed(40_000_000));
    }
    for (RawClient client : List.copyOf(clients)) {
      assertThat(client.answered()).isTrue();
      assertThat(budget.usedBytes()).isLessThan(2 * 48_000_000);
    }
    await(() -> budget.usedBytes() == 0);
  }

  @Test
  void batchEndsEarlyIfReplyMemoryIsUsedUp() throws IOException {
    RawClient client = connect();
    for (int i = 0; i < 40; i++) {
      client.call(insert(i, 30_000));
    }
    ByteBudget.Claim others = budget.claim(() -> {});
    others.countReply(MIB - 200_000);
    Document first =
        client.call("{\"find\":\"things\",\"$db\":\"d\"}").field("cursor").asDocument();
    long id = first.field("id").asLong();
    List<Integer> batches = new ArrayList<>(List.of(count(first, "firstBatch")));
    while (id != 0) {
      Document next =
          client
              .call(
                  "{\"getMore\":{\"$numberLong\":\""
                      + id
                      + "\"},\"collection\":\"things\",\"$db\":\"d\"}")
              .field("cursor")
              .asDocument();
      batches.add(count(next, "nextBatch"));
      id = next.field("id").asLong();
    }
    assertThat(batches).hasSizeGreaterThan(4);
    assertThat(batches.stream().mapToInt(one -> one).sum()).isEqualTo(40);
    client.send(Frames.msg(1, 0, "{\"find\":\"things\",\"$db\":\"d\",\"singleBatch\":true}"));
    await(() -> budget.waiting() == 1);
    others.release();
    Document single = client.answer().body().field("cursor").asDocument();
    assertThat(count(single, "firstBatch")).as("there is no other batch").isEqualTo(40);
  }

  @Test
  void findThatWaitsForReplyMemoryKeepsItsTimeLimit() throws IOException {
    connect().call(insert(1, 2 * MIB));
    ByteBudget.Claim others = budget.claim(() -> {});
    others.countReply(2 * MIB);
    RawClient client = connect();
    client.send(Frames.msg(1, 0, "{\"find\":\"things\",\"maxTimeMS\":1000,\"$db\":\"d\"}"));
    await(() -> budget.waiting() == 1);
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(900));
    nanosPerRequest.set(TimeUnit.MILLISECONDS.toNanos(101));
    others.release();
    Document answer = client.answer().body();
    nanosPerRequest.set(0);
    assertThat(answer.field("code").asInt()).isEqualTo(50);
    await(() -> budget.usedBytes() == 0);
  }

  @Test
  void distinctWaitsForReplyMemory() throws IOException {
    RawClient client = connect();
    for (int i = 0; i < 40; i++) {
      client.call(insert(i, 30_000).replace("\"t\":\"", "\"t\":\"" + i));
    }
    ByteBudget.Claim small = budget.claim(() -> {});
    ByteBudget.Claim large = budget.claim(() -> {});
    small.countReply(MIB);
    large.countReply(2 * MIB);
    client.send(Frames.msg(1, 0, "{\"distinct\":\"things\",\"key\":\"t\",\"$db\":\"d\"}"));
    await(() -> budget.waiting() == 1);
    small.release();
    await(() -> budget.waiting() == 1 && budget.usedBytes() == 3L * MIB);
    large.release();
    Document values = client.answer().body();
    assertThat(count(values, "values")).isEqualTo(40);
    await(() -> budget.usedBytes() == 0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "query":{"_id":7},"update":{"$set":{"a":1}}|1
          "query":{"n":{"$exists":false}},"update":{"$set":{"a":1}}|1
          "query":{"_id":7},"remove":true|0
          "query":{"n":{"$exists":false}},"remove":true|0
          """)
  void findAndModifyWaitsForReplyMemoryBeforeItWrites(String change, int left) throws IOException {
    RawClient other = connect();
    other.call(insert(7, 300_000));
    ByteBudget.Claim others = budget.claim(() -> {});
    others.countReply(MIB);
    ByteBudget.Claim more = budget.claim(() -> {});
    more.countReply(20_000);
    RawClient client =
        connect()
            .send(Frames.msg(1, 0, "{\"findAndModify\":\"things\",\"$db\":\"d\"," + change + "}"));
    await(() -> budget.waiting() == 1);
    String changed =
        "{\"count\":\"things\",\"query\":{\"_id\":7,\"a\":{\"$exists\":false}},\"$db\":\"d\"}";
    assertThat(other.call(changed).field("n").asInt()).isEqualTo(1);
    others.release();
    more.release();
    Document answer = client.answer().body();
    assertThat(answer.field("value").asDocument().length()).isGreaterThan(300_000);
    String all = "{\"count\":\"things\",\"$db\":\"d\"}";
    assertThat(other.call(all).field("n").asInt()).isEqualTo(left);
    assertThat(other.call(changed).field("n").asInt()).isZero();
  }

  @Test
  void idleCursorsAreClosedIfTheyHoldTooMuchMemory() throws IOException {
    RawClient client = connect();
    for (int i = 0; i < 4; i++) {
      client.call(insert(i, 300_000));
    }
    List<Long> ids = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      ids.add(opened(client, "{\"find\":\"things\",\"batchSize\":1,\"$db\":\"d\"}"));
    }
    more(client, ids.getFirst());
    long last = opened(client, "{\"find\":\"things\",\"batchSize\":1,\"$db\":\"d\"}");
    Document refused = more(client, ids.get(1));
    assertThat(refused.field("code").asInt()).isEqualTo(43);
    assertThat(refused.field("errmsg").asString()).contains("request-memory");
    for (long id : List.of(ids.get(0), ids.get(2), last)) {
      assertThat(more(client, id).field("ok").asDouble()).isEqualTo(1.0);
    }
  }

  @Test
  void requestOfACursorCountsAsHeldMemory() throws IOException {
    RawClient client = connect();
    for (int i = 0; i < 4; i++) {
      client.call(insert(i, 10));
    }
    String find =
        "{\"find\":\"things\",\"batchSize\":1,\"$db\":\"d\",\"comment\":\""
            + "x".repeat(200_000)
            + "\"}";
    long first = opened(client, find);
    long second = opened(client, find);
    assertThat(more(client, second).field("ok").asDouble()).isEqualTo(1.0);
    assertThat(more(client, first).field("code").asInt()).isEqualTo(43);
  }

  @Test
  void killedCursorsHoldNoMemory() throws IOException {
    RawClient client = connect();
    for (int i = 0; i < 4; i++) {
      client.call(insert(i, 400_000));
    }
    String find = "{\"find\":\"things\",\"batchSize\":1,\"$db\":\"d\"}";
    long kept = opened(client, find);
    for (int i = 0; i < 3; i++) {
      long killed = opened(client, find);
      client.call(
          "{\"killCursors\":\"things\",\"cursors\":[{\"$numberLong\":\""
              + killed
              + "\"}],\"$db\":\"d\"}");
    }
    assertThat(more(client, kept).field("ok").asDouble()).isEqualTo(1.0);
  }

  private static long opened(RawClient client, String command) throws IOException {
    return client.call(command).field("cursor").asDocument().field("id").asLong();
  }

  private static Document more(RawClient client, long id) throws IOException {
    return client.call(
        "{\"getMore\":{\"$numberLong\":\""
            + id
            + "\"},\"collection\":\"things\",\"batchSize\":1,\"$db\":\"d\"}");
  }

  private static int count(Document cursor, String batch) {
    Fields documents = cursor.field(batch).asDocument().fields();
    int count = 0;
    while (documents.next()) {
      count++;
    }
    return count;
  }

  @Test
  void slowReaderIsDisconnectedIfOthersWait() throws IOException {
    connect().call(insert(1, 12 * MIB));
    String find = "{\"find\":\"things\",\"$db\":\"d\",\"filter\":{\"_id\":1}}";
    for (int i = 0; i < 4; i++) {
      connect().send(Frames.msg(i, 0, find));
    }
    await(() -> budget.waiting() == 3);
    RawClient last = connect().send(Frames.msg(9, 0, find));
    await(() -> budget.waiting() == 4);
    await(
        () -> {
          boolean done = budget.waiting() == 0;
          nanos.addAndGet(done ? 0 : TimeUnit.MILLISECONDS.toNanos(100));
          return done;
        });
    assertThat(last.answer().body().length()).isGreaterThan(12 * MIB);
  }

  @Test
  void javaErrorAffectsOnlyItsConnection() throws IOException {
    for (Error failure : Arrays.asList(new OutOfMemoryError("for a test"), new AssertionError())) {
      door.observe(
          (_, _, _) -> {
            throw failure;
          });
      Document refused = connect().call("{\"count\":\"things\",\"$db\":\"d\"}");
      assertThat(refused.field("ok").asDouble()).isZero();
      assertThat(refused.field("errmsg").asString()).contains("in command count");
      assertThat(refused.field("code").asInt())
          .isEqualTo(failure instanceof OutOfMemoryError ? 146 : 1);
      assertThat(connect().send(Frames.msg(1, 0, PING)).closed()).as("on the loop").isTrue();
      door.observe((_, _, _) -> {});
      assertThat(connect().call(PING).field("ok").asDouble()).isEqualTo(1.0);
    }
  }

  private static String insert(int id, int bytes) {
    return "{\"insert\":\"things\",\"$db\":\"d\",\"documents\":[{\"_id\":"
        + id
        + ",\"t\":\""
        + "x".repeat(bytes)
        + "\"}]}";
  }
}
