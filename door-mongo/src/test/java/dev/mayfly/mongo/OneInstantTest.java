package dev.mayfly.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.Clock;
import dev.mayfly.mongo.command.Client;
import dev.mayfly.mongo.command.ClusterTime;
import dev.mayfly.mongo.wire.Compressor;
import dev.mayfly.mongo.wire.Message;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A command uses one instant: here every read of the clock advances it by a second. */
final class OneInstantTest {
  private final AdvancingClock clock = new AdvancingClock();
  private final Engine engine =
      LocalEngine.open(
          MemoryStore.withFilters(), clock, EngineSettings.standard(() -> 0).withBackground(false));
  private final MongoFrontend frontend = MongoFrontend.of(engine, MongoSettings.standard(() -> 0));
  private final Dispatcher dispatcher =
      new Dispatcher(frontend, MongoBackends.single(new MongoBackend(frontend, engine)));
  private final Client client = new Client(1, "127.0.0.1:50000", "127.0.0.1:27017");

  /** A clock that advances by a second with every read. */
  private static final class AdvancingClock implements Clock {
    private final AtomicLong millis = new AtomicLong(Shell.START);

    @Override
    public long now() {
      return millis.getAndAdd(1_000);
    }

    @Override
    public boolean isManual() {
      return true;
    }
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private Document run(String command) {
    Document body = Shell.json(command.substring(0, command.length() - 1) + ",'$db':'d'}");
    DocumentWriter reply = Document.writer();
    dispatcher.answer(
        client, new Message.Call(1, Compressor.NOOP, false, false, body, Map.of()), reply);
    Document made = reply.build();
    assertThat(made.field("ok").asDouble()).describedAs(made.toString()).isEqualTo(1);
    assertThat(made.field("writeErrors").isMissing()).describedAs(made.toString()).isTrue();
    return made;
  }

  /** Runs a command that looks at the clock this often. */
  private Document looking(int looks, String command) {
    long before = clock.millis.get();
    Document reply = run(command);
    assertThat((clock.millis.get() - before) / 1_000).describedAs(command).isEqualTo(looks);
    return reply;
  }

  /** The values of a field in all documents of a collection. */
  private Set<Value> values(String collection, String field) {
    Set<Value> values = new HashSet<>();
    Document found = run("{'find':'" + collection + "'}");
    Fields each = Shell.at(found, "cursor.firstBatch").asDocument().fields();
    while (each.next()) {
      values.add(each.value().asDocument().field(field));
    }
    return values;
  }

  private static long seconds(Value id) {
    return Long.parseLong(id.toString().replaceAll(".*?([0-9a-f]{8})[0-9a-f]{16}.*", "$1"), 16);
  }

  @Test
  void generatedIdsOfAnInsertHaveTheSameTime() {
    run("{'insert':'c','documents':[{'a':1},{'a':2},{'a':3}]}");
    assertThat(values("c", "_id").stream().map(OneInstantTest::seconds).distinct()).hasSize(1);
  }

  @Test
  void filterAndProjectionHaveTheSameNow() {
    run("{'insert':'c','documents':[{'_id':1},{'_id':2}]}");
    Document found =
        run(
            "{'find':'c','filter':{'$expr':{'$ne':['$$NOW',null]}},"
                + "'projection':{'at':'$$NOW','same':{'$eq':['$$NOW',{'$add':['$$NOW',0]}]}}}");
    Set<Value> instants = new HashSet<>();
    Fields each = Shell.at(found, "cursor.firstBatch").asDocument().fields();
    while (each.next()) {
      instants.add(each.value().asDocument().field("at"));
      assertThat(each.value().asDocument().field("same")).isEqualTo(Value.TRUE);
    }
    assertThat(instants).hasSize(1);
  }

  @Test
  void statementsOfAnUpdateHaveTheSameNow() {
    run("{'insert':'c','documents':[{'_id':1},{'_id':2}]}");
    run(
        "{'update':'c','updates':["
            + "{'q':{'_id':1},'u':[{'$set':{'at':'$$NOW'}}]},"
            + "{'q':{'_id':2},'u':{'$currentDate':{'at':true}}},"
            + "{'q':{'_id':3},'u':[{'$set':{'at':'$$NOW'}}],'upsert':true}]}");
    assertThat(values("c", "at")).hasSize(1);
  }

  @Test
  void upsertHasTheSameTimeInIdAndField() {
    run("{'findAndModify':'c','query':{'x':1},'update':[{'$set':{'at':'$$NOW'}}],'upsert':true}");
    long id = seconds(values("c", "_id").iterator().next());
    assertThat(values("c", "at").iterator().next().asDate() / 1000).isEqualTo(id);
  }

  @Test
  void validatorHasTheTimeOfTheWrite() {
    run("{'create':'v','validator':{'$expr':{'$eq':['$at','$$NOW']}}}");
    run("{'update':'v','updates':[{'q':{'_id':1},'u':[{'$set':{'at':'$$NOW'}}],'upsert':true}]}");
    run("{'update':'v','updates':[{'q':{'_id':1},'u':[{'$set':{'at':'$$NOW'}}]}]}");
    assertThat(values("v", "at")).hasSize(1);
  }

  @Test
  void outAndMergeHaveTheTimeOfThePipeline() {
    run("{'insert':'c','documents':[{'_id':1},{'_id':2}]}");
    run(
        "{'aggregate':'c','pipeline':[{'$set':{'at':'$$NOW'}},"
            + "{'$unionWith':{'coll':'c','pipeline':[{'$project':{'_id':{'$add':['$_id',10]},"
            + "'at':'$$NOW'}}]}},{'$merge':{'into':'o'}}],'cursor':{}}");
    assertThat(values("o", "at")).hasSize(1);
    assertThat(values("o", "_id")).hasSize(4);
  }

  @Test
  void forecastCountsFromTheTimeItReports() {
    run("{'insert':'c','documents':[{'_id':1}]}");
    Document forecast = run("{'mayflyForecast':'c','within':[60]}");
    assertThat(Shell.at(forecast, "forecast.0.until").asDate())
        .isEqualTo(forecast.field("now").asDate() + 60_000);
  }

  @Test
  void commandsLookAtTheClockOnce() {
    run("{'insert':'c','documents':[{'_id':0,'a':0}]}");
    looking(1, "{'insert':'c','documents':[{'_id':1,'a':1},{'_id':2,'a':2}]}");
    looking(1, "{'find':'c','filter':{'_id':1}}");
    looking(1, "{'find':'c','filter':{'a':{'$gt':0}},'sort':{'a':-1}}");
    looking(1, "{'count':'c'}");
    looking(1, "{'count':'c','query':{'a':1}}");
    looking(1, "{'distinct':'c','key':'a'}");
    looking(1, "{'update':'c','updates':[{'q':{},'u':{'$inc':{'a':1}},'multi':true}]}");
    looking(1, "{'update':'c','updates':[{'q':{'_id':7},'u':{'$set':{'a':1}},'upsert':true}]}");
    looking(1, "{'findAndModify':'c','query':{'a':1},'update':{'$set':{'a':9}}}");
    looking(
        1,
        "{'aggregate':'c','pipeline':[{'$match':{'a':{'$gt':0}}},{'$sort':{'a':1}},"
            + "{'$lookup':{'from':'c','localField':'_id','foreignField':'_id','as':'same'}},"
            + "{'$group':{'_id':null,'n':{'$sum':1}}}],'cursor':{}}");
    looking(1, "{'delete':'c','deletes':[{'q':{'a':9},'limit':1},{'q':{'_id':1},'limit':0}]}");
    looking(1, "{'ping':1}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'mayflyForecast':'c','within':[60,3600]}",
        "{'mayflyExplainExpiry':'c','ids':[1,2]}",
        "{'collStats':'c'}",
        "{'dbStats':1}",
        "{'dataSize':'d.c'}",
        "{'dataSize':'d.c','keyPattern':{'_id':1},'min':{'_id':0},'max':{'_id':9}}",
        "{'dbHash':1}",
        "{'validate':'c','background':true}",
        "{'listCollections':1}",
        "{'listIndexes':'c'}",
        "{'explain':{'find':'c','filter':{'a':1}},'verbosity':'executionStats'}",
        "{'aggregate':'c','pipeline':[{'$collStats':{'storageStats':{},'count':{}}}],'cursor':{}}",
        "{'aggregate':'c','pipeline':[{'$indexStats':{}}],'cursor':{}}",
        "{'find':'capped','tailable':true}",
        "{'compact':'c','dryRun':true}",
        "{'mayflyClock':1}"
      })
  void commandsThatReportLookAtTheClockOnce(String command) {
    run("{'insert':'c','documents':[{'_id':1,'a':1},{'_id':2,'a':2}]}");
    run("{'createIndexes':'c','indexes':[{'key':{'a':1},'name':'a'}]}");
    run("{'create':'capped','capped':true,'size':4096}");
    run("{'insert':'capped','documents':[{'_id':1}]}");
    looking(1, command);
  }

  @Test
  void getMoreLooksAtTheClockOnce() {
    run("{'create':'capped','capped':true,'size':4096}");
    run("{'insert':'capped','documents':[{'_id':1},{'_id':2}]}");
    String tail = more("{'find':'capped','tailable':true,'batchSize':1}", "capped");
    looking(1, tail);
    looking(1, tail);
    run("{'insert':'capped','documents':[{'_id':3}]}");
    looking(1, tail);
    looking(1, more("{'find':'capped','batchSize':1}", "capped"));
  }

  /** The command for the next batch of a cursor that a command opens. */
  private String more(String open, String collection) {
    long id = Shell.at(run(open), "cursor.id").asLong();
    return "{'getMore':{'$numberLong':'" + id + "'},'collection':'" + collection + "'}";
  }

  @Test
  void commandsInATransactionLookOnceAndTheCommitTwice() {
    run("{'insert':'c','documents':[{'_id':0}]}");
    String lsid = "'lsid':{'id':{'$binary':{'base64':'AAAAAAAAAAAAAAAAAAAAAA==','subType':'04'}}},";
    String inside = lsid + "'txnNumber':{'$numberLong':'1'},'autocommit':false";
    looking(1, "{'insert':'c','documents':[{'_id':1}],'startTransaction':true," + inside + "}");
    looking(1, "{'find':'c','filter':{}," + inside + "}");
    looking(1, "{'update':'c','updates':[{'q':{'_id':1},'u':{'$set':{'a':1}}}]," + inside + "}");
    Document reply = looking(2, ("{'commitTransaction':1," + inside + "}"));
    assertThat(reply.field("operationTime").isMissing()).isFalse();
  }

  @Test
  void documentIsReadAndWrittenUntilItsDeadlineExactly() {
    run("{'create':'t'}");
    run("{'createIndexes':'t','indexes':[{'key':{'at':1},'name':'at','expireAfterSeconds':0}]}");
    String at = "{'$date':{'$numberLong':'" + (clock.millis.get() + 3_000) + "'}}";
    run("{'insert':'t','documents':[{'_id':1,'at':" + at + ",'n':0}]}");
    Document updated = run("{'update':'t','updates':[{'q':{'n':0},'u':{'$set':{'n':1}}}]}");
    assertThat(updated.field("n").asInt()).isEqualTo(1);
    assertThat(values("t", "n")).containsExactly(Value.of(1));
    assertThat(values("t", "n")).isEmpty();
  }

  @Test
  void operationTimeIsTheTimeOfTheWrite() {
    run("{'insert':'c','documents':[{'_id':1}]}");
    Document reply = run("{'update':'c','updates':[{'q':{},'u':[{'$set':{'at':'$$NOW'}}]}]}");
    assertThat(ClusterTime.epochMillis(reply.field("operationTime")))
        .isEqualTo(values("c", "at").iterator().next().asDate());
  }
}
