package dev.mayfly.mongo.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mongo.Shell;
import dev.mayfly.value.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code setDefaultRWConcern}: what holds for those who say nothing. */
final class DefaultConcernTest {
  private static final String MAJORITY =
      "{'setDefaultRWConcern':1,'defaultWriteConcern':{'w':'majority'}}";

  private final Shell shell = new Shell();

  @AfterEach
  void close() {
    shell.close();
  }

  private String told(String field) {
    return Shell.text(shell.admin("{'getDefaultRWConcern':1}").field(field));
  }

  @Test
  void atFirstNothingIsSet() {
    assertThat(told("defaultReadConcern")).isEqualTo("{'level':'local'}");
    assertThat(told("defaultWriteConcern")).isEqualTo("{'w':'majority','wtimeout':0}");
    assertThat(told("defaultReadConcernSource")).isEqualTo("'implicit'");
    assertThat(told("defaultWriteConcernSource")).isEqualTo("'implicit'");
  }

  @Test
  void whatIsSetIsToldAndStays() {
    Document reply =
        shell.admin(
            "{'setDefaultRWConcern':1,'defaultReadConcern':{'level':'majority'},"
                + "'defaultWriteConcern':{'w':'majority','wtimeout':5}}");
    assertThat(Shell.text(reply.field("defaultReadConcern"))).isEqualTo("{'level':'majority'}");
    assertThat(reply.field("updateWallClockTime").asDate()).isEqualTo(Shell.START);
    shell.powerLoss();
    assertThat(told("defaultReadConcern")).isEqualTo("{'level':'majority'}");
    assertThat(told("defaultWriteConcern")).isEqualTo("{'w':'majority','wtimeout':5}");
    assertThat(told("defaultWriteConcernSource")).isEqualTo("'global'");
    shell.admin("{'setDefaultRWConcern':1,'defaultReadConcern':{}}");
    assertThat(told("defaultReadConcernSource")).isEqualTo("'implicit'");
    assertThat(told("defaultWriteConcern")).isEqualTo("{'w':'majority','wtimeout':5}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'insert':'c','documents':[{'_id':2}]}|2
          {'update':'c','updates':[{'q':{'_id':2},'u':{'a':1},'upsert':true}]}|2
          {'findAndModify':'c','query':{'_id':2},'update':{'a':1},'upsert':true}|2
          {'insert':'c','documents':[{'_id':2}],'writeConcern':{'w':1}}|1
          {'insert':'c','documents':[{'_id':2}],'writeConcern':{'wtimeout':1}}|2
          """)
  void writesThatSayNothingAreAsDurableAsTheDefault(String write, int left) {
    shell.run("{'insert':'c','documents':[{'_id':1}],'writeConcern':{'j':true}}");
    shell.admin(MAJORITY);
    shell.run(write);
    shell.powerLoss();
    assertThat(shell.found("{}")).hasSize(left);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'insert':'c','documents':[{'_id':2}]}|2
          {'insert':'c','documents':[{'_id':2}],'writeConcern':{'wtimeout':1}}|2
          {'insert':'c','documents':[{'_id':2}],'writeConcern':{'w':1}}|1
          {'insert':'c','documents':[{'_id':2}],'writeConcern':{'j':false}}|1
          {'insert':'c','documents':[{'_id':2}],'writeConcern':{'w':1,'j':true}}|2
          """)
  void writesSurviveLossOfPowerUnlessTheyAskForLess(String write, int left) {
    shell.run("{'insert':'c','documents':[{'_id':1}],'writeConcern':{'j':true}}");
    shell.run(write);
    shell.powerLoss();
    assertThat(shell.found("{}")).hasSize(left);
  }

  @Test
  void aCommitIsAsDurableAsTheDefault() {
    shell.run("{'insert':'c','documents':[{'_id':1}],'writeConcern':{'j':true}}");
    shell.admin(MAJORITY);
    String transaction = "," + Shell.retryable(1) + ",'autocommit':false";
    shell.run("{'insert':'c','documents':[{'_id':2}]" + transaction + ",'startTransaction':true}");
    shell.admin("{'commitTransaction':1" + transaction + "}");
    shell.powerLoss();
    assertThat(shell.found("{}")).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'setDefaultRWConcern':1}|2
          {'setDefaultRWConcern':1,'defaultReadConcern':{'level':'linearizable'}}|2
          {'setDefaultRWConcern':1,'defaultReadConcern':{'level':'snapshot'}}|2
          {'setDefaultRWConcern':1,'defaultReadConcern':{'level':1}}|2
          {'setDefaultRWConcern':1,'defaultReadConcern':{'afterClusterTime':1}}|40415
          {'setDefaultRWConcern':1,'defaultWriteConcern':{'w':0}}|2
          {'setDefaultRWConcern':1,'defaultWriteConcern':{'w':2}}|100
          {'setDefaultRWConcern':1,'defaultWriteConcern':{'w':'some'}}|79
          {'setDefaultRWConcern':1,'defaultWriteConcern':{}}|20
          {'setDefaultRWConcern':1,'defaultWriteConcern':{'x':1}}|40415
          {'setDefaultRWConcern':1,'colour':1}|40415
          """)
  void whatCannotBeADefaultIsRefused(String command, String number) {
    shell.admin(MAJORITY);
    assertThat(shell.refusedByAdmin(command)).startsWith(number + " ");
    assertThat(told("defaultWriteConcern")).isEqualTo("{'w':'majority','wtimeout':0}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          'setFeatureCompatibilityVersion':'8.0'|7369100
          'setFeatureCompatibilityVersion':'8.0','confirm':false|7369100
          'setFeatureCompatibilityVersion':'6.0','confirm':true|4926900
          'setFeatureCompatibilityVersion':'7.0','confirm':true|4926900
          'setFeatureCompatibilityVersion':7,'confirm':true|4926900
          """)
  void thereIsOneVersionToBeCompatibleWith(String command, String number) {
    assertThat(shell.refusedByAdmin("{" + command + "}")).startsWith(number + " ");
    assertThat(shell.admin("{'setFeatureCompatibilityVersion':'8.0','confirm':true}").isEmpty())
        .isTrue();
    assertThat(
            Shell.text(
                shell
                    .admin("{'getParameter':1,'featureCompatibilityVersion':1}")
                    .field("featureCompatibilityVersion")))
        .isEqualTo("{'version':'8.0'}");
  }

  @Test
  void onlyTheDatabaseAdminHasDefaults() {
    assertThat(shell.refused(MAJORITY)).startsWith("13 ");
  }
}
