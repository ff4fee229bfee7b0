package dev.mayfly.mongo.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mongo.Shell;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Retryable writes: a write that a driver sends again is executed once, also after a restart. */
final class RetryTest {
  private final Shell shell = new Shell();

  @AfterEach
  void close() {
    shell.close();
  }

  /**
   * Runs a command twice, with or without a restart in between, and checks that the replies are
   * equal.
   */
  private String twice(String command, boolean restart) {
    String first = shell.replyText(command);
    if (restart) {
      shell.restart();
    }
    assertThat(shell.replyText(command)).isEqualTo(first);
    return first;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void retriedInsertIsExecutedOnce(boolean restart) {
    String reply =
        twice("{'insert':'c','documents':[{'a':1},{'a':2}]," + Shell.retryable(1) + "}", restart);
    assertThat(reply).isEqualTo("{'n':2}");
    assertThat(shell.replyText("{'count':'c'}")).isEqualTo("{'n':2}");
    shell.run("{'insert':'c','documents':[{'a':3}]," + Shell.retryable(2) + "}");
    assertThat(shell.replyText("{'count':'c'}")).isEqualTo("{'n':3}");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void retriedUpdateIsExecutedOnce(boolean restart) {
    shell.insert("{'_id':1,'n':0}");
    assertThat(
            twice(
                "{'update':'c','updates':[{'q':{'_id':1},'u':{'$inc':{'n':1}}},"
                    + "{'q':{'_id':1},'u':{'$inc':{'n':10}}}],"
                    + Shell.retryable(1)
                    + "}",
                restart))
        .isEqualTo("{'n':2,'nModified':2}");
    assertThat(shell.found("{}")).containsExactly("{'_id':1,'n':11}");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void retriedUpsertReturnsTheSameId(boolean restart) {
    String reply =
        twice(
            "{'update':'c','updates':[{'q':{'k':1},'u':{'$inc':{'n':1}},'upsert':true}],"
                + Shell.retryable(1)
                + "}",
            restart);
    assertThat(reply).contains("'upserted':[{'index':0,'_id':{'$oid':");
    assertThat(shell.replyText("{'count':'c','query':{'n':1}}")).isEqualTo("{'n':1}");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void retriedDeleteIsExecutedOnce(boolean restart) {
    shell.insert("{'_id':1}", "{'_id':2}");
    assertThat(
            twice(
                "{'delete':'c','deletes':[{'q':{},'limit':1}]," + Shell.retryable(1) + "}",
                restart))
        .isEqualTo("{'n':1}");
    assertThat(shell.found("{}")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void retriedFindAndModifyReturnsTheSameDocument(boolean restart) {
    shell.insert("{'_id':1,'n':0}", "{'_id':2,'n':0}");
    assertThat(
            twice(
                "{'findAndModify':'c','query':{'_id':1},'update':{'$inc':{'n':1}},'new':true,"
                    + Shell.retryable(1)
                    + "}",
                restart))
        .isEqualTo("{'lastErrorObject':{'n':1,'updatedExisting':true},'value':{'_id':1,'n':1}}");
    assertThat(
            twice(
                "{'findAndModify':'c','query':{'_id':1},'update':{'$inc':{'n':1}},"
                    + Shell.retryable(2)
                    + "}",
                restart))
        .contains("'value':{'_id':1,'n':1}");
    assertThat(
            twice(
                "{'findAndModify':'c','query':{},'sort':{'_id':1},'remove':true,"
                    + Shell.retryable(3)
                    + "}",
                restart))
        .isEqualTo("{'lastErrorObject':{'n':1},'value':{'_id':1,'n':2}}");
    assertThat(
            twice(
                "{'findAndModify':'c','query':{'_id':7},'update':{'$set':{'n':5}},'upsert':true,"
                    + "'new':true,"
                    + Shell.retryable(4)
                    + "}",
                restart))
        .isEqualTo(
            "{'lastErrorObject':{'n':1,'updatedExisting':false,'upserted':7},"
                + "'value':{'_id':7,'n':5}}");
    assertThat(shell.found("{}")).containsExactly("{'_id':2,'n':0}", "{'_id':7,'n':5}");
  }

  @Test
  void retriedBulkWriteIsExecutedOnce() {
    String command =
        "{'bulkWrite':1,'ops':[{'insert':0,'document':{'a':1}},"
            + "{'update':0,'filter':{'a':1},'updateMods':{'$inc':{'n':1}}},"
            + "{'delete':0,'filter':{'a':9}}],'nsInfo':[{'ns':'d.c'}],"
            + Shell.retryable(1)
            + "}";
    String first = shell.admin(command).toString();
    assertThat(shell.admin(command).toString()).isEqualTo(first);
    assertThat(shell.replyText("{'count':'c','query':{'n':1}}")).isEqualTo("{'n':1}");
  }

  @Test
  void retryExecutesTheRemainingStatements() {
    shell.insert("{'_id':2}");
    String command =
        "{'insert':'c','documents':[{'_id':1},{'_id':2},{'_id':3}]," + Shell.retryable(1) + "}";
    assertThat(shell.run(command).field("n").asInt()).isEqualTo(1);
    shell.run("{'delete':'c','deletes':[{'q':{'_id':2},'limit':1}]}");
    assertThat(shell.run(command).field("n").asInt()).isEqualTo(3);
    assertThat(shell.found("{}")).hasSize(3);
  }

  @Test
  void sameTxnNumberOfAnotherSessionIsANewWrite() {
    shell.run("{'insert':'c','documents':[{}]," + Shell.retryable(1) + "}");
    shell.run(
        "{'insert':'c','documents':[{}],"
            + Shell.retryable(1).replace(Shell.LSID, Shell.lsid(2))
            + "}");
    assertThat(shell.replyText("{'count':'c'}")).isEqualTo("{'n':2}");
  }

  @Test
  void olderTxnNumberIsTransactionTooOld() {
    shell.insert("{'_id':0}");
    shell.run("{'insert':'c','documents':[{'_id':1}]," + Shell.retryable(5) + "}");
    var reply = shell.reply("{'insert':'c','documents':[{'_id':2}]," + Shell.retryable(4) + "}");
    assertThat(reply.toString()).contains("225");
    assertThat(shell.found("{}")).hasSize(2);
  }

  @Test
  void failedStatementIsExecutedAgain() {
    shell.insert("{'_id':1}");
    String command = "{'insert':'c','documents':[{'_id':1}]," + Shell.retryable(1) + "}";
    assertThat(shell.replyText(command)).contains("11000");
    assertThat(shell.replyText(command)).contains("11000");
  }
}
