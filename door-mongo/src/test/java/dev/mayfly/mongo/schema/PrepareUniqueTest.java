package dev.mayfly.mongo.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mongo.Shell;
import dev.mayfly.value.Document;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code prepareUnique}: existing duplicates may stay, new duplicates fail. */
final class PrepareUniqueTest {
  private final Shell shell = new Shell();

  @AfterEach
  void close() {
    shell.close();
  }

  private void prepareIndex(String options) {
    shell.run("{'createIndexes':'c','indexes':[{'key':{'x':1},'name':'x_1'" + options + "}]}");
    shell.insert("{'_id':1,'x':1}", "{'_id':2,'x':1}", "{'_id':3,'x':[4,5]}", "{'_id':4}");
    shell.run("{'collMod':'c','index':{'name':'x_1','prepareUnique':true}}");
  }

  private Document insert(String... documents) {
    return shell.run(
        "{'insert':'c','ordered':false,'documents':[" + String.join(",", documents) + "]}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'_id':9,'x':1}",
        "{'_id':9,'x':1.0}",
        "{'_id':9,'x':[7,5]}",
        "{'_id':9}",
        "{'_id':9,'x':null}"
      })
  void newDuplicateFails(String document) {
    prepareIndex("");
    Document reply = insert(document);
    assertThat(reply.field("n").asInt()).isZero();
    assertThat(Shell.at(reply, "writeErrors.0.code").asInt()).isEqualTo(11000);
    assertThat(Shell.at(reply, "writeErrors.0.errmsg").asString())
        .startsWith("E11000 duplicate key error collection: d.c index: x_1 dup key: { x: ");
  }

  @Test
  void existingDuplicatesCanBeUpdated() {
    prepareIndex("");
    assertThat(
            shell.replyText(
                "{'update':'c','updates':[{'q':{'x':1},'u':{'$set':{'y':1}},'multi':true}]}"))
        .isEqualTo("{'n':2,'nModified':2}");
    Document moved = shell.run("{'update':'c','updates':[{'q':{'_id':3},'u':{'$push':{'x':1}}}]}");
    assertThat(Shell.at(moved, "writeErrors.0.code").asInt()).isEqualTo(11000);
  }

  @Test
  void duplicatesInOneCommandFail() {
    prepareIndex("");
    Document reply = insert("{'_id':8,'x':8}", "{'_id':9,'x':8}");
    assertThat(reply.field("n").asInt()).isOne();
    assertThat(shell.found("{'x':8}")).hasSize(1);
  }

  @Test
  void expiredAndDeletedDocumentsHoldNoKey() {
    prepareIndex(",'collation':{'locale':'en','strength':2}");
    shell.run(
        "{'createIndexes':'c','indexes':[{'key':{'at':1},'name':'at','expireAfterSeconds':10}]}");
    shell.insert("{'_id':5,'x':'a','at':" + Shell.ago(0) + "}", "{'_id':6,'x':'b'}");
    assertThat(insert("{'_id':9,'x':'A'}").field("n").asInt()).isZero();
    shell.advance(Duration.ofSeconds(10));
    shell.run("{'delete':'c','deletes':[{'q':{'_id':6},'limit':1}]}");
    assertThat(insert("{'_id':9,'x':'A'}", "{'_id':10,'x':'B'}").field("n").asInt()).isEqualTo(2);
  }

  @Test
  void prepareUniqueSurvivesARestartAndCanBeReset() {
    prepareIndex("");
    shell.restart();
    assertThat(insert("{'_id':9,'x':1}").field("n").asInt()).isZero();
    shell.run("{'collMod':'c','index':{'name':'x_1','prepareUnique':false}}");
    assertThat(insert("{'_id':9,'x':1}").field("n").asInt()).isOne();
    assertThat(shell.found("{'x':1}")).hasSize(3);
  }

  @Test
  void twoTransactionsCannotInsertOneKey() {
    prepareIndex("");
    String first = transaction(1);
    String second = transaction(2);
    shell.run("{'insert':'c','documents':[{'_id':8,'x':8}]," + first + ",'startTransaction':true}");
    assertThat(
            shell.error(
                "{'insert':'c','documents':[{'_id':9,'x':8}],"
                    + second
                    + ",'startTransaction':true}"))
        .startsWith("112 ");
    shell.admin("{'commitTransaction':1," + first + "}");
    assertThat(shell.found("{'x':8}")).containsExactly("{'_id':8,'x':8}");
  }

  private static String transaction(int number) {
    return Shell.lsid(number) + ",'txnNumber':{'$numberLong':'1'},'autocommit':false";
  }

  @Test
  void wildcardIndexCannotBecomeUnique() {
    shell.run("{'createIndexes':'c','indexes':[{'key':{'$**':1},'name':'w'}]}");
    assertThat(shell.error("{'collMod':'c','index':{'name':'w','prepareUnique':true}}"))
        .isEqualTo("72 Index type 'wildcard' cannot become unique");
  }
}
