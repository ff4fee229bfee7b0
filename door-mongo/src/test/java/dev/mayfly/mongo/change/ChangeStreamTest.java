package dev.mayfly.mongo.change;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mongo.Shell;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Change streams: events, order, resume tokens. */
final class ChangeStreamTest {
  private static final String IMAGES =
      "'fullDocument':'required','fullDocumentBeforeChange':'required'";
  private static final String SPLIT = "{'$changeStreamSplitLargeEvent':{}}";

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

  /** The next events, without fields that differ from run to run. */
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
  void outIsReportedAsARename() {
    shell.insert("{'_id':1}");
    Document cursor = opened("1", "'showExpandedEvents':true");
    shell.aggregate("{'$out':'o'}");
    assertThat(raw(cursor))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.field("operationType").asString()).isEqualTo("rename");
              assertThat(event.field("to")).hasToString("{\"db\":\"d\",\"coll\":\"o\"}");
            });
    shell.run("{'update':'o','updates':[{'q':{'_id':1},'u':{'$set':{'a':2}}}]}");
    assertThat(events(cursor))
        .singleElement()
        .asString()
        .contains("'updateDescription':{'updatedFields':{'a':2}");
  }

  @Test
  void ambiguousPathsAreDisambiguated() {
    shell.insert("{'_id':1,'a.b':1,'o':{'0':1},'l':[{'x.y':1},2],'gone.too':1}");
    Document cursor = watch("'showExpandedEvents':true");
    update("[{'$replaceWith':{'$literal':" + "{'_id':1,'a.b':2,'o':{'0':2},'l':[{'x.y':2},3]}}}]");
    update("{'$set':{'l.1':4}}");
    List<Document> events = raw(cursor);
    assertThat(Shell.text(Shell.at(events.get(0), "updateDescription.disambiguatedPaths")))
        .isEqualTo(
            "{'a.b':['a.b'],'o.0':['o','0'],'l.0.x.y':['l',0,'x.y'],'gone.too':['gone.too']}");
    assertThat(Shell.text(events.get(1).field("updateDescription")))
        .isEqualTo(
            "{'updatedFields':{'l.1':4},'removedFields':[],'truncatedArrays':[],"
                + "'disambiguatedPaths':{}}");
  }

  @Test
  void eventsOfATransactionContainLsidAndTxnNumber() {
    shell.insert("{'_id':0}");
    Document cursor = watch("");
    String in = Shell.retryable(7) + ",'autocommit':false";
    shell.run("{'insert':'c','documents':[{'_id':1}]," + in + ",'startTransaction':true}");
    shell.admin("{'commitTransaction':1," + in + "}");
    shell.run("{'insert':'c','documents':[{'_id':2}]," + Shell.retryable(8) + "}");
    List<Document> events = raw(cursor);
    assertThat(events.get(0).field("txnNumber").asLong()).isEqualTo(7);
    assertThat(Shell.text(events.get(0).field("lsid")))
        .isEqualTo(Shell.text(Shell.json("{" + Shell.LSID + "}").field("lsid")));
    assertThat(events.get(1).field("lsid").isMissing()).isTrue();
  }

  @Test
  void insertUpdateReplaceAndDeleteAreReported() {
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
  void expiryIsADeleteEventMarkedAsExpired() {
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
  void evictionIsADeleteEventMarkedAsEvicted() {
    shell.run("{'create':'c','mayflyLimit':{'maxDocuments':1}}");
    Document cursor = watch("");
    shell.insert("{'_id':1}");
    shell.insert("{'_id':2}");
    assertThat(events(cursor).getLast())
        .isEqualTo(
            "{'operationType':'delete','ns':{'db':'d','coll':'c'},'documentKey':{'_id':1},"
                + "'mayfly':{'evicted':true}}");
  }

  @Test
  void streamResumesAfterAnEvent() {
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
  void postBatchResumeTokenIsThatOfTheLastEvent() {
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
  void streamStartsAtAnOperationTime() {
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
  void startAtOperationTimeSkipsOlderChanges() {
    for (int i = 0; i < 600; i++) {
      shell.insert("{'_id':" + i + "}");
    }
    shell.advance(Duration.ofMinutes(1));
    String time = Shell.text(shell.reply("{'ping':1}").field("operationTime"));
    shell.insert("{'_id':'new'}");
    assertThat(Shell.batch(opened("1", "'startAtOperationTime':" + time)))
        .singleElement()
        .asString()
        .contains("'documentKey':{'_id':'new'}");
  }

  @Test
  void streamResumesAfterARestart() {
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
  void updateLookupReturnsTheCurrentDocument() {
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
  void preAndPostImagesAreReportedIfEnabled() {
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
  void postImageIsNullIfImagesAreDisabled() {
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

  /** Updates the document of 10 MiB, then inserts a small one. */
  private void changeLargeDocument() {
    update("{'$set':{'b':1}}");
    shell.insert("{'_id':2}");
  }

  private void insertLargeDocument() {
    shell.run("{'create':'c','changeStreamPreAndPostImages':{'enabled':true}}");
    shell.insert("{'_id':1,'a':'" + "x".repeat(10 << 20) + "'}");
  }

  private static String shape(Document event) {
    List<String> names = new ArrayList<>();
    Fields fields = event.fields();
    while (fields.next()) {
      names.add(fields.name());
    }
    Value fragment = event.field("splitEvent");
    return (fragment.isMissing() ? "" : Shell.text(fragment)) + names;
  }

  @Test
  void tooLargeEventFails() {
    insertLargeDocument();
    Document cursor = watch(IMAGES);
    changeLargeDocument();
    Document refused = shell.reply(Shell.getMore(cursor, ",'maxTimeMS':1"));
    assertThat(refused.field("code").asInt()).isEqualTo(10334);
    assertThat(refused.field("codeName").asString()).isEqualTo("BSONObjectTooLarge");
  }

  @Test
  void tooLargeEventIsSplitIntoFragments() {
    insertLargeDocument();
    Document cursor = watch(IMAGES, SPLIT);
    changeLargeDocument();
    Document first = shell.more(cursor, ",'maxTimeMS':1");
    List<Document> events = new ArrayList<>(Shell.batch(first).stream().map(Shell::json).toList());
    assertThat(events).hasSize(1);
    assertThat(Shell.text(first.field("postBatchResumeToken"))).isEqualTo(token(events.get(0)));
    events.addAll(raw(cursor));
    assertThat(events)
        .map(ChangeStreamTest::shape)
        .containsExactly(
            "{'fragment':1,'of':2}[_id, splitEvent, wallTime, ns, clusterTime, documentKey,"
                + " operationType, updateDescription, fullDocument]",
            "{'fragment':2,'of':2}[_id, splitEvent, fullDocumentBeforeChange]",
            "[_id, operationType, clusterTime, wallTime, fullDocument, ns, documentKey]");
    assertThat(events).map(ChangeStreamTest::token).doesNotHaveDuplicates();
  }

  @Test
  void streamResumesAfterAFragment() {
    insertLargeDocument();
    Document cursor = watch(IMAGES, SPLIT);
    changeLargeDocument();
    List<Document> events = new ArrayList<>(raw(cursor));
    events.addAll(raw(cursor));
    for (int seen = 0; seen < 2; seen++) {
      Document resumed = watch(IMAGES + ",'resumeAfter':" + token(events.get(seen)), SPLIT);
      List<Document> rest =
          new ArrayList<>(Shell.batch(resumed).stream().map(Shell::json).toList());
      rest.addAll(raw(resumed));
      assertThat(rest).isEqualTo(events.subList(seen + 1, 3));
    }
  }

  @Test
  void resumeAfterAFragmentRequiresTheSamePipeline() {
    insertLargeDocument();
    Document cursor = watch(IMAGES, SPLIT);
    changeLargeDocument();
    String resume = IMAGES + ",'resumeAfter':" + token(raw(cursor).getFirst());
    String stream = "{'aggregate':'c','cursor':{},'pipeline':[{'$changeStream':{" + resume + "}}";
    assertThat(shell.error(stream + "]}")).startsWith("280 To resume from a split event");
    assertThat(shell.error(stream + ",{'$match':{'operationType':'insert'}}," + SPLIT + "]}"))
        .startsWith("280 Attempted to resume from a split event");
    assertThat(shell.error(stream + ",{'$unset':'fullDocument'}," + SPLIT + "]}"))
        .startsWith("280 Attempted to resume from a split event");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'$changeStream':{}},{'$changeStreamSplitLargeEvent':{'a':1}}|7182800
          {'$changeStream':{}},{'$changeStreamSplitLargeEvent':1}|7182800
          {'$changeStream':{}},{'$changeStreamSplitLargeEvent':{}},{'$match':{}}|7182802
          {'$match':{}},{'$changeStreamSplitLargeEvent':{}}|20
          {'$changeStreamSplitLargeEvent':{}}|20
          """)
  void splitStageMustBeTheLastOfAChangeStream(String stages, String number) {
    shell.insert("{'_id':1}");
    assertThat(shell.error("{'aggregate':'c','pipeline':[" + stages + "],'cursor':{}}"))
        .startsWith(number + " ");
  }

  @Test
  void requiredPreImageFailsIfImagesAreDisabled() {
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
  void dropInvalidatesTheStreamOfTheCollection() {
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
            shell.error(
                "{'aggregate':'c','pipeline':[{'$changeStream':{'resumeAfter':"
                    + token
                    + "}}],'cursor':{}}"))
        .startsWith("260 ");
    Document again = watch("'startAfter':" + token);
    shell.insert("{'_id':3}");
    assertThat(events(again)).singleElement().asString().contains("'documentKey':{'_id':3}");
  }

  @Test
  void databaseAndClusterCanBeWatched() {
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
  void stagesTransformEvents() {
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{'$project':{'_id':0}} | {}",
        "{'$set':{'_id':1}} | { _id: 1 }",
        "{'$replaceWith':'$fullDocument'} | { _id: 1 }",
        "{'$unset':'_id'},{'$changeStreamSplitLargeEvent':{}} | {}"
      })
  void stagesMustKeepTheResumeToken(String stages, String found) {
    shell.insert("{'_id':0}");
    Document cursor = watch("", stages);
    shell.insert("{'_id':1}");
    assertThat(shell.error(Shell.getMore(cursor, ",'maxTimeMS':1")))
        .startsWith("280 Encountered an event whose _id field, which contains the resume token,")
        .contains("Expected: { _id: { _data: \"")
        .endsWith("but found: " + found);
  }

  @Test
  void resumeTokenAdvancesWithoutMatchingEvents() {
    shell.insert("{'_id':0}");
    Document cursor = watch("", "{'$match':{'operationType':'delete'}}");
    shell.insert("{'_id':1}");
    Document batch = shell.more(cursor, ",'maxTimeMS':1");
    assertThat(batch.field("postBatchResumeToken"))
        .isNotEqualTo(cursor.field("postBatchResumeToken"));
  }

  /** The time in a token, as connectors read it to compute their lag: type byte, seconds, count. */
  private static String time(String token) {
    String data = Shell.json(token).field("_data").asString();
    assertThat(data).startsWith("82");
    return Long.parseLong(data.substring(2, 10), 16)
        + "."
        + Long.parseLong(data.substring(10, 18), 16);
  }

  @Test
  void resumeTokenBeginsWithTheClusterTime() {
    shell.insert("{'_id':0}");
    Document cursor = watch("");
    shell.insert("{'_id':1}");
    Document event = raw(cursor).getFirst();
    long clusterTime = event.field("clusterTime").asTimestamp();
    assertThat(time(token(event)))
        .isEqualTo((clusterTime >>> 32) + "." + (clusterTime & 0xFFFF_FFFFL));
  }

  @Test
  void resumeTokenOfAnIdleStreamIsRenewed() {
    shell.insert("{'_id':0}");
    Document cursor = watch("");
    Value first = cursor.field("postBatchResumeToken");
    shell.advance(Duration.ofSeconds(9));
    assertThat(shell.more(cursor, ",'maxTimeMS':1").field("postBatchResumeToken")).isEqualTo(first);
    shell.advance(Duration.ofSeconds(1));
    Value renewed = shell.more(cursor, ",'maxTimeMS':1").field("postBatchResumeToken");
    assertThat(time(Shell.text(renewed))).isNotEqualTo(time(Shell.text(first)));
    shell.insert("{'_id':1}");
    assertThat(Shell.batch(watch("'resumeAfter':" + Shell.text(renewed)))).hasSize(1);
  }

  @Test
  void streamWithoutEventsResumesAtItsStartTime() {
    shell.insert("{'_id':0}");
    shell.advance(Duration.ofSeconds(5));
    String time = Shell.text(shell.reply("{'ping':1}").field("operationTime"));
    shell.insert("{'_id':1}");
    Document cursor =
        shell.cursor(
            "{'aggregate':'c','pipeline':[{'$changeStream':{'startAtOperationTime':"
                + time
                + "}}],'cursor':{'batchSize':0}}");
    Document resumed = watch("'resumeAfter':" + Shell.text(cursor.field("postBatchResumeToken")));
    assertThat(Shell.batch(resumed)).singleElement().asString().contains("'documentKey':{'_id':1}");
  }

  @Test
  void writesOfATransactionAreReportedAtTheCommit() {
    shell.insert("{'_id':0}");
    Document cursor = watch("");
    String inside = Shell.retryable(1) + ",'autocommit':false";
    shell.run("{'insert':'c','documents':[{'_id':1}]," + inside + ",'startTransaction':true}");
    assertThat(events(cursor)).isEmpty();
    shell.admin("{'commitTransaction':1," + inside + "}");
    assertThat(events(cursor)).hasSize(1);
  }

  /** The old document, an update, and the non-empty parts of its updateDescription. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          'o':{'x':1,'y':2}|{'$set':{'o':{'x':1,'y':3}}}|{'o':{'x':1,'y':3}}
          'o':{'x':1,'y':2}|{'$set':{'o.y':3}}|{'o.y':3}
          'o':{'p':{'x':1,'y':2}}|{'$set':{'o.p':{'x':1}}}|{'o.p':{'x':1}}
          'o':{'x':1},'p':{'x':1,'y':2}|{'$rename':{'o':'p'}}|{'p':{'x':1}} ['o']
          'l':[1,2,3]|{'$pop':{'l':1}}|{'l':[1,2]}
          'l':[1,2,3]|{'$pull':{'l':2}}|{'l':[1,3]}
          'l':[1,2]|{'$addToSet':{'l':3}}|{'l':[1,2,3]}
          'l':[1,2]|{'$push':{'l':3}}|{'l.2':3}
          'l':[1,2]|{'$push':{'l':{'$each':[3,4],'$slice':5}}}|{'l.2':3,'l.3':4}
          'l':[1,2]|{'$push':{'l':{'$each':[3],'$slice':-2}}}|{'l':[2,3]}
          'l':[1,2]|{'$push':{'l':{'$each':[3],'$sort':1}}}|{'l':[1,2,3]}
          'l':[1,2]|{'$push':{'l':{'$each':[0],'$position':0}}}|{'l':[0,1,2]}
          'l':[1,2]|{'$set':{'l':[1,3]}}|{'l':[1,3]}
          'l':[1,2]|{'$set':{'l.1':3}}|{'l.1':3}
          'l':[{'x':1},{'x':2}]|{'$inc':{'l.$[].x':1}}|{'l':[{'x':2},{'x':3}]}
          'l':[{'x':1},{'x':2}]|{'$max':{'l.$[].x':2}}|{'l.0.x':2}
          'o':{'x':1,'y':2}|[{'$set':{'o':{'x':1,'y':3}}}]|{'o.y':3}
          'l':[1,2,3]|[{'$set':{'l':[1,2]}}]|{} [{'field':'l','newSize':2}]
          """)
  void updateDescriptionReportsWholeValues(String before, String update, String expected) {
    shell.insert("{'_id':1," + before + "}");
    Document cursor = watch("");
    shell.run("{'update':'c','updates':[{'q':{'_id':1},'u':" + update + "}]}");
    Document description = raw(cursor).getFirst().field("updateDescription").asDocument();
    StringBuilder text = new StringBuilder(Shell.text(description.field("updatedFields")));
    for (String list : List.of("removedFields", "truncatedArrays")) {
      String entries = Shell.text(description.field(list));
      text.append(entries.equals("[]") ? "" : " " + entries);
    }
    assertThat(text).hasToString(expected);
  }

  @Test
  void updatesInATransactionAreReportedAsOutside() {
    shell.insert("{'_id':1,'a':1,'o':{'x':1,'y':2}}");
    shell.insert("{'_id':2,'a':1}");
    Document cursor = watch("");
    String inside = Shell.retryable(1) + ",'autocommit':false";
    shell.run(
        "{'update':'c','updates':[{'q':{'_id':1},'u':{'$set':{'o':{'x':1,'y':3}}}},"
            + "{'q':{'_id':2},'u':{'a':2}}],"
            + inside
            + ",'startTransaction':true}");
    shell.admin("{'commitTransaction':1," + inside + "}");
    List<Document> events = raw(cursor);
    assertThat(Shell.text(Shell.at(events.get(0), "updateDescription.updatedFields")))
        .isEqualTo("{'o':{'x':1,'y':3}}");
    assertThat(events.get(1).field("operationType").asString()).isEqualTo("replace");
    assertThat(Shell.text(events.get(1).field("fullDocument"))).isEqualTo("{'_id':2,'a':2}");
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
  void malformedStagesFail(String stages, String code) {
    shell.insert("{'_id':1}");
    assertThat(shell.error("{'aggregate':'c','pipeline':[" + stages + "],'cursor':{}}"))
        .startsWith(code + " ");
  }

  /** All events until a batch is empty or the stream ends, in short form. */
  private List<String> all(Document opened) {
    List<Document> events = new ArrayList<>(Shell.batch(opened).stream().map(Shell::json).toList());
    Document batch = opened;
    boolean resting = false;
    while (batch.field("id").asLong() != 0 && !resting) {
      batch = shell.more(batch, ",'maxTimeMS':1");
      List<Document> more = Shell.batch(batch).stream().map(Shell::json).toList();
      events.addAll(more);
      resting = more.isEmpty();
    }
    return events.stream().map(ChangeStreamTest::brief).toList();
  }

  /** The operation, collection and document key of an event. */
  private static String brief(Document event) {
    String operation = event.field("operationType").asString();
    Value ns = event.field("ns");
    Value to = event.field("to");
    Value key = event.field("documentKey");
    return operation + part(ns, "coll") + part(to, "coll") + part(key, "_id");
  }

  private static String part(Value of, String field) {
    Value part = of.isMissing() ? of : of.asDocument().field(field);
    return part.isMissing() ? "" : " " + Shell.text(part);
  }

  private void dropAndCreateAgain() {
    shell.insert("{'_id':2}");
    shell.run("{'drop':'c'}");
    shell.insert("{'_id':3}");
  }

  @ParameterizedTest
  @CsvSource({"resumeAfter,false", "startAfter,false", "resumeAfter,true", "startAfter,true"})
  void resumedStreamReportsADropInBetween(String option, boolean restart) {
    shell.insert("{'_id':0}");
    Document cursor = watch("");
    shell.insert("{'_id':1}");
    String token = token(raw(cursor).getFirst());
    dropAndCreateAgain();
    shell.sweep();
    if (restart) {
      shell.restart();
    }
    assertThat(all(watch("'" + option + "':" + token)))
        .containsExactly("insert 'c' 2", "drop 'c'", "invalidate");
  }

  @Test
  void startAtOperationTimeReportsALaterDrop() {
    shell.insert("{'_id':0}");
    shell.advance(Duration.ofSeconds(10));
    String time = Shell.text(shell.reply("{'ping':1}").field("operationTime"));
    dropAndCreateAgain();
    assertThat(all(watch("'startAtOperationTime':" + time)))
        .containsExactly("insert 'c' 2", "drop 'c'", "invalidate");
    assertThat(all(opened("1", "'startAtOperationTime':" + time)))
        .containsExactly("insert 'c' 2", "drop 'c'", "insert 'c' 3");
  }

  @Test
  void startAfterInvalidateReportsTheNewCollection() {
    shell.insert("{'_id':0}");
    Document cursor = watch("");
    dropAndCreateAgain();
    List<Document> events = raw(cursor);
    assertThat(events.stream().map(ChangeStreamTest::brief))
        .containsExactly("insert 'c' 2", "drop 'c'", "invalidate");
    shell.restart();
    assertThat(all(watch("'resumeAfter':" + token(events.get(1))))).containsExactly("invalidate");
    assertThat(all(watch("'startAfter':" + token(events.get(2))))).containsExactly("insert 'c' 3");
  }

  @Test
  void dropDatabaseInvalidatesItsStreams() {
    shell.insert("{'_id':0}");
    shell.run("{'insert':'o','documents':[{'_id':1}]}");
    Document database = opened("1", "");
    String token = Shell.text(database.field("postBatchResumeToken"));
    shell.run("{'dropDatabase':1}");
    shell.restart();
    List<String> events = all(opened("1", "'resumeAfter':" + token));
    assertThat(events.subList(0, 2)).containsExactlyInAnyOrder("drop 'c'", "drop 'o'");
    assertThat(events.subList(2, 4)).containsExactly("dropDatabase", "invalidate");
    assertThat(all(watch("'resumeAfter':" + token))).containsExactly("drop 'c'", "invalidate");
  }

  @Test
  void eventsContainTheNameAtTheirTime() {
    shell.insert("{'_id':0}");
    Document database = opened("1", "");
    String token = Shell.text(database.field("postBatchResumeToken"));
    shell.insert("{'_id':1}");
    shell.admin("{'renameCollection':'d.c','to':'d.o'}");
    shell.run("{'insert':'o','documents':[{'_id':2}]}");
    List<String> expected = List.of("insert 'c' 1", "rename 'c' 'o'", "insert 'o' 2");
    assertThat(all(database)).isEqualTo(expected);
    shell.restart();
    assertThat(all(opened("1", "'resumeAfter':" + token))).isEqualTo(expected);
    assertThat(all(watch("'resumeAfter':" + token)))
        .containsExactly("insert 'c' 1", "rename 'c' 'o'", "invalidate");
    assertThat(all(opened("'o'", "'resumeAfter':" + token)))
        .containsExactly("rename 'c' 'o'", "invalidate");
  }

  @Test
  void changesOfAReplacedCollectionAreReported() {
    shell.insert("{'_id':0}");
    shell.run("{'insert':'o','documents':[{'_id':1}]}");
    String token = Shell.text(opened("1", "").field("postBatchResumeToken"));
    shell.insert("{'_id':2}");
    shell.admin("{'renameCollection':'d.o','to':'d.c','dropTarget':true}");
    shell.sweep();
    assertThat(all(watch("'resumeAfter':" + token)))
        .containsExactly("insert 'c' 2", "rename 'o' 'c'", "invalidate");
  }

  private String openedAt(long seconds) {
    long time = Shell.START / 1000 + seconds;
    return "{'aggregate':'c','pipeline':[{'$changeStream':{'startAtOperationTime':"
        + "{'$timestamp':{'t':"
        + time
        + ",'i':0}}}}],'cursor':{}}";
  }

  @Test
  void trimmedStartTimeIsChangeStreamHistoryLost() {
    shell.insert("{'_id':1}");
    shell.advance(Duration.ofHours(20));
    shell.insert("{'_id':2}");
    assertThat(Shell.batch(shell.cursor(openedAt(-10)))).hasSize(2);
    shell.advance(Duration.ofHours(10));
    shell.sweep();
    Document refused = shell.reply(openedAt(-10));
    assertThat(refused.field("code").asInt()).isEqualTo(286);
    assertThat(Shell.at(refused, "errorLabels.0").asString())
        .isEqualTo("NonResumableChangeStreamError");
    assertThat(Shell.batch(shell.cursor(openedAt(Duration.ofHours(19).toSeconds())))).hasSize(1);
    shell.advance(Duration.ofHours(30));
    shell.sweep();
    assertThat(shell.error(openedAt(Duration.ofHours(19).toSeconds()))).startsWith("286 ");
    assertThat(Shell.batch(shell.cursor(openedAt(Duration.ofHours(59).toSeconds())))).isEmpty();
  }

  @Test
  void trimmedChangesOfADropAreHistoryLost() {
    shell.insert("{'_id':0}");
    String token = Shell.text(watch("").field("postBatchResumeToken"));
    shell.insert("{'_id':1}");
    shell.run("{'drop':'c'}");
    shell.advance(Duration.ofHours(25));
    shell.sweep();
    assertThat(
            shell.error(
                "{'aggregate':'c','pipeline':[{'$changeStream':{'resumeAfter':"
                    + token
                    + "}}],'cursor':{}}"))
        .startsWith("286 Resume of change stream was not possible, ");
    assertThat(shell.engine().withFeeds()).isEmpty();
  }

  @Test
  void viewCannotBeWatched() {
    shell.run("{'create':'v','viewOn':'c','pipeline':[]}");
    assertThat(shell.error("{'aggregate':'v','pipeline':[{'$changeStream':{}}],'cursor':{}}"))
        .isEqualTo("166 Namespace d.v is a view, not a collection");
  }

  @Test
  void showExpandedEventsReportsSchemaChanges() {
    Document plain = opened("1", "");
    Document cursor = opened("1", "'showExpandedEvents':true");
    shell.run("{'create':'c','capped':true,'size':4096}");
    shell.run("{'createIndexes':'c','indexes':[{'key':{'a':1},'name':'a_1'}]}");
    shell.run("{'collMod':'c','validator':{'a':1}}");
    shell.run("{'collMod':'c','validator':{}}");
    shell.run("{'dropIndexes':'c','index':'a_1'}");
    shell.run("{'create':'v','viewOn':'c','pipeline':[]}");
    shell.run("{'collMod':'v','viewOn':'c','pipeline':[{'$match':{}}]}");
    shell.run("{'drop':'v'}");
    shell.run("{'drop':'c'}");
    assertThat(events(plain))
        .containsExactly("{'operationType':'drop','ns':{'db':'d','coll':'c'}}");
    String uuid = "'collectionUUID':\\{.*?}},";
    assertThat(
            events(cursor).stream()
                .map(
                    event ->
                        event.replaceAll(uuid, "").replaceAll("'uuid':\\{.*?}},", "'uuid':X,")))
        .containsExactly(
            "{'operationType':'create','ns':{'db':'d','coll':'c'},'operationDescription':{"
                + "'idIndex':{'v':2,'key':{'_id':1},'name':'_id_'},'capped':true,'size':4096}}",
            "{'operationType':'createIndexes','ns':{'db':'d','coll':'c'},'operationDescription':{"
                + "'indexes':[{'v':2,'key':{'a':1},'name':'a_1'}]}}",
            "{'operationType':'modify','ns':{'db':'d','coll':'c'},'operationDescription':{"
                + "'validator':{'a':1}},"
                + "'stateBeforeChange':{'collectionOptions':{'uuid':X,'capped':true,'size':4096}}}",
            "{'operationType':'modify','ns':{'db':'d','coll':'c'},'operationDescription':{"
                + "'validator':{}},'stateBeforeChange':{'collectionOptions':{'uuid':X,"
                + "'capped':true,'size':4096,'validator':{'a':1},'validationLevel':'strict',"
                + "'validationAction':'error'}}}",
            "{'operationType':'dropIndexes','ns':{'db':'d','coll':'c'},'operationDescription':{"
                + "'indexes':[{'v':2,'key':{'a':1},'name':'a_1'}]}}",
            "{'operationType':'create','ns':{'db':'d','coll':'v'},'operationDescription':{"
                + "'viewOn':'c','pipeline':[]}}",
            "{'operationType':'modify','ns':{'db':'d','coll':'v'},'operationDescription':{"
                + "'viewOn':'c','pipeline':[{'$match':{}}]}}",
            "{'operationType':'drop','ns':{'db':'d','coll':'v'}}",
            "{'operationType':'drop','ns':{'db':'d','coll':'c'}}");
  }

  @Test
  void dropDatabaseDoesNotReportViews() {
    shell.run("{'create':'c'}");
    shell.run("{'create':'v','viewOn':'c','pipeline':[]}");
    Document cursor = opened("1", "'showExpandedEvents':true");
    shell.run("{'dropDatabase':1}");
    assertThat(all(cursor)).containsExactly("drop 'c'", "dropDatabase", "invalidate");
  }

  @Test
  void removedResumeTokenIsANonResumableError() {
    shell.run("{'create':'c'}");
    Document cursor = watch("", "{'$project':{'_id':0}}");
    shell.insert("{'_id':1}");
    Document refused = shell.reply(Shell.getMore(cursor, ""));
    assertThat(refused.field("code").asInt()).isEqualTo(280);
    assertThat(Shell.text(refused.field("errorLabels")))
        .isEqualTo("['NonResumableChangeStreamError']");
  }

  @Test
  void changedTtlIsAModifyEvent() {
    shell.run(
        "{'createIndexes':'c','indexes':[{'key':{'at':1},'name':'t','expireAfterSeconds':10},"
            + "{'key':{'b':1},'name':'b'}]}");
    Document cursor = watch("'showExpandedEvents':true");
    String token = Shell.text(cursor.field("postBatchResumeToken"));
    shell.run("{'collMod':'c','index':{'keyPattern':{'at':1},'expireAfterSeconds':20}}");
    shell.run("{'collMod':'c','index':{'name':'b','expireAfterSeconds':5,'hidden':true}}");
    shell.restart();
    Document resumed = watch("'showExpandedEvents':true,'resumeAfter':" + token);
    List<Document> events = Shell.batch(resumed).stream().map(Shell::json).toList();
    assertThat(events).hasSize(2);
    assertThat(Shell.text(events.getFirst().field("operationType"))).isEqualTo("'modify'");
    assertThat(
            Shell.at(events.getFirst(), "operationDescription.index.expireAfterSeconds").asLong())
        .isEqualTo(20);
    assertThat(
            Shell.at(events.getFirst(), "stateBeforeChange.indexOptions.expireAfterSeconds")
                .asLong())
        .isEqualTo(10);
    assertThat(Shell.text(events.getLast().field("operationDescription")))
        .isEqualTo("{'index':{'name':'b','expireAfterSeconds':5,'hidden':true}}");
    assertThat(Shell.text(Shell.at(events.getLast(), "stateBeforeChange.indexOptions")))
        .isEqualTo("{'hidden':false}");
  }

  @Test
  void createEventComesBeforeWritesOfATransaction() {
    Document cursor = opened("1", "'showExpandedEvents':true");
    String inside = Shell.retryable(1) + ",'autocommit':false";
    shell.run(
        "{'createIndexes':'c','indexes':[{'key':{'a':1},'name':'a_1'}],"
            + inside
            + ",'startTransaction':true}");
    shell.run("{'insert':'c','documents':[{'_id':1}]," + inside + "}");
    assertThat(events(cursor)).isEmpty();
    shell.admin("{'commitTransaction':1," + inside + "}");
    assertThat(raw(cursor).stream().map(ChangeStreamTest::brief))
        .containsExactly("create 'c'", "createIndexes 'c'", "insert 'c' 1");
  }
}
