package dev.mayfly.mongo.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.Explanation;
import dev.mayfly.mongo.collection.Filters;
import dev.mayfly.mongo.command.Operation;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.parser.CollationParser;
import dev.mayfly.query.Collation;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Indexes of all types: create, list, drop. */
final class IndexesTest {
  private final SchemaFixture fixture = new SchemaFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{}|-|Index keys cannot be empty.",
        "{'':1}|'name':'n'|Index keys cannot be an empty field.",
        "{'a..b':1}|'name':'n'|Index keys cannot contain an empty field.",
        "{'$a':1}|'name':'n'"
            + "|Index key contains an illegal field name: field name starts with '$'.",
        "{'a':0}|-|Values in the index key pattern cannot be 0.",
        "{'a':true}|-|Values in v:2 index key pattern cannot be of type bool. Only numbers > 0,"
            + " numbers < 0, and strings are allowed.",
        "{'a':'x'}|-|Unknown index plugin 'x'",
        "{'a':'hashed','b':'2d'}|-|Can't use more than one index plugin for a single index.",
      })
  void invalidKeyPatternFails(String key, String options, String reason) {
    assertThat(fixture.indexError(key, options.equals("-") ? "" : options))
        .startsWith("67 Error in specification { key: ")
        .endsWith(" :: caused by :: " + reason);
  }

  @Test
  void falseOptionsAreListedButNotCompared() {
    fixture.index("{'a':1}", "'background':false,'sparse':false,'unique':false,'hidden':false");
    String listed = "{'v':2,'key':{'a':1},'name':'a_1','background':false,'sparse':false}";
    assertThat(fixture.indexes()).contains(listed);
    fixture.index("{'a':1}", "");
    assertThat(fixture.indexes()).hasSize(2).contains(listed);
    assertThat(fixture.indexError("{'a':1}", "'sparse':true")).startsWith("86 ");
  }

  @Test
  void invalidIndexSpecificationFails() {
    assertThat(fixture.error("{'createIndexes':'c','indexes':[]}"))
        .isEqualTo("2 Must specify at least one index to create");
    assertThat(fixture.error("{'createIndexes':'c','indexes':[{'name':'n'}]}"))
        .isEqualTo(
            "9 Error in specification { name: \"n\" } :: caused by :: The 'key' field is a required"
                + " property of an index specification");
    assertThat(fixture.error("{'createIndexes':'c','indexes':[{'key':{'a':1}}]}"))
        .endsWith("The 'name' field is a required property of an index specification");
    assertThat(fixture.indexError("{'a':1}", "'colour':1"))
        .startsWith("197 ")
        .endsWith(
            "The field 'colour' is not valid for an index specification. Specification: { key: {"
                + " a: 1 }, name: \"a_1\", colour: 1 }");
    assertThat(fixture.indexError("{'a':1}", "'name':'*'"))
        .isEqualTo("2 The index name '*' is not valid.");
    assertThat(fixture.indexError("{'a':1}", "'name':''"))
        .isEqualTo(
            "67 Error in specification { key: { a: 1 }, name: \"\", v: 2 } :: caused by :: index"
                + " name cannot be empty");
    assertThat(fixture.indexError("{'a':1}", "'name':'_id_'"))
        .isEqualTo(
            "2 The index name '_id_' is reserved for the _id index, which must have key pattern"
                + " {_id: 1}, found key: { a: 1 }");
    assertThat(fixture.indexError("{'_id':-1}", "'name':'n'"))
        .isEqualTo("2 The field 'key' for an _id index must be {_id: 1}, but got { _id: -1 }");
    assertThat(fixture.indexError("{'a':1}", "'unique':'x'"))
        .startsWith("14 ")
        .endsWith("which is not convertible to bool");
    assertThat(fixture.indexError("{'a':1}", "'v':3")).endsWith("cannot create an index with v=3");
    assertThat(fixture.indexError("{'a':1}", "'partialFilterExpression':{'b':{'$ne':1}}"))
        .startsWith("67 ")
        .contains("Expression not supported in partial index");
  }

  @Test
  void idIndexAlwaysExists() {
    assertThat(fixture.index("{'_id':1}", "'name':'_id_'").toString())
        .contains("all indexes already exist");
    assertThat(fixture.indexes()).containsExactly("{'v':2,'key':{'_id':1},'name':'_id_'}");
  }

  @Test
  void severalIndexesAreCreatedTogether() {
    fixture.index("{'a':1}", "");
    assertThat(
            fixture
                .run(
                    "{'createIndexes':'c','indexes':[{'key':{'a':1},'name':'a_1'},"
                        + "{'key':{'b':-1,'c':1},'name':'b_-1_c_1','unique':true}]}")
                .field("note")
                .asString())
        .isEqualTo("index already exists");
    assertThat(fixture.indexes()).hasSize(3);
    assertThat(
            fixture.error(
                "{'createIndexes':'c','indexes':[{'key':{'d':1},'name':'d_1'},"
                    + "{'key':{'d':1},'name':'d_1'}]}"))
        .isEqualTo("68 Identical index already exists: d_1");
  }

  @Test
  void failedUniqueBuildReportsTheKeyAndLeavesNoIndex() {
    fixture.insert("{'_id':1,'a':[5,7],'b':'x'}", "{'_id':2,'a':7,'b':'x'}");
    CommandException failure =
        fixture.failure(
            "{'createIndexes':'c','indexes':[{'key':{'b':1},'name':'b_1'},"
                + "{'key':{'a':1,'b':1},'name':'ab','unique':true}]}");
    assertThat(failure.code().number()).isEqualTo(11000);
    assertThat(failure.message())
        .startsWith("Index build failed: Collection d.c ( ")
        .endsWith(
            " :: caused by :: E11000 duplicate key error collection: d.c index: ab dup key: { a: 7,"
                + " b: \"x\" }");
    assertThat(failure.details())
        .isEqualTo(SchemaFixture.json("{'keyPattern':{'a':1,'b':1},'keyValue':{'a':7,'b':'x'}}"));
    assertThat(fixture.indexes()).hasSize(1);
  }

  @Test
  void interruptedBuildLeavesNoIndex() {
    for (int i = 0; i < 500; i++) {
      fixture.insert("{'_id':" + i + "}");
    }
    Operation interrupted = Operation.unlimited(0);
    interrupted.stop(ErrorCode.INTERRUPTED);
    assertThatThrownBy(
            () ->
                fixture.run(
                    "{'createIndexes':'c','indexes':[{'key':{'a':1},'name':'a_1'}]}", interrupted))
        .isInstanceOfSatisfying(
            CommandException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.INTERRUPTED));
    assertThat(fixture.indexes()).hasSize(1);
    fixture.index("{'a':1}", "");
    assertThat(fixture.indexes()).hasSize(2);
  }

  @Test
  void expiredDocumentsAreNoDuplicates() {
    fixture.index("{'x':1}", "'expireAfterSeconds':10");
    fixture.insert("{'_id':1,'a':1,'x':" + SchemaFixture.ago(10) + "}", "{'_id':2,'a':1}");
    fixture.index("{'a':1}", "'unique':true");
    assertThat(fixture.indexes()).hasSize(3);
  }

  @Test
  void hashedIndexServesEquality() {
    fixture.index("{'p':'2dsphere'}", "");
    fixture.index("{'h':'hashed'}", "");
    assertThat(fixture.indexes())
        .containsExactly(
            "{'v':2,'key':{'_id':1},'name':'_id_'}",
            "{'v':2,'key':{'p':'2dsphere'},'name':'p_2dsphere','2dsphereIndexVersion':3}",
            "{'v':2,'key':{'h':'hashed'},'name':'h_hashed'}");
    assertThat(planOf("{'h':1}")).contains("h_hashed");
    assertThat(fixture.indexError("{'u':'hashed'}", "'unique':true")).startsWith("16764 ");
    assertThat(fixture.indexError("{'u':'hashed','v':'hashed'}", "")).startsWith("31303 ");
  }

  @Test
  void wildcardProjectionSelectsPaths() {
    fixture.index("{'$**':1}", "'wildcardProjection':{'a':1,'b.c':1}");
    assertThat(planOf("{'a.x':1}")).contains("$**_1");
    assertThat(planOf("{'b.c':1}")).contains("$**_1");
    assertThat(planOf("{'b.d':1}")).doesNotContain("$**_1");
    fixture.run("{'dropIndexes':'c','index':{'$**':1}}");
    fixture.index("{'$**':1}", "'wildcardProjection':{'a':0}");
    assertThat(planOf("{'a.x':1}")).doesNotContain("$**_1");
    assertThat(planOf("{'b.d':1}")).contains("$**_1");
    assertThat(fixture.indexError("{'a':1}", "'wildcardProjection':{'a':1}")).startsWith("2 ");
    assertThat(fixture.indexError("{'b.$**':1}", "'unique':true"))
        .endsWith("Index type 'wildcard' does not support the 'unique' option");
  }

  private String planOf(String filter) {
    Explanation plan =
        fixture
            .collection()
            .explain(Query.of(Filters.parse(SchemaFixture.json(filter)), Mode.MATCH));
    return plan.toString();
  }

  @Test
  void uniqueIndexUsesItsCollation() {
    fixture.index("{'a':1}", "'unique':true,'collation':{'locale':'en','strength':2}");
    fixture.insert("{'_id':1,'a':'Anna'}", "{'_id':2,'a':'Bert'}");
    assertThatThrownBy(() -> fixture.insert("{'_id':3,'a':'anna'}"))
        .isInstanceOfSatisfying(
            EngineException.class,
            failure -> assertThat(failure.key()).isEqualTo(SchemaFixture.json("{'a':'anna'}")));
    assertThat(fixture.indexes().get(1))
        .contains("'collation':{'locale':'en','caseLevel':false,'caseFirst':'off','strength':2,");
    assertThat(fixture.collection().count(Filters.parse(SchemaFixture.json("{'a':'anna'}"))))
        .isZero();
    Collation english = CollationParser.parse(SchemaFixture.json("{'locale':'en','strength':2}"));
    Query query = Query.of(Filters.parse(SchemaFixture.json("{'a':'ANNA'}"), english), Mode.MATCH);
    assertThat(fixture.collection().explain(query).toString()).contains("a_1");
    try (Cursor found = fixture.collection().query(query)) {
      assertThat(found.next()).isTrue();
      assertThat(found.document().field("_id").asInt()).isEqualTo(1);
      assertThat(found.next()).isFalse();
    }
  }

  @Test
  void indexInheritsTheCollationOfTheCollection() {
    fixture.run("{'create':'c','collation':{'locale':'fr'}}");
    fixture.index("{'a':1}", "");
    fixture.index("{'b':1}", "'collation':{'locale':'simple'}");
    assertThat(fixture.indexes().get(0)).contains("'collation':{'locale':'fr'");
    assertThat(fixture.indexes().get(1)).contains("'collation':{'locale':'fr'");
    assertThat(fixture.indexes().get(2)).doesNotContain("collation");
    assertThat(fixture.indexError("{'c':1}", "'collation':{}")).startsWith("2 ");
    assertThat(fixture.indexError("{'c':1}", "'collation':{'locale':'nowhere'}")).startsWith("2 ");
  }

  @Test
  void indexesAreDroppedByNameKeyListAndAll() {
    for (String field : List.of("a", "b", "c", "d", "e", "f")) {
      fixture.index("{'" + field + "':1}", "");
    }
    assertThat(fixture.run("{'dropIndexes':'c','index':'a_1'}")).hasToString("{\"nIndexesWas\":7}");
    fixture.run("{'dropIndexes':'c','index':{'b':1}}");
    fixture.run("{'dropIndexes':'c','index':['c_1','d_1']}");
    assertThat(fixture.indexes()).hasSize(3);
    assertThat(fixture.error("{'dropIndexes':'c','index':['e_1','no']}"))
        .isEqualTo("27 index not found with name [no]");
    assertThat(fixture.error("{'dropIndexes':'c','index':{'no':1}}"))
        .isEqualTo("27 can't find index with key: { no: 1 }");
    assertThat(fixture.error("{'dropIndexes':'c','index':'_id_'}"))
        .isEqualTo("72 cannot drop _id index");
    assertThat(fixture.run("{'dropIndexes':'c','index':'*'}").field("msg").asString())
        .isEqualTo("non-_id indexes dropped for collection");
    assertThat(fixture.indexes()).hasSize(1);
    assertThat(fixture.error("{'dropIndexes':'none','index':'*'}"))
        .isEqualTo("26 ns not found d.none");
  }

  @Test
  void listIndexesFailsForMissingCollectionsAndViews() {
    assertThat(fixture.error("{'listIndexes':'c'}")).isEqualTo("26 ns does not exist: d.c");
    fixture.run("{'create':'c','viewOn':'t','pipeline':[]}");
    assertThat(fixture.error("{'listIndexes':'c'}"))
        .isEqualTo("166 Namespace d.c is a view, not a collection");
  }

  @Test
  void moreThan64IndexesFail() {
    for (int i = 1; i < 64; i++) {
      fixture.index("{'f" + i + "':1}", "");
    }
    assertThat(fixture.indexError("{'last':1}", ""))
        .isEqualTo("67 add index fails, too many indexes for d.c key:{ last: 1 }");
  }

  @Test
  void equivalentPartialFiltersAreTheSameIndex() {
    fixture.index("{'k':1}", "'partialFilterExpression':{'a':{'$lt':9},'b':1}");
    assertThat(
            fixture
                .index("{'k':1}", "'partialFilterExpression':{'$and':[{'b':1},{'a':{'$lt':9}}]}")
                .toString())
        .contains("all indexes already exist");
    assertThat(fixture.indexError("{'k':1}", "'partialFilterExpression':{'a':{'$lt':8},'b':1}"))
        .startsWith("86 ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'_id':1}|'collation':{'locale':'de'}|2
          {'$**':1}|'v':1|67
          {'a':1}|'name':'a\\u0000b'|67
          """)
  void unsupportedIndexOptionsFail(String key, String options, int code) {
    assertThat(fixture.indexError(key, options)).startsWith(code + " ");
  }

  @Test
  void idIndexMustHaveTheCollationOfTheCollection() {
    fixture.run("{'create':'c','collation':{'locale':'de'}}");
    fixture.index("{'_id':1}", "'collation':{'locale':'de'}");
    fixture.index("{'_id':1}", "");
    assertThat(fixture.indexError("{'_id':1}", "'collation':{'locale':'fr'}")).startsWith("2 ");
  }

  @Test
  void optionsOfTheCommandAreChecked() {
    String indexes = "'indexes':[{'key':{'a':1},'name':'a'}]";
    assertThat(
            fixture.error("{'createIndexes':'c','ignoreUnknownIndexOptions':'x'," + indexes + "}"))
        .startsWith("14 ");
    assertThat(fixture.errorIn("config", "{'createIndexes':'transactions'," + indexes + "}"))
        .startsWith("20 ");
  }

  @Test
  void bitsAreListedAsAnInteger() {
    fixture.index("{'p':'2d'}", "'bits':20.0");
    assertThat(fixture.indexes())
        .anySatisfy(index -> assertThat(index).contains("'bits':20").doesNotContain("20.0"));
  }
}
