package dev.mayfly.mongo.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mongo.Shell;
import dev.mayfly.value.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code setDefaultRWConcern}: defaults for requests without a read or write concern. */
final class DefaultConcernTest {
  private static final String MAJORITY =
      "{'setDefaultRWConcern':1,'defaultWriteConcern':{'w':'majority'}}";

  private final Shell shell = new Shell();

  @AfterEach
  void close() {
    shell.close();
  }

  private String reported(String field) {
    return Shell.text(shell.admin("{'getDefaultRWConcern':1}").field(field));
  }

  @Test
  void defaultsAreImplicitAtFirst() {
    assertThat(reported("defaultReadConcern")).isEqualTo("{'level':'local'}");
    assertThat(reported("defaultWriteConcern")).isEqualTo("{'w':'majority','wtimeout':0}");
    assertThat(reported("defaultReadConcernSource")).isEqualTo("'implicit'");
    assertThat(reported("defaultWriteConcernSource")).isEqualTo("'implicit'");
  }

  @Test
  void setDefaultsAreReportedAndSurvivePowerLoss() {
    Document reply =
        shell.admin(
            "{'setDefaultRWConcern':1,'defaultReadConcern':{'level':'majority'},"
                + "'defaultWriteConcern':{'w':'majority','wtimeout':5}}");
    assertThat(Shell.text(reply.field("defaultReadConcern"))).isEqualTo("{'level':'majority'}");
    assertThat(reply.field("updateWallClockTime").asDate()).isEqualTo(Shell.START);
    shell.powerLoss();
    assertThat(reported("defaultReadConcern")).isEqualTo("{'level':'majority'}");
    assertThat(reported("defaultWriteConcern")).isEqualTo("{'w':'majority','wtimeout':5}");
    assertThat(reported("defaultWriteConcernSource")).isEqualTo("'global'");
    shell.admin("{'setDefaultRWConcern':1,'defaultReadConcern':{}}");
    assertThat(reported("defaultReadConcernSource")).isEqualTo("'implicit'");
    assertThat(reported("defaultWriteConcern")).isEqualTo("{'w':'majority','wtimeout':5}");
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
  void writesWithoutAConcernUseTheDefault(String write, int left) {
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
  void writesSurvivePowerLossUnlessConcernIsWeaker(String write, int left) {
    shell.run("{'insert':'c','documents':[{'_id':1}],'writeConcern':{'j':true}}");
    shell.run(write);
    shell.powerLoss();
    assertThat(shell.found("{}")).hasSize(left);
  }

  @Test
  void commitWithoutAConcernUsesTheDefault() {
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
  void invalidDefaultsFail(String command, String number) {
    shell.admin(MAJORITY);
    assertThat(shell.adminError(command)).startsWith(number + " ");
    assertThat(reported("defaultWriteConcern")).isEqualTo("{'w':'majority','wtimeout':0}");
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
  void onlyFeatureCompatibilityVersion80IsAccepted(String command, String number) {
    assertThat(shell.adminError("{" + command + "}")).startsWith(number + " ");
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
  void setDefaultRequiresTheAdminDatabase() {
    assertThat(shell.error(MAJORITY)).startsWith("13 ");
  }
}
