package dev.mayfly.mongo.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mongo.Shell;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code explain}: plans and execution statistics. */
final class ExplainTest {
  private final Shell shell = new Shell();

  @AfterEach
  void close() {
    shell.close();
  }

  private Document explained(String command) {
    for (int i = 0; i < 10; i++) {
      shell.insert("{'_id':" + i + ",'a':" + i + ",'b':" + (i % 2) + "}");
    }
    shell.run("{'createIndexes':'c','indexes':[{'key':{'a':1},'name':'a_1'}]}");
    return shell.run("{'explain':" + command + ",'verbosity':'executionStats'}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'distinct':'c','key':'b'}|DISTINCT_SCAN|2 of 2 by 2
          {'distinct':'c','key':'b','hint':'b_1_a_1'}|DISTINCT_SCAN|2 of 2 by 2
          {'distinct':'c','key':'b','query':{'b':{'$gte':1}}}|DISTINCT_SCAN|1 of 1 by 1
          {'distinct':'c','key':'b','query':{'b':{'$gte':1},\
          '_id':{'$mod':[3,0]}}}|IXSCAN|2 of 5 by 5
          {'distinct':'c','key':'b','query':{'a':{'$lt':3}}}|IXSCAN|3 of 3 by 3
          {'find':'c','filter':{'b':{'$gte':1}}}|IXSCAN|5 of 5 by 5
          """)
  void distinctUsesASkipScanIfTheIndexSuffices(String command, String stage, String counts) {
    shell.run("{'createIndexes':'c','indexes':[{'key':{'b':1,'a':1},'name':'b_1_a_1'}]}");
    Document explained = explained(command);
    assertThat(Shell.text(Shell.at(explained, "queryPlanner.winningPlan.stage")))
        .isEqualTo("'FETCH'");
    assertThat(Shell.text(Shell.at(explained, "queryPlanner.winningPlan.inputStage.stage")))
        .isEqualTo("'" + stage + "'");
    assertThat(counts(explained)).isEqualTo(counts);
  }

  @ParameterizedTest
  @ValueSource(strings = {"c", "nothing"})
  void allPlansExecutionDependsOnTheVerbosity(String collection) {
    String find = "{'explain':{'find':'" + collection + "'}";
    shell.insert("{'_id':1}");
    assertThat(Shell.text(Shell.at(shell.run(find + "}"), "executionStats.allPlansExecution")))
        .isEqualTo("[]");
    Document stats = shell.run(find + ",'verbosity':'executionStats'}");
    assertThat(Shell.at(stats, "executionStats.allPlansExecution").isMissing()).isTrue();
  }

  private static String plan(Document explained) {
    return Shell.text(Shell.at(explained, "queryPlanner.winningPlan"));
  }

  private static String counts(Document explained) {
    Document stats = explained.field("executionStats").asDocument();
    return stats.field("nReturned").asInt()
        + " of "
        + stats.field("totalDocsExamined").asInt()
        + " by "
        + stats.field("totalKeysExamined").asInt();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'find':'c'}|{'stage':'COLLSCAN','direction':'forward'}|10 of 10 by 0
          {'find':'c','filter':{'b':1}}|{'stage':'COLLSCAN','filter':{'b':1},\
          'direction':'forward'}|5 of 10 by 0
          {'find':'c','sort':{'$natural':-1}}|{'stage':'COLLSCAN','direction':'backward'}|10 of \
          10 by 0
          {'find':'c','limit':2}|{'stage':'LIMIT','limitAmount':2,\
          'inputStage':{'stage':'COLLSCAN','direction':'forward'}}|2 of 2 by 0
          {'find':'c','limit':2,'projection':{'a':1}}|{'stage':'LIMIT','limitAmount':2,\
          'inputStage':{'stage':'PROJECTION_SIMPLE','transformBy':{'a':1},\
          'inputStage':{'stage':'COLLSCAN','direction':'forward'}}}|2 of 2 by 0
          {'find':'c','projection':{'a.b':1}}|{'stage':'PROJECTION_DEFAULT',\
          'transformBy':{'a.b':1},\
          'inputStage':{'stage':'COLLSCAN','direction':'forward'}}|10 of 10 by 0
          {'find':'c','filter':{'b':1},'sort':{'b':1}}|{'stage':'SORT','sortPattern':{'b':1},\
          'type':'simple','inputStage':{'stage':'COLLSCAN','filter':{'b':1},\
          'direction':'forward'}}|5 of 10 by 0
          {'count':'c','query':{'b':1}}|{'stage':'COUNT','inputStage':{'stage':'COLLSCAN',\
          'filter':{'b':1},'direction':'forward'}}|5 of 10 by 0
          {'delete':'c','deletes':[{'q':{'b':1},'limit':0}]}|{'stage':'DELETE',\
          'inputStage':{'stage':'COLLSCAN','filter':{'b':1},'direction':'forward'}}|5 of 10 by 0
          """)
  void winningPlanIsReported(String command, String plan, String counts) {
    Document explained = explained(command);
    assertThat(plan(explained)).isEqualTo(plan);
    assertThat(counts(explained)).isEqualTo(counts);
    assertThat(shell.found("{}")).hasSize(10);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'$eq':['$a',3]}|[3, 3]|1 of 1 by 1
          {'$gt':['$a',7]}|(7, MaxKey]|2 of 2 by 2
          {'$gt':[2,'$a']}|[MinKey, 2)|2 of 2 by 2
          {'$lte':['$a',{'$add':[1,1]}]}|[MinKey, 2]|3 of 3 by 3
          {'$and':[{'$gte':['$a',4]},{'$lt':['$a',6]},{'$eq':['$b',0]}]}|[4, 6)|1 of 2 by 2
          {'$in':['$a',[3,5,77]]}|[3, 3] [5, 5] [77, 77]|2 of 2 by 2
          """)
  void exprComparisonWithAConstantUsesAnIndex(String expression, String bounds, String counts) {
    Document explained = explained("{'find':'c','filter':{'$expr':" + expression + "}}");
    List<String> actual = new ArrayList<>();
    Fields each =
        Shell.at(explained, "queryPlanner.winningPlan.inputStage.indexBounds.a")
            .asDocument()
            .fields();
    while (each.next()) {
      actual.add(each.value().asString());
    }
    assertThat(String.join(" ", actual)).isEqualTo(bounds);
    assertThat(counts(explained)).isEqualTo(counts);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'$eq':['$a','$b']}
          {'$ne':['$a',3]}
          {'$eq':['$a',null]}
          {'$or':[{'$eq':['$a',3]},{'$eq':['$b',1]}]}
          {'$gt':[{'$add':['$a',1]},3]}
          """)
  void otherExprConditionsScanTheCollection(String expression) {
    Document explained = explained("{'find':'c','filter':{'$expr':" + expression + "}}");
    assertThat(plan(explained)).contains("COLLSCAN");
  }

  @Test
  void exprDoesNotUseAMultikeyIndex() {
    shell.insert("{'_id':'many','a':[1,20]}");
    Document explained = explained("{'find':'c','filter':{'$expr':{'$gt':['$a',7]}}}");
    assertThat(plan(explained)).contains("COLLSCAN");
    assertThat(counts(explained)).isEqualTo("3 of 11 by 0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ",'unique':true", ",'sparse':true", ",'collation':{'locale':'en'}"})
  void exprMatchesTheSameDocumentsByIndex(String options) {
    List<String> values =
        List.of(
            "null",
            "3",
            "5.5",
            "'a'",
            "'b'",
            "{'x':1}",
            "true",
            "false",
            "{'$minKey':1}",
            "{'$maxKey':1}",
            "{'$numberDouble':'NaN'}",
            Shell.ago(0),
            "{'$numberLong':'5'}");
    shell.insert("{'_id':'none'}");
    for (String value : values) {
      if (!(options.contains("unique") && value.equals("null"))) {
        shell.insert("{'_id':{'v':" + value + "},'a':" + value + "}");
      }
    }
    shell.run("{'createIndexes':'c','indexes':[{'key':{'a':1},'name':'a_1'" + options + "}]}");
    for (String operator : List.of("$eq", "$lt", "$lte", "$gt", "$gte")) {
      for (String value : values) {
        String filter = "{'$expr':{'" + operator + "':['$a',{'$literal':" + value + "}]}}";
        assertThat(shell.found(filter))
            .as(filter)
            .isEqualTo(
                shell.all(
                    "{'aggregate':'c','cursor':{},'pipeline':[{'$set':{'q':{'"
                        + operator
                        + "':['$a',{'$literal':"
                        + value
                        + "}]}}},{'$match':{'q':true}},{'$unset':'q'},{'$sort':{'_id':1}}]}"));
      }
    }
  }

  @Test
  void indexScanIsReportedWithItsBounds() {
    Document explained = explained("{'find':'c','filter':{'a':{'$gt':3,'$lte':6}}}");
    assertThat(plan(explained))
        .startsWith("{'stage':'FETCH',")
        .contains("'inputStage':{'stage':'IXSCAN','keyPattern':{'a':1},'indexName':'a_1'")
        .contains("'isMultiKey':false")
        .contains("'direction':'forward','indexBounds':{'a':['(3, 6]']}");
    assertThat(counts(explained)).isEqualTo("3 of 3 by 3");
    assertThat(Shell.at(explained, "executionStats.executionStages.docsExamined").asInt())
        .isEqualTo(3);
    assertThat(
            Shell.at(explained, "executionStats.executionStages.inputStage.keysExamined").asInt())
        .isEqualTo(3);
  }

  @Test
  void orUsesOneIndexPerBranch() {
    String filter =
        "{'$or':[{'a':3},{'_id':{'$gt':8}},{'p':{'$geoWithin':{'$centerSphere':[[0,0],0.1]}}}]}";
    String point = "'p':{'type':'Point','coordinates':[1,1]}}";
    shell.insert("{'_id':-1,'a':3," + point, "{'_id':-2,'a':30," + point);
    shell.run("{'createIndexes':'c','indexes':[{'key':{'p':'2dsphere'},'name':'p'}]}");
    Document explained = explained("{'find':'c','filter':" + filter + "}");
    Document either = Shell.at(explained, "queryPlanner.winningPlan.inputStage").asDocument();
    assertThat(either.field("stage").asString()).isEqualTo("OR");
    assertThat(Shell.at(either, "inputStages.0.indexName").asString()).isEqualTo("a_1");
    assertThat(Shell.text(Shell.at(either, "inputStages.0.indexBounds")))
        .isEqualTo("{'a':['[3, 3]']}");
    assertThat(Shell.at(either, "inputStages.1.indexName").asString()).isEqualTo("_id_");
    assertThat(Shell.at(either, "inputStages.2.indexName").asString()).isEqualTo("p");
    assertThat(Shell.at(explained, "executionStats.totalDocsExamined").asInt()).isEqualTo(5);
    assertThat(Shell.at(explained, "executionStats.nReturned").asInt()).isEqualTo(4);
    assertThat(shell.found(filter)).hasSize(4);
  }

  @Test
  void nearIsReportedAsGeoNear2dsphere() {
    shell.insert("{'_id':30,'p':{'type':'Point','coordinates':[1,1]}}");
    shell.run("{'createIndexes':'c','indexes':[{'key':{'p':'2dsphere'},'name':'p'}]}");
    Document explained = explained("{'find':'c','filter':{'p':{'$nearSphere':[0,0]}}}");
    Document near = Shell.at(explained, "queryPlanner.winningPlan").asDocument();
    assertThat(near.field("stage").asString()).isEqualTo("GEO_NEAR_2DSPHERE");
    assertThat(Shell.text(near.field("keyPattern"))).isEqualTo("{'p':'2dsphere'}");
    assertThat(Shell.at(near, "inputStage.inputStage.stage").asString()).isEqualTo("IXSCAN");
  }

  @Test
  void indexSortsByItsCollation() {
    String collation = "'collation':{'locale':'en','strength':2}";
    shell.run("{'createIndexes':'c','indexes':[{'key':{'s':1},'name':'s'," + collation + "}]}");
    assertThat(plan(explained("{'find':'c','sort':{'s':-1}," + collation + "}")))
        .startsWith("{'stage':'FETCH',")
        .contains("'indexName':'s'", "'strength':2");
    assertThat(plan(shell.run("{'explain':{'find':'c','sort':{'s':-1}}}")))
        .startsWith("{'stage':'SORT',");
  }

  @Test
  void findByIdIsIdhack() {
    Document explained = explained("{'find':'c','filter':{'_id':3}}");
    assertThat(Shell.at(explained, "queryPlanner.winningPlan.stage").asString())
        .isEqualTo("IDHACK");
    assertThat(Shell.at(explained, "executionStats.nReturned").asInt()).isEqualTo(1);
    assertThat(Shell.at(explained, "executionStats.totalDocsExamined").asInt()).isEqualTo(1);
  }

  @Test
  void indexOrderNeedsNoSort() {
    assertThat(plan(explained("{'find':'c','sort':{'a':-1}}")))
        .doesNotContain("SORT")
        .contains("'direction':'backward','indexBounds':{'a':['[MaxKey, MinKey]']}");
  }

  @Test
  void boundsAreReportedInScanOrder() {
    shell.run("{'createIndexes':'c','indexes':[{'key':{'b':1,'d':-1},'name':'bd'}]}");
    String filter = "'filter':{'b':{'$in':[1,2]},'d':{'$gte':0,'$lt':9}},'hint':'bd'";
    assertThat(plan(explained("{'find':'c'," + filter + "}")))
        .contains("'indexBounds':{'b':['[1, 1]','[2, 2]'],'d':['(9, 0]']}");
    assertThat(plan(shell.run("{'explain':{'find':'c'," + filter + ",'sort':{'b':-1}}}")))
        .contains("'indexBounds':{'b':['[2, 2]','[1, 1]'],'d':['[0, 9)']}");
  }

  @Test
  void queryPlannerVerbosityReportsOnlyThePlan() {
    explained("{'find':'c'}");
    Document reply = shell.run("{'explain':{'find':'c'},'verbosity':'queryPlanner'}");
    assertThat(reply.field("executionStats").isMissing()).isTrue();
    assertThat(Shell.at(reply, "queryPlanner.namespace").asString()).isEqualTo("d.c");
    assertThat(Shell.at(reply, "serverInfo.version").asString()).isEqualTo("8.0.16");
    assertThat(Shell.at(reply, "command.find").asString()).isEqualTo("c");
  }

  @Test
  void pipelineReportsTheQueryOfItsCursorStage() {
    Document explained =
        explained(
            "{'aggregate':'c','pipeline':[{'$match':{'a':{'$gte':8}}},{'$sort':{'a':1}},"
                + "{'$group':{'_id':'$b'}}],'cursor':{}}");
    assertThat(Shell.text(Shell.at(explained, "stages.0.$cursor.queryPlanner.winningPlan")))
        .contains("IXSCAN")
        .doesNotContain("SORT");
    assertThat(Shell.at(explained, "stages.0.$cursor.executionStats.nReturned").asInt())
        .isEqualTo(2);
    assertThat(Shell.text(Shell.at(explained, "stages.1.$group"))).isEqualTo("{'_id':'$b'}");
    assertThat(Shell.at(explained, "stages.2").isMissing()).isTrue();
  }

  @Test
  void pipelineStagesReportReturnedDocuments() {
    Document explained =
        explained(
            "{'aggregate':'c','pipeline':[{'$match':{'a':{'$gte':4}}},{'$unwind':'$b'},"
                + "{'$match':{'b':0}},{'$group':{'_id':'$a'}},{'$sort':{'_id':1}},{'$limit':2},"
                + "{'$lookup':{'from':'c','pipeline':[],'as':'all'}},{'$unwind':'$all'},"
                + "{'$count':'n'}],'cursor':{}}");
    assertThat(Shell.at(explained, "stages.0.$cursor.executionStats.nReturned").asInt())
        .isEqualTo(6);
    assertThat(given(explained)).containsExactly(6L, 6L, 3L, 3L, 2L, 2L, 2L, 20L, 1L);
    assertThat(Shell.at(explained, "stages.8.executionTimeMillisEstimate").asLong())
        .isNotNegative();
  }

  private static List<Long> given(Document explained) {
    List<Long> given = new ArrayList<>();
    Fields stages = explained.field("stages").asDocument().fields();
    while (stages.next()) {
      given.add(stages.value().asDocument().field("nReturned").asLong());
    }
    return given;
  }

  @Test
  void explainSupportsMetaInStages() {
    Document explained =
        explained(
            "{'aggregate':'c','pipeline':[{'$sort':{'a':-1}},{'$limit':4},"
                + "{'$addFields':{'k':{'$meta':'sortKey'}}},{'$match':{'k':{'$gt':6}}}],"
                + "'cursor':{}}");
    assertThat(given(explained)).containsExactly(4L, 4L, 3L);
  }

  @Test
  void pipelineOnAMissingCollectionReturnsNothing() {
    Document explained =
        shell.run(
            "{'explain':{'aggregate':'none','pipeline':[{'$match':{'a':1}},{'$unwind':'$b'}],"
                + "'cursor':{}},'verbosity':'executionStats'}");
    assertThat(given(explained)).containsExactly(0L, 0L);
  }

  @Test
  void stagesHaveNoCountsWithoutExecution() {
    String pipeline = "{'aggregate':'c','pipeline':[{'$unwind':'$b'},{'$out':'o'}],'cursor':{}}";
    explained("{'find':'c'}");
    Document plan = shell.run("{'explain':" + pipeline + ",'verbosity':'queryPlanner'}");
    assertThat(Shell.text(Shell.at(plan, "stages.1"))).isEqualTo("{'$unwind':'$b'}");
  }

  @ParameterizedTest
  @CsvSource({"$out,51029", "$merge,51184"})
  void explainDoesNotExecuteOutAndMerge(String stage, String code) {
    explained("{'find':'c'}");
    String refused =
        shell.error(
            "{'explain':{'aggregate':'c','pipeline':[{'"
                + stage
                + "':'o'}],'cursor':{}},"
                + "'verbosity':'executionStats'}");
    assertThat(refused).startsWith(code + " " + stage);
    assertThat(shell.run("{'count':'o'}").field("n").asInt()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'find':'c','filter':{'b':1}}|COLLSCAN 5
          {'find':'c','filter':{'a':{'$gt':2},'b':1}}|FETCH 4, IXSCAN 7
          {'find':'c','filter':{'b':1},'sort':{'b':1},'skip':1,'limit':2}|SKIP 2, SORT 3, COLLSCAN 5
          {'find':'c','filter':{'b':1},'limit':2,'projection':{'a':1}}|LIMIT 2, \
          PROJECTION_SIMPLE 2, COLLSCAN 2
          {'find':'c','filter':{'_id':3}}|IDHACK 1
          """)
  void planStagesReportReturnedDocuments(String command, String given) {
    List<String> stages = new ArrayList<>();
    Value stage = Shell.at(explained(command), "executionStats.executionStages");
    while (!stage.isMissing()) {
      Document at = stage.asDocument();
      stages.add(at.field("stage").asString() + " " + at.field("nReturned").asInt());
      assertThat(at.field("executionTimeMillisEstimate").asInt()).isNotNegative();
      stage = at.field("inputStage");
    }
    assertThat(String.join(", ", stages)).isEqualTo(given);
  }

  @Test
  void wildcardIndexReportsItsPathBounds() {
    shell.run("{'createIndexes':'c','indexes':[{'key':{'$**':1},'name':'all'}]}");
    assertThat(plan(explained("{'find':'c','filter':{'b':1}}")))
        .contains("'indexBounds':{'$_path':['[\\'b\\', \\'b\\']'],'b':['[1, 1]']}");
  }

  @Test
  void idIndexIsReportedAsUnique() {
    assertThat(plan(explained("{'find':'c','filter':{'_id':{'$gt':3}}}")))
        .contains("'indexName':'_id_','isMultiKey':false,'isUnique':true");
  }

  @Test
  void pipelineWithoutRemainingStagesIsReportedAsAQuery() {
    Document explained =
        explained("{'aggregate':'c','pipeline':[{'$match':{'a':1}},{'$limit':1}],'cursor':{}}");
    assertThat(plan(explained)).startsWith("{'stage':'LIMIT'").contains("IXSCAN");
    Document own = shell.run("{'aggregate':'c','pipeline':[{'$match':{'a':1}}],'explain':true}");
    assertThat(plan(own)).contains("IXSCAN");
    assertThat(own.field("executionStats").isMissing()).isTrue();
  }

  @Test
  void viewIsReportedAsItsCollection() {
    explained("{'find':'c'}");
    shell.run("{'create':'v','viewOn':'c','pipeline':[{'$match':{'a':{'$lt':3}}}]}");
    Document explained = shell.run("{'explain':{'find':'v','filter':{'b':0}}}");
    assertThat(plan(explained)).contains("IXSCAN");
    assertThat(Shell.at(explained, "queryPlanner.namespace").asString()).isEqualTo("d.c");
    assertThat(Shell.text(Shell.at(explained, "queryPlanner.parsedQuery")))
        .isEqualTo("{'$and':[{'a':{'$lt':3}},{'b':0}]}");
  }

  @Test
  void missingCollectionIsReportedAsEof() {
    Document reply = shell.run("{'explain':{'find':'none','filter':{'a':1}}}");
    assertThat(plan(reply)).isEqualTo("{'stage':'EOF'}");
    assertThat(Shell.at(reply, "executionStats.nReturned").asInt()).isZero();
    assertThat(Shell.at(reply, "executionStats.totalDocsExamined").asInt()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'explain':1}|14
          {'explain':{'ping':1}}|59
          {'explain':{'find':'c'},'verbosity':'loud'}|2
          {'explain':{'update':'c','updates':[]}}|16
          {'explain':{'find':'c','hint':'none'}}|2
          """)
  void malformedCommandsFail(String command, String code) {
    shell.insert("{'_id':1}");
    assertThat(shell.error(command)).startsWith(code + " ");
  }

  @Test
  void explainOfWritesChangesNothing() {
    assertThat(plan(explained("{'update':'c','updates':[{'q':{'a':1},'u':{'$set':{'z':1}}}]}")))
        .startsWith("{'stage':'UPDATE'")
        .contains("IXSCAN");
    assertThat(plan(shell.run("{'explain':{'findAndModify':'c','query':{'a':1},'remove':true}}")))
        .startsWith("{'stage':'DELETE'")
        .contains("IXSCAN");
    assertThat(shell.found("{'z':1}")).isEmpty();
    assertThat(shell.found("{}")).hasSize(10);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'a':{'$ne':3}}|['[MinKey, 3)','(3, MaxKey]']
          {'a':{'$not':{'$gt':3}}}|['[MinKey, 3]','(inf.0, MaxKey]']
          {'a':{'$exists':true}}|['[MinKey, MaxKey]']
          {'a':{'$regex':'x'}}|['["", {})','[/x/, /x/]']
          {'a':{'$type':'object'}}|['[{}, [])']
          """)
  void boundsContainTheirValues(String filter, String bounds) {
    Document explained = explained("{'find':'c','filter':" + filter + ",'hint':'a_1'}");
    Value shown = Shell.at(explained, "queryPlanner.winningPlan.inputStage.indexBounds.a");
    assertThat(texts(shown)).isEqualTo(bounds);
  }

  private static String texts(Value array) {
    List<String> texts = new ArrayList<>();
    Fields each = array.asDocument().fields();
    while (each.next()) {
      texts.add("'" + each.value().asString() + "'");
    }
    return "[" + String.join(",", texts) + "]";
  }

  @Test
  void indexOfAnotherCollationIsNotUsedForStrings() {
    shell.insert("{'_id':1,'s':'x'}");
    shell.run(
        "{'createIndexes':'c','indexes':[{'key':{'s':1},'name':'s',"
            + "'collation':{'locale':'en','strength':2}}]}");
    assertThat(plan(shell.run("{'explain':{'find':'c','filter':{'s':'x'}}}"))).contains("COLLSCAN");
    assertThat(
            plan(
                shell.run(
                    "{'explain':{'find':'c','filter':{'s':'X'},"
                        + "'collation':{'locale':'en','strength':2}}}")))
        .contains("IXSCAN");
  }
}
