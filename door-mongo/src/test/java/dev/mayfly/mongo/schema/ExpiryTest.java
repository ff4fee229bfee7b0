package dev.mayfly.mongo.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mongo.Shell;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expired documents are absent from their deadline on, for every command. */
final class ExpiryTest {
  private final Shell shell = new Shell();

  @AfterEach
  void close() {
    shell.close();
  }

  /**
   * Inserts document 1, which expires 10 seconds after the start, and document 2, which never
   * expires.
   */
  private void insertTwo() {
    shell.run(
        "{'createIndexes':'c','indexes':["
            + "{'key':{'at':1},'name':'t','expireAfterSeconds':10},"
            + "{'key':{'k':1},'name':'k_1','unique':true}]}");
    shell.insert("{'_id':1,'k':1,'at':" + Shell.ago(0) + "}", "{'_id':2,'k':2}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'find':'c','projection':{'_id':1}}|{'_id':2}
          {'find':'c','filter':{'_id':1}}|
          {'find':'c','filter':{'k':{'$gte':1}},'projection':{'_id':1}}|{'_id':2}
          {'find':'c','sort':{'k':1},'projection':{'_id':1}}|{'_id':2}
          {'find':'c','hint':'k_1','projection':{'_id':1}}|{'_id':2}
          {'find':'v','projection':{'_id':1}}|{'_id':2}
          {'aggregate':'c','pipeline':[{'$count':'n'}],'cursor':{}}|{'n':1}
          {'aggregate':'c','pipeline':[{'$group':{'_id':null,'n':{'$sum':'$k'}}}],'cursor':{}}|\
          {'_id':null,'n':2}
          {'aggregate':'o','pipeline':[{'$lookup':{'from':'c','localField':'r',\
          'foreignField':'_id','as':'c'}}],'cursor':{}}|{'_id':7,'r':1,'c':[]}
          {'aggregate':'o','pipeline':[{'$lookup':{'from':'c','localField':'r','foreignField':'k',\
          'as':'c'}}],'cursor':{}}|{'_id':7,'r':1,'c':[]}
          {'aggregate':'o','pipeline':[{'$unionWith':'c'},{'$count':'n'}],'cursor':{}}|{'n':2}
          """)
  void expiredDocumentsAreNotFound(String command, String found) {
    insertTwo();
    shell.run("{'create':'v','viewOn':'c','pipeline':[]}");
    shell.run("{'insert':'o','documents':[{'_id':7,'r':1}]}");
    shell.advance(Duration.ofMillis(9_999));
    String before = String.join(" ", shell.all(command));
    shell.advance(Duration.ofMillis(1));
    assertThat(String.join(" ", shell.all(command)))
        .isNotEqualTo(before)
        .isEqualTo(found == null ? "" : found);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'count':'c'}|{'n':1}
          {'count':'c','query':{'_id':1}}|{'n':0}
          {'count':'c','query':{'k':{'$gt':0}}}|{'n':1}
          {'count':'v'}|{'n':1}
          {'distinct':'c','key':'k'}|{'values':[2]}
          {'update':'c','updates':[{'q':{'_id':1},'u':{'$set':{'z':1}}}]}|{'n':0,'nModified':0}
          {'update':'c','updates':[{'q':{},'u':{'$set':{'z':1}},'multi':true}]}|{'n':1,\
          'nModified':1}
          {'update':'c','updates':[{'q':{'_id':1},'u':{'$unset':{'at':1}}}]}|{'n':0,'nModified':0}
          {'delete':'c','deletes':[{'q':{'_id':1},'limit':1}]}|{'n':0}
          {'delete':'c','deletes':[{'q':{},'limit':0}]}|{'n':1}
          {'findAndModify':'c','query':{'_id':1},'remove':true}|{'lastErrorObject':{'n':0},\
          'value':null}
          {'insert':'c','documents':[{'_id':1}]}|{'n':1}
          {'insert':'c','documents':[{'_id':3,'k':1}]}|{'n':1}
          {'update':'c','updates':[{'q':{'_id':2},'u':{'$set':{'k':1}}}]}|{'n':1,'nModified':1}
          {'update':'c','updates':[{'q':{'_id':1},'u':{'$set':{'z':1}},'upsert':true}]}|{'n':1,\
          'nModified':0,'upserted':[{'index':0,'_id':1}]}
          """)
  void expiredDocumentsAreAbsentForEveryCommand(String command, String reply) {
    insertTwo();
    shell.run("{'create':'v','viewOn':'c','pipeline':[]}");
    shell.advance(Duration.ofSeconds(10));
    assertThat(shell.replyText(command)).isEqualTo(reply);
    shell.sweep();
    assertThat(shell.replyText("{'count':'c','query':{'at':{'$exists':true}}}"))
        .isEqualTo("{'n':0}");
  }

  @Test
  void newDocumentWithTheSameIdIsNotSwept() {
    insertTwo();
    shell.advance(Duration.ofSeconds(10));
    shell.insert("{'_id':1,'new':true}");
    shell.sweep();
    assertThat(shell.found("{'_id':1}")).containsExactly("{'_id':1,'new':true}");
  }

  @Test
  void updateOfTheDateMovesTheDeadline() {
    insertTwo();
    shell.run(
        "{'update':'c','updates':[{'q':{'_id':1},'u':{'$set':{'at':" + Shell.ago(-60) + "}}}]}");
    shell.advance(Duration.ofSeconds(30));
    shell.sweep();
    assertThat(shell.found("{'_id':1}")).hasSize(1);
    shell.advance(Duration.ofSeconds(40));
    assertThat(shell.found("{'_id':1}")).isEmpty();
  }

  @Test
  void transactionSeesDocumentsLiveAtItsStart() {
    insertTwo();
    String inside = Shell.retryable(1) + ",'autocommit':false";
    assertThat(shell.all("{'find':'c'," + inside + ",'startTransaction':true}")).hasSize(2);
    shell.advance(Duration.ofSeconds(10));
    shell.sweep();
    assertThat(shell.all("{'find':'c'," + inside + "}")).hasSize(2);
    assertThat(shell.found("{}")).hasSize(1);
  }

  @Test
  void ttlMonitorEnabledFalseExpiresNothing() {
    insertTwo();
    shell.admin("{'setParameter':1,'ttlMonitorEnabled':false}");
    shell.advance(Duration.ofSeconds(60));
    shell.sweep();
    assertThat(shell.found("{}")).hasSize(2);
    assertThat(shell.replyText("{'count':'c'}")).isEqualTo("{'n':2}");
    assertThat(shell.replyText("{'insert':'c','documents':[{'_id':3,'k':1}]}")).contains("11000");
    shell.admin("{'setParameter':1,'ttlMonitorEnabled':true}");
    assertThat(shell.found("{}")).hasSize(1);
    shell.sweep();
    assertThat(shell.found("{}")).hasSize(1);
  }

  @Test
  void outCopiesLiveDocumentsOnly() {
    insertTwo();
    shell.advance(Duration.ofSeconds(10));
    shell.aggregate("{'$out':'copy'}");
    assertThat(shell.all("{'find':'copy'}")).containsExactly("{'_id':2,'k':2}");
  }
}
