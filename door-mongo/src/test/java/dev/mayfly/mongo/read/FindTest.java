package dev.mayfly.mongo.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mongo.Shell;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code find}: filter, sort, projection and batches. */
final class FindTest {
  private static final String CASELESS = "'collation':{'locale':'en','strength':2}";

  private final Shell shell = new Shell();

  @AfterEach
  void close() {
    shell.close();
  }

  private void insertThree() {
    shell.insert(
        "{'_id':1,'a':3,'s':'b'}", "{'_id':2,'a':1,'s':'A'}", "{'_id':3,'a':2,'s':'a','x':[1,2]}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          'filter':{}|1 2 3
          'filter':{'a':{'$gt':1}}|1 3
          'filter':{'_id':2}|2
          'filter':{'_id':9}|
          'filter':{'x':2}|3
          'filter':{'a':{'$gt':1}},'limit':0|1 3
          'sort':{'a':1}|2 3 1
          'sort':{'a':-1}|1 3 2
          'sort':{'a':1},'skip':1|3 1
          'sort':{'a':1},'skip':1,'limit':1|3
          'sort':{'a':1},'skip':9|
          'sort':{'$natural':1}|1 2 3
          'sort':{'$natural':-1}|3 2 1
          'hint':{'$natural':-1}|3 2 1
          'sort':{'s':1}|2 3 1
          'sort':{'s':1},'collation':{'locale':'en'}|3 2 1
          'filter':{'s':'a'},'collation':{'locale':'en','strength':2},'sort':{'_id':1}|2 3
          'filter':{'$expr':{'$eq':['$a','$$v']}},'let':{'v':2}|3
          """)
  void filterSortSkipAndLimitSelectDocuments(String options, String ids) {
    insertThree();
    String found =
        shell.all("{'find':'c'," + options + ",'projection':{'_id':1}}").stream()
            .map(one -> one.replaceAll("\\D", ""))
            .reduce("", (all, one) -> all.isEmpty() ? one : all + " " + one);
    assertThat(found).isEqualTo(ids == null ? "" : ids);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'a':1}|{'_id':3,'a':2}
          {'_id':0,'a':1}|{'a':2}
          {'x':0,'_id':0}|{'a':2,'s':'a'}
          {'x':{'$slice':1},'a':1}|{'_id':3,'a':2,'x':[1]}
          {'x.$':1}|{'_id':3,'x':[2]}
          {'sum':{'$add':['$a',1]},'_id':0}|{'sum':3}
          {}|{'_id':3,'a':2,'s':'a','x':[1,2]}
          """)
  void projectionSelectsFields(String projection, String shown) {
    insertThree();
    assertThat(shell.all("{'find':'c','filter':{'x':2},'projection':" + projection + "}"))
        .containsExactly(shown);
  }

  @Test
  void batchSizeLimitsABatch() {
    insertThree();
    var cursor = shell.cursor("{'find':'c','batchSize':2}");
    assertThat(Shell.batch(cursor)).hasSize(2);
    assertThat(cursor.field("id").asLong()).isNotZero();
    assertThat(cursor.field("ns").asString()).isEqualTo("d.c");
    var last = shell.more(cursor, "");
    assertThat(Shell.batch(last)).containsExactly("{'_id':3,'a':2,'s':'a','x':[1,2]}");
    assertThat(last.field("id").asLong()).isZero();
  }

  @Test
  void cursorIsClosedWithTheLastDocument() {
    insertThree();
    assertThat(shell.cursor("{'find':'c','batchSize':3}").field("id").asLong()).isZero();
    assertThat(shell.cursor("{'find':'c','limit':2,'batchSize':2}").field("id").asLong()).isZero();
  }

  @Test
  void batchSizeZeroOpensACursor() {
    insertThree();
    var cursor = shell.cursor("{'find':'c','batchSize':0}");
    assertThat(Shell.batch(cursor)).isEmpty();
    assertThat(Shell.batch(shell.more(cursor, ""))).hasSize(3);
  }

  @Test
  void singleBatchClosesTheCursor() {
    insertThree();
    var cursor = shell.cursor("{'find':'c','singleBatch':true,'batchSize':1}");
    assertThat(Shell.batch(cursor)).hasSize(1);
    assertThat(cursor.field("id").asLong()).isZero();
    assertThat(shell.cursors().size()).isZero();
  }

  @Test
  void firstBatchHas101DocumentsByDefault() {
    for (int i = 0; i < 150; i++) {
      shell.insert("{'_id':" + i + "}");
    }
    var cursor = shell.cursor("{'find':'c'}");
    assertThat(Shell.batch(cursor)).hasSize(101);
    assertThat(Shell.batch(shell.more(cursor, ""))).hasSize(49);
  }

  @Test
  void hintIsAnIndexNameOrKeyPattern() {
    insertThree();
    shell.run("{'createIndexes':'c','indexes':[{'key':{'a':1},'name':'by a'}]}");
    assertThat(shell.all("{'find':'c','hint':'by a','projection':{'_id':1}}"))
        .containsExactly("{'_id':2}", "{'_id':3}", "{'_id':1}");
    assertThat(shell.all("{'find':'c','hint':{'a':1},'projection':{'_id':1}}"))
        .containsExactly("{'_id':2}", "{'_id':3}", "{'_id':1}");
    assertThat(shell.all("{'find':'c','hint':'_id_'}")).hasSize(3);
    assertThat(shell.all("{'find':'c','hint':{'_id':1}}")).hasSize(3);
    shell.run(
        "{'createIndexes':'c','indexes':"
            + "[{'key':{'_ts':1},'name':'_ts_1','expireAfterSeconds':9}]}");
    for (String hint : new String[] {"'none'", "{'a':-1}", "{'a':1,'b':1}", "'_ts_1'"}) {
      assertThat(shell.error("{'find':'c','hint':" + hint + "}"))
          .isEqualTo(
              "2 error processing query: planner returned error :: caused by :: hint provided does"
                  + " not correspond to an existing index");
    }
  }

  @Test
  void planCacheCommandsDoNothing() {
    assertThat(shell.replyText("{'planCacheClear':'c','query':{'a':1}}")).isEqualTo("{}");
    assertThat(shell.replyText("{'planCacheClearFilters':'c'}")).isEqualTo("{}");
    assertThat(shell.replyText("{'planCacheListFilters':'c'}")).isEqualTo("{'filters':[]}");
    assertThat(shell.error("{'planCacheSetFilter':'c','query':{},'indexes':[]}")).startsWith("59 ");
  }

  @Test
  void missingCollectionIsEmpty() {
    assertThat(shell.replyText("{'find':'none','filter':{'a':1}}"))
        .isEqualTo("{'cursor':{'firstBatch':[],'id':0,'ns':'d.none'}}");
    assertThat(shell.replyText("{'listCollections':1,'nameOnly':true}"))
        .contains("'firstBatch':[]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'find':'c','colour':1}|40415 BSON field 'find.colour' is an unknown field.
          {'find':'c','filter':1}|14 BSON field 'find.filter' is the wrong type 'int', expected \
          type 'object'
          {'find':'c','sort':'a'}|14 BSON field 'find.sort' is the wrong type 'string', expected \
          type 'object'
          {'find':'c','limit':'a'}|14 BSON field 'find.limit' is the wrong type 'string', \
          expected types '[long, int, decimal, double']
          {'find':'c','skip':-1}|51024 BSON field 'skip' value must be >= 0, actual value '-1'
          {'find':'c','hint':{'$natural':5}}|2 $natural hint cannot be set to a value other \
          than -1 or 1.
          {'find':'c','sort':{'$natural':2}}|2 $natural sort cannot be set to a value other \
          than -1 or 1.
          {'find':'c','limit':-1}|51024 BSON field 'limit' value must be >= 0, actual value '-1'
          {'find':'c','batchSize':-1}|51024 BSON field 'batchSize' value must be >= 0, actual \
          value '-1'
          {'find':'c','hint':1}|9 'hint' must be a string or an object
          {'find':'c','singleBatch':'a'}|14 BSON field 'find.singleBatch' is the wrong type \
          'string', expected types '[bool, long, int, decimal, double']
          {'find':1}|73 collection name has invalid type int
          {'find':''}|73 Invalid namespace specified 'd.'
          {'find':'c','tailable':true}|2 error processing query: ns=d.c tailable cursor requested \
          on non capped collection
          {'find':'c','awaitData':true}|9 Cannot set 'awaitData' without also setting 'tailable'
          """)
  void malformedCommandsFail(String command, String refusal) {
    insertThree();
    assertThat(shell.error(command)).isEqualTo(refusal);
  }

  @Test
  void findWorksOnViews() {
    insertThree();
    shell.run("{'create':'v','viewOn':'c','pipeline':[{'$match':{'a':{'$gt':1}}}]}");
    assertThat(
            shell.all(
                "{'find':'v','filter':{'s':{'$gt':'A'}},'sort':{'a':1},'projection':{'a':1}}"))
        .containsExactly("{'_id':3,'a':2}", "{'_id':1,'a':3}");
    assertThat(shell.all("{'find':'v','sort':{'a':1},'skip':1,'limit':5,'projection':{'a':1}}"))
        .containsExactly("{'_id':1,'a':3}");
  }

  @Test
  void orReturnsADocumentOfSeveralIndexesOnce() {
    shell.insert("{'_id':1,'r':{'x':0},'p':'s'}", "{'_id':2,'r':[{'x':0}],'p':'t'}");
    shell.run(
        "{'createIndexes':'c','indexes':[{'key':{'r.x':1},'name':'r'},"
            + "{'key':{'p':1},'name':'p'}]}");
    assertThat(
            shell.all(
                "{'find':'c','filter':{'$or':[{'r':{'$elemMatch':{'x':0}}},{'p':'s'}]},"
                    + "'projection':{'_id':1}}"))
        .containsExactlyInAnyOrder("{'_id':1}", "{'_id':2}");
  }

  @Test
  void viewUsesItsDefaultCollation() {
    shell.insert("{'_id':1,'s':'a'}", "{'_id':2,'s':'A'}");
    shell.run("{'create':'v','viewOn':'c','pipeline':[]," + CASELESS + "}");
    for (String option : new String[] {"", "," + CASELESS}) {
      assertThat(shell.all("{'find':'v','filter':{'s':'a'}" + option + "}")).hasSize(2);
      assertThat(shell.all(matching("v", option))).hasSize(2);
      assertThat(shell.replyText("{'count':'v','query':{'s':'a'}" + option + "}"))
          .isEqualTo("{'n':2}");
      assertThat(shell.replyText("{'distinct':'v','key':'s'" + option + "}"))
          .isEqualTo("{'values':['a']}");
    }
    for (String option : new String[] {"en", "simple"}) {
      assertThat(shell.error(matching("v", ",'collation':{'locale':'" + option + "'}")))
          .isEqualTo("167 Cannot override a view's default collation");
    }
    shell.run("{'create':'w','viewOn':'c','pipeline':[]}");
    assertThat(shell.all(matching("w", ""))).hasSize(1);
    assertThat(shell.all(matching("w", ",'collation':{'locale':'simple'}"))).hasSize(1);
    assertThat(shell.error(matching("w", "," + CASELESS))).startsWith("167 ");
  }

  @Test
  void stagesOfAViewUseItsCollation() {
    shell.insert("{'_id':1,'s':'a'}", "{'_id':2,'s':'A'}");
    shell.run("{'create':'v','viewOn':'c','pipeline':[{'$match':{'s':'a'}}]," + CASELESS + "}");
    assertThat(shell.all("{'find':'v'}")).hasSize(2);
    assertThat(shell.replyText("{'count':'v'}")).isEqualTo("{'n':2}");
    String join = "{'aggregate':'c','pipeline':[{'$unionWith':'v'}],'cursor':{}";
    assertThat(shell.all(join + "," + CASELESS + "}")).hasSize(4);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'$unionWith':'v'}",
        "{'$lookup':{'from':'v','localField':'s','foreignField':'s','as':'x'}}",
        "{'$lookup':{'from':'v','pipeline':[],'as':'x'}}",
        "{'$graphLookup':{'from':'v','startWith':'$s','connectFromField':'s',"
            + "'connectToField':'s','as':'x'}}",
        "{'$facet':{'f':[{'$unionWith':'v'}]}}"
      })
  void joinedViewMustHaveTheCollationOfThePipeline(String stage) {
    shell.insert("{'_id':1,'s':'a'}");
    shell.run("{'create':'v','viewOn':'c','pipeline':[]," + CASELESS + "}");
    String join = "{'aggregate':'c','pipeline':[" + stage + "],'cursor':{}";
    assertThat(shell.error(join + "}")).isEqualTo("167 Cannot override a view's default collation");
    assertThat(shell.all(join + "," + CASELESS + "}")).isNotEmpty();
  }

  private static String matching(String view, String more) {
    return "{'aggregate':'" + view + "','pipeline':[{'$match':{'s':'a'}}],'cursor':{}" + more + "}";
  }
}
