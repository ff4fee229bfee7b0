package dev.mayfly.mongo.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mongo.Shell;
import dev.mayfly.value.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Write concerns that cannot be satisfied, and unacknowledged writes. */
final class WriteConcernTest {
  private static final String NONE = ",'writeConcern':{'w':0}}";
  private static final String ONE = ",'writeConcern':{'w':1}}";
  private static final String TWO = ",'writeConcern':{'w':2}}";

  private final Shell shell = new Shell();

  @AfterEach
  void close() {
    shell.close();
  }

  private static String with(String concern, String command) {
    return command.substring(0, command.length() - 1) + concern;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'insert':'c','documents':[{'_id':1}]}",
        "{'create':'e'}",
        "{'createIndexes':'c','indexes':[{'key':{'a':1},'name':'a'}]}",
        "{'dropIndexes':'c','index':'*'}",
        "{'collMod':'c','validator':{}}",
        "{'aggregate':'c','pipeline':[{'$out':'o'}],'cursor':{}}",
        "{'drop':'c'}",
        "{'dropDatabase':1}",
        "{'createUser':'u','pwd':'p','roles':[]}",
        "{'createRole':'r','privileges':[],'roles':[]}"
      })
  void unsatisfiableConcernIsReportedAfterTheWrite(String command) {
    shell.run("{'create':'c'}");
    Document reply = shell.run(with(TWO, command));
    assertThat(Shell.at(reply, "writeConcernError.code").asInt()).isEqualTo(100);
  }

  @Test
  void satisfiableConcernReportsNoError() {
    assertThat(shell.replyText(with(ONE, "{'create':'e'}"))).isEqualTo("{}");
    assertThat(shell.error("{'create':'f','writeConcern':{'w':'x'}}")).startsWith("79 ");
    assertThat(shell.all("{'listCollections':1,'nameOnly':true}")).hasSize(1);
  }

  @Test
  void commitReportsAnUnsatisfiableConcern() {
    shell.run("{'create':'c'}");
    String transaction = "," + Shell.retryable(1) + ",'autocommit':false";
    shell.run("{'insert':'c','documents':[{'_id':1}]" + transaction + ",'startTransaction':true}");
    Document reply = shell.admin("{'commitTransaction':1" + transaction + TWO);
    assertThat(Shell.at(reply, "writeConcernError.code").asInt()).isEqualTo(100);
    assertThat(shell.found("{}")).hasSize(1);
  }

  @Test
  void errorContainsTheRequestedConcern() {
    Document reply =
        shell.run("{'insert':'c','documents':[{}],'writeConcern':{'w':2,'wtimeout':7}}");
    assertThat(Shell.text(Shell.at(reply, "writeConcernError.errInfo.writeConcern")))
        .isEqualTo("{'w':2,'wtimeout':7,'provenance':'clientSupplied'}");
  }

  @Test
  void unacknowledgedWritesReportNoResults() {
    assertThat(
            shell.replyText(
                with(NONE, "{'insert':'c','documents':[{'_id':1},{'_id':1},{'_id':2}]}")))
        .isEqualTo("{'n':0}");
    assertThat(
            shell.replyText(with(NONE, "{'update':'c','updates':[{'q':{},'u':{'$set':{'a':1}}}]}")))
        .isEqualTo("{'n':0,'nModified':0}");
    assertThat(shell.found("{}")).containsExactly("{'_id':1,'a':1}");
    assertThat(shell.replyText(with(NONE, "{'delete':'c','deletes':[{'q':{},'limit':1}]}")))
        .isEqualTo("{'n':0}");
    assertThat(shell.found("{}")).isEmpty();
  }

  @Test
  void unacknowledgedWritesWithJournalReportResults() {
    assertThat(shell.replyText("{'insert':'c','documents':[{}],'writeConcern':{'w':0,'j':true}}"))
        .isEqualTo("{'n':1}");
  }
}
