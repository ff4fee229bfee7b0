package dev.mayfly.mongo.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mongo.Shell;
import dev.mayfly.value.Document;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pipeline stages with data about the server. */
final class SourcesTest {
  private final Shell shell = new Shell();

  @AfterEach
  void close() {
    shell.close();
  }

  private Document row(String stage) {
    return Shell.json(shell.aggregate(stage).getFirst());
  }

  @Test
  void collStatsReturnsTheRequestedStatistics() {
    shell.insert("{'_id':1}", "{'_id':2}");
    Document row =
        row(
            "{'$collStats':{'storageStats':{'scale':1},'count':{},"
                + "'latencyStats':{},'queryExecStats':{}}}");
    assertThat(row.field("ns").asString()).isEqualTo("d.c");
    assertThat(row.field("count").asInt()).isEqualTo(2);
    assertThat(Shell.at(row, "storageStats.count").asInt()).isEqualTo(2);
    assertThat(Shell.at(row, "storageStats.nindexes").asInt()).isEqualTo(1);
    assertThat(Shell.at(row, "storageStats.scaleFactor").asInt()).isEqualTo(1);
    assertThat(Shell.at(row, "latencyStats.writes.ops").asLong()).isEqualTo(1);
    assertThat(row.field("host").asString()).isEqualTo("localhost:27017");
  }

  @Test
  void collStatsReturnsLatencyHistograms() {
    shell.insert("{'_id':1}", "{'_id':2}");
    shell.found("{}");
    shell.found("{}");
    Document row = row("{'$collStats':{'latencyStats':{'histograms':true}}}");
    // the ticker does not advance, so all latencies are 0
    assertThat(Shell.text(Shell.at(row, "latencyStats.reads.histogram")))
        .isEqualTo("[{'micros':0,'count':2}]");
    assertThat(Shell.text(Shell.at(row, "latencyStats.transactions.histogram"))).isEqualTo("[]");
    assertThat(Shell.at(row, "latencyStats.reads.ops").asLong()).isEqualTo(2);
  }

  @Test
  void collStatsFailsForMissingCollectionsAndViews() {
    assertThat(
            shell.error("{'aggregate':'c','pipeline':[{'$collStats':{'count':{}}}],'cursor':{}}"))
        .isEqualTo(
            "26 Unable to retrieve count in $collStats stage :: caused by :: Collection [d.c] not"
                + " found.");
    shell.run("{'create':'v','viewOn':'c','pipeline':[]}");
    assertThat(
            shell.error(
                "{'aggregate':'v','pipeline':[{'$collStats':{'storageStats':{}}}],'cursor':{}}"))
        .startsWith("166 ");
  }

  @Test
  void indexStatsCountsUses() {
    shell.run("{'createIndexes':'c','indexes':[{'key':{'a':1},'name':'a_1'}]}");
    shell.insert("{'_id':1,'a':1}");
    shell.found("{'a':1}");
    shell.found("{'a':2}");
    shell.all("{'find':'c','filter':{'_id':1}}");
    shell.all("{'find':'c'}");
    shell.run("{'count':'c','query':{'b':1}}");
    assertThat(
            shell.aggregate("{'$indexStats':{}}", "{'$project':{'name':1,'ops':'$accesses.ops'}}"))
        .containsExactly("{'name':'_id_','ops':1}", "{'name':'a_1','ops':2}");
    assertThat(
            Shell.at(
                    row("{'$collStats':{'queryExecStats':{}}}"),
                    "queryExecStats.collectionScans.total")
                .asLong())
        .isEqualTo(2);
    assertThat(Shell.text(row("{'$indexStats':{}}").field("spec")))
        .isEqualTo("{'v':2,'key':{'_id':1},'name':'_id_'}");
  }

  private List<String> uses() {
    return shell.aggregate(
        "{'$indexStats':{}}",
        "{'$project':{'_id':0,'ops':'$accesses.ops',"
            + "'s':{'$dateDiff':{'startDate':"
            + Shell.ago(0)
            + ",'endDate':'$accesses.since','unit':'second'}}}}");
  }

  @Test
  void indexStatsRestartAfterAChange() {
    shell.run("{'createIndexes':'c','indexes':[{'key':{'a':1},'name':'a_1'}]}");
    shell.found("{'a':1}");
    assertThat(uses()).element(1).isEqualTo("{'ops':1,'s':0}");
    shell.advance(Duration.ofSeconds(5));
    shell.run("{'collMod':'c','index':{'name':'a_1','expireAfterSeconds':100}}");
    assertThat(uses()).containsExactly("{'ops':0,'s':0}", "{'ops':0,'s':5}");
    shell.found("{'a':1}");
    assertThat(uses()).element(1).isEqualTo("{'ops':1,'s':5}");
    shell.run("{'dropIndexes':'c','index':'a_1'}");
    shell.run("{'createIndexes':'c','indexes':[{'key':{'a':-1},'name':'a_1'}]}");
    assertThat(uses()).element(1).isEqualTo("{'ops':0,'s':5}");
  }

  @Test
  void currentOpRunsOnAdminOnly() {
    assertThat(shell.error("{'aggregate':1,'pipeline':[{'$currentOp':{}}],'cursor':{}}"))
        .startsWith("73 ");
    Document reply =
        shell.admin("{'aggregate':1,'pipeline':[{'$currentOp':{'allUsers':true}}],'cursor':{}}");
    assertThat(Shell.batch(reply.field("cursor").asDocument())).isEmpty();
  }

  @Test
  void listLocalSessionsReturnsSessions() {
    shell.run("{'ping':1," + Shell.LSID + "}");
    assertThat(shell.all("{'aggregate':1,'pipeline':[{'$listLocalSessions':{}}],'cursor':{}}"))
        .singleElement()
        .asString()
        .startsWith("{'_id':{'id':{'$binary':{'base64':'AAAAAAAAQACAAAAAAAAAAQ=='");
  }

  @Test
  void planCacheAndSearchIndexesAreEmpty() {
    shell.insert("{'_id':1}");
    assertThat(shell.aggregate("{'$planCacheStats':{}}")).isEmpty();
    assertThat(shell.aggregate("{'$listSearchIndexes':{}}")).isEmpty();
  }

  @Test
  void unknownOptionsFail() {
    shell.insert("{'_id':1}");
    for (String stage :
        new String[] {
          "{'$collStats':{'x':1}}", "{'$indexStats':{'x':1}}", "{'$listSessions':{'x':1}}"
        }) {
      assertThat(shell.error("{'aggregate':'c','pipeline':[" + stage + "],'cursor':{}}"))
          .startsWith("40415 ");
    }
  }
}
