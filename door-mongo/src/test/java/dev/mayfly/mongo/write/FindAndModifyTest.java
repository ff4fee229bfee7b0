package dev.mayfly.mongo.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mongo.Shell;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code findAndModify}: updates or removes one document and returns it. */
final class FindAndModifyTest {
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
          'query':{'_id':1},'update':{'$set':{'a':9}}|{'lastErrorObject':{'n':1,\
          'updatedExisting':true},'value':{'_id':1,'a':1}}
          'query':{'_id':1},'update':{'$set':{'a':9}},'new':true|{'lastErrorObject':{'n':1,\
          'updatedExisting':true},'value':{'_id':1,'a':9}}
          'query':{'_id':1},'update':{'b':1},'new':true|{'lastErrorObject':{'n':1,\
          'updatedExisting':true},'value':{'_id':1,'b':1}}
          'query':{'_id':1},'update':[{'$set':{'b':'$a'}}],'new':true|{'lastErrorObject':{'n':1,\
          'updatedExisting':true},'value':{'_id':1,'a':1,'b':1}}
          'query':{},'sort':{'a':-1},'update':{'$inc':{'a':1}},'new':true|\
          {'lastErrorObject':{'n':1,'updatedExisting':true},'value':{'_id':3,'a':4}}
          'query':{'a':{'$gt':1}},'sort':{'a':1},'remove':true|{'lastErrorObject':{'n':1},\
          'value':{'_id':2,'a':2}}
          'query':{'_id':9},'remove':true|{'lastErrorObject':{'n':0},'value':null}
          'query':{'_id':9},'update':{'$set':{'a':1}}|{'lastErrorObject':{'n':0,\
          'updatedExisting':false},'value':null}
          'query':{'_id':9},'update':{'$set':{'a':1}},'upsert':true|{'lastErrorObject':{'n':1,\
          'updatedExisting':false,'upserted':9},'value':null}
          'query':{'_id':9},'update':{'$set':{'a':1}},'upsert':true,'new':true|\
          {'lastErrorObject':{'n':1,'updatedExisting':false,'upserted':9},'value':{'_id':9,'a':1}}
          'query':{'_id':1},'update':{'$set':{'b':1}},'new':true,'fields':{'_id':0,'b':1}|\
          {'lastErrorObject':{'n':1,'updatedExisting':true},'value':{'b':1}}
          'query':{'_id':1},'remove':true,'fields':{'a':1,'_id':0}|{'lastErrorObject':{'n':1},\
          'value':{'a':1}}
          """)
  void oneDocumentIsModifiedAndReturned(String options, String reply) {
    shell.insert("{'_id':1,'a':1}", "{'_id':2,'a':2}", "{'_id':3,'a':3}");
    assertThat(shell.replyText("{'findAndModify':'c'," + options + "}")).isEqualTo(reply);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          'query':{}|9 Either an update or remove=true must be specified
          'query':{},'remove':true,'update':{}|9 Cannot specify both an update and remove=true
          'query':{},'remove':true,'arrayFilters':[{'x':1}]|9 Cannot specify arrayFilters \
          and remove=true
          'query':{'$expr':true},'update':{'a':1},'upsert':true|224 $expr is not allowed in the \
          query predicate for an upsert
          'query':{},'remove':true,'upsert':true|9 Cannot specify both upsert=true and remove=true
          'query':{},'remove':true,'new':true|9 Cannot specify both new=true and remove=true; \
          'remove' always returns the deleted document
          'query':{},'update':{'$x':1}|9
          'query':{},'update':{'$set':{'_id':7}}|66
          'query':{},'update':1|9
          'query':{},'update':{'k':2}|11000
          'query':{},'remove':true,'colour':1|40415
          'query':{},'remove':true,'hint':'none'|2
          """)
  void malformedCommandsFail(String options, String refusal) {
    shell.run("{'createIndexes':'c','indexes':[{'key':{'k':1},'name':'k_1','unique':true}]}");
    shell.insert("{'_id':1,'k':1}", "{'_id':2,'k':2}");
    assertThat(shell.error("{'findAndModify':'c','sort':{'_id':1}," + options + "}"))
        .startsWith(refusal);
    assertThat(shell.found("{}")).hasSize(2);
  }

  @Test
  void duplicateKeyErrorContainsTheKeyPattern() {
    shell.run("{'createIndexes':'c','indexes':[{'key':{'k':1},'name':'k_1','unique':true}]}");
    shell.insert("{'_id':1,'k':1}");
    var reply =
        shell.reply("{'findandmodify':'c','query':{'_id':2},'update':{'k':1},'upsert':true}");
    assertThat(reply.field("code").asInt()).isEqualTo(11000);
    assertThat(reply.field("codeName").asString()).isEqualTo("DuplicateKey");
    assertThat(Shell.text(reply.field("keyPattern"))).isEqualTo("{'k':1}");
  }
}
