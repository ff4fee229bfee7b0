package dev.mayfly.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands on missing collections, and system collections that clients cannot write. */
final class MissingCollectionTest {
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
          'find':'c','filter':1|14
          'find':'c','filter':{'$foo':1}|2
          'find':'c','sort':{'a':5}|15975
          'find':'c','skip':-1|51024
          'find':'c','limit':-1|51024
          'find':'c','projection':{'a':1,'b':0}|31254
          'find':'c','projection':{'a':{'$foo':1}}|31325
          'count':'c','query':{'$foo':1}|2
          'distinct':'c','key':'a','query':{'$foo':1}|2
          'aggregate':'c','cursor':{},'pipeline':[{'$match':{'$foo':1}}]|2
          'aggregate':'c','cursor':{},'pipeline':[{'$project':{'a':{'$foo':1}}}]|31325
          'findAndModify':'c','query':{'$foo':1},'remove':true|2
          'findAndModify':'c','query':{},'update':{'$foo':{'a':1}}|9
          """)
  void malformedCommandsFailOnMissingCollections(String command, String code) {
    assertThat(shell.error("{" + command + "}")).startsWith(code + " ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          'update':'c','updates':[{'q':{},'u':{'$foo':{'a':1}}}]|9
          'update':'c','updates':[{'q':{'$foo':1},'u':{'$set':{'a':1}}}]|2
          'delete':'c','deletes':[{'q':{'$foo':1},'limit':0}]|2
          """)
  void invalidStatementsAreWriteErrorsOnMissingCollections(String command, int code) {
    assertThat(Shell.at(shell.run("{" + command + "}"), "writeErrors.0.code").asInt())
        .isEqualTo(code);
  }

  @Test
  void unknownHintIsIgnoredOnMissingCollections() {
    assertThat(shell.all("{'find':'c','hint':'nix','min':{'a':1}}")).isEmpty();
    assertThat(
            shell.replyText(
                "{'update':'c','updates':[{'q':{},'u':{'$set':{'a':1}},'hint':'nix'}]}"))
        .isEqualTo("{'n':0,'nModified':0}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'create':'system.foo'}",
        "{'createIndexes':'system.foo','indexes':[{'key':{'a':1},'name':'a'}]}",
        "{'insert':'system.foo','documents':[{}]}",
        "{'aggregate':'c','cursor':{},'pipeline':[{'$out':'system.foo'}]}",
        "{'create':'system.users'}",
        "{'create':'system.views'}",
        "{'create':'system.buckets.c'}",
        "{'insert':'system.views','documents':[{'_id':'d.v','viewOn':'c','pipeline':[]}]}",
        "{'update':'system.views','updates':[{'q':{},'u':{'$set':{'a':1}},'upsert':true}]}",
        "{'update':'system.foo','updates':[{'q':{},'u':{'$set':{'a':1}}}]}",
        "{'delete':'system.foo','deletes':[{'q':{},'limit':0}]}",
        "{'findAndModify':'system.views','update':{'$set':{'a':1}},'upsert':true}",
        "{'aggregate':'c','cursor':{},'pipeline':[{'$merge':'system.views'}]}",
        "{'cloneCollectionAsCapped':'c','toCollection':'system.views','size':1000}",
        "{'collMod':'system.foo','validator':{}}",
        "{'convertToCapped':'system.foo','size':1000}"
      })
  void systemCollectionsCannotBeCreated(String command) {
    shell.insert("{'_id':1}");
    assertThat(shell.error(command)).startsWith("73 Invalid system namespace: d.system.");
    assertThat(shell.replyText("{'listCollections':1,'nameOnly':true}")).doesNotContain("system");
  }

  @Test
  void systemJsCanBeCreated() {
    shell.run("{'insert':'system.js','documents':[{'_id':1}]}");
    assertThat(shell.all("{'find':'system.js'}")).containsExactly("{'_id':1}");
    shell.insert("{'_id':1}");
    assertThat(shell.adminError("{'renameCollection':'d.c','to':'d.system.x'}")).startsWith("73 ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'insert':'system.users','documents':[{}]}",
        "{'update':'system.users','updates':[{'q':{},'u':{'$unset':{'credentials':1}}}]}",
        "{'delete':'system.users','deletes':[{'q':{},'limit':0}]}",
        "{'findAndModify':'system.users','remove':true}",
        "{'createIndexes':'system.users','indexes':[{'key':{'a':1},'name':'a',"
            + "'expireAfterSeconds':0}]}",
        "{'collMod':'system.users','validator':{}}",
        "{'convertToCapped':'system.users','size':1000}",
        "{'aggregate':'system.users','cursor':{},'pipeline':[{'$out':'system.users'}]}",
        "{'renameCollection':'admin.system.users','to':'admin.k'}",
        "{'drop':'system.users'}",
        "{'dropDatabase':1}"
      })
  void systemUsersCannotBeWrittenDirectly(String command) {
    shell.admin("{'createUser':'u','pwd':'p','roles':[]}");
    String before = shell.admin("{'usersInfo':'u','showCredentials':true}").toString();
    assertThat(shell.adminError(command)).matches("(73|20) .*");
    assertThat(shell.admin("{'usersInfo':'u','showCredentials':true}").toString())
        .isEqualTo(before);
  }

  @Test
  void bulkWriteToASystemCollectionIsAnOperationError() {
    String bulk =
        "{'bulkWrite':1,'ops':[{'insert':0,'document':{}}],'nsInfo':[{'ns':'d.system.views'}]}";
    assertThat(Shell.at(shell.admin(bulk), "cursor.firstBatch.0.code").asInt()).isEqualTo(73);
  }
}
