package dev.mayfly.mongo.cursor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mongo.Shell;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tailable cursors on capped collections. */
final class TailTest {
  private final Shell shell = new Shell();

  @AfterEach
  void close() {
    shell.close();
  }

  private Document opened(String options) {
    shell.run("{'create':'c','capped':true,'size':100000,'max':3}");
    shell.insert("{'_id':1,'a':1}", "{'_id':2,'a':2}");
    return shell.cursor("{'find':'c','tailable':true" + options + "}");
  }

  @Test
  void tailableCursorStaysOpenAtTheEnd() {
    Document cursor = opened("");
    assertThat(Shell.batch(cursor)).hasSize(2);
    assertThat(cursor.field("id").asLong()).isNotZero();
    assertThat(Shell.batch(shell.more(cursor, ""))).isEmpty();
    shell.insert("{'_id':3,'a':3}");
    assertThat(Shell.batch(shell.more(cursor, ""))).containsExactly("{'_id':3,'a':3}");
  }

  @Test
  void overwrittenPositionIsCappedPositionLost() {
    Document cursor = opened("");
    shell.insert("{'_id':3}", "{'_id':4}");
    assertThat(Shell.batch(shell.more(cursor, ""))).containsExactly("{'_id':3}", "{'_id':4}");
    shell.insert("{'_id':5}", "{'_id':6}", "{'_id':7}", "{'_id':8}");
    assertThat(shell.error(Shell.getMore(cursor, ""))).startsWith("136 ");
    assertThat(shell.error(Shell.getMore(cursor, ""))).startsWith("43 ");
  }

  @Test
  void tailableCursorOnAnEmptyCollectionIsClosed() {
    shell.run("{'create':'c','capped':true,'size':100000}");
    String find = "{'find':'c','tailable':true,'awaitData':true,'filter':{'a':1}}";
    assertThat(shell.cursor(find).field("id").asLong()).isZero();
    shell.insert("{'_id':1}");
    assertThat(shell.cursor(find).field("id").asLong()).isNotZero();
  }

  @Test
  void tailableCursorAppliesFilterAndProjection() {
    Document cursor = opened(",'filter':{'a':{'$gt':1}},'projection':{'a':1,'_id':0}");
    assertThat(Shell.batch(cursor)).containsExactly("{'a':2}");
    shell.insert("{'_id':3,'a':0}", "{'_id':4,'a':9}");
    assertThat(Shell.batch(shell.more(cursor, ""))).containsExactly("{'a':9}");
  }

  @Test
  void awaitDataReturnsWhenADocumentIsInserted() throws Exception {
    Document cursor = opened(",'awaitData':true");
    CompletableFuture<Document> more =
        CompletableFuture.supplyAsync(() -> shell.more(cursor, ",'maxTimeMS':60000"));
    shell.insert("{'_id':3,'a':3}");
    assertThat(Shell.batch(more.get())).containsExactly("{'_id':3,'a':3}");
  }

  @Test
  void awaitDataIgnoresDocumentsThatDoNotMatch() throws Exception {
    Document cursor = opened(",'awaitData':true,'filter':{'a':9}");
    assertThat(Shell.batch(cursor)).isEmpty();
    CompletableFuture<Document> more =
        CompletableFuture.supplyAsync(() -> shell.more(cursor, ",'maxTimeMS':60000"));
    shell.insert("{'_id':3,'a':3}");
    assertThat(more.copy().completeOnTimeout(Document.EMPTY, 500, TimeUnit.MILLISECONDS).get())
        .isEqualTo(Document.EMPTY);
    shell.insert("{'_id':4,'a':9}");
    assertThat(Shell.batch(more.get())).containsExactly("{'_id':4,'a':9}");
  }

  @Test
  void killCursorsEndsAwaitData() throws Exception {
    Document cursor = opened(",'awaitData':true");
    CompletableFuture<String> more =
        CompletableFuture.supplyAsync(
            () -> shell.error(Shell.getMore(cursor, ",'maxTimeMS':600000")));
    shell.run(
        "{'killCursors':'c','cursors':[{'$numberLong':'" + cursor.field("id").asLong() + "'}]}");
    assertThat(more.get()).matches("(237|43) .*");
    assertThat(shell.cursors().size()).isZero();
  }

  @Test
  void tailableCursorRejectsOtherSortsAndMinMax() {
    opened("");
    assertThat(shell.error("{'find':'c','tailable':true,'sort':{'$natural':-1}}"))
        .isEqualTo("2 cannot use tailable option with a sort other than {$natural: 1}");
    assertThat(shell.error("{'find':'c','tailable':true,'sort':{'a':1}}")).startsWith("2 ");
    for (String end : new String[] {"min", "max"}) {
      assertThat(
              shell.error("{'find':'c','tailable':true,'" + end + "':{'_id':2},'hint':{'_id':1}}"))
          .startsWith("238 ");
    }
    assertThat(shell.cursor("{'find':'c','tailable':true,'sort':{'$natural':1}}").field("id"))
        .isNotEqualTo(Value.of(0L));
  }

  @Test
  void dropKillsTheTailableCursor() {
    Document cursor = opened("");
    shell.run("{'drop':'c'}");
    assertThat(shell.error(Shell.getMore(cursor, ""))).startsWith("175 ");
  }

  @Test
  void cappedCollectionKeepsTheNewestDocuments() {
    opened("");
    shell.insert("{'_id':3}", "{'_id':4}", "{'_id':5}");
    assertThat(shell.all("{'find':'c','projection':{'_id':1}}"))
        .containsExactly("{'_id':3}", "{'_id':4}", "{'_id':5}");
    assertThat(shell.all("{'find':'c','projection':{'_id':1},'sort':{'$natural':-1}}"))
        .containsExactly("{'_id':5}", "{'_id':4}", "{'_id':3}");
  }
}
