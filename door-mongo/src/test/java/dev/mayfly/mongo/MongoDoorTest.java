package dev.mayfly.mongo;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.mongo.testing.Frames;
import dev.mayfly.mongo.testing.RawClient;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MongoDoorTest {
  private static final String PING = "{\"ping\":1,\"$db\":\"admin\"}";

  /** A pipeline that does not end within the test. */
  private static final String ENDLESS =
      ("{'aggregate':1,'pipeline':[{'$documents':[{}]},"
              + IntStream.range(0, 9).mapToObj(MongoDoorTest::unwound).collect(joining(","))
              + ",{'$group':{'_id':1}}],'cursor':{},'$db':'d'}")
          .replace('\'', '"');

  private static final int EXHAUST = 1 << 16;
  private static final int MORE = 2;

  private final AtomicLong nanos = new AtomicLong();
  private final MongoSettings settings =
      MongoSettings.standard(nanos::get).withAddress("127.0.0.1", 0);
  private MemoryStore store;
  private Engine engine;
  private MongoDoor door;

  @BeforeEach
  void open() {
    store = new MemoryStore();
    engine =
        LocalEngine.open(
            store,
            () -> 1_700_000_000_123L,
            EngineSettings.standard(nanos::get).withBackground(false));
    door = MongoDoor.open(engine, settings);
  }

  @AfterEach
  void close() {
    door.close();
    engine.close();
    store.close();
  }

  private void reopen(MongoSettings changed) {
    door.close();
    door = MongoDoor.open(engine, changed);
  }

  private String address() {
    return door.connectionString() + "&serverSelectionTimeoutMS=5000";
  }

  @Test
  void javaDriverConnectsToAReplicaSet() {
    try (MongoClient client = MongoClients.create(address())) {
      MongoDatabase admin = client.getDatabase("admin");
      assertThat(admin.runCommand(BsonDocument.parse("{ping: 1}")).get("ok")).isEqualTo(1.0);
      org.bson.Document hello = admin.runCommand(BsonDocument.parse("{hello: 1}"));
      assertThat(hello.getString("setName")).isEqualTo("mayfly");
      assertThat(hello.getBoolean("isWritablePrimary")).isTrue();
      assertThat(hello.getList("hosts", String.class)).containsExactly(hello.getString("me"));
    }
  }

  @Test
  void unknownCommandIsCommandNotFound() {
    try (MongoClient client = MongoClients.create(address())) {
      assertThatThrownBy(
              () -> client.getDatabase("d").runCommand(BsonDocument.parse("{frobnicate: 1}")))
          .isInstanceOfSatisfying(
              MongoCommandException.class,
              failure -> {
                assertThat(failure.getErrorCode()).isEqualTo(59);
                assertThat(failure.getErrorMessage()).isEqualTo("no such command: 'frobnicate'");
              });
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"snappy", "zlib", "zstd"})
  void driversMayCompressMessages(String compressor) {
    String address = address() + "&compressors=" + compressor;
    try (MongoClient client = MongoClients.create(address)) {
      BsonDocument ping = new BsonDocument("ping", new org.bson.BsonInt32(1));
      ping.append("comment", new org.bson.BsonString("long ".repeat(1000)));
      assertThat(client.getDatabase("admin").runCommand(ping).get("ok")).isEqualTo(1.0);
    }
  }

  @Test
  void repliesContainOperationTime() throws IOException {
    try (RawClient client = new RawClient(door.address())) {
      Document reply = client.call(PING);
      assertThat(reply.field("ok").asDouble()).isOne();
      assertThat(reply.field("operationTime"))
          .hasToString("{\"$timestamp\":{\"t\":1700000000,\"i\":124}}");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ping", "hello", "frobnicate"})
  void repliesContainClusterTime(String command) throws IOException {
    try (RawClient client = new RawClient(door.address())) {
      Document reply = client.call("{\"%s\":1,\"$db\":\"admin\"}".formatted(command));
      assertThat(reply.field("$clusterTime").asDocument())
          .hasToString(
              "{\"clusterTime\":{\"$timestamp\":{\"t\":1700000000,\"i\":124}},\"signature\":"
                  + "{\"hash\":{\"$binary\":{\"base64\":\"AAAAAAAAAAAAAAAAAAAAAAAAAAA=\","
                  + "\"subType\":\"00\"}},\"keyId\":0}}");
    }
  }

  @Test
  void clusterTimeAdvancesSessions() {
    try (MongoClient client = MongoClients.create(address());
        ClientSession first = client.startSession();
        ClientSession second = client.startSession()) {
      client.getDatabase("d").runCommand(first, BsonDocument.parse("{ping: 1}"));
      assertThat(first.getClusterTime()).isNotNull();
      second.advanceClusterTime(first.getClusterTime());
      second.advanceOperationTime(first.getOperationTime());
      assertThat(second.getClusterTime()).isEqualTo(first.getClusterTime());
      assertThat(client.getDatabase("d").getCollection("c").find(second)).isEmpty();
    }
  }

  @Test
  void opQueryIsAnsweredByOpReply() throws IOException {
    try (RawClient client = new RawClient(door.address())) {
      String greeting = "{\"ismaster\":1,\"helloOk\":true}";
      RawClient.Answer hello = client.send(Frames.query(4, "admin.$cmd", greeting)).answer();
      assertThat(hello.kind()).isEqualTo(1);
      assertThat(hello.responseTo()).isEqualTo(4);
      assertThat(hello.body().field("ismaster").asBoolean()).isTrue();
      assertThat(hello.body().field("helloOk").asBoolean()).isTrue();
      assertThat(hello.body().field("ok").asDouble()).isEqualTo(1.0);
      RawClient.Answer find = client.send(Frames.query(5, "d.$cmd", "{\"find\":\"c\"}")).answer();
      assertThat(find.body().field("code").asInt()).isEqualTo(352);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'hello':1}|0
          {'isMaster':1}|0
          {'buildinfo':1}|0
          {'buildInfo':1}|0
          {'_isSelf':1}|0
          {'saslStart':1,'mechanism':'SCRAM-SHA-256','payload':'n,,n=a,r=b'}|0
          {'saslContinue':1,'conversationId':1,'payload':''}|17
          {'authenticate':1,'mechanism':'MONGODB-X509'}|334
          {'ping':1}|352
          {'insert':'c','documents':[{}]}|352
          {'listDatabases':1}|352
          """)
  void legacyHelloIsAccepted(String command, int code) throws IOException {
    try (RawClient client = new RawClient(door.address())) {
      Document reply =
          client.send(Frames.query(4, "admin.$cmd", command.replace('\'', '"'))).answer().body();
      assertThat(reply.field("ok").asDouble()).isEqualTo(code == 0 ? 1.0 : 0.0);
      assertThat(code == 0 || reply.field("code").asInt() == code).as(reply.toString()).isTrue();
    }
  }

  @Test
  void exhaustCursorSendsBatchesWithoutRequests() throws IOException {
    try (RawClient client = new RawClient(door.address())) {
      for (int i = 0; i < 7; i++) {
        client.call("{\"insert\":\"c\",\"documents\":[{\"_id\":" + i + "}],\"$db\":\"d\"}");
      }
      String find = "{\"find\":\"c\",\"batchSize\":1,\"$db\":\"d\"}";
      RawClient.Answer begun = client.send(Frames.msg(1, EXHAUST, find)).answer();
      assertThat(begun.flags()).isZero();
      long id = Shell.at(begun.body(), "cursor.id").asLong();
      client.send(
          Frames.msg(
              2,
              EXHAUST,
              "{\"getMore\":{\"$numberLong\":\""
                  + id
                  + "\"},\"collection\":\"c\",\"batchSize\":2,\"$db\":\"d\"}"));
      List<Integer> sizes = new ArrayList<>();
      RawClient.Answer answer = client.answer();
      assertThat(answer.responseTo()).isEqualTo(2);
      int before = answer.id();
      while (answer.flags() == MORE) {
        sizes.add(size(answer));
        answer = client.answer();
        assertThat(answer.responseTo()).isEqualTo(before);
        before = answer.id();
      }
      sizes.add(size(answer));
      assertThat(sizes.stream().mapToInt(one -> one).sum()).isEqualTo(6);
      assertThat(sizes).hasSizeGreaterThan(2);
      assertThat(Shell.at(answer.body(), "cursor.id").asLong()).isZero();
      assertThat(client.call(PING).field("ok").asDouble()).isEqualTo(1.0);
    }
  }

  private static int size(RawClient.Answer answer) {
    int size = 0;
    Fields batch = Shell.at(answer.body(), "cursor.nextBatch").asDocument().fields();
    while (batch.next()) {
      size++;
    }
    return size;
  }

  @Test
  void protocolErrorsAreLoggedWithALimit() throws IOException {
    List<String> lines = new CopyOnWriteArrayList<>();
    Logger logger = Logger.getLogger(Connection.class.getName());
    Handler handler = collecting(lines);
    logger.addHandler(handler);
    try {
      for (int i = 0; i < 50; i++) {
        try (RawClient bad = new RawClient(door.address())) {
          bad.send(Frames.int32(3));
          assertThat(bad.closed()).isTrue();
        }
      }
      assertThat(lines).hasSize(SparseLog.MAX_PER_MINUTE);
      nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
      try (RawClient bad = new RawClient(door.address())) {
        bad.send(Frames.int32(3));
        assertThat(bad.closed()).isTrue();
      }
      assertThat(lines).hasSize(SparseLog.MAX_PER_MINUTE + 1);
      assertThat(lines.getLast()).contains("40 more of this kind were not logged");
    } finally {
      logger.removeHandler(handler);
    }
  }

  private static Handler collecting(List<String> lines) {
    return new Handler() {
      @Override
      public void publish(LogRecord line) {
        lines.add(line.getMessage());
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }

  @Test
  void messageWithMoreToComeGetsNoReply() throws IOException {
    try (RawClient client = new RawClient(door.address())) {
      client.send(Frames.msg(1, MORE, PING));
      RawClient.Answer answer = client.send(Frames.msg(2, 0, PING)).answer();
      assertThat(answer.responseTo()).isEqualTo(2);
    }
  }

  @Test
  void exhaustHelloIsRepeated() throws IOException {
    try (RawClient client = new RawClient(door.address())) {
      Document first = client.call("{\"hello\":1,\"$db\":\"admin\"}");
      String known = first.field("topologyVersion").asDocument().toString();
      String awaiting =
          "{\"hello\":1,\"$db\":\"admin\",\"maxAwaitTimeMS\":20,\"topologyVersion\":"
              + known.replaceAll("\"counter\":(\\d+)", "\"counter\":{\"\\$numberLong\":\"$1\"}")
              + "}";
      client.send(Frames.msg(10, EXHAUST, awaiting));
      RawClient.Answer one = client.answer();
      RawClient.Answer two = client.answer();
      assertThat(one.flags()).isEqualTo(MORE);
      assertThat(one.responseTo()).isEqualTo(10);
      assertThat(two.responseTo()).isEqualTo(one.id());
      assertThat(two.body().field("topologyVersion")).isEqualTo(first.field("topologyVersion"));
    }
  }

  @Test
  void awaitableHelloEndsWhenTheDoorCloses() throws IOException {
    try (RawClient client = new RawClient(door.address())) {
      Document first = client.call("{\"hello\":1,\"$db\":\"admin\"}");
      byte[] awaiting =
          Frames.frame(
              3,
              Frames.MSG,
              Frames.int32(EXHAUST),
              new byte[1],
              Document.writer()
                  .put("hello", 1)
                  .put("topologyVersion", first.field("topologyVersion"))
                  .put("maxAwaitTimeMS", 3_600_000)
                  .put("$db", "admin")
                  .build()
                  .bytes());
      client.send(awaiting);
      CompletableFuture<Void> closing = CompletableFuture.runAsync(door::close);
      assertThat(client.closed()).isTrue();
      closing.join();
    }
  }

  @Test
  void disconnectInterruptsTheCommand() throws IOException {
    try (RawClient watcher = new RawClient(door.address())) {
      try (RawClient disconnected = new RawClient(door.address())) {
        disconnected.send(Frames.msg(1, 0, ENDLESS));
        awaitOperation(watcher, true);
      }
      awaitOperation(watcher, false);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void tlsDisconnectInterruptsTheCommand(boolean orderly) throws Exception {
    SSLContext context = LoginTest.context();
    reopen(settings.withTls(context));
    String host = door.address().getHostString();
    int port = door.address().getPort();
    try (RawClient watcher = new RawClient(door.address());
        Socket beneath = new Socket(host, port);
        Socket secret = context.getSocketFactory().createSocket(beneath, host, port, true)) {
      RawClient disconnected = new RawClient(secret);
      assertThat(disconnected.call(PING).field("ok").asDouble()).isEqualTo(1.0);
      disconnected.send(Frames.msg(1, 0, ENDLESS));
      awaitOperation(watcher, true);
      (orderly ? secret : beneath).close();
      awaitOperation(watcher, false);
    }
  }

  @Test
  void tlsClientThatSendsMoreIsNotDisconnected() throws Exception {
    SSLContext context = LoginTest.context();
    reopen(settings.withTls(context));
    try (RawClient watcher = new RawClient(door.address());
        RawClient client =
            new RawClient(
                context
                    .getSocketFactory()
                    .createSocket(door.address().getHostString(), door.address().getPort()))) {
      client.send(Frames.msg(1, 0, ENDLESS));
      int opid = awaitOperation(watcher, true).field("opid").asInt();
      client.send(Frames.msg(2, 0, PING));
      for (int i = 0; i < 10; i++) {
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
        awaitOperation(watcher, true);
      }
      watcher.call(("{'killOp':1,'op':" + opid + ",'$db':'admin'}").replace('\'', '"'));
      assertThat(client.answer().body().field("code")).isEqualTo(Value.of(11601));
      RawClient.Answer pinged = client.answer();
      assertThat(pinged.responseTo()).isEqualTo(2);
      assertThat(pinged.body().field("ok").asDouble()).isEqualTo(1.0);
    }
  }

  @Test
  void killOpEndsAPipeline() throws IOException {
    try (RawClient watcher = new RawClient(door.address());
        RawClient client = new RawClient(door.address())) {
      client.send(Frames.msg(1, 0, ENDLESS));
      int opid = awaitOperation(watcher, true).field("opid").asInt();
      watcher.call(("{'killOp':1,'op':" + opid + ",'$db':'admin'}").replace('\'', '"'));
      assertThat(client.answer().body().field("code")).isEqualTo(Value.of(11601));
    }
  }

  /** Waits until currentOp lists the endless command, or no longer lists it. */
  private Document awaitOperation(RawClient watcher, boolean wanted) throws IOException {
    for (int i = 0; i < 200_000; i++) {
      Document reply =
          watcher.call("{'currentOp':1,'ns':'d.$cmd','$db':'admin'}".replace('\'', '"'));
      Fields operations = reply.field("inprog").asDocument().fields();
      boolean running = operations.next();
      if (running == wanted) {
        return running ? operations.value().asDocument() : Document.EMPTY;
      }
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    }
    throw new AssertionError(wanted ? "the command does not run" : "the command is still running");
  }

  private static String unwound(int i) {
    return "{'$set':{'r" + i + "':{'$range':[0,100]}}},{'$unwind':'$r" + i + "'}";
  }

  @Test
  void invalidFrameClosesOnlyItsConnection() throws IOException {
    try (RawClient good = new RawClient(door.address());
        RawClient bad = new RawClient(door.address())) {
      bad.send(Frames.int32(3));
      assertThat(bad.closed()).isTrue();
      assertThat(good.call(PING).field("ok").asDouble()).isEqualTo(1.0);
    }
  }

  @Test
  void invalidBsonGetsAnErrorReply() throws IOException {
    try (RawClient client = new RawClient(door.address())) {
      byte[] frame = Frames.msg(9, 0, PING);
      frame[frame.length - 1] = 1;
      assertThat(client.send(frame).answer().body().field("code").asInt()).isEqualTo(22);
      assertThat(client.call(PING).field("ok").asDouble()).isEqualTo(1.0);
    }
  }

  @Test
  void connectionsBeyondTheLimitAreClosed() throws IOException {
    reopen(settings.withMaxConnections(1));
    try (RawClient first = new RawClient(door.address())) {
      first.call(PING);
      try (RawClient second = new RawClient(door.address())) {
        assertThat(second.closed()).isTrue();
      }
      assertThat(first.call(PING).field("ok").asDouble()).isEqualTo(1.0);
    }
  }

  @Test
  void closeEndsIdleConnections() throws IOException {
    try (RawClient client = new RawClient(door.address())) {
      client.call(PING);
      door.close();
      assertThat(client.closed()).isTrue();
    }
  }

  @Test
  void virtualThreadsCanServeConnections() throws IOException {
    reopen(settings.withThreads(Thread.ofVirtual().factory()));
    try (RawClient client = new RawClient(door.address())) {
      assertThat(client.call(PING).field("ok").asDouble()).isEqualTo(1.0);
    }
  }
}
