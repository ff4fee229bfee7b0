package dev.mayfly.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Change streams: what happened, in order, from where one left off. */
final class ChangeStreamTest {
  private final Shell shell = new Shell();

  @AfterEach
  void close() {
    shell.close();
  }

  private Document watch(String options, String... stages) {
    return opened("'c'", options, stages);
  }

  private Document opened(String target, String options, String... stages) {
    StringBuilder pipeline = new StringBuilder("[{'$changeStream':{" + options + "}}");
    for (String stage : stages) {
      pipeline.append(",").append(stage);
    }
    return shell.cursor("{'aggregate':" + target + ",'pipeline':" + pipeline + "],'cursor':{}}");
  }

  /** The events there are by now, without what differs from run to run. */
  private List<String> events(Document cursor) {
    List<String> events = new ArrayList<>();
    for (Document event : raw(cursor)) {
      events.add(
          Shell.text(Value.of(event))
              .replaceAll("'_id':\\{'_data':'[0-9A-F]*'},", "")
              .replaceAll("'clusterTime':\\{.*?}},", "")
              .replaceAll("'wallTime':\\{.*?},", ""));
    }
    return events;
  }

  private List<Document> raw(Document cursor) {
    Document batch = shell.more(cursor, ",'maxTimeMS':1");
    return Shell.batch(batch).stream().map(Shell::json).toList();
  }

  private static String token(Document event) {
    return Shell.text(event.field("_id"));
  }

  private void update(String change) {
    shell.run("{'update':'c','updates':[{'q':{'_id':1},'u':" + change + "}]}");
  }

  @Test
  void everyKindOfChangeIsTold() {
    shell.insert("{'_id':0}");
    Document cursor = watch("");
    assertThat(Shell.batch(cursor)).isEmpty();
    shell.insert("{'_id':1,'a':1,'b':1}");
    update("{'$set':{'a':2},'$unset':{'b':1}}");
    update("{'z':1}");
    shell.run("{'delete':'c','deletes':[{'q':{'_id':1},'limit':1}]}");
    assertThat(events(cursor))
        .containsExactly(
            "{'operationType':'insert','fullDocument':{'_id':1,'a':1,'b':1},"
                + "'ns':{'db':'d','coll':'c'},'documentKey':{'_id':1}}",
            "{'operationType':'update','ns':{'db':'d','coll':'c'},'documentKey':{'_id':1},"
                + "'updateDescription':{'updatedFields':{'a':2},'removedFields':['b'],"
                + "'truncatedArrays':[]}}",
            "{'operationType':'replace','fullDocument':{'_id':1,'z':1},"
                + "'ns':{'db':'d','coll':'c'},'documentKey':{'_id':1}}",
            "{'operationType':'delete','ns':{'db':'d','coll':'c'},'documentKey':{'_id':1}}");
    assertThat(events(cursor)).isEmpty();
  }

  @Test
  void anExpiryIsADeletionThatSaysSo() {
    shell.run(
        "{'createIndexes':'c','indexes':[{'key':{'at':1},'name':'t','expireAfterSeconds':10}]}");
    Document cursor = watch("");
    shell.insert("{'_id':1,'at':" + Shell.ago(0) + "}");
    shell.advance(Duration.ofSeconds(10));
    shell.sweep();
    assertThat(events(cursor).getLast())
        .isEqualTo(
            "{'operationType':'delete','ns':{'db':'d','coll':'c'},'documentKey':{'_id':1},"
                + "'mayfly':{'expired':true,'deadline':{'$date':'2023-11-14T22:13:30Z'}}}");
  }

  @Test
  void aStreamGoesOnBehindAnEvent() {
    shell.insert("{'_id':0}");
    Document cursor = watch("");
    for (int i = 1; i <= 3; i++) {
      shell.insert("{'_id':" + i + "}");
    }
    List<Document> all = raw(cursor);
    assertThat(all).hasSize(3);
    for (String option : new String[] {"resumeAfter", "startAfter"}) {
      Document resumed = watch("'" + option + "':" + token(all.getFirst()));
      List<String> rest = new ArrayList<>(Shell.batch(resumed));
      rest.addAll(Shell.batch(shell.more(resumed, ",'maxTimeMS':1")));
      assertThat(rest).hasSize(2);
      assertThat(Shell.json(rest.getFirst())).isEqualTo(all.get(1));
    }
  }

  @Test
  void theTokenOfABatchIsThatOfItsLastEvent() {
    shell.insert("{'_id':0}");
    Document cursor = watch("");
    for (int i = 1; i <= 3; i++) {
      shell.insert("{'_id':" + i + "}");
    }
    Document batch = shell.more(cursor, ",'batchSize':1,'maxTimeMS':1");
    assertThat(batch.field("postBatchResumeToken")).isEqualTo(Shell.at(batch, "nextBatch.0._id"));
    Document resumed = watch("'resumeAfter':" + Shell.text(batch.field("postBatchResumeToken")));
    List<String> rest = new ArrayList<>(Shell.batch(resumed));
    rest.addAll(Shell.batch(shell.more(resumed, ",'maxTimeMS':1")));
    assertThat(rest).hasSize(2);
  }

  @Test
  void aStreamStartsAtATime() {
    shell.insert("{'_id':1}");
    shell.advance(Duration.ofSeconds(10));
    Document time = shell.reply("{'ping':1}");
    shell.insert("{'_id':2}");
    Document cursor = watch("'startAtOperationTime':" + Shell.text(time.field("operationTime")));
    List<String> events = new ArrayList<>(Shell.batch(cursor));
    events.addAll(Shell.batch(shell.more(cursor, ",'maxTimeMS':1")));
    assertThat(events).singleElement().asString().contains("'documentKey':{'_id':2}");
  }

  @Test
  void aStreamGoesOnAfterARestart() {
    shell.insert("{'_id':0}");
    Document cursor = watch("");
    shell.insert("{'_id':1}");
    shell.insert("{'_id':2}");
    String token = token(raw(cursor).getFirst());
    shell.restart();
    Document resumed = watch("'resumeAfter':" + token);
    List<String> rest = new ArrayList<>(Shell.batch(resumed));
    rest.addAll(Shell.batch(shell.more(resumed, ",'maxTimeMS':1")));
    assertThat(rest).singleElement().asString().contains("'documentKey':{'_id':2}");
  }

  @Test
  void theDocumentIsLookedUpWhenItIsWanted() {
    shell.insert("{'_id':1,'a':1}");
    Document cursor = watch("'fullDocument':'updateLookup'");
    update("{'$set':{'a':2}}");
    update("{'$set':{'a':3}}");
    List<Document> events = raw(cursor);
    assertThat(Shell.text(events.getFirst().field("fullDocument"))).isEqualTo("{'_id':1,'a':3}");
    Document gone = watch("'fullDocument':'updateLookup'");
    update("{'$set':{'a':4}}");
    shell.run("{'delete':'c','deletes':[{'q':{},'limit':0}]}");
    assertThat(raw(gone).getFirst().field("fullDocument").isNull()).isTrue();
  }

  @Test
  void imagesBeforeAndAfterAreToldWhereTheyAreKept() {
    shell.run("{'create':'c','changeStreamPreAndPostImages':{'enabled':true}}");
    shell.insert("{'_id':1,'a':1}");
    Document cursor = watch("'fullDocument':'required','fullDocumentBeforeChange':'required'");
    update("{'$set':{'a':2}}");
    shell.run("{'delete':'c','deletes':[{'q':{},'limit':0}]}");
    List<Document> events = raw(cursor);
    assertThat(Shell.text(events.getFirst().field("fullDocument"))).isEqualTo("{'_id':1,'a':2}");
    assertThat(Shell.text(events.getFirst().field("fullDocumentBeforeChange")))
        .isEqualTo("{'_id':1,'a':1}");
    assertThat(Shell.text(events.getLast().field("fullDocumentBeforeChange")))
        .isEqualTo("{'_id':1,'a':2}");
  }

  @Test
  void anUpdatedDocumentIsAvailableOnlyWhereImagesAreKept() {
    shell.insert("{'_id':1,'a':1,'b':1}");
    Document available = watch("'fullDocument':'whenAvailable'");
    Document required = watch("'fullDocument':'required'");
    update("{'$set':{'a':2}}");
    Document event = raw(available).getFirst();
    assertThat(event.field("fullDocument").isNull()).isTrue();
    assertThat(Shell.text(event.field("updateDescription")))
        .isEqualTo("{'updatedFields':{'a':2},'removedFields':[],'truncatedArrays':[]}");
    Document refused = shell.reply(Shell.getMore(required, ",'maxTimeMS':1"));
    assertThat(refused.field("code").asInt()).isEqualTo(47);
  }

  @Test
  void imagesThatAreNotKeptCannotBeRequired() {
    shell.insert("{'_id':1,'a':1}");
    Document available = watch("'fullDocumentBeforeChange':'whenAvailable'");
    Document required = watch("'fullDocumentBeforeChange':'required'");
    shell.run("{'delete':'c','deletes':[{'q':{},'limit':0}]}");
    assertThat(raw(available).getFirst().field("fullDocumentBeforeChange").isNull()).isTrue();
    Document refused = shell.reply(Shell.getMore(required, ",'maxTimeMS':1"));
    assertThat(refused.field("code").asInt()).isEqualTo(47);
    assertThat(Shell.text(refused.field("errorLabels")))
        .isEqualTo("['NonResumableChangeStreamError']");
  }

  @Test
  void theEndOfTheCollectionIsTheEndOfItsStream() {
    shell.insert("{'_id':1}");
    Document cursor = watch("");
    shell.insert("{'_id':2}");
    shell.run("{'drop':'c'}");
    Document batch = shell.more(cursor, ",'maxTimeMS':1");
    List<String> events = new ArrayList<>(Shell.batch(batch));
    while (batch.field("id").asLong() != 0) {
      batch = shell.more(batch, ",'maxTimeMS':1");
      events.addAll(Shell.batch(batch));
    }
    assertThat(events.get(events.size() - 2)).contains("'operationType':'drop'");
    assertThat(events.getLast()).contains("'operationType':'invalidate'");
    String token = token(Shell.json(events.getLast()));
    assertThat(
            shell.refused(
                "{'aggregate':'c','pipeline':[{'$changeStream':{'resumeAfter':"
                    + token
                    + "}}],'cursor':{}}"))
        .startsWith("260 ");
    Document again = watch("'startAfter':" + token);
    shell.insert("{'_id':3}");
    assertThat(events(again)).singleElement().asString().contains("'documentKey':{'_id':3}");
  }

  @Test
  void aDatabaseAndAllDatabasesCanBeWatched() {
    Document database = opened("1", "");
    Document all =
        shell
            .admin(
                "{'aggregate':1,'pipeline':[{'$changeStream':{'allChangesForCluster':true}}],"
                    + "'cursor':{}}")
            .field("cursor")
            .asDocument();
    shell.insert("{'_id':1}");
    shell.run("{'insert':'o','documents':[{'_id':2}]}");
    shell.admin(
        "{'bulkWrite':1,'ops':[{'insert':0,'document':{'_id':3}}],'nsInfo':[{'ns':'e.f'}]}");
    assertThat(events(database)).hasSize(2).last().asString().contains("'coll':'o'");
    Document batch = shell.admin(Shell.getMore(all, ",'maxTimeMS':1")).field("cursor").asDocument();
    assertThat(Shell.batch(batch)).hasSize(3).last().asString().contains("'db':'e','coll':'f'");
  }

  @Test
  void eventsGoThroughTheRestOfThePipeline() {
    shell.insert("{'_id':0}");
    Document cursor =
        watch(
            "",
            "{'$match':{'operationType':'insert','fullDocument.a':{'$gt':1}}}",
            "{'$project':{'fullDocument.a':1}}");
    shell.insert("{'_id':1,'a':1}");
    shell.insert("{'_id':2,'a':2}");
    List<Document> events = raw(cursor);
    assertThat(events).hasSize(1);
    assertThat(Shell.text(events.getFirst().field("fullDocument"))).isEqualTo("{'a':2}");
  }

  @Test
  void theTokenGoesOnThoughNothingIsTold() {
    shell.insert("{'_id':0}");
    Document cursor = watch("", "{'$match':{'operationType':'delete'}}");
    shell.insert("{'_id':1}");
    Document batch = shell.more(cursor, ",'maxTimeMS':1");
    assertThat(batch.field("postBatchResumeToken"))
        .isNotEqualTo(cursor.field("postBatchResumeToken"));
  }

  @Test
  void whatATransactionWroteIsToldAtItsCommit() {
    shell.insert("{'_id':0}");
    Document cursor = watch("");
    String inside = Shell.retryable(1) + ",'autocommit':false";
    shell.run("{'insert':'c','documents':[{'_id':1}]," + inside + ",'startTransaction':true}");
    assertThat(events(cursor)).isEmpty();
    shell.admin("{'commitTransaction':1," + inside + "}");
    assertThat(events(cursor)).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'$changeStream':{'colour':1}}|40415
          {'$changeStream':{'fullDocument':'x'}}|2
          {'$changeStream':{'fullDocumentBeforeChange':'default'}}|2
          {'$changeStream':{'resumeAfter':1}}|14
          {'$changeStream':{'resumeAfter':{'_data':'zz'}}}|260
          {'$changeStream':{'resumeAfter':{}}}|260
          {'$changeStream':{'allChangesForCluster':true}}|72
          {'$changeStream':{}},{'$group':{'_id':1}}|20
          {'$changeStream':{}},{'$sort':{'_id':1}}|20
          {'$match':{}},{'$changeStream':{}}|40602
          """)
  void whatMeansNothingIsRefused(String stages, String code) {
    shell.insert("{'_id':1}");
    assertThat(shell.refused("{'aggregate':'c','pipeline':[" + stages + "],'cursor':{}}"))
        .startsWith(code + " ");
  }
}
