package dev.mayfly.mongo.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.Shell;
import dev.mayfly.mongo.command.Names;
import dev.mayfly.value.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code aggregate}: pipelines on collections and views, and {@code $out} and {@code $merge}. */
final class AggregateTest {
  private final Shell shell = new Shell();

  @AfterEach
  void close() {
    shell.close();
  }

  private void insertThree() {
    shell.insert("{'_id':1,'a':1,'k':'x'}", "{'_id':2,'a':2,'k':'y'}", "{'_id':3,'a':3,'k':'x'}");
  }

  @Test
  void stagesRunInOrder() {
    insertThree();
    assertThat(
            shell.aggregate(
                "{'$match':{'a':{'$gt':0}}}",
                "{'$group':{'_id':'$k','s':{'$sum':'$a'}}}",
                "{'$sort':{'_id':1}}"))
        .containsExactly("{'_id':'x','s':4}", "{'_id':'y','s':2}");
    assertThat(shell.aggregate("{'$match':{'k':'x'}}", "{'$count':'n'}"))
        .containsExactly("{'n':2}");
    assertThat(shell.aggregate()).hasSize(3);
  }

  @ParameterizedTest
  @CsvSource({"$out", "$merge"})
  void outAndMergeRejectLinearizableReadConcern(String stage) {
    String write = "{'aggregate':'c','pipeline':[{'" + stage + "':'o'}],'cursor':{},";
    assertThat(shell.error(write + "'readConcern':{'level':'linearizable'}}"))
        .isEqualTo("72 " + stage + " cannot be used with a 'linearizable' read concern level");
    shell.run(write + "'readConcern':{'level':'majority'}}");
  }

  @Test
  void batchSizeLimitsTheFirstBatch() {
    insertThree();
    var cursor = shell.cursor("{'aggregate':'c','pipeline':[],'cursor':{'batchSize':2}}");
    assertThat(Shell.batch(cursor)).hasSize(2);
    assertThat(Shell.batch(shell.more(cursor, ""))).hasSize(1);
    var none = shell.cursor("{'aggregate':'c','pipeline':[],'cursor':{'batchSize':0}}");
    assertThat(Shell.batch(none)).isEmpty();
    assertThat(Shell.batch(shell.more(none, ""))).hasSize(3);
  }

  @Test
  void letVariablesAreAvailableInStages() {
    insertThree();
    assertThat(
            shell.all(
                "{'aggregate':'c','pipeline':[{'$match':{'$expr':{'$eq':['$a','$$v']}}}],"
                    + "'let':{'v':{'$add':[1,1]}},'cursor':{}}"))
        .containsExactly("{'_id':2,'a':2,'k':'y'}");
  }

  @Test
  void collationAppliesToAllStages() {
    shell.insert("{'_id':1,'k':'A'}", "{'_id':2,'k':'a'}", "{'_id':3,'k':'b'}");
    assertThat(
            shell.all(
                "{'aggregate':'c','pipeline':[{'$match':{'k':'a'}},{'$count':'n'}],"
                    + "'collation':{'locale':'en','strength':2},'cursor':{}}"))
        .containsExactly("{'n':2}");
  }

  @Test
  void collationAppliesToExpressions() {
    shell.insert("{'_id':1,'k':'a'}", "{'_id':2,'k':'B'}");
    String caseless = ",'collation':{'locale':'en','strength':2}";
    String pipeline =
        "[{'$group':{'_id':null,'max':{'$max':'$k'},'set':{'$push':{'$eq':['$k','A']}}}}]";
    assertThat(
            shell.all("{'aggregate':'c','pipeline':" + pipeline + ",'cursor':{}" + caseless + "}"))
        .containsExactly("{'_id':null,'max':'B','set':[true,false]}");
    assertThat(
            shell.all(
                "{'find':'c','filter':{'_id':1},'projection':{'_id':0,'e':{'$in':['A',['$k']]}}"
                    + caseless
                    + "}"))
        .containsExactly("{'e':true}");
    shell.run(
        "{'update':'c','updates':[{'q':{'_id':1},'u':[{'$set':{'e':{'$eq':['$k','A']}}}]"
            + caseless
            + "}]}");
    assertThat(shell.all("{'find':'c','filter':{'_id':1}}"))
        .containsExactly("{'_id':1,'k':'a','e':true}");
    assertThat(
            shell.replyText(
                "{'findAndModify':'c','query':{'_id':2},'update':{'$set':{'x':1}},"
                    + "'fields':{'_id':0,'e':{'$eq':['$k','b']}}"
                    + caseless
                    + "}"))
        .contains("'value':{'e':true}");
  }

  @Test
  void hintAppliesToTheCollectionOfTheCommand() {
    insertThree();
    shell.run("{'createIndexes':'c','indexes':[{'key':{'a':-1},'name':'down'}]}");
    assertThat(
            shell.all(
                "{'aggregate':'c','pipeline':[{'$project':{'_id':1}}],'hint':'down','cursor':{}}"))
        .containsExactly("{'_id':3}", "{'_id':2}", "{'_id':1}");
    assertThat(shell.error("{'aggregate':'c','pipeline':[],'hint':'none','cursor':{}}"))
        .startsWith("2 ");
  }

  @Test
  void viewsMayUseVariables() {
    insertThree();
    shell.run(
        "{'create':'v','viewOn':'c','pipeline':[{'$match':{'_id':1}},{'$project':{'d':"
            + "{'$map':{'input':['$a',5],'as':'e','in':{'$add':['$$e','$a']}}}}}]}");
    assertThat(shell.all("{'aggregate':'v','pipeline':[],'cursor':{}}"))
        .containsExactly("{'_id':1,'d':[2,6]}");
    assertThat(shell.aggregate("{'$match':{'_id':3}}", "{'$unionWith':'v'}"))
        .containsExactly("{'_id':3,'a':3,'k':'x'}", "{'_id':1,'d':[2,6]}");
    assertThat(
            shell.aggregate(
                "{'$match':{'_id':3}}",
                "{'$lookup':{'from':'v','let':{'x':'$a'},'as':'f','pipeline':["
                    + "{'$project':{'x':{'$add':['$$x',{'$first':'$d'}]}}}]}}"))
        .containsExactly("{'_id':3,'a':3,'k':'x','f':[{'_id':1,'x':5}]}");
  }

  @Test
  void viewsOnViewsAreResolved() {
    insertThree();
    shell.run("{'create':'v','viewOn':'c','pipeline':[{'$match':{'k':'x'}}]}");
    shell.run(
        "{'create':'w','viewOn':'v','pipeline':[{'$project':{'double':{'$add':['$a','$a']}}}]}");
    assertThat(
            shell.all("{'aggregate':'w','pipeline':[{'$match':{'double':{'$gt':2}}}],'cursor':{}}"))
        .containsExactly("{'_id':3,'double':6}");
  }

  @Test
  void lookupAndUnionWithReadOtherCollections() {
    insertThree();
    shell.run("{'insert':'o','documents':[{'_id':'x','n':7}]}");
    assertThat(
            shell.aggregate(
                "{'$match':{'_id':1}}",
                "{'$lookup':{'from':'o','localField':'k','foreignField':'_id','as':'o'}}"))
        .containsExactly("{'_id':1,'a':1,'k':'x','o':[{'_id':'x','n':7}]}");
    assertThat(shell.aggregate("{'$match':{'_id':1}}", "{'$unionWith':'o'}")).hasSize(2);
  }

  @Test
  void outReplacesTheTargetAndKeepsItsIndexes() {
    insertThree();
    shell.run("{'insert':'o','documents':[{'_id':'old'}]}");
    shell.run("{'createIndexes':'o','indexes':[{'key':{'a':1},'name':'a_1'}]}");
    assertThat(shell.aggregate("{'$match':{'k':'x'}}", "{'$project':{'a':1}}", "{'$out':'o'}"))
        .isEmpty();
    assertThat(shell.all("{'find':'o','sort':{'_id':1}}"))
        .containsExactly("{'_id':1,'a':1}", "{'_id':3,'a':3}");
    assertThat(shell.replyText("{'listIndexes':'o'}")).contains("'a_1'");
    shell.aggregate("{'$out':{'db':'e','coll':'p'}}");
    assertThat(shell.engine().namespaces().toString())
        .contains("e.p")
        .doesNotContain("tmp.agg_out");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          'viewOn':'c','pipeline':[]|{'$out':'o'}|166 Namespace d.o is a view, not a collection
          'viewOn':'c','pipeline':[]|{'$merge':'o'}|166 Namespace d.o is a view, not a collection
          'capped':true,'size':4096|{'$out':'o'}|\
          17152 namespace 'd.o' is capped so it can't be used for $out
          'validator':{'z':1}|{'$out':'o'}|121 Document failed validation
          'validator':{'z':1}|{'$merge':'o'}|121 Document failed validation
          """)
  void outAndMergeRespectTheOptionsOfTheTarget(String options, String stage, String refusal) {
    insertThree();
    shell.run("{'create':'o'," + options + "}");
    String pipeline = "{'aggregate':'c','pipeline':[" + stage + "],'cursor':{}";
    assertThat(shell.error(pipeline + "}")).isEqualTo(refusal);
    assertThat(shell.replyText("{'listCollections':1,'filter':{'name':'o'}}"))
        .contains(options.startsWith("'viewOn'") ? "'view'" : "'collection'");
    if (refusal.startsWith("121")) {
      assertThat(shell.all("{'find':'o'}")).isEmpty();
      shell.run(pipeline + ",'bypassDocumentValidation':true}");
      assertThat(shell.all("{'find':'o'}")).hasSize(3);
    }
  }

  @Test
  void unfinishedOutCollectionIsDroppedAtStart() {
    insertThree();
    Namespace temporary = Names.temporary(new Namespace("d", "o"), "agg_out");
    shell.engine().create(temporary, CollectionSpec.mongo());
    shell.restart();
    assertThat(shell.engine().find(temporary)).isEmpty();
    assertThat(shell.engine().find(new Namespace("d", "c"))).isPresent();
  }

  @Test
  void failedOutLeavesTheTargetUnchanged() {
    insertThree();
    shell.run("{'insert':'o','documents':[{'_id':'old'}]}");
    assertThat(
            shell.error(
                "{'aggregate':'c','pipeline':[{'$project':{'_id':'$k'}},"
                    + "{'$out':'o'}],'cursor':{}}"))
        .startsWith("11000 E11000 duplicate key error collection: d.o");
    assertThat(shell.all("{'find':'o'}")).containsExactly("{'_id':'old'}");
    assertThat(shell.engine().namespaces().toString()).doesNotContain("tmp.agg_out");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'into':'o'}|{'_id':1,'a':1,'old':true,'k':'x'} {'_id':2,'a':2,'k':'y'} {'_id':3,'a':3,\
          'k':'x'}
          {'into':'o','whenMatched':'replace'}|{'_id':1,'a':1,'k':'x'} {'_id':2,'a':2,'k':'y'} \
          {'_id':3,'a':3,'k':'x'}
          {'into':'o','whenMatched':'keepExisting'}|{'_id':1,'a':0,'old':true} {'_id':2,'a':2,\
          'k':'y'} {'_id':3,'a':3,'k':'x'}
          {'into':'o','whenMatched':[{'$set':{'a':{'$add':['$a','$$new.a']}}}],\
          'whenNotMatched':'discard'}|{'_id':1,'a':1,'old':true}
          """)
  void mergeUpdatesTheTarget(String merge, String merged) {
    insertThree();
    shell.run("{'insert':'o','documents':[{'_id':1,'a':0,'old':true}]}");
    assertThat(shell.aggregate("{'$merge':" + merge + "}")).isEmpty();
    assertThat(String.join(" ", shell.all("{'find':'o','sort':{'_id':1}}"))).isEqualTo(merged);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'aggregate':'c','pipeline':[]}|9 The 'cursor' option is required, except for aggregate \
          with the explain argument
          {'aggregate':'c','cursor':{}}|40414
          {'aggregate':'c','pipeline':{},'cursor':{}}|14
          {'aggregate':'c','pipeline':[1],'cursor':{}}|14
          {'aggregate':'c','pipeline':[{'$nonsense':1}],'cursor':{}}|40324
          {'aggregate':'c','pipeline':[{'$match':{},'$sort':{}}],'cursor':{}}|40323
          {'aggregate':'c','pipeline':[{'$out':'x'},{'$match':{}}],'cursor':{}}|40601
          {'aggregate':'c','pipeline':[],'cursor':1}|14
          {'aggregate':'c','pipeline':[],'cursor':{'batchSize':-1}}|51024
          {'aggregate':'c','pipeline':[],'cursor':{'batchSize':'a'}}|14 BSON field \
          'cursor.batchSize' is the wrong type 'string'
          {'listIndexes':'c','cursor':{'batchSize':'a'}}|14
          {'listCollections':1,'cursor':{'batchSize':{}}}|14
          {'listCollections':1,'cursor':{'colour':1}}|40415
          {'aggregate':'c','pipeline':[],'cursor':{'colour':1}}|40415
          {'aggregate':'c','pipeline':[],'cursor':{},'colour':1}|40415
          {'aggregate':1,'pipeline':[{'$match':{}}],'cursor':{}}|73
          {'aggregate':2,'pipeline':[],'cursor':{}}|9
          {'aggregate':'c','pipeline':[{'$merge':{'into':'o','whenMatched':'fail'}}],'cursor':{}}|\
          11000
          {'aggregate':'c','pipeline':[{'$merge':{'into':'o','whenNotMatched':'fail'}}],\
          'cursor':{}}|13113
          {'aggregate':'c','pipeline':[{'$project':{'x':{'$divide':['$a',0]}}}],'cursor':{}}|2
          """)
  void malformedCommandsFail(String command, String refusal) {
    insertThree();
    shell.run("{'insert':'o','documents':[{'_id':1}]}");
    assertThat(shell.error(command)).startsWith(refusal);
  }

  @Test
  void documentsStageReadsDocumentsOfTheCommand() {
    assertThat(
            shell.all(
                "{'aggregate':1,'pipeline':[{'$documents':[{'a':1},{'a':2}]},{'$match':{'a':2}}],"
                    + "'cursor':{}}"))
        .containsExactly("{'a':2}");
  }

  @Test
  void densifyLimitsTheNumberOfDocuments() {
    shell.insert("{'_id':1,'a':1}", "{'_id':2,'a':'x'}");
    String stages =
        "{'$densify':{'field':'a','range':{'step':1,'bounds':[0,1000000]}}},{'$count':'n'}]}";
    String first = "{'aggregate':'c','cursor':{},'pipeline':[{'$match':{'_id':{'$lt':";
    assertThat(shell.error(first + "2}}}," + stages)).startsWith("5897900");
    assertThat(shell.error(first + "9}}}," + stages)).startsWith("5733201");
  }

  @Test
  void documentsStageRequiresNoCollection() {
    insertThree();
    assertThat(shell.error("{'aggregate':'c','pipeline':[{'$documents':[{}]}],'cursor':{}}"))
        .startsWith("73 ");
  }

  @Test
  void lookupVariableBoundsTheIndexPerDocument() {
    shell.run("{'createIndexes':'c','indexes':[{'key':{'a':1},'name':'a_1'}]}");
    shell.insert("{'_id':1,'a':1}", "{'_id':2,'a':2}", "{'_id':3,'a':3}", "{'_id':4}");
    String above =
        "{'$lookup':{'from':'c','as':'l','let':{'v':'$a'},'pipeline':["
            + "{'$match':{'$expr':{'$gt':['$a','$$v']}}},{'$sort':{'_id':1}}]}}";
    assertThat(shell.aggregate("{'$sort':{'_id':1}}", above, "{'$project':{'l':'$l._id'}}"))
        .containsExactly(
            "{'_id':1,'l':[2,3]}",
            "{'_id':2,'l':[3]}",
            "{'_id':3,'l':[]}",
            "{'_id':4,'l':[1,2,3]}");
    assertThat(
            shell.aggregate(
                "{'$match':{'a':2}}", above, "{'$limit':1}", "{'$project':{'l':'$l._id'}}"))
        .containsExactly("{'_id':2,'l':[3]}");
    assertThat(shell.aggregate("{'$indexStats':{}}", "{'$match':{'name':'a_1','accesses.ops':5}}"))
        .hasSize(1);
  }

  @Test
  void letVariableMayBeRand() {
    shell.insert("{'_id':1}");
    assertThat(
            shell.all(
                "{'aggregate':'c','pipeline':[{'$project':{'t':{'$type':'$$r'}}}],"
                    + "'let':{'r':{'$rand':{}}},'cursor':{}}"))
        .containsExactly("{'_id':1,'t':'double'}");
    assertThat(shell.error("{'aggregate':'c','pipeline':[],'let':{'r':'$a'},'cursor':{}}"))
        .startsWith("4890500 ");
  }

  @Test
  void failedMergeReportsTheDuplicateKey() {
    shell.insert("{'_id':1}");
    Document refused =
        shell.reply(
            "{'aggregate':'c','pipeline':[{'$merge':{'into':'c','whenMatched':'fail'}}],"
                + "'cursor':{}}");
    assertThat(refused.field("code").asInt()).isEqualTo(11000);
    assertThat(Shell.text(refused.field("keyPattern"))).isEqualTo("{'_id':1}");
    assertThat(Shell.text(refused.field("keyValue"))).isEqualTo("{'_id':1}");
  }

  @Test
  void mergeRequiresAUniqueIndexOfItsCollation() {
    shell.insert("{'_id':1,'k':'a'}");
    shell.run(
        "{'createIndexes':'o','indexes':[{'key':{'k':1},'name':'k','unique':true,"
            + "'collation':{'locale':'en','strength':2}}]}");
    String merge =
        "{'aggregate':'c','pipeline':[{'$merge':{'into':'o','on':'k'}}],'cursor':{}COLLATION}";
    String same = ",'collation':{'locale':'en','strength':2}";
    assertThat(shell.error(merge.replace("COLLATION", ""))).startsWith("51183 ");
    assertThat(shell.error(merge.replace("COLLATION", ",'collation':{'locale':'en','strength':1}")))
        .startsWith("51183 ");
    shell.run(merge.replace("COLLATION", same));
    shell.run("{'createIndexes':'o','indexes':[{'key':{'k':1},'name':'s','unique':true}]}");
    shell.run(merge.replace("COLLATION", ""));
    shell.run("{'dropIndexes':'o','index':'k'}");
    assertThat(shell.error(merge.replace("COLLATION", same))).startsWith("51183 ");
  }
}
