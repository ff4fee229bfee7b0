package dev.mayfly.mongo.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mongo.Shell;
import dev.mayfly.value.Document;
import dev.mayfly.value.Type;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code update}: operators, replacements, pipelines, upserts. */
final class UpdateTest {
  private final Shell shell = new Shell();

  @AfterEach
  void close() {
    shell.close();
  }

  private void insertTwo() {
    shell.insert("{'_id':1,'a':1,'x':[1,2,3]}", "{'_id':2,'a':1,'x':[3,4]}");
  }

  @Test
  void positionalOperatorUsesMongoDbsOrderOfConditions() {
    shell.insert("{'_id':1,'g':[{'n':'H'},{'n':'Test'}]}");
    update("{'q':{'g.n':'Test','g.missing':null},'u':{'$set':{'g.$.n':1}}}");
    assertThat(shell.replyText("{'find':'c','projection':{'_id':0}}"))
        .contains("{'g':[{'n':'H'},{'n':1}]}");
  }

  private String update(String statement) {
    return shell.replyText("{'update':'c','updates':[" + statement + "]}");
  }

  private String error(String statement) {
    Document reply = shell.run("{'update':'c','updates':[" + statement + "]}");
    return Shell.at(reply, "writeErrors.0.code").asInt()
        + " "
        + Shell.at(reply, "writeErrors.0.errmsg").asString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'q':{'a':1},'u':{'$set':{'b':5}}}|1|1|{'_id':1,'a':1,'x':[1,2,3],'b':5}
          {'q':{'a':1},'u':{'$set':{'a':1}}}|1|0|{'_id':1,'a':1,'x':[1,2,3]}
          {'q':{'_id':1},'u':{'$inc':{'a':2.5}}}|1|1|{'_id':1,'a':3.5,'x':[1,2,3]}
          {'q':{'_id':9},'u':{'$inc':{'a':1}}}|0|0|{'_id':1,'a':1,'x':[1,2,3]}
          {'q':{'a':1},'u':{'$unset':{'a':1}},'multi':true}|2|2|{'_id':1,'x':[1,2,3]}
          {'q':{'_id':1},'u':{'b':1}}|1|1|{'_id':1,'b':1}
          {'q':{'_id':1},'u':{}}|1|1|{'_id':1}
          {'q':{'_id':1},'u':[{'$set':{'n':{'$size':'$x'}}},{'$unset':'x'}]}|1|1|{'_id':1,'a':1,\
          'n':3}
          {'q':{'x':2},'u':{'$set':{'x.$':9}}}|1|1|{'_id':1,'a':1,'x':[1,9,3]}
          {'q':{'_id':1},'u':{'$set':{'x.01':9}}}|1|1|{'_id':1,'a':1,'x':[1,9,3]}
          {'q':{'_id':1},'u':{'$set':{'x.4':5,'x.003.y':4}}}|1|1|{'_id':1,'a':1,'x':[1,2,3,\
          {'y':4},5]}
          {'q':{'_id':1},'u':{'$unset':{'x.00':1}}}|1|1|{'_id':1,'a':1,'x':[null,2,3]}
          {'q':{'x':2},'u':{'$inc':{'x.$[]':1}}}|1|1|{'_id':1,'a':1,'x':[2,3,4]}
          {'q':{'_id':1},'u':{'$set':{'x.$[big]':0}},'arrayFilters':[{'big':{'$gte':2}}]}|1|1|\
          {'_id':1,'a':1,'x':[1,0,0]}
          {'q':{'_id':1},'u':{'$push':{'x':{'$each':[0],'$sort':1,'$slice':2}}}}|1|1|{'_id':1,\
          'a':1,'x':[0,1]}
          {'q':{'_id':1},'u':[{'$set':{'a':'$$v'}}],'c':{'v':7}}|1|1|{'_id':1,'a':7,'x':[1,2,3]}
          {'q':{'a':1},'u':{'$set':{'a':0}},'multi':true,'hint':'_id_'}|2|2|{'_id':1,'a':0,'x':[1,\
          2,3]}
          """)
  void matchingDocumentsAreUpdated(String statement, int matched, int modified, String first) {
    insertTwo();
    assertThat(update(statement)).isEqualTo("{'n':" + matched + ",'nModified':" + modified + "}");
    assertThat(shell.found("{'_id':1}")).containsExactly(first);
  }

  @Test
  void sortSelectsTheDocumentToUpdate() {
    insertTwo();
    update("{'q':{'a':1},'u':{'$set':{'hit':true}},'sort':{'_id':-1}}");
    assertThat(shell.found("{'hit':true}")).containsExactly("{'_id':2,'a':1,'x':[3,4],'hit':true}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'q':{'_id':7,'a':{'$eq':2},'b':{'$gt':1}},'u':{'$set':{'c':3}},'upsert':true}|{'_id':7,\
          'a':2,'c':3}
          {'q':{'_id':7,'n.m':2},'u':{'$setOnInsert':{'c':3}},'upsert':true}|{'_id':7,'c':3,\
          'n':{'m':2}}
          {'q':{'$and':[{'_id':7},{'a':5}]},'u':{'$inc':{'a':1}},'upsert':true}|{'_id':7,'a':6}
          {'q':{'_id':{'$in':[7]},'a':{'$in':['x']},'b':{'$in':[1,2]}},'u':{'$set':{'c':3}},\
          'upsert':true}|{'_id':7,'a':'x','c':3}
          {'q':{'_id':7,'a':{'$all':[4]}},'u':{'$set':{'c':3}},'upsert':true}|{'_id':7,'a':4,'c':3}
          {'q':{'_id':7},'u':{'z':1},'upsert':true}|{'_id':7,'z':1}
          {'q':{'z':0},'u':{'_id':7,'z':1},'upsert':true}|{'_id':7,'z':1}
          {'q':{'_id':7,'a':2},'u':[{'$set':{'c':'$a'}}],'upsert':true}|{'_id':7,'a':2,'c':2}
          {'q':{'_id':7},'u':{'$set':{'c':1}},'upsert':true,'multi':true}|{'_id':7,'c':1}
          """)
  void upsertInsertsADocumentFromFilterAndUpdate(String statement, String made) {
    assertThat(update(statement))
        .isEqualTo("{'n':1,'nModified':0,'upserted':[{'index':0,'_id':7}]}");
    assertThat(shell.found("{}")).hasSize(1);
    assertThat(Shell.json(shell.found("{}").getFirst()).field("_id").asInt()).isEqualTo(7);
    assertThat(shell.found(made)).hasSize(1);
  }

  @Test
  void upsertGeneratesAnId() {
    update("{'q':{'a':4},'u':{'$set':{'b':1}},'upsert':true}");
    Document made = Shell.json(shell.found("{'a':4}").getFirst());
    assertThat(made.field("_id").type()).isEqualTo(Type.OBJECT_ID);
    assertThat(update("{'q':{'a':4},'u':{'$set':{'b':2}},'upsert':true}"))
        .isEqualTo("{'n':1,'nModified':1}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'q':{'_id':1},'u':{'$set':{'_id':2}}}|66
          {'q':{'_id':1},'u':{'_id':2,'b':1}}|66
          {'q':{},'u':{'b':1},'multi':true}|9
          {'q':{'_id':1},'u':{'$nonsense':{'a':1}}}|9
          {'q':{'_id':1},'u':{'$set':{'a':1},'b':2}}|9
          {'q':{'_id':1},'u':{'$inc':{'x':1}}}|14
          {'q':{'_id':1},'u':{'$push':{'a':1}}}|2
          {'q':{'_id':1},'u':{'$set':{'a.b':1}}}|28
          {'q':{'_id':1},'u':{'$set':{'x.+1':1}}}|28
          {'q':{'_id':1},'u':{'$set':{'x.99999999999':1}}}|34
          {'q':{'_id':1},'u':{'$set':{'a':1,'a.b':1}}}|40
          {'q':{'_id':1},'u':{'$set':{'x.$':1}}}|2
          {'q':{'_id':1},'u':{'$set':{'x.$[e]':1}}}|2
          {'q':{'_id':1},'u':{'$set':{'a':1}},'arrayFilters':[{'e':1}]}|9
          {'q':{'$x':1},'u':{'$set':{'a':1}}}|2
          {'q':{'_id':1},'u':{'$set':{'a':1}},'hint':'none'}|2
          {'q':{'_id':1},'u':[{'$group':{'_id':1}}]}|72
          {'q':{'$expr':{'$eq':['$a',5]}},'u':{'$set':{'a':1}},'upsert':true}|224
          {'q':{'$or':[{'$expr':true}]},'u':{'$set':{'a':1}},'upsert':true}|224
          """)
  void invalidStatementsAreWriteErrors(String statement, int code) {
    insertTwo();
    assertThat(error(statement)).startsWith(code + " ");
    assertThat(shell.found("{}"))
        .containsExactly("{'_id':1,'a':1,'x':[1,2,3]}", "{'_id':2,'a':1,'x':[3,4]}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'update':'c','updates':[]}|16
          {'update':'c'}|40414
          {'update':'c','updates':[{'u':{}}]}|40414
          {'update':'c','updates':[{'q':{}}]}|40414
          {'update':'c','updates':[{'q':1,'u':{}}]}|14
          {'update':'c','updates':[{'q':{},'u':{},'colour':1}]}|40415
          {'update':'c','updates':[{'q':{},'u':{},'multi':'x'}]}|14
          {'update':'c','updates':[{'q':{},'u':1}]}|9
          {'update':'v','updates':[{'q':{},'u':{}}]}|166
          {'update':'c','updates':[{'q':{},'u':{'$set':{'a':1}},'sort':{'a':1},'multi':true}]}|9
          """)
  void malformedCommandsFail(String command, int code) {
    insertTwo();
    shell.run("{'create':'v','viewOn':'c','pipeline':[]}");
    assertThat(shell.error(command)).startsWith(code + " ");
  }

  @Test
  void orderedUpdateStopsAtTheFirstError() {
    insertTwo();
    String statements =
        "[{'q':{'_id':1},'u':{'$set':{'k':1}}},{'q':{'_id':1},'u':{'$set':{'_id':5}}},"
            + "{'q':{'_id':2},'u':{'$set':{'k':1}}}]";
    Document ordered = shell.run("{'update':'c','updates':" + statements + "}");
    assertThat(ordered.field("n").asInt()).isEqualTo(1);
    assertThat(Shell.at(ordered, "writeErrors.0.index").asInt()).isEqualTo(1);
    Document unordered = shell.run("{'update':'c','ordered':false,'updates':" + statements + "}");
    assertThat(unordered.field("n").asInt()).isEqualTo(2);
    assertThat(unordered.field("nModified").asInt()).isEqualTo(1);
  }

  @Test
  void duplicateKeyIsAWriteError() {
    shell.run("{'createIndexes':'c','indexes':[{'key':{'k':1},'name':'k_1','unique':true}]}");
    shell.insert("{'_id':1,'k':1}", "{'_id':2,'k':2}");
    Document reply = shell.run("{'update':'c','updates':[{'q':{'_id':2},'u':{'$set':{'k':1}}}]}");
    assertThat(Shell.at(reply, "writeErrors.0.code").asInt()).isEqualTo(11000);
    assertThat(Shell.text(Shell.at(reply, "writeErrors.0.keyValue"))).isEqualTo("{'k':1}");
    Document upsert =
        shell.run("{'update':'c','updates':[{'q':{'_id':3,'k':1},'u':{},'upsert':true}]}");
    assertThat(upsert.field("n").asInt()).isEqualTo(1);
    Document twice =
        shell.run(
            "{'update':'c','updates':[{'q':{'_id':4,'k':1},'u':{'$set':{'z':1}},'upsert':true}]}");
    assertThat(Shell.at(twice, "writeErrors.0.code").asInt()).isEqualTo(11000);
  }

  @Test
  void validatorRejectsUpdates() {
    shell.run("{'create':'c','validator':{'a':{'$gt':0}}}");
    insertTwo();
    assertThat(error("{'q':{'_id':1},'u':{'$set':{'a':0}}}"))
        .isEqualTo("121 Document failed validation");
    assertThat(error("{'q':{},'u':{'$set':{'a':0}},'multi':true}")).startsWith("121 ");
    assertThat(error("{'q':{'_id':3},'u':{'$set':{'a':0}},'upsert':true}")).startsWith("121 ");
    assertThat(shell.found("{'a':0}")).isEmpty();
  }

  @Test
  void updateWithoutUpsertCreatesNoCollection() {
    assertThat(update("{'q':{},'u':{'$set':{'a':1}}}")).isEqualTo("{'n':0,'nModified':0}");
    assertThat(shell.replyText("{'listCollections':1,'nameOnly':true}"))
        .contains("'firstBatch':[]");
  }

  @Test
  void updateManyChangesEachDocumentOnce() {
    shell.run("{'createIndexes':'c','indexes':[{'key':{'a':1},'name':'a_1'}]}");
    for (int i = 0; i < 12; i++) {
      StringBuilder documents = new StringBuilder();
      for (int j = 0; j < 100; j++) {
        documents.append(j == 0 ? "" : ",").append("{'a':").append(i * 100 + j).append("}");
      }
      shell.insert(documents.toString());
    }
    assertThat(update("{'q':{'a':{'$gte':0}},'u':{'$inc':{'a':5000}},'multi':true}"))
        .isEqualTo("{'n':1200,'nModified':1200}");
    assertThat(shell.replyText("{'count':'c','query':{'a':{'$gte':5000,'$lt':6200}}}"))
        .isEqualTo("{'n':1200}");
  }

  @Test
  void constantsRequireAPipelineUpdate() {
    String upsert = "{'q':{'_id':1},'u':{'$set':{'b':1}},'c':{'v':7},'upsert':true}";
    assertThat(error(upsert)).startsWith("51198 ");
    assertThat(shell.replyText("{'count':'c'}")).isEqualTo("{'n':0}");
    assertThat(shell.all("{'listCollections':1}")).isEmpty();
    insertTwo();
    assertThat(error("{'q':{'_id':1},'u':{'$set':{'b':1}},'c':{'v':7}}")).startsWith("51198 ");
  }

  @Test
  void upsertCannotChangeTheIdOfTheFilter() {
    insertTwo();
    assertThat(error("{'q':{'_id':8},'u':{'$set':{'_id':9}},'upsert':true}")).startsWith("66 ");
    assertThat(error("{'q':{'_id':8},'u':[{'$set':{'_id':9}}],'upsert':true}")).startsWith("66 ");
    assertThat(update("{'q':{'_id':8},'u':{'$set':{'_id':8,'a':1}},'upsert':true}"))
        .contains("'_id':8");
  }

  @Test
  void unknownStageFailsTheWholeCommand() {
    shell.insert("{'_id':1}");
    assertThat(shell.error("{'update':'c','updates':[{'q':{'_id':1},'u':[{'$no':1}]}]}"))
        .isEqualTo("40324 Unrecognized pipeline stage name: '$no'");
    assertThat(shell.replyText("{'update':'c','updates':[{'q':{'_id':1},'u':[{'$match':{}}]}]}"))
        .contains("'code':72");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'$inc':{'z':1}}|14
          [{'$set':{'z':{'$add':['$z',1]}}}]|14
          {'$mul':{'v':2}}|121
          [{'$set':{'k':{'$arrayElemAt':[[7,7,8],'$_id']}}}]|11000
          """)
  void updateManyStopsAtTheFirstFailedDocument(String change, int code) {
    shell.run("{'create':'c','validator':{'v':{'$lt':10}}}");
    shell.run("{'createIndexes':'c','indexes':[{'key':{'k':1},'name':'k_1','unique':true}]}");
    shell.insert("{'_id':0,'z':1,'v':1,'k':0}", "{'_id':1,'z':'x','v':8,'k':1}");
    shell.insert("{'_id':2,'z':1,'v':1,'k':2}");
    assertThat(error("{'q':{},'u':" + change + ",'multi':true}")).startsWith(code + " ");
    assertThat(shell.found("{'_id':0}")).doesNotContain("{'_id':0,'z':1,'v':1,'k':0}");
    assertThat(shell.found("{'_id':{'$gte':1}}"))
        .containsExactly("{'_id':1,'z':'x','v':8,'k':1}", "{'_id':2,'z':1,'v':1,'k':2}");
  }
}
