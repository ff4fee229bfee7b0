package dev.mayfly.mongo.cursor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mongo.CommandSettings;
import dev.mayfly.mongo.Shell;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cursors: {@code getMore}, {@code killCursors}, and other reasons that close cursors. */
final class CursorTest {
  private final Shell shell = new Shell();

  @AfterEach
  void close() {
    shell.close();
  }

  private Document opened() {
    return opened("");
  }

  private Document opened(String options) {
    shell.insert("{'_id':1}", "{'_id':2}", "{'_id':3}");
    return shell.cursor("{'find':'c','batchSize':1" + options + "}");
  }

  private String kill(Document cursor, String collection) {
    return shell.replyText(
        "{'killCursors':'"
            + collection
            + "','cursors':[{'$numberLong':'"
            + cursor.field("id").asLong()
            + "'}]}");
  }

  @Test
  void getMoreReturnsTheNextBatches() {
    Document cursor = opened();
    assertThat(Shell.batch(shell.more(cursor, ",'batchSize':1"))).containsExactly("{'_id':2}");
    Document last = shell.more(cursor, ",'batchSize':5");
    assertThat(last).hasToString("{\"nextBatch\":[{\"_id\":3}],\"id\":0,\"ns\":\"d.c\"}");
    assertThat(shell.error(Shell.getMore(cursor, "")))
        .isEqualTo("43 cursor id " + cursor.field("id").asLong() + " not found");
  }

  @Test
  void cursorReadsAsOfItsStart() {
    Document cursor = opened();
    shell.run("{'delete':'c','deletes':[{'q':{'_id':2},'limit':1}]}");
    shell.insert("{'_id':4}");
    assertThat(Shell.batch(shell.more(cursor, ""))).containsExactly("{'_id':2}", "{'_id':3}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "'drop':'c'"|collection dropped
          "'dropDatabase':1"|collection dropped
          "'renameCollection':'d.c','to':'d.other'"|collection renamed
          "'dropIndexes':'c','index':'a'"|index 'a' dropped
          """,
      quoteCharacter = '"')
  void droppingItsCollectionOrIndexKillsACursor(String change, String reason) {
    shell.insert("{'_id':1,'a':1}", "{'_id':2,'a':2}", "{'_id':3,'a':3}", "{'_id':4,'a':4}");
    shell.run(
        "{'createIndexes':'c','indexes':[{'key':{'a':1},'name':'a'},{'key':{'b':1},'name':'b'}]}");
    List<Document> cursors =
        List.of(
            shell.cursor("{'find':'c','filter':{'a':{'$gt':0}},'batchSize':1}"),
            shell.cursor(
                "{'aggregate':'c','pipeline':[{'$match':{'a':{'$gt':0}}}],"
                    + "'cursor':{'batchSize':1}}"));
    shell.run("{'dropIndexes':'c','index':'b'}");
    cursors.forEach(
        cursor -> assertThat(Shell.batch(shell.more(cursor, ",'batchSize':1"))).hasSize(1));
    if (change.startsWith("'rename")) {
      shell.admin("{" + change + "}");
    } else {
      shell.run("{" + change + "}");
    }
    for (Document cursor : cursors) {
      assertThat(shell.error(Shell.getMore(cursor, ""))).startsWith("175 " + reason);
      assertThat(shell.error(Shell.getMore(cursor, ""))).startsWith("43 ");
    }
  }

  @Test
  void unknownCursorIdIsNotFound() {
    assertThat(shell.error("{'getMore':{'$numberLong':'7'},'collection':'c'}"))
        .isEqualTo("43 cursor id 7 not found");
    assertThat(shell.error("{'getMore':7,'collection':'c'}")).startsWith("14 ");
    assertThat(shell.error("{'getMore':{'$numberLong':'7'},'collection':'c','batchSize':-1}"))
        .startsWith("51024 ");
  }

  @Test
  void getMoreRequiresTheNamespaceOfTheCursor() {
    Document cursor = opened();
    assertThat(shell.error(Shell.getMore(cursor, "").replace("'c'", "'other'")))
        .isEqualTo(
            "13 Requested getMore on namespace 'd.other', but cursor belongs to a different"
                + " namespace d.c");
    assertThat(Shell.batch(shell.more(cursor, ""))).hasSize(2);
  }

  @Test
  void getMoreRequiresTheSessionOfTheCursor() {
    Document cursor = opened("," + Shell.LSID);
    assertThat(shell.error(Shell.getMore(cursor, ""))).startsWith("50737 ");
    assertThat(shell.error(Shell.getMore(cursor, "," + Shell.lsid(2)))).startsWith("50738 ");
    assertThat(Shell.batch(shell.more(cursor, "," + Shell.LSID))).hasSize(2);
    Document without = shell.cursor("{'find':'c','batchSize':1}");
    assertThat(shell.error(Shell.getMore(without, "," + Shell.LSID))).startsWith("50736 ");
  }

  @Test
  void killCursorsClosesCursors() {
    Document cursor = opened();
    String id = Long.toString(cursor.field("id").asLong());
    assertThat(kill(cursor, "other"))
        .isEqualTo(
            "{'cursorsKilled':[],'cursorsNotFound':["
                + id
                + "],'cursorsAlive':[],'cursorsUnknown':[]}");
    assertThat(kill(cursor, "c"))
        .isEqualTo(
            "{'cursorsKilled':["
                + id
                + "],'cursorsNotFound':[],'cursorsAlive':[],'cursorsUnknown':[]}");
    assertThat(shell.error(Shell.getMore(cursor, ""))).startsWith("43 ");
    assertThat(kill(cursor, "c")).contains("'cursorsNotFound':[" + id + "]");
    assertThat(shell.error("{'killCursors':'c','cursors':1}")).startsWith("14 ");
  }

  @Test
  void idleCursorIsClosedAfterTenMinutes() {
    Document cursor = opened();
    Document kept = shell.cursor("{'find':'c','batchSize':1,'noCursorTimeout':true}");
    shell.nanos.addAndGet(TimeUnit.MINUTES.toNanos(9));
    shell.cursors().closeIdle();
    cursor = shell.more(cursor, ",'batchSize':1");
    shell.nanos.addAndGet(TimeUnit.MINUTES.toNanos(9));
    shell.cursors().closeIdle();
    assertThat(shell.cursors().size()).isEqualTo(2);
    shell.nanos.addAndGet(TimeUnit.MINUTES.toNanos(2));
    shell.cursors().closeIdle();
    assertThat(shell.error(Shell.getMore(cursor, ""))).startsWith("43 ");
    assertThat(Shell.batch(shell.more(kept, ""))).hasSize(2);
  }

  @Test
  void cursorTimeoutMillisIsAParameter() {
    assertThat(shell.admin("{'getParameter':1,'cursorTimeoutMillis':1}").toString())
        .contains("\"cursorTimeoutMillis\":600000");
    shell.admin("{'setParameter':1,'cursorTimeoutMillis':1000}");
    Document cursor = opened();
    shell.nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
    shell.cursors().closeIdle();
    assertThat(shell.error(Shell.getMore(cursor, ""))).startsWith("43 ");
    assertThat(shell.adminError("{'setParameter':1,'cursorTimeoutMillis':0}")).startsWith("2 ");
    assertThat(shell.admin("{'getParameter':'*'}").field("enableTestCommands"))
        .isEqualTo(Value.FALSE);
  }

  @Test
  void endSessionsClosesCursors() {
    Document cursor = opened("," + Shell.LSID);
    shell.cursor("{'find':'c','batchSize':1}");
    shell.run("{'endSessions':[" + Shell.LSID.replaceFirst("'lsid':", "") + "]}");
    assertThat(shell.cursors().size()).isEqualTo(1);
    assertThat(shell.error(Shell.getMore(cursor, "," + Shell.LSID))).startsWith("43 ");
  }

  @Test
  void batchStaysBelow16MegabytesButHasOneDocument() {
    String large = "x".repeat(9 << 20);
    shell.insert("{'_id':1,'s':'" + large + "'}");
    shell.insert("{'_id':2,'s':'" + large + "'}");
    shell.insert("{'_id':3}");
    Document cursor = shell.cursor("{'find':'c'}");
    assertThat(Shell.batch(cursor)).hasSize(1);
    Document last = shell.more(cursor, "");
    assertThat(Shell.batch(last)).hasSize(2);
    assertThat(last.field("id").asLong()).isZero();
  }

  @Test
  void numberOfOpenCursorsIsLimited() {
    shell.insert("{'_id':1}", "{'_id':2}");
    for (int i = 0; i < CommandSettings.STANDARD.maxCursors(); i++) {
      shell.cursor("{'find':'c','batchSize':0}");
    }
    assertThat(shell.error("{'find':'c','batchSize':0}"))
        .isEqualTo("96 too many cursors are open: the limit is 10000");
    assertThat(Shell.batch(shell.cursor("{'find':'c'}"))).hasSize(2);
  }

  @Test
  void maxTimeMsOfGetMoreRequiresAwaitData() {
    shell.insert("{'_id':1}", "{'_id':2}");
    var cursor = shell.cursor("{'find':'c','batchSize':1}");
    assertThat(shell.error(Shell.getMore(cursor, ",'maxTimeMS':100"))).startsWith("2 ");
    assertThat(Shell.batch(shell.more(cursor, ""))).hasSize(1);
  }

  @Test
  void listCollectionsAndListIndexesReturnBatches() {
    shell.run("{'create':'a'}");
    shell.run("{'create':'b'}");
    shell.run(
        "{'createIndexes':'a','indexes':[{'key':{'x':1},'name':'x'},{'key':{'y':1},'name':'y'}]}");
    Document collections = shell.cursor("{'listCollections':1,'cursor':{'batchSize':1}}");
    assertThat(Shell.batch(collections)).hasSize(1);
    assertThat(collections.field("ns").asString()).isEqualTo("d.$cmd.listCollections");
    Document rest = shell.more(collections, "");
    assertThat(Shell.batch(rest)).hasSize(1);
    assertThat(rest.field("id").asLong()).isZero();
    Document indexes = shell.cursor("{'listIndexes':'a','cursor':{'batchSize':2}}");
    assertThat(Shell.batch(indexes)).hasSize(2);
    assertThat(Shell.batch(shell.more(indexes, ""))).hasSize(1);
    assertThat(shell.all("{'listIndexes':'a'}")).hasSize(3);
  }
}
