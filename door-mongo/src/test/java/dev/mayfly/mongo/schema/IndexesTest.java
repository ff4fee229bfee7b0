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

/** Indexes of all kinds: making, listing, dropping. */
final class IndexesTest {
  private final Desk desk = new Desk();

  @AfterEach
  void close() {
    desk.close();
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
  void keysThatCannotBeAreRefused(String key, String options, String why) {
    assertThat(desk.refusedIndex(key, options.equals("-") ? "" : options))
        .startsWith("67 Error in specification { key: ")
        .endsWith(" :: caused by :: " + why);
  }

  @Test
  void whatIsSaidNotToBeSoIsListedButDoesNotCount() {
    desk.index("{'a':1}", "'background':false,'sparse':false,'unique':false,'hidden':false");
    String listed = "{'v':2,'key':{'a':1},'name':'a_1','background':false,'sparse':false}";
    assertThat(desk.indexes()).contains(listed);
    desk.index("{'a':1}", "");
    assertThat(desk.indexes()).hasSize(2).contains(listed);
    assertThat(desk.refusedIndex("{'a':1}", "'sparse':true")).startsWith("86 ");
  }

  @Test
  void descriptionsThatSayTooLittleOrTooMuchAreRefused() {
    assertThat(desk.refused("{'createIndexes':'c','indexes':[]}"))
        .isEqualTo("2 Must specify at least one index to create");
    assertThat(desk.refused("{'createIndexes':'c','indexes':[{'name':'n'}]}"))
        .isEqualTo(
            "9 Error in specification { name: \"n\" } :: caused by :: The 'key' field is a required"
                + " property of an index specification");
    assertThat(desk.refused("{'createIndexes':'c','indexes':[{'key':{'a':1}}]}"))
        .endsWith("The 'name' field is a required property of an index specification");
    assertThat(desk.refusedIndex("{'a':1}", "'colour':1"))
        .startsWith("197 ")
        .endsWith(
            "The field 'colour' is not valid for an index specification. Specification: { key: {"
                + " a: 1 }, name: \"a_1\", colour: 1 }");
    assertThat(desk.refusedIndex("{'a':1}", "'name':'*'"))
        .isEqualTo("2 The index name '*' is not valid.");
    assertThat(desk.refusedIndex("{'a':1}", "'name':''"))
        .isEqualTo(
            "67 Error in specification { key: { a: 1 }, name: \"\", v: 2 } :: caused by :: index"
                + " name cannot be empty");
    assertThat(desk.refusedIndex("{'a':1}", "'name':'_id_'"))
        .isEqualTo(
            "2 The index name '_id_' is reserved for the _id index, which must have key pattern"
                + " {_id: 1}, found key: { a: 1 }");
    assertThat(desk.refusedIndex("{'_id':-1}", "'name':'n'"))
        .isEqualTo("2 The field 'key' for an _id index must be {_id: 1}, but got { _id: -1 }");
    assertThat(desk.refusedIndex("{'a':1}", "'unique':'x'"))
        .startsWith("14 ")
        .endsWith("which is not convertible to bool");
    assertThat(desk.refusedIndex("{'a':1}", "'v':3")).endsWith("cannot create an index with v=3");
    assertThat(desk.refusedIndex("{'a':1}", "'partialFilterExpression':{'b':{'$ne':1}}"))
        .startsWith("67 ")
        .contains("Expression not supported in partial index");
  }

  @Test
  void theIndexOfTheIdIsAlwaysThere() {
    assertThat(desk.index("{'_id':1}", "'name':'_id_'").toString())
        .contains("all indexes already exist");
    assertThat(desk.indexes()).containsExactly("{'v':2,'key':{'_id':1},'name':'_id_'}");
  }

  @Test
  void severalAreMadeTogether() {
    desk.index("{'a':1}", "");
    assertThat(
            desk.run(
                    "{'createIndexes':'c','indexes':[{'key':{'a':1},'name':'a_1'},"
                        + "{'key':{'b':-1,'c':1},'name':'b_-1_c_1','unique':true}]}")
                .field("note")
                .asString())
        .isEqualTo("index already exists");
    assertThat(desk.indexes()).hasSize(3);
    assertThat(
            desk.refused(
                "{'createIndexes':'c','indexes':[{'key':{'d':1},'name':'d_1'},"
                    + "{'key':{'d':1},'name':'d_1'}]}"))
        .isEqualTo("68 Identical index already exists: d_1");
  }

  @Test
  void duplicatesAreToldAndNothingIsLeftBehind() {
    desk.insert("{'_id':1,'a':[5,7],'b':'x'}", "{'_id':2,'a':7,'b':'x'}");
    CommandException failure =
        desk.failure(
            "{'createIndexes':'c','indexes':[{'key':{'b':1},'name':'b_1'},"
                + "{'key':{'a':1,'b':1},'name':'ab','unique':true}]}");
    assertThat(failure.code().number()).isEqualTo(11000);
    assertThat(failure.message())
        .startsWith("Index build failed: Collection d.c ( ")
        .endsWith(
            " :: caused by :: E11000 duplicate key error collection: d.c index: ab dup key: { a: 7,"
                + " b: \"x\" }");
    assertThat(failure.details())
        .isEqualTo(Desk.json("{'keyPattern':{'a':1,'b':1},'keyValue':{'a':7,'b':'x'}}"));
    assertThat(desk.indexes()).hasSize(1);
  }

  @Test
  void whoIsStoppedWhileWaitingLeavesNothingBehind() {
    for (int i = 0; i < 500; i++) {
      desk.insert("{'_id':" + i + "}");
    }
    Operation stopped = Operation.unlimited(0);
    stopped.stop(ErrorCode.INTERRUPTED);
    assertThatThrownBy(
            () ->
                desk.run("{'createIndexes':'c','indexes':[{'key':{'a':1},'name':'a_1'}]}", stopped))
        .isInstanceOfSatisfying(
            CommandException.class,
            told -> assertThat(told.code()).isEqualTo(ErrorCode.INTERRUPTED));
    assertThat(desk.indexes()).hasSize(1);
    desk.index("{'a':1}", "");
    assertThat(desk.indexes()).hasSize(2);
  }

  @Test
  void expiredDuplicatesAreNoDuplicates() {
    desk.index("{'x':1}", "'expireAfterSeconds':10");
    desk.insert("{'_id':1,'a':1,'x':" + Desk.ago(10) + "}", "{'_id':2,'a':1}");
    desk.index("{'a':1}", "'unique':true");
    assertThat(desk.indexes()).hasSize(3);
  }

  @Test
  void placesAreKeptAndHashesServeEquality() {
    desk.index("{'p':'2dsphere'}", "");
    desk.index("{'h':'hashed'}", "");
    assertThat(desk.indexes())
        .containsExactly(
            "{'v':2,'key':{'_id':1},'name':'_id_'}",
            "{'v':2,'key':{'p':'2dsphere'},'name':'p_2dsphere','2dsphereIndexVersion':3}",
            "{'v':2,'key':{'h':'hashed'},'name':'h_hashed'}");
    assertThat(planOf("{'h':1}")).contains("h_hashed");
    assertThat(desk.refusedIndex("{'u':'hashed'}", "'unique':true")).startsWith("16764 ");
    assertThat(desk.refusedIndex("{'u':'hashed','v':'hashed'}", "")).startsWith("31303 ");
  }

  @Test
  void wildcardsHoldWhatTheirProjectionSays() {
    desk.index("{'$**':1}", "'wildcardProjection':{'a':1,'b.c':1}");
    assertThat(planOf("{'a.x':1}")).contains("$**_1");
    assertThat(planOf("{'b.c':1}")).contains("$**_1");
    assertThat(planOf("{'b.d':1}")).doesNotContain("$**_1");
    desk.run("{'dropIndexes':'c','index':{'$**':1}}");
    desk.index("{'$**':1}", "'wildcardProjection':{'a':0}");
    assertThat(planOf("{'a.x':1}")).doesNotContain("$**_1");
    assertThat(planOf("{'b.d':1}")).contains("$**_1");
    assertThat(desk.refusedIndex("{'a':1}", "'wildcardProjection':{'a':1}")).startsWith("2 ");
    assertThat(desk.refusedIndex("{'b.$**':1}", "'unique':true"))
        .endsWith("Index type 'wildcard' does not support the 'unique' option");
  }

  private String planOf(String filter) {
    Explanation plan =
        desk.collection().explain(Query.of(Filters.parse(Desk.json(filter)), Mode.MATCH));
    return plan.toString();
  }

  @Test
  void aCollationMakesTextsTheSame() {
    desk.index("{'a':1}", "'unique':true,'collation':{'locale':'en','strength':2}");
    desk.insert("{'_id':1,'a':'Anna'}", "{'_id':2,'a':'Bert'}");
    assertThatThrownBy(() -> desk.insert("{'_id':3,'a':'anna'}"))
        .isInstanceOfSatisfying(
            EngineException.class,
            failure -> assertThat(failure.key()).isEqualTo(Desk.json("{'a':'anna'}")));
    assertThat(desk.indexes().get(1))
        .contains("'collation':{'locale':'en','caseLevel':false,'caseFirst':'off','strength':2,");
    assertThat(desk.collection().count(Filters.parse(Desk.json("{'a':'anna'}")))).isZero();
    Collation english = CollationParser.parse(Desk.json("{'locale':'en','strength':2}"));
    Query query = Query.of(Filters.parse(Desk.json("{'a':'ANNA'}"), english), Mode.MATCH);
    assertThat(desk.collection().explain(query).toString()).contains("a_1");
    try (Cursor found = desk.collection().query(query)) {
      assertThat(found.next()).isTrue();
      assertThat(found.document().field("_id").asInt()).isEqualTo(1);
      assertThat(found.next()).isFalse();
    }
  }

  @Test
  void theCollationOfTheCollectionIsInherited() {
    desk.run("{'create':'c','collation':{'locale':'fr'}}");
    desk.index("{'a':1}", "");
    desk.index("{'b':1}", "'collation':{'locale':'simple'}");
    assertThat(desk.indexes().get(0)).contains("'collation':{'locale':'fr'");
    assertThat(desk.indexes().get(1)).contains("'collation':{'locale':'fr'");
    assertThat(desk.indexes().get(2)).doesNotContain("collation");
    assertThat(desk.refusedIndex("{'c':1}", "'collation':{}")).startsWith("2 ");
    assertThat(desk.refusedIndex("{'c':1}", "'collation':{'locale':'nowhere'}")).startsWith("2 ");
  }

  @Test
  void indexesAreDroppedByNameKeyListAndAll() {
    for (String field : List.of("a", "b", "c", "d", "e", "f")) {
      desk.index("{'" + field + "':1}", "");
    }
    assertThat(desk.run("{'dropIndexes':'c','index':'a_1'}")).hasToString("{\"nIndexesWas\":7}");
    desk.run("{'dropIndexes':'c','index':{'b':1}}");
    desk.run("{'dropIndexes':'c','index':['c_1','d_1']}");
    assertThat(desk.indexes()).hasSize(3);
    assertThat(desk.refused("{'dropIndexes':'c','index':['e_1','no']}"))
        .isEqualTo("27 index not found with name [no]");
    assertThat(desk.refused("{'dropIndexes':'c','index':{'no':1}}"))
        .isEqualTo("27 can't find index with key: { no: 1 }");
    assertThat(desk.refused("{'dropIndexes':'c','index':'_id_'}"))
        .isEqualTo("72 cannot drop _id index");
    assertThat(desk.run("{'dropIndexes':'c','index':'*'}").field("msg").asString())
        .isEqualTo("non-_id indexes dropped for collection");
    assertThat(desk.indexes()).hasSize(1);
    assertThat(desk.refused("{'dropIndexes':'none','index':'*'}"))
        .isEqualTo("26 ns not found d.none");
  }

  @Test
  void indexesOfWhatIsNotThereCannotBeListed() {
    assertThat(desk.refused("{'listIndexes':'c'}")).isEqualTo("26 ns does not exist: d.c");
    desk.run("{'create':'c','viewOn':'t','pipeline':[]}");
    assertThat(desk.refused("{'listIndexes':'c'}"))
        .isEqualTo("166 Namespace d.c is a view, not a collection");
  }

  @Test
  void moreThanSixtyFourAreRefused() {
    for (int i = 1; i < 64; i++) {
      desk.index("{'f" + i + "':1}", "");
    }
    assertThat(desk.refusedIndex("{'last':1}", ""))
        .isEqualTo("67 add index fails, too many indexes for d.c key:{ last: 1 }");
  }

  @Test
  void partialFiltersThatMeanTheSameAreTheSameIndex() {
    desk.index("{'k':1}", "'partialFilterExpression':{'a':{'$lt':9},'b':1}");
    assertThat(
            desk.index("{'k':1}", "'partialFilterExpression':{'$and':[{'b':1},{'a':{'$lt':9}}]}")
                .toString())
        .contains("all indexes already exist");
    assertThat(desk.refusedIndex("{'k':1}", "'partialFilterExpression':{'a':{'$lt':8},'b':1}"))
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
  void whatAnIndexCannotBeIsRefused(String key, String options, int code) {
    assertThat(desk.refusedIndex(key, options)).startsWith(code + " ");
  }

  @Test
  void theIndexOfIdsMayNameTheCollationOfItsCollection() {
    desk.run("{'create':'c','collation':{'locale':'de'}}");
    desk.index("{'_id':1}", "'collation':{'locale':'de'}");
    desk.index("{'_id':1}", "");
    assertThat(desk.refusedIndex("{'_id':1}", "'collation':{'locale':'fr'}")).startsWith("2 ");
  }

  @Test
  void optionsOfTheCommandAreChecked() {
    String indexes = "'indexes':[{'key':{'a':1},'name':'a'}]";
    assertThat(
            desk.refused("{'createIndexes':'c','ignoreUnknownIndexOptions':'x'," + indexes + "}"))
        .startsWith("14 ");
    assertThat(desk.refusedIn("config", "{'createIndexes':'transactions'," + indexes + "}"))
        .startsWith("20 ");
  }

  @Test
  void bitsAreListedAsAWholeNumber() {
    desk.index("{'p':'2d'}", "'bits':20.0");
    assertThat(desk.indexes())
        .anySatisfy(index -> assertThat(index).contains("'bits':20").doesNotContain("20.0"));
  }
}
