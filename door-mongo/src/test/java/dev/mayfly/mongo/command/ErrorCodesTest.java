package dev.mayfly.mongo.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mongo.Shell;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Error codes and messages that clients know from MongoDB. */
final class ErrorCodesTest {
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
          'find':'c','sort':{'x':1,'y':1}|2 cannot sort with keys that are parallel arrays
          'distinct':'c','key':'a\\u0000b'|31032 Key field cannot contain an embedded null byte
          'update':'system.foo','updates':[{'q':{},'u':{'$set':{'a':1}}}]|73 Invalid system
          'delete':'system.foo','deletes':[{'q':{},'limit':0}]|73 Invalid system
          'aggregate':'c','pipeline':[{'$changeStream':{}}],'cursor':{},\
          'readConcern':{'level':'local'}|72 Aggregation stage $changeStream cannot run with
          'find':'c','hint':{'a':1},'sort':{'$natural':1}|2 index hint not allowed with $natural
          'find':'c','hint':{'$natural':-1},'sort':{'$natural':1}|2 $natural hint must be in the
          """)
  void errorsHaveMongoDbsCodeAndMessage(String command, String refusal) {
    shell.insert("{'_id':1,'x':[1,2],'y':[3,4]}", "{'_id':2,'x':[1,2],'y':[3,4]}");
    shell.run("{'createIndexes':'c','indexes':[{'key':{'a':1},'name':'a'}]}");
    assertThat(shell.error("{" + command + "}")).startsWith(refusal);
  }

  @Test
  void unknownLogNameIsInTheMessage() {
    assertThat(shell.adminError("{'getLog':'x'}")).endsWith("No log named 'x'");
  }

  @Test
  void numericFieldInAnIndexedArrayIsAmbiguous() {
    shell.run("{'createIndexes':'c','indexes':[{'key':{'a.0':1},'name':'a'}]}");
    assertThat(
            Shell.text(
                Shell.at(
                    shell.run("{'insert':'c','documents':[{'_id':1,'a':[{'0':1}]}]}"),
                    "writeErrors.0")))
        .startsWith("{'index':0,'code':16746,'errmsg':'Ambiguous field name found in array");
  }

  @Test
  void createInATransactionFailsIfTheCollectionExists() {
    shell.run("{'create':'c'}");
    shell.run("{'create':'c'}");
    String inside = Shell.retryable(1) + ",'autocommit':false,'startTransaction':true";
    assertThat(shell.error("{'create':'c'," + inside + "}"))
        .isEqualTo("48 Collection d.c already exists.");
  }
}
