package dev.mayfly.mongo.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Namespace;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Databases, collections and views: create, list, rename, drop, statistics. */
final class CollectionsTest {
  private final SchemaFixture fixture = new SchemaFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  private String names(String filter) {
    Document reply = fixture.run("{'listCollections':1,'nameOnly':true,'filter':" + filter + "}");
    return reply.field("cursor").asDocument().field("firstBatch").toString().replace('"', '\'');
  }

  @Test
  void collectionsAndViewsAreListed() {
    fixture.run("{'create':'b','capped':true,'size':1000,'max':5}");
    fixture.run("{'create':'a'}");
    fixture.run("{'create':'v','viewOn':'a','pipeline':[{'$match':{'x':1}}]}");
    Document reply = fixture.run("{'listCollections':1,'cursor':{},'nameOnly':null}");
    assertThat(reply.field("cursor").asDocument().field("ns").asString())
        .isEqualTo("d.$cmd.listCollections");
    assertThat(reply.toString().replace('"', '\''))
        .contains("{'name':'a','type':'collection','options':{},'info':{'readOnly':false,'uuid':")
        .contains("'idIndex':{'v':2,'key':{'_id':1},'name':'_id_'}}")
        .contains("'options':{'capped':true,'size':1000,'max':5}")
        .contains(
            "{'name':'v','type':'view','options':{'viewOn':'a','pipeline':[{'$match':{'x':1}}]},"
                + "'info':{'readOnly':true}}");
    assertThat(names("{'type':'view'}")).isEqualTo("[{'name':'v','type':'view'}]");
    assertThat(names("{'name':{'$in':['a','b']},'options.capped':true}"))
        .isEqualTo("[{'name':'b','type':'collection'}]");
  }

  @Test
  void createWithTheSameOptionsSucceedsAgain() {
    fixture.run("{'create':'c','capped':true,'size':4096}");
    fixture.run("{'create':'c','capped':true,'size':4096}");
    assertThat(fixture.error("{'create':'c'}"))
        .isEqualTo(
            "48 namespace d.c already exists, but with different options: { capped: true, size:"
                + " 4096 }");
  }

  @Test
  void invalidOptionsFail() {
    assertThat(fixture.error("{'create':'c','capped':true}"))
        .isEqualTo("72 the 'size' field is required when 'capped' is true");
    assertThat(fixture.error("{'create':'c','size':5}")).startsWith("72 the 'capped' field needs");
    assertThat(fixture.error("{'create':'c','pipeline':[]}"))
        .isEqualTo("72 'pipeline' requires 'viewOn' to also be specified");
    assertThat(fixture.error("{'create':'c','colour':1}"))
        .isEqualTo("40415 BSON field 'create.colour' is an unknown field.");
    assertThat(fixture.error("{'create':'c','viewOn':'c','pipeline':[]}")).startsWith("5 ");
    assertThat(fixture.error("{'create':'c','validationLevel':'x'}")).startsWith("2 ");
  }

  @Test
  void viewsAreResolvedToTheirCollection() {
    fixture.run("{'create':'v','viewOn':'c','pipeline':[{'$match':{'a':1}}]}");
    fixture.run("{'create':'w','viewOn':'v','pipeline':[{'$match':{'b':1}}]}");
    var source = fixture.namespaces.views().follow(new Namespace("d", "w"));
    assertThat(source.namespace()).isEqualTo(new Namespace("d", "c"));
    assertThat(source.stages())
        .containsExactly(
            SchemaFixture.json("{'$match':{'a':1}}"), SchemaFixture.json("{'$match':{'b':1}}"));
    assertThat(fixture.error("{'create':'c','viewOn':'w','pipeline':[]}"))
        .isEqualTo("5 View cycle detected: d.c => d.w => d.v => d.c");
    assertThat(fixture.error("{'create':'x','viewOn':'c','pipeline':[{'$out':'y'}]}"))
        .startsWith("167 ");
    assertThat(fixture.error("{'create':'x','viewOn':'c','pipeline':[{'$nonsense':1}]}"))
        .startsWith("40324 ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'$lookup':{'from':'w','localField':'a','foreignField':'a','as':'x'}}",
        "{'$lookup':{'from':'o','pipeline':[{'$unionWith':'w'}],'as':'x'}}",
        "{'$unionWith':{'coll':'w','pipeline':[]}}",
        "{'$facet':{'f':[{'$unionWith':'v'}]}}",
        "{'$graphLookup':{'from':'v','startWith':'$a','connectFromField':'a','connectToField':'b',"
            + "'as':'x'}}"
      })
  void viewCycleThroughAStageFails(String stage) {
    fixture.run("{'create':'w','viewOn':'v','pipeline':[]}");
    assertThat(fixture.error("{'create':'v','viewOn':'c','pipeline':[" + stage + "]}"))
        .startsWith("5 View cycle detected: d.v =>");
  }

  @Test
  void viewDepthIsLimited() {
    fixture.run("{'create':'v1','viewOn':'c','pipeline':[]}");
    for (int i = 2; i <= 20; i++) {
      fixture.run("{'create':'v" + i + "','viewOn':'v" + (i - 1) + "','pipeline':[]}");
    }
    assertThat(fixture.error("{'create':'v21','viewOn':'v20','pipeline':[]}"))
        .isEqualTo("165 View depth limit exceeded; maximum depth is 20");
    assertThat(fixture.error("{'create':'v21','viewOn':'c','pipeline':[{'$unionWith':'v20'}]}"))
        .startsWith("165 ");
  }

  @Test
  void viewDepthCountsExistingViewsAbove() {
    for (int i = 20; i >= 2; i--) {
      fixture.run("{'create':'v" + i + "','viewOn':'v" + (i - 1) + "','pipeline':[]}");
    }
    fixture.run("{'create':'w','viewOn':'c','pipeline':[]}");
    assertThat(fixture.error("{'create':'v1','viewOn':'w','pipeline':[]}"))
        .isEqualTo("165 View depth limit exceeded; maximum depth is 20");
    fixture.run("{'create':'v1','viewOn':'c','pipeline':[]}");
    assertThat(fixture.error("{'collMod':'v1','viewOn':'w','pipeline':[]}")).startsWith("165 ");
    assertThat(fixture.error("{'collMod':'v1','viewOn':'c','pipeline':[{'$unionWith':'w'}]}"))
        .startsWith("165 ");
    fixture.run("{'collMod':'v1','viewOn':'d','pipeline':[]}");
    assertThat(fixture.error("{'collMod':'v1','viewOn':'v20','pipeline':[]}"))
        .startsWith("5 View cycle detected");
    fixture.run("{'create':'x','viewOn':'w','pipeline':[]}");
  }

  @Test
  void viewsAboveMustHaveTheSameCollation() {
    fixture.run("{'create':'top','viewOn':'c','pipeline':[{'$unionWith':'v'}]}");
    assertThat(
            fixture.error("{'create':'v','viewOn':'c','pipeline':[],'collation':{'locale':'en'}}"))
        .isEqualTo("167 View d.v has conflicting collation with view d.top");
    fixture.run("{'create':'v','viewOn':'c','pipeline':[]}");
  }

  @Test
  void viewCheckIsFastWithManyPaths() {
    for (int i = 1; i <= 20; i++) {
      String below = "'v" + (i - 1) + "'";
      String look = "{'$lookup':{'from':" + below + ",'pipeline':[],'as':'x'}}";
      fixture.run(
          "{'create':'v" + i + "','viewOn':" + below + ",'pipeline':[" + look + "," + look + "]}");
    }
    assertThat(names("{'type':'view'}")).contains("'v20'");
  }

  @Test
  void viewsOnViewsMustHaveTheSameCollation() {
    fixture.run("{'create':'c','collation':{'locale':'de'}}");
    fixture.run("{'create':'v','viewOn':'c','pipeline':[],'collation':{'locale':'en'}}");
    fixture.run("{'create':'w','viewOn':'v','pipeline':[],'collation':{'locale':'en'}}");
    assertThat(fixture.error("{'create':'x','viewOn':'w','pipeline':[]}"))
        .isEqualTo("167 View d.x has conflicting collation with view d.w");
    assertThat(fixture.error("{'create':'x','viewOn':'c','pipeline':[{'$unionWith':'v'}]}"))
        .startsWith("167 ");
  }

  @Test
  void viewPipelineCannotWriteOrReadServerData() {
    assertThat(fixture.error("{'create':'v','viewOn':'c','pipeline':[{'$changeStream':{}}]}"))
        .isEqualTo("167 $changeStream cannot be used in a view definition");
    assertThat(fixture.error("{'create':'v','viewOn':'c','pipeline':[{'$currentOp':{}}]}"))
        .isEqualTo("73 '$currentOp' cannot be used in a view definition");
    assertThat(fixture.error("{'create':'v','viewOn':'c','pipeline':[{'$merge':'d'}]}"))
        .isEqualTo(
            "167 The aggregation stage $merge in location 0 of the pipeline cannot be used in the"
                + " view definition of d.v because it writes to disk");
  }

  @Test
  void dropRemovesCollectionsViewsAndDatabases() {
    fixture.index("{'a':1}", "");
    assertThat(fixture.run("{'drop':'c'}")).hasToString("{\"nIndexesWas\":2,\"ns\":\"d.c\"}");
    assertThat(fixture.run("{'drop':'c'}").isEmpty()).isTrue();
    fixture.run("{'create':'v','viewOn':'c','pipeline':[]}");
    assertThat(fixture.run("{'drop':'v'}")).hasToString("{\"ns\":\"d.v\"}");
    fixture.run("{'create':'x'}");
    assertThat(fixture.run("{'dropDatabase':1}")).hasToString("{\"dropped\":\"d\"}");
    assertThat(fixture.run("{'dropDatabase':1}").isEmpty()).isTrue();
    assertThat(names("{}")).isEqualTo("[]");
  }

  @Test
  void renameKeepsDocumentsAndIndexes() {
    fixture.insert("{'_id':1}");
    fixture.index("{'a':1}", "'unique':true");
    fixture.admin("{'renameCollection':'d.c','to':'e.f'}");
    assertThat(fixture.engine.collection(new Namespace("e", "f")).usage().documents()).isEqualTo(1);
    fixture.run("{'create':'c'}");
    assertThat(fixture.adminError("{'renameCollection':'e.f','to':'d.c'}"))
        .isEqualTo("48 target namespace exists");
    fixture.admin("{'renameCollection':'e.f','to':'d.c','dropTarget':true}");
    assertThat(fixture.indexes()).hasSize(2);
    assertThat(fixture.adminError("{'renameCollection':'d.no','to':'d.x'}"))
        .isEqualTo("26 Source collection d.no does not exist");
    assertThat(fixture.adminError("{'renameCollection':'d.c','to':'d.c'}")).startsWith("20 ");
    assertThat(fixture.error("{'renameCollection':'d.c','to':'d.x'}")).startsWith("13 ");
    fixture.run("{'create':'v','viewOn':'c','pipeline':[]}");
    assertThat(fixture.adminError("{'renameCollection':'d.v','to':'d.x'}"))
        .isEqualTo("166 cannot rename view: d.v");
  }

  @Test
  void databasesAreListedWithTheirSizes() {
    fixture.insert("{'_id':1}");
    Document all = fixture.admin("{'listDatabases':1}");
    assertThat(all.field("databases").toString().replace('"', '\''))
        .startsWith("[{'name':'d','sizeOnDisk':")
        .endsWith(",'empty':false}]");
    assertThat(fixture.admin("{'listDatabases':1,'nameOnly':true,'filter':{'name':'d'}}"))
        .hasToString("{\"databases\":[{\"name\":\"d\"}]}");
    assertThat(
            fixture.admin("{'listDatabases':1,'filter':{'name':'x'}}").field("totalSize").asLong())
        .isZero();
  }

  @Test
  void statisticsCountLiveDocumentsOnly() {
    fixture.index("{'x':1}", "'expireAfterSeconds':10");
    fixture.insert("{'_id':1,'x':" + SchemaFixture.ago(10) + "}", "{'_id':2}");
    Document stats = fixture.run("{'collStats':'c'}");
    assertThat(stats.field("count").asInt()).isEqualTo(1);
    assertThat(stats.field("size").asInt()).isEqualTo(SchemaFixture.json("{'_id':2}").length());
    assertThat(stats.field("nindexes").asInt()).isEqualTo(2);
    assertThat(fixture.run("{'dbStats':1}").field("objects").asLong()).isEqualTo(1);
    assertThat(fixture.run("{'dataSize':'d.c'}").field("numObjects").asLong()).isEqualTo(1);
    fixture.insert("{'_id':3}");
    assertThat(
            fixture
                .run("{'dataSize':'d.c','keyPattern':{'_id':1},'min':{'_id':3},'max':{'_id':9}}")
                .field("numObjects")
                .asLong())
        .isEqualTo(1);
    assertThat(fixture.run("{'collStats':'none'}").field("count").asInt()).isZero();
  }

  @Test
  void indexSizesAreReportedPerIndex() {
    fixture.index("{'x':1}", "");
    fixture.index("{'y':1}", "'sparse':true");
    for (int i = 0; i < 100; i++) {
      fixture.insert("{'_id':" + i + ",'x':'" + "x".repeat(100) + "'}");
    }
    Document stats = fixture.run("{'collStats':'c'}");
    Document indexes = stats.field("indexSizes").asDocument();
    assertThat(indexes.field("_id_").asInt()).isZero();
    assertThat(indexes.field("x_1").asInt()).isBetween(100 * 100, 100 * 200);
    assertThat(indexes.field("y_1").asInt()).isZero();
    assertThat(stats.field("totalIndexSize").asInt()).isEqualTo(indexes.field("x_1").asInt());
    assertThat(stats.field("storageSize").asInt())
        .isEqualTo(stats.field("totalSize").asInt() - indexes.field("x_1").asInt())
        .isGreaterThan(100 * 100);
    Document database = fixture.run("{'dbStats':1,'scale':10}");
    assertThat(database.field("indexSize").asDouble())
        .isEqualTo(indexes.field("x_1").asInt() / 10.0);
    assertThat(database.field("fsTotalSize").asDouble())
        .isGreaterThan(database.field("fsUsedSize").asDouble());
  }

  @Test
  void cloneCollectionAsCappedKeepsTheNewest() {
    for (int i = 0; i < 100; i++) {
      fixture.insert("{'_id':" + i + ",'x':'" + "x".repeat(100) + "'}");
    }
    fixture.run("{'cloneCollectionAsCapped':'c','toCollection':'t','size':4096}");
    Collection copy = fixture.engine.collection(new Namespace("d", "t"));
    assertThat(copy.spec().capped()).isTrue();
    assertThat(copy.usage().bytes()).isLessThanOrEqualTo(4096);
    assertThat(copy.read(DocumentKey.of(Value.of(99)))).isPresent();
    assertThat(copy.read(DocumentKey.of(Value.of(0)))).isEmpty();
    assertThat(fixture.count()).isEqualTo(100);
    assertThat(fixture.error("{'cloneCollectionAsCapped':'c','toCollection':'t','size':4096}"))
        .startsWith("48 ");
    assertThat(fixture.error("{'cloneCollectionAsCapped':'none','toCollection':'u','size':4096}"))
        .startsWith("26 ");
  }

  @Test
  void convertToCappedDropsTheIndexes() {
    fixture.run("{'create':'c','validator':{'x':{'$exists':true}}}");
    fixture.index("{'x':1}", "");
    for (int i = 0; i < 100; i++) {
      fixture.insert("{'_id':" + i + ",'x':'" + "x".repeat(100) + "'}");
    }
    fixture.run("{'convertToCapped':'c','size':4096}");
    Collection capped = fixture.engine.collection(new Namespace("d", "c"));
    assertThat(capped.usage().bytes()).isLessThanOrEqualTo(4096);
    assertThat(capped.read(DocumentKey.of(Value.of(99)))).isPresent();
    assertThat(capped.read(DocumentKey.of(Value.of(0)))).isEmpty();
    assertThat(fixture.run("{'listCollections':1}").toString())
        .contains("\"capped\":true,\"size\":4096,\"validator\"")
        .doesNotContain("tmp.");
    assertThat(fixture.indexes()).hasSize(1);
    assertThat(fixture.error("{'convertToCapped':'c'}")).startsWith("40414 ");
    assertThat(fixture.error("{'convertToCapped':'none','size':1}")).startsWith("26 ");
    fixture.run("{'create':'v','viewOn':'c','pipeline':[]}");
    assertThat(fixture.error("{'convertToCapped':'v','size':1}")).startsWith("166 ");
  }

  @Test
  void storageEngineOptionsAreListed() {
    fixture.run(
        "{'create':'c','storageEngine':{'wiredTiger':{'configString':'x'}},"
            + "'indexOptionDefaults':{'storageEngine':{'wiredTiger':{}}},'validator':{'a':1}}");
    fixture.run("{'create':'o','storageEngine':{},'indexOptionDefaults':{}}");
    assertThat(fixture.run("{'listCollections':1,'filter':{'name':'c'}}").toString())
        .contains(
            "\"options\":{\"storageEngine\":{\"wiredTiger\":{\"configString\":\"x\"}},"
                + "\"indexOptionDefaults\":{\"storageEngine\":{\"wiredTiger\":{}}},\"validator\"");
    assertThat(fixture.run("{'listCollections':1,'filter':{'name':'o'}}").toString())
        .contains("\"options\":{}");
    assertThat(fixture.error("{'create':'p','indexOptionDefaults':{'colour':1}}"))
        .startsWith("40415 ");
  }

  @Test
  void compactKeepsTheDocuments() {
    fixture.insert("{'_id':1}", "{'_id':2}");
    assertThat(fixture.run("{'compact':'c'}").field("bytesFreed").asLong()).isNotNegative();
    assertThat(fixture.count()).isEqualTo(2);
    assertThat(fixture.error("{'compact':'none'}")).isEqualTo("26 collection does not exist");
    assertThat(fixture.error("{'reIndex':'c'}"))
        .startsWith("20 reIndex is only allowed on a standalone mongod instance.");
  }

  @Test
  void validateReadsEveryDocument() {
    fixture.index("{'a':1}", "");
    fixture.insert("{'_id':1,'a':[1,2]}", "{'_id':2}");
    fixture.run("{'collMod':'c','validator':{'a':{'$exists':true}}}");
    Document reply = fixture.run("{'validate':'c'}");
    assertThat(reply.field("valid").asBoolean()).isTrue();
    assertThat(reply.field("nrecords").asLong()).isEqualTo(2);
    assertThat(reply.field("nNonCompliantDocuments").asLong()).isEqualTo(1);
    assertThat(reply.field("keysPerIndex")).hasToString("{\"_id_\":2,\"a_1\":3}");
    assertThat(fixture.error("{'validate':'none'}"))
        .isEqualTo("26 Collection 'd.none' does not exist to validate.");
  }

  @Test
  void onlyGivenValidationOptionsAreListed() {
    fixture.run("{'create':'a','validator':{'x':1}}");
    fixture.run("{'create':'b','validator':{'x':1},'validationLevel':'strict'}");
    fixture.run("{'create':'p'}");
    fixture.run("{'collMod':'p','validator':{'x':1}}");
    assertThat(options("a")).isEqualTo("{\"validator\":{\"x\":1}}");
    assertThat(options("b")).isEqualTo("{\"validator\":{\"x\":1},\"validationLevel\":\"strict\"}");
    assertThat(options("p"))
        .isEqualTo(
            "{\"validator\":{\"x\":1},\"validationLevel\":\"strict\","
                + "\"validationAction\":\"error\"}");
  }

  private String options(String collection) {
    return fixture
        .run("{'listCollections':1,'filter':{'name':'" + collection + "'}}")
        .field("cursor")
        .asDocument()
        .field("firstBatch")
        .asDocument()
        .field("0")
        .asDocument()
        .field("options")
        .asDocument()
        .toString();
  }

  @Test
  void clusteredIndexFalseIsIgnored() {
    fixture.run("{'create':'plain','clusteredIndex':false}");
    assertThat(options("plain")).isEqualTo("{}");
    assertThat(fixture.error("{'create':'old','clusteredIndex':true}")).startsWith("5979703 ");
  }
}
