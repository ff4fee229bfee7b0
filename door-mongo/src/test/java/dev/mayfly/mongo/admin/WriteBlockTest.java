package dev.mayfly.mongo.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mongo.Shell;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code setUserWriteBlockMode}: writes of users fail. */
final class WriteBlockTest {
  private static final String ON = "{'setUserWriteBlockMode':1,'global':true}";
  private static final String OFF = "{'setUserWriteBlockMode':1,'global':false}";

  private final Shell shell = new Shell();

  @BeforeEach
  void fill() {
    shell.insert("{'_id':1,'n':0}");
  }

  @AfterEach
  void close() {
    shell.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'insert':'c','documents':[{'_id':2}]}",
        "{'update':'c','updates':[{'q':{},'u':{'$set':{'n':1}}}]}",
        "{'delete':'c','deletes':[{'q':{},'limit':0}]}",
        "{'findAndModify':'c','query':{},'remove':true}",
        "{'create':'other'}",
        "{'createIndexes':'c','indexes':[{'key':{'n':1},'name':'n'}]}",
        "{'collMod':'c','validator':{}}",
        "{'aggregate':'c','pipeline':[{'$set':{'n':1}},{'$merge':'c'}],'cursor':{}}",
        "{'drop':'c'}",
        "{'dropDatabase':1}"
      })
  void writesFailAndReadsSucceed(String write) {
    shell.admin(ON);
    assertThat(shell.error(write)).isEqualTo("371 User writes blocked");
    assertThat(shell.found("{}")).containsExactly("{'_id':1,'n':0}");
    assertThat(shell.aggregate("{'$count':'n'}")).containsExactly("{'n':1}");
    shell.admin(OFF);
    shell.run(write);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'bulkWrite':1,'ops':[{'insert':0,'document':{'_id':2}}],'nsInfo':[{'ns':'d.c'}]}",
        "{'renameCollection':'d.c','to':'d.e'}"
      })
  void writesToUserDataThroughAdminFail(String write) {
    shell.admin(ON);
    assertThat(shell.adminError(write)).isEqualTo("371 User writes blocked");
    shell.admin(OFF);
    shell.admin(write);
  }

  @Test
  void internalDatabasesCanBeWritten() {
    shell.admin(ON);
    shell.admin("{'insert':'own','documents':[{'_id':1}]}");
    shell.run("{'createUser':'u','pwd':'p','roles':[]}");
  }

  @Test
  void modeSurvivesARestart() {
    shell.admin(ON);
    shell.restart();
    assertThat(shell.error("{'insert':'c','documents':[{'_id':2}]}")).startsWith("371 ");
    shell.admin(ON);
    shell.admin(OFF);
    shell.restart();
    shell.insert("{'_id':2}");
  }

  @Test
  void transactionWithWritesCannotCommit() {
    String transaction = "," + Shell.retryable(1) + ",'autocommit':false";
    shell.run("{'insert':'c','documents':[{'_id':2}]" + transaction + ",'startTransaction':true}");
    shell.admin(ON);
    assertThat(shell.adminError("{'commitTransaction':1" + transaction + "}")).startsWith("371 ");
    shell.admin(OFF);
    shell.admin("{'commitTransaction':1" + transaction + "}");
    assertThat(shell.found("{}")).hasSize(2);
  }

  @Test
  void readOnlyTransactionCanCommit() {
    String transaction = "," + Shell.retryable(1) + ",'autocommit':false";
    shell.run("{'find':'c'" + transaction + ",'startTransaction':true}");
    shell.admin(ON);
    shell.admin("{'commitTransaction':1" + transaction + "}");
  }

  @Test
  void expiredDocumentsAreHiddenButNotSwept() {
    shell.run(
        "{'createIndexes':'c','indexes':[{'key':{'t':1},'name':'t','expireAfterSeconds':60}]}");
    shell.insert("{'_id':2,'t':{'$date':{'$numberLong':'" + Shell.START + "'}}}");
    shell.admin(ON);
    shell.admin("{'fsync':1,'lock':true}");
    shell.admin("{'fsyncUnlock':1}");
    shell.advance(Duration.ofMinutes(2));
    shell.sweep();
    assertThat(shell.found("{}")).hasSize(1);
    assertThat(shell.collection().expiry().backlog().documents()).isEqualTo(1);
    shell.admin(OFF);
    shell.sweep();
    assertThat(shell.collection().expiry().backlog().documents()).isZero();
  }

  @Test
  void globalIsRequired() {
    assertThat(shell.adminError("{'setUserWriteBlockMode':1}")).startsWith("40414 ");
    assertThat(shell.adminError("{'setUserWriteBlockMode':1,'global':'x'}")).startsWith("14 ");
    assertThat(shell.error(ON)).startsWith("13 ");
  }
}
