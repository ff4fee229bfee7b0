package dev.mayfly.mongo.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mongo.Shell;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code find} with min and max, returnKey, showRecordId and {@code $meta}. */
final class FindMetadataTest {
  private final Shell shell = new Shell();

  @AfterEach
  void close() {
    shell.close();
  }

  private void insertFive() {
    shell.insert(
        "{'_id':1,'a':1,'b':5,'t':[3,8]}",
        "{'_id':2,'a':2,'b':4,'t':[1]}",
        "{'_id':3,'a':2,'b':6,'t':9}",
        "{'_id':4,'a':3,'b':1}",
        "{'_id':5,'a':'x','b':1,'t':[]}");
    index("{'a':1}", "a");
    index("{'a':-1,'b':1}", "ab");
    index("{'t':1}", "t");
    index("{'b':'hashed'}", "h");
    index("{'b':1}", "s", ",'collation':{'locale':'en','strength':2}");
  }

  private void index(String key, String name) {
    index(key, name, "");
  }

  private void index(String key, String name, String options) {
    shell.run(
        "{'createIndexes':'c','indexes':[{'key':"
            + key
            + ",'name':'"
            + name
            + "'"
            + options
            + "}]}");
  }

  private String ids(String options) {
    return shell.all("{'find':'c'," + options + ",'projection':{'_id':1}}").stream()
        .map(one -> one.replaceAll("\\D", ""))
        .reduce("", (all, one) -> all.isEmpty() ? one : all + " " + one);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          'hint':'a','min':{'a':2}|2 3 4 5
          'hint':'a','max':{'a':2}|1
          'hint':{'a':1},'min':{'a':2},'max':{'a':3}|2 3
          'hint':'a','min':{'a':2},'max':{'a':3},'filter':{'b':6}|3
          'hint':'a','min':{'a':2},'max':{'a':3},'sort':{'a':-1,'_id':1}|2 3
          'hint':'a','min':{'a':2},'sort':{'a':-1},'limit':1|5
          'hint':'ab','min':{'a':3,'b':0},'max':{'a':2,'b':5}|4 2
          'hint':'ab','min':{'a':2,'b':5}|3 1
          'hint':'_id_','min':{'_id':2},'max':{'_id':4}|2 3
          'hint':{'_id':1},'min':{'_id':4}|4 5
          'hint':'t','min':{'t':8},'filter':{'t':3}|1
          """)
  void minAndMaxLimitTheIndexScan(String options, String ids) {
    insertFive();
    assertThat(ids(options)).isEqualTo(ids);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          'min':{'a':1}|51173
          'hint':{'$natural':1},'min':{'a':1}|51173
          'hint':'a','min':{'b':1}|51174
          'hint':'ab','min':{'a':1}|51174
          'hint':'ab','min':{'b':1,'a':1}|51174
          'hint':'h','min':{'b':1}|51174
          'hint':'a','min':{'a':2},'max':{'a':2}|51175
          'hint':'a','min':{'a':2},'max':{'a':1}|51175
          'hint':'ab','min':{'a':1,'b':1},'max':{'a':2,'b':1}|51175
          'hint':'a','min':{'a':2},'max':{'b':3}|51176
          'hint':'nix','min':{'a':2}|2
          """)
  void invalidMinAndMaxFail(String options, String code) {
    insertFive();
    assertThat(shell.error("{'find':'c'," + options + "}")).startsWith(code + " ");
  }

  @Test
  void explainReportsMinAndMax() {
    insertFive();
    assertThat(
            Shell.text(
                Shell.at(
                    shell.run(
                        "{'explain':{'find':'c','hint':'ab','min':{'a':2,'b':5}},"
                            + "'verbosity':'executionStats'}"),
                    "queryPlanner.winningPlan.inputStage.indexBounds")))
        .isEqualTo(
            "{'startKey':{'a':2,'b':5},'startKeyInclusive':true,"
                + "'endKey':{'a':{'$minKey':1},'b':{'$maxKey':1}},'endKeyInclusive':true}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          'filter':{'_id':2}|{'_id':2}
          'filter':{'_id':{'$gt':4}}|{'_id':5}
          'filter':{'a':3},'hint':'a'|{'a':3}
          'filter':{'a':3},'hint':'ab'|{'a':3,'b':1}
          'filter':{'t':{'$gt':3}},'hint':'t','limit':1|{'t':8}
          'filter':{'t':{'$lt':9}},'sort':{'_id':1},'hint':'t','limit':1|{'t':3}
          'filter':{'a':3},'hint':{'$natural':1}|{}
          'hint':'t','min':{'t':4},'max':{'t':9}|{'t':8}
          'hint':'t','filter':{'t':{'$lt':4}},'min':{'t':4},'max':{'t':9}|{'t':8}
          'hint':'t','filter':{'_id':1},'max':{'t':9}|{'t':3}
          'hint':'t','filter':{'_id':1},'min':{'t':1},'sort':{'t':-1}|{'t':3}
          'hint':'t','filter':{'_id':1},'min':{'t':1},'sort':{'t':1}|{'t':3}
          'hint':'t','filter':{'_id':1},'min':{'t':4},'sort':{'b':1}|{'t':8}
          'hint':'a','filter':{'b':4},'min':{'a':1},'sort':{'a':-1}|{'a':2}
          """)
  void returnKeyReturnsTheIndexKey(String options, String key) {
    insertFive();
    assertThat(shell.all("{'find':'c'," + options + ",'returnKey':true}")).containsExactly(key);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          'hint':'up','min':{'k.t':4,'n':0}|{'k.t':6,'n':1}
          'hint':'up','max':{'k.t':9,'n':0}|{'k.t':3,'n':1}
          'hint':'up','min':{'k.t':6,'n':2}|{'k.t':8,'n':1}
          'hint':'down','min':{'k.t':7}|{'k.t':6}
          'hint':'down','max':{'k.t':4}|{'k.t':8}
          'hint':'down','min':{'k.t':7},'sort':{'k.t':1}|{'k.t':6}
          """)
  void returnKeyOfAMultikeyIndexIsTheFirstOfTheScan(String options, String key) {
    shell.insert("{'_id':1,'k':[{'t':8},{'t':3},{'t':6}],'n':1}");
    index("{'k.t':1,'n':1}", "up");
    index("{'k.t':-1}", "down");
    assertThat(shell.all("{'find':'c'," + options + ",'returnKey':true}")).containsExactly(key);
  }

  @Test
  void recordIdIsStableUntilTheDocumentIsDeleted() {
    insertFive();
    List<String> before = numbers();
    assertThat(before).hasSize(5).doesNotHaveDuplicates();
    shell.run("{'update':'c','updates':[{'q':{},'u':{'$inc':{'b':1}},'multi':true}]}");
    assertThat(numbers()).isEqualTo(before);
    shell.run("{'delete':'c','deletes':[{'q':{'_id':1},'limit':1}]}");
    shell.insert("{'_id':1}");
    assertThat(numbers().getFirst()).isNotEqualTo(before.getFirst());
  }

  private List<String> numbers() {
    return shell
        .all(
            "{'find':'c','sort':{'_id':1},'showRecordId':true,"
                + "'projection':{'_id':0,'t':1,'x':'$t.q'}}")
        .stream()
        .map(one -> one.replaceAll(".*'\\$recordId':", ""))
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'_id':1,'k':{'$meta':'sortKey'}}|{'_id':1,'k':[3,'b']}
          {'a':0,'t':0,'k':{'$meta':'sortKey'}}|{'_id':1,'s':'b','k':[3,'b']}
          {'k':{'$meta':'sortKey'}}|{'_id':1,'a':[3,7],'s':'b','k':[3,'b']}
          {'_id':0,'k':{'$size':{'$meta':'sortKey'}}}|{'k':2}
          """)
  void metaSortKeyReturnsTheSortValues(String projection, String shown) {
    shell.insert("{'_id':1,'a':[3,7],'s':'b'}");
    assertThat(
            shell.all(
                "{'find':'c','sort':{'a':1,'s':1},'projection':"
                    + projection
                    + ",'filter':{'_id':{'$gt':0}}}"))
        .containsExactly(shown);
  }

  @Test
  void metaRecordIdAndIndexKeyAreProjected() {
    insertFive();
    assertThat(
            shell.all(
                "{'find':'c','filter':{'a':3},'hint':'ab','showRecordId':true,"
                    + "'projection':{'_id':0,'k':{'$meta':'indexKey'},"
                    + "'same':{'$toString':{'$meta':'recordId'}}}}"))
        .singleElement()
        .asString()
        .matches("\\{'k':\\{'a':3,'b':1\\},'same':'(\\d+)','\\$recordId':\\1\\}");
  }

  @Test
  void metaGeoNearDistanceUsesTheUnitOfTheQuery() {
    shell.insert("{'_id':1,'p':{'type':'Point','coordinates':[0,1]}}");
    index("{'p':'2dsphere'}", "p");
    assertThat(
            shell.all(
                "{'find':'c','filter':{'p':{'$near':{'$geometry':{'type':'Point',"
                    + "'coordinates':[0,0]}}}},'projection':{'_id':1,"
                    + "'d':{'$toInt':{'$meta':'geoNearDistance'}},"
                    + "'at':{'$meta':'geoNearPoint'}}}"))
        .containsExactly("{'_id':1,'d':111318,'at':{'type':'Point','coordinates':[0,1]}}");
    assertThat(
            shell.all(
                "{'find':'c','filter':{'p':{'$nearSphere':[0,0]}},'projection':{'_id':0,"
                    + "'d':{'$round':[{'$meta':'geoNearDistance'},4]}}}"))
        .containsExactly("{'d':0.0175}");
  }

  @Test
  void metaIndexKeyWorksInPipelines() {
    insertFive();
    assertThat(
            shell.all(
                "{'aggregate':'c','hint':'ab','cursor':{},'pipeline':[{'$match':{'a':3}},"
                    + "{'$project':{'_id':0,'k':{'$meta':'indexKey'},"
                    + "'n':{'$gt':[{'$meta':'recordId'},0]}}}]}"))
        .containsExactly("{'k':{'a':3,'b':1},'n':true}");
  }

  @Test
  void metaSortKeyWorksInPipelines() {
    shell.insert("{'_id':1,'a':[3,7],'s':'b'}", "{'_id':2,'a':1}", "{'_id':3,'a':9}");
    assertThat(
            shell.aggregate(
                "{'$set':{'s':{'$ifNull':['$s','z']}}}",
                "{'$sort':{'a':1,'s':-1}}",
                "{'$match':{'_id':{'$lt':3}}}",
                "{'$project':{'k':{'$meta':'sortKey'}}}"))
        .containsExactly("{'_id':2,'k':[1,'z']}", "{'_id':1,'k':[3,'b']}");
    assertThat(
            shell.aggregate(
                "{'$sort':{'_id':-1}}", "{'$limit':1}", "{'$group':{'_id':{'$meta':'sortKey'}}}"))
        .containsExactly("{'_id':[3]}");
  }

  @Test
  void metaGeoNearDistanceWorksInPipelines() {
    shell.insert("{'_id':1,'p':{'type':'Point','coordinates':[0,1]}}", "{'_id':2}");
    index("{'p':'2dsphere'}", "p");
    assertThat(
            shell.aggregate(
                "{'$geoNear':{'near':{'type':'Point','coordinates':[0,0]},'distanceField':'d'}}",
                "{'$project':{'same':{'$eq':['$d',{'$meta':'geoNearDistance'}]},"
                    + "'at':{'$meta':'geoNearPoint'}}}"))
        .containsExactly("{'_id':1,'same':true,'at':{'type':'Point','coordinates':[0,1]}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          'find':'c','projection':{'k':{'$meta':'sortKey'}}|\
          40218 query requires sort key metadata, but it is not available
          'find':'c','projection':{'k':{'$meta':'textScore'}}|\
          40218 query requires text score metadata, but it is not available
          'find':'c','projection':{'k':{'$meta':'geoNearDistance'}}|\
          40218 query requires $geoNear distance metadata, but it is not available
          'aggregate':'c','cursor':{},'pipeline':[{'$sample':{'size':1}},\
          {'$project':{'k':{'$meta':'recordId'}}}]|\
          40218 query requires record ID metadata, but it is not available
          'aggregate':'c','cursor':{},'pipeline':[{'$project':{'k':{'$meta':'textScore'}}}]|\
          40218 query requires text score metadata, but it is not available
          'aggregate':'c','cursor':{},'pipeline':[{'$sort':{'k':{'$meta':'textScore'}}}]|\
          40218 query requires text score metadata, but it is not available
          'aggregate':'c','cursor':{},'pipeline':[{'$project':{'k':{'$meta':'sortKey'}}}]|\
          40218 query requires sort key metadata, but it is not available
          'findAndModify':'c','remove':true,'fields':{'k':{'$meta':'sortKey'}}|\
          40218 query requires sort key metadata, but it is not available
          'find':'c','projection':{'k':{'$meta':'nix'}}|17308 Unsupported argument to $meta: nix
          'find':'v','showRecordId':true|168 Option showRecordId not supported in aggregation.
          'find':'v','min':{'a':1}|168 Option min not supported in aggregation.
          """)
  void unavailableMetadataFails(String command, String refusal) {
    shell.insert("{'_id':1}");
    shell.run("{'create':'v','viewOn':'c'}");
    assertThat(shell.error("{" + command + "}")).isEqualTo(refusal);
    assertThat(shell.found("{}")).containsExactly("{'_id':1}");
  }

  @Test
  void returnKeyOmitsTheRecordId() {
    shell.insert("{'_id':1,'a':2}");
    assertThat(shell.all("{'find':'c','returnKey':true,'showRecordId':true,'sort':{'_id':1}}"))
        .containsExactly("{'_id':1}");
  }
}
