package dev.mayfly.mongo.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mongo.Shell;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code delete}: one or all documents that match a filter. */
final class DeleteTest {
  private final Shell shell = new Shell();

  @AfterEach
  void close() {
    shell.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'q':{},'limit':0}|3|0
          {'q':{},'limit':1}|1|2
          {'q':{'_id':2},'limit':1}|1|2
          {'q':{'_id':9},'limit':1}|0|3
          {'q':{'a':{'$gt':1}},'limit':0}|2|1
          {'q':{'a':{'$gt':1}},'limit':1.0}|1|2
          {'q':{'s':'X'},'limit':0,'collation':{'locale':'en','strength':2}}|3|0
          {'q':{'$expr':{'$eq':['$a','$$v']}},'limit':0}|1|2
          """)
  void matchingDocumentsAreDeleted(String statement, int removed, int left) {
    shell.insert("{'_id':1,'a':1,'s':'x'}", "{'_id':2,'a':2,'s':'X'}", "{'_id':3,'a':3,'s':'x'}");
    assertThat(shell.replyText("{'delete':'c','deletes':[" + statement + "],'let':{'v':3}}"))
        .isEqualTo("{'n':" + removed + "}");
    assertThat(shell.found("{}")).hasSize(left);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'delete':'c','deletes':[]}|16 Write batch sizes
          {'delete':'c','deletes':[{'q':{}}]}|40414 BSON field 'delete.deletes.limit' is missing \
          but a required field
          {'delete':'c','deletes':[{'limit':1}]}|40414 BSON field 'delete.deletes.q' is missing \
          but a required field
          {'delete':'c','deletes':[{'q':{},'limit':2}]}|9 The limit field in delete objects must \
          be 0 or 1. Got 2
          {'delete':'c','deletes':[{'q':1,'limit':1}]}|14
          {'delete':'c','deletes':[{'q':{},'limit':1,'colour':1}]}|40415 BSON field \
          'delete.deletes.colour' is an unknown field.
          {'delete':'c','colour':1,'deletes':[{'q':{},'limit':1}]}|40415
          """)
  void malformedCommandsFail(String command, String refusal) {
    shell.insert("{'_id':1}");
    assertThat(shell.error(command)).startsWith(refusal);
    assertThat(shell.found("{}")).hasSize(1);
  }

  @Test
  void writeErrorsContainTheStatementIndex() {
    shell.insert("{'_id':1}", "{'_id':2}");
    String statements =
        "[{'q':{'_id':1},'limit':1},{'q':{'$x':1},'limit':1},{'q':{'_id':2},'limit':1}]";
    var ordered = shell.run("{'delete':'c','deletes':" + statements + "}");
    assertThat(ordered.field("n").asInt()).isEqualTo(1);
    assertThat(Shell.at(ordered, "writeErrors.0.index").asInt()).isEqualTo(1);
    assertThat(Shell.at(ordered, "writeErrors.0.code").asInt()).isEqualTo(2);
    var unordered = shell.run("{'delete':'c','ordered':false,'deletes':" + statements + "}");
    assertThat(unordered.field("n").asInt()).isEqualTo(1);
    assertThat(shell.found("{}")).isEmpty();
  }

  @Test
  void deleteOnAMissingCollectionReturnsZero() {
    assertThat(shell.replyText("{'delete':'none','deletes':[{'q':{},'limit':0}]}"))
        .isEqualTo("{'n':0}");
  }
}
