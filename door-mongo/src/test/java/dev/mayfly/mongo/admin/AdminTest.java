package dev.mayfly.mongo.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.mongo.MongoDoor;
import dev.mayfly.mongo.MongoSettings;
import dev.mayfly.mongo.testing.Frames;
import dev.mayfly.mongo.testing.RawClient;
import dev.mayfly.query.Filter;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AdminTest {
  private static final Host HOST =
      new Host("h", "Linux", "6", "x86", 2, 1L << 30, "9.9", 7, List.of("--data", "d"), "d");

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicLong now = new AtomicLong(1_700_000_000_000L);
  private MemoryStore store;
  private Engine engine;
  private MongoDoor door;
  private RawClient client;

  @BeforeEach
  void open() throws IOException {
    store = new MemoryStore();
    engine =
        LocalEngine.open(
            store, now::get, EngineSettings.standard(nanos::get).withBackground(false));
    MongoSettings settings =
        MongoSettings.standard(nanos::get).withAddress("127.0.0.1", 0).withHost(HOST);
    door = MongoDoor.open(engine, settings);
    client = new RawClient(door.address());
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    door.close();
    engine.close();
    store.close();
  }

  private Document run(String command) throws IOException {
    return client.call(command.replace('\'', '"').replaceFirst("}$", ",\"\\$db\":\"admin\"}"));
  }

  private static Value at(Document document, String path) {
    Value value = Value.of(document);
    for (String step : path.split("\\.", -1)) {
      value = value.asDocument().field(step);
    }
    return value;
  }

  @Test
  void buildInfoHasTheVersionsOfMongoAndMayfly() throws IOException {
    Document reply = run("{'buildInfo':1}");
    assertThat(reply.field("version").asString()).isEqualTo("8.0.16");
    assertThat(at(reply, "versionArray.0").asInt()).isEqualTo(8);
    assertThat(at(reply, "mayfly.version").asString()).isEqualTo("9.9");
  }

  @Test
  void getParameterReturnsNamedParameters() throws IOException {
    Document reply = run("{'getParameter':1,'featureCompatibilityVersion':1}");
    assertThat(at(reply, "featureCompatibilityVersion.version").asString()).isEqualTo("8.0");
    assertThat(run("{'getParameter':'*'}").field("ttlMonitorSleepSecs").asInt()).isEqualTo(60);
    Document unknown = run("{'getParameter':1,'foo':1}");
    assertThat(unknown.field("code").asInt()).isEqualTo(72);
    assertThat(unknown.field("errmsg").asString()).isEqualTo("no option found to get");
    assertThat(client.call("{\"getParameter\":1,\"quiet\":1,\"$db\":\"d\"}").field("code").asInt())
        .isEqualTo(13);
  }

  @Test
  void setParameterReturnsTheOldValue() throws IOException {
    assertThat(run("{'setParameter':1,'ttlMonitorSleepSecs':1}").field("was").asInt())
        .isEqualTo(60);
    assertThat(run("{'setParameter':1,'ttlMonitorSleepSecs':2}").field("was").asInt()).isEqualTo(1);
    Document without = run("{'setParameter':1,'ttlIndexDeleteTargetDocs':0}");
    assertThat(without.field("was").asInt()).isEqualTo(50_000);
    assertThat(without.field("note").asString()).contains("no effect");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "'ttlMonitorSleepSecs':0;2;Invalid value for parameter ttlMonitorSleepSecs:"
            + " 0 is not greater than 0",
        "'ttlIndexDeleteTargetDocs':-1;2;Invalid value for parameter ttlIndexDeleteTargetDocs:"
            + " -1 is not greater than or equal to 0",
        "'ttlMonitorSleepSecs':1.5;2;Failed parsing parameter ttlMonitorSleepSecs:"
            + " not an integer: 1.5",
        "'ttlMonitorEnabled':'x';2;Failed parsing parameter ttlMonitorEnabled:"
            + " not a boolean: \"x\"",
        "'authSchemaVersion':3;20;not allowed to change [authSchemaVersion] at runtime",
        "'foo':3;72;attempted to set unrecognized parameter [foo], use help:true to see options",
      },
      quoteCharacter = '`')
  void invalidParameterValueFails(String field, int code, String message) throws IOException {
    Document reply = run("{'setParameter':1," + field + "}");
    assertThat(reply.field("code").asInt()).isEqualTo(code);
    assertThat(reply.field("errmsg").asString().strip()).isEqualTo(message);
  }

  @Test
  void ttlMonitorEnabledFalseStopsExpiry() throws IOException {
    Namespace namespace = new Namespace("d", "c");
    engine.create(
        namespace, CollectionSpec.mongo().withTimeToLive(TimeToLive.NONE).withDefaultTtl(10));
    engine.collection(namespace).insert(Frames.json("{\"_id\":1}"));
    now.addAndGet(60_000);
    assertThat(engine.collection(namespace).count(Filter.all())).isZero();
    assertThat(run("{'setParameter':1,'ttlMonitorEnabled':false}").field("was").asBoolean())
        .isTrue();
    assertThat(engine.collection(namespace).count(Filter.all())).isEqualTo(1);
    run("{'setParameter':1,'ttlMonitorEnabled':true}");
    assertThat(engine.collection(namespace).count(Filter.all())).isZero();
  }

  @Test
  void serverStatusCountsOperations() throws IOException {
    run("{'ping':1}");
    Document reply = run("{'serverStatus':1}");
    assertThat(at(reply, "connections.current").asInt()).isEqualTo(1);
    assertThat(at(reply, "opcounters.command").asLong()).isEqualTo(1);
    assertThat(at(reply, "network.numRequests").asLong()).isEqualTo(1);
    assertThat(at(reply, "network.bytesIn").asLong()).isPositive();
    assertThat(at(reply, "metrics.ttl.deletedDocuments").asLong()).isZero();
    assertThat(at(reply, "mayfly.ttl.lagMillis").asLong()).isZero();
    assertThat(reply.field("process").asString()).isEqualTo("mongod");
  }

  @Test
  void currentOpListsItself() throws IOException {
    Document reply = run("{'currentOp':1,'command.currentOp':1}");
    Document row = at(reply, "inprog.0").asDocument();
    assertThat(row.field("op").asString()).isEqualTo("command");
    assertThat(row.field("ns").asString()).isEqualTo("admin.$cmd");
    assertThat(at(run("{'currentOp':1,'ns':'other'}"), "inprog.0").isMissing()).isTrue();
  }

  @Test
  void currentOpListsIdleConnectionsWithAll() throws IOException {
    try (RawClient other = new RawClient(door.address())) {
      other.call("{\"ping\":1,\"$db\":\"admin\"}");
      assertThat(at(run("{'currentOp':1}"), "inprog.1").isMissing()).isTrue();
      assertThat(at(run("{'currentOp':1,'$all':true}"), "inprog.1").isMissing()).isFalse();
    }
  }

  @Test
  void currentOpListsALaggingSweepAsTtlMonitor() throws IOException {
    Namespace namespace = new Namespace("d", "c");
    engine.create(namespace, CollectionSpec.mongo().withDefaultTtl(10));
    engine.collection(namespace).insert(Frames.json("{\"_id\":1}"));
    now.addAndGet(60_000);
    Document filter = run("{'currentOp':1,'client':'TTLMonitor'}");
    assertThat(at(filter, "inprog.0.secs_running").asLong()).isEqualTo(50);
    engine.workUntilIdle();
    Document after = run("{'currentOp':1,'client':'TTLMonitor'}");
    assertThat(at(after, "inprog.0").isMissing()).isTrue();
    assertThat(at(run("{'serverStatus':1}"), "metrics.ttl.deletedDocuments").asLong()).isEqualTo(1);
  }

  @Test
  void killOpOfAnUnknownOperationSucceeds() throws IOException {
    assertThat(run("{'killOp':1,'op':123456}").field("ok").asDouble()).isEqualTo(1.0);
  }

  @Test
  void profileRecordsOperationsWithoutPasswords() throws IOException {
    Document first = client.call("{\"profile\":2,\"slowms\":50,\"$db\":\"d\"}");
    assertThat(first.field("was").asInt()).isZero();
    client.call("{\"createUser\":\"x\",\"pwd\":\"secret\",\"roles\":[],\"$db\":\"d\"}");
    client.call("{\"ping\":1,\"$db\":\"e\"}");
    Document off = client.call("{\"profile\":0,\"$db\":\"d\"}");
    assertThat(off.field("was").asInt()).isEqualTo(2);
    assertThat(off.field("slowms").asInt()).isEqualTo(50);
    Namespace profile = new Namespace("d", "system.profile");
    assertThat(engine.collection(profile).spec().capped()).isTrue();
    // the command that set the level, and createUser without its password
    assertThat(engine.collection(profile).count(Filter.all())).isEqualTo(2);
    assertThat(engine.find(new Namespace("e", "system.profile"))).isEmpty();
  }

  @Test
  void profileContainsThePlanSummary() throws IOException {
    client.call("{\"insert\":\"c\",\"documents\":[{\"_id\":1,\"a\":1}],\"$db\":\"d\"}");
    client.call(
        "{\"createIndexes\":\"c\",\"indexes\":[{\"key\":{\"a\":1},\"name\":\"n\"}],"
            + "\"$db\":\"d\"}");
    client.call("{\"profile\":2,\"$db\":\"d\"}");
    client.call("{\"find\":\"c\",\"filter\":{\"a\":1},\"sort\":{\"b\":1},\"$db\":\"d\"}");
    Document found =
        client.call("{\"find\":\"system.profile\",\"filter\":{\"op\":\"query\"},\"$db\":\"d\"}");
    Document entry = at(found, "cursor.firstBatch.0").asDocument();
    assertThat(entry.field("planSummary").asString()).isEqualTo("IXSCAN { a: 1 }");
    assertThat(entry.field("keysExamined").asLong()).isEqualTo(1);
    assertThat(entry.field("docsExamined").asLong()).isEqualTo(1);
    assertThat(entry.field("hasSortStage").asBoolean()).isTrue();
  }

  @Test
  void commandsOfToolsAreAnswered() throws IOException {
    assertThat(at(run("{'hostInfo':1}"), "system.numCores").asInt()).isEqualTo(2);
    Document toAnother = client.call("{\"hostInfo\":1,\"$db\":\"d\"}");
    assertThat(at(toAnother, "system.numCores").asInt()).isEqualTo(2);
    assertThat(at(run("{'getCmdLineOpts':1}"), "argv.0").asString()).isEqualTo("--data");
    assertThat(at(run("{'getLog':'*'}"), "names.0").asString()).isEqualTo("global");
    assertThat(run("{'getLog':'startupWarnings'}").field("ok").asDouble()).isEqualTo(1.0);
    assertThat(run("{'whatsmyuri':1}").field("you").asString()).startsWith("127.0.0.1:");
    assertThat(at(run("{'listCommands':1}"), "commands.ping").isMissing()).isFalse();
    assertThat(at(run("{'replSetGetStatus':1}"), "members.0.stateStr").asString())
        .isEqualTo("PRIMARY");
    assertThat(at(run("{'replSetGetConfig':1}"), "config._id").asString()).isEqualTo("mayfly");
    assertThat(at(run("{'top':1}"), "totals.note").isMissing()).isFalse();
    assertThat(run("{'getDefaultRWConcern':1}").field("ok").asDouble()).isEqualTo(1.0);
    assertThat(run("{'fsync':1}").field("ok").asDouble()).isEqualTo(1.0);
  }

  @Test
  void topOmitsCollectionsWithFailuresOnly() throws IOException {
    run("{'create':'made'}");
    assertThat(run("{'create':'failed','capped':true}").field("ok").asDouble()).isZero();
    assertThat(run("{'create':'made','capped':true}").field("ok").asDouble()).isZero();
    Document totals = run("{'top':1}").field("totals").asDocument();
    assertThat(totals.field("admin.failed").isMissing()).isTrue();
    Document made = totals.field("admin.made").asDocument();
    assertThat(at(made, "commands.count").asLong()).isEqualTo(2);
    assertThat(at(run("{'serverStatus':1}"), "opLatencies.commands.ops").asLong())
        .as("failures are counted")
        .isGreaterThanOrEqualTo(4);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'ping':1,'apiVersion':'1'} | 0",
        "{'distinct':'c','key':'a','apiVersion':'1'} | 0",
        "{'ping':1,'apiVersion':'2'} | 322",
        "{'ping':1,'apiVersion':1} | 322",
        "{'ping':1,'apiStrict':true} | 72",
      })
  void stableApiHasVersion1Only(String command, int code) throws IOException {
    assertThat(codeOf(run(command))).isEqualTo(code);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'find':'c' | 0",
        "{'distinct':'c','key':'a' | 323",
        "{'serverStatus':1 | 323",
        "{'aggregate':1,'pipeline':[{'$currentOp':{}}],'cursor':{} | 323",
        "{'createIndexes':'c','indexes':[{'key':{'a':1},'name':'a','expireAfterSeconds':5}] | 0",
        "{'createIndexes':'c','indexes':[{'key':{'b':1},'name':'b','sparse':true}] | 323",
      })
  void apiStrictRejectsCommandsOutsideTheApi(String command, int code) throws IOException {
    Document reply = run(command + ",'apiVersion':'1','apiStrict':true}");
    assertThat(codeOf(reply)).isEqualTo(code);
  }

  /** Returns the error code, or 0 if the command succeeded. */
  private static int codeOf(Document reply) {
    return reply.field("ok").asDouble() == 1 ? 0 : reply.field("code").asInt();
  }
}
