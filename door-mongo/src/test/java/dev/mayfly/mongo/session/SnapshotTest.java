package dev.mayfly.mongo.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mongo.Shell;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Read concern snapshot outside transactions: several reads at one cluster time. */
final class SnapshotTest {
  private static final String FIND = "{'find':'c','sort':{'_id':1}}";

  private final Shell shell = new Shell();

  @AfterEach
  void close() {
    shell.close();
  }

  private static String at(String command, Value time) {
    String when = time.isMissing() ? "" : ",'atClusterTime':" + Shell.text(time);
    return command.substring(0, command.length() - 1)
        + ",'readConcern':{'level':'snapshot'"
        + when
        + "}}";
  }

  private Value taken() {
    Document cursor = shell.cursor(at(FIND, Value.MISSING));
    return cursor.field("atClusterTime");
  }

  @Test
  void unknownReadConcernLevelFails() {
    assertThat(shell.error("{'find':'c','readConcern':{'level':'latest'}}"))
        .isEqualTo(
            "2 Enumeration value 'latest' for field 'readConcern.level' is not a valid value.");
    for (String level : new String[] {"local", "available", "majority", "linearizable"}) {
      shell.run("{'find':'c','readConcern':{'level':'" + level + "'}}");
    }
  }

  @Test
  void readsAtTheSameClusterTimeSeeTheSameData() {
    shell.insert("{'_id':1,'n':1}");
    shell.run("{'insert':'o','documents':[{'_id':1}]}");
    Value time = taken();
    assertThat(Shell.text(time)).contains("$timestamp");
    shell.run("{'update':'c','updates':[{'q':{'_id':1},'u':{'$set':{'n':2}}}]}");
    shell.insert("{'_id':2,'n':3}");
    shell.run("{'delete':'o','deletes':[{'q':{},'limit':0}]}");
    assertThat(shell.all(at(FIND, time))).containsExactly("{'_id':1,'n':1}");
    assertThat(
            shell.all(
                at(
                    "{'aggregate':'c','pipeline':[{'$lookup':{'from':'o','localField':'_id',"
                        + "'foreignField':'_id','as':'o'}}],'cursor':{}}",
                    time)))
        .containsExactly("{'_id':1,'n':1,'o':[{'_id':1}]}");
    Document distinct = shell.run(at("{'distinct':'c','key':'n'}", time));
    assertThat(Shell.text(distinct.field("values"))).isEqualTo("[1]");
    assertThat(distinct.field("atClusterTime")).isEqualTo(time);
    assertThat(shell.found("{}")).containsExactly("{'_id':1,'n':2}", "{'_id':2,'n':3}");
  }

  @Test
  void snapshotsInOneMillisecondHaveDifferentTimes() {
    shell.insert("{'_id':1}");
    Value first = taken();
    shell.insert("{'_id':2}");
    Value second = taken();
    assertThat(first).isNotEqualTo(second);
    assertThat(shell.all(at(FIND, first))).hasSize(1);
    assertThat(shell.all(at(FIND, second))).hasSize(2);
  }

  @Test
  void snapshotReadsDocumentsThatExpiredLater() {
    shell.run(
        "{'createIndexes':'c','indexes':[{'key':{'at':1},'name':'t','expireAfterSeconds':10}]}");
    shell.insert("{'_id':1,'at':" + Shell.ago(0) + "}");
    Value time = taken();
    shell.advance(Duration.ofSeconds(60));
    shell.sweep();
    assertThat(shell.found("{}")).isEmpty();
    assertThat(shell.all(at("{'find':'c'}", time))).hasSize(1);
  }

  @Test
  void getMoreReadsTheSnapshotOfItsCursor() {
    shell.insert("{'_id':1}");
    shell.insert("{'_id':2}");
    Document cursor =
        shell.cursor(at("{'find':'c','sort':{'_id':1},'batchSize':1}", Value.MISSING));
    shell.run("{'delete':'c','deletes':[{'q':{},'limit':0}]}");
    assertThat(Shell.batch(shell.more(cursor, ""))).containsExactly("{'_id':2}");
  }

  @Test
  void getMoreAndKillCursorsAcceptReadConcernSnapshot() {
    shell.insert("{'_id':1}");
    shell.insert("{'_id':2}");
    Document cursor =
        shell.cursor(at("{'find':'c','sort':{'_id':1},'batchSize':1}", Value.MISSING));
    String id = "{'$numberLong':'" + cursor.field("id").asLong() + "'}";
    Value time = cursor.field("atClusterTime");
    Document more = shell.run(at("{'getMore':" + id + ",'collection':'c','batchSize':1}", time));
    assertThat(Shell.batch(more.field("cursor").asDocument())).containsExactly("{'_id':2}");
    shell.run(at("{'killCursors':'c','cursors':[" + id + "]}", time));
  }

  @Test
  void snapshotIsAvailableForFiveMinutes() {
    shell.insert("{'_id':1}");
    shell.insert("{'_id':2}");
    Value time = taken();
    Document cursor = shell.cursor(at("{'find':'c','batchSize':1}", time));
    shell.advance(Duration.ofSeconds(299));
    shell.sweep();
    assertThat(shell.all(at(FIND, time))).hasSize(2);
    shell.advance(Duration.ofSeconds(1));
    shell.sweep();
    assertThat(shell.error(at(FIND, time))).startsWith("239 ");
    assertThat(shell.error(Shell.getMore(cursor, ""))).startsWith("239 ");
  }

  @Test
  void atMost100SnapshotsAreOpen() {
    shell.insert("{'_id':1}");
    List<Value> times = new ArrayList<>();
    for (int i = 0; i <= 100; i++) {
      times.add(taken());
    }
    assertThat(shell.error(at(FIND, times.getFirst()))).startsWith("239 ");
    assertThat(shell.all(at(FIND, times.get(1)))).hasSize(1);
    assertThat(shell.all(at(FIND, times.getLast()))).hasSize(1);
  }

  @Test
  void unknownClusterTimeIsSnapshotTooOld() {
    shell.insert("{'_id':1}");
    assertThat(shell.error(at(FIND, Value.timestamp(1L << 32)))).startsWith("239 ");
    Value time = taken();
    shell.restart();
    assertThat(shell.error(at(FIND, time))).startsWith("239 ");
  }

  @Test
  void changedCollectionIsSnapshotTooOld() {
    shell.insert("{'_id':1}");
    shell.run("{'insert':'o','documents':[{'_id':1}]}");
    Value time = shell.cursor(at("{'find':'o'}", Value.MISSING)).field("atClusterTime");
    shell.run("{'createIndexes':'c','indexes':[{'key':{'a':1},'name':'a_1'}]}");
    assertThat(shell.error(at(FIND, time))).startsWith("239 ");
    assertThat(shell.all(at("{'find':'o'}", time))).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{'drop':'c'}", "{'dropDatabase':1}"})
  void droppedCollectionIsSnapshotTooOld(String drop) {
    shell.insert("{'_id':1}");
    Value time = taken();
    shell.run(drop);
    assertThat(shell.error(at(FIND, time))).startsWith("239 ");
    assertThat(shell.error(at("{'distinct':'c','key':'_id'}", time))).startsWith("239 ");
    assertThat(shell.all(at("{'find':'never'}", time))).isEmpty();
    assertThat(shell.all(at(FIND, taken()))).isEmpty();
  }

  @Test
  void renamedCollectionIsSnapshotTooOld() {
    shell.insert("{'_id':1}");
    Value time = taken();
    shell.admin("{'renameCollection':'d.c','to':'d.x'}");
    assertThat(shell.error(at(FIND, time))).startsWith("239 ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'count':'c'}",
        "{'insert':'c','documents':[{}]}",
        "{'aggregate':'c','pipeline':[{'$out':'o'}],'cursor':{}}",
        "{'aggregate':'c','pipeline':[{'$changeStream':{}}],'cursor':{}}",
        "{'listCollections':1}"
      })
  void otherCommandsRejectReadConcernSnapshot(String command) {
    shell.insert("{'_id':1}");
    assertThat(shell.error(at(command, Value.MISSING))).startsWith("72 ");
  }

  @Test
  void atClusterTimeRequiresReadConcernSnapshot() {
    assertThat(
            shell.error(
                "{'find':'c','readConcern':{'level':'majority','atClusterTime':"
                    + "{'$timestamp':{'t':1,'i':1}}}}"))
        .startsWith("72 ");
  }
}
