package dev.mayfly.mongo.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Write;
import dev.mayfly.mql.CommandException;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes by collMod. Row numbers refer to the TTL tables of docs/mongodb.md. */
final class CollModCommandTest {
  private final SchemaFixture fixture = new SchemaFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  private Document change(String index) {
    return fixture.run("{'collMod':'c','index':" + index + "}");
  }

  private String indexError(String index) {
    return fixture.error("{'collMod':'c','index':" + index + "}");
  }

  /** Row 30. */
  @ParameterizedTest
  @ValueSource(strings = {"'name':'x_1'", "'keyPattern':{'x':1}", "'keyPattern':{'x':1.0}"})
  void replyHasOldAndNewTtlAsLongs(String which) {
    fixture.index("{'x':1}", "'expireAfterSeconds':10");
    for (int again = 0; again < 2; again++) {
      Document reply = change("{" + which + ",'expireAfterSeconds':20}");
      int old = again == 0 ? 10 : 20;
      assertThat(reply)
          .isEqualTo(
              SchemaFixture.json(
                  "{'expireAfterSeconds_old':{'$numberLong':'"
                      + old
                      + "'},'expireAfterSeconds_new':{'$numberLong':'20'},"
                      + "'mayfly':{'expiredNow':{'$numberLong':'0'}}}"));
    }
    assertThat(fixture.indexes().get(1)).endsWith("'expireAfterSeconds':20}");
  }

  /** Rows 31 and 48: at once, without building anything. */
  @Test
  void indexBecomesATtlIndex() {
    fixture.index("{'x':1}", "");
    fixture.insert(
        "{'_id':1,'x':" + SchemaFixture.ago(100) + "}",
        "{'_id':2,'x':" + SchemaFixture.ago(5) + "}");
    Document reply = change("{'name':'x_1','expireAfterSeconds':50}");
    assertThat(reply.field("expireAfterSeconds_old").isMissing()).isTrue();
    assertThat(reply.field("expireAfterSeconds_new").asLong()).isEqualTo(50);
    assertThat(reply.field("mayfly")).hasToString("{\"expiredNow\":1}");
    assertThat(fixture.count()).isEqualTo(1);
    fixture.clock.advance(Duration.ofSeconds(45));
    assertThat(fixture.count()).isZero();
  }

  @Test
  void maxExpireNowRejectsTheChange() {
    fixture.index("{'x':1}", "'expireAfterSeconds':1000");
    fixture.insert("{'_id':1,'x':" + SchemaFixture.ago(100) + "}");
    String command =
        "{'collMod':'c','index':{'name':'x_1','expireAfterSeconds':10},'maxExpireNow':";
    assertThat(fixture.error(command + "0}"))
        .startsWith("96 The change would expire 1 documents at once, but maxExpireNow is 0");
    assertThat(fixture.count()).isEqualTo(1);
    fixture.run(command + "1}");
    assertThat(fixture.count()).isZero();
  }

  /** Rows 34 and 35. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{'expireAfterSeconds':1}|72 Must specify either index name or key pattern.",
        "{'name':'x','keyPattern':{'x':1}}|72 Cannot specify both key pattern and name.",
        "{'name':'x_1'}|72 no expireAfterSeconds, hidden, unique, or prepareUnique field",
        "{'keyPattern':{'x':1}}|72 no expireAfterSeconds, hidden, unique, or prepareUnique field",
        "{'name':'x_1','expireAfterSeconds':null}"
            + "|72 no expireAfterSeconds, hidden, unique, or prepareUnique field"
      })
  void indexNeedsNameOrKeyPatternAndAChange(String index, String refusal) {
    fixture.index("{'x':1}", "'expireAfterSeconds':10");
    assertThat(indexError(index)).isEqualTo(refusal);
  }

  /** Row 36. */
  @Test
  void negativeTtlFails() {
    fixture.index("{'x':1}", "'expireAfterSeconds':10");
    assertThat(indexError("{'name':'x_1','expireAfterSeconds':-1}"))
        .isEqualTo("72 TTL index 'expireAfterSeconds' option cannot be less than 0");
  }

  /** Row 37. */
  @ParameterizedTest
  @CsvSource({"1e12,2147483647", "10.7,10", "{'$numberDouble':'NaN'},0", "-0.5,0"})
  void ttlIsConvertedToASupportedValue(String requested, long expected) {
    fixture.index("{'x':1}", "'expireAfterSeconds':10");
    assertThat(
            change("{'name':'x_1','expireAfterSeconds':" + requested + "}")
                .field("expireAfterSeconds_new")
                .asLong())
        .isEqualTo(expected);
  }

  /** Row 38. */
  @Test
  void ttlOfAWrongTypeFails() {
    fixture.index("{'x':1}", "'expireAfterSeconds':10");
    assertThat(indexError("{'name':'x_1','expireAfterSeconds':'10'}"))
        .isEqualTo(
            "14 BSON field 'collMod.index.expireAfterSeconds' is the wrong type 'string', expected"
                + " types '[long, int, decimal, double']");
  }

  /** Rows 39 to 42. */
  @Test
  void unsuitableOrUnknownIndexFails() {
    fixture.index("{'x':1,'y':1}", "");
    fixture.index("{'z':1}", "");
    fixture.index("{'z':1}", "'name':'part','partialFilterExpression':{'a':1}");
    assertThat(indexError("{'name':'_id_','expireAfterSeconds':1}"))
        .isEqualTo("72 the _id field does not support TTL indexes");
    assertThat(indexError("{'name':'x_1_y_1','expireAfterSeconds':1}"))
        .isEqualTo("72 TTL indexes are single-field indexes, compound indexes do not support TTL");
    assertThat(indexError("{'name':'no_1','expireAfterSeconds':1}"))
        .isEqualTo("27 cannot find index no_1 for ns d.c");
    assertThat(indexError("{'keyPattern':{'no':1},'expireAfterSeconds':1}"))
        .isEqualTo("27 cannot find index { no: 1 } for ns d.c");
    assertThat(indexError("{'keyPattern':{'z':1},'expireAfterSeconds':1}"))
        .isEqualTo(
            "181 index keyPattern { z: 1 } matches 2 indexes, must use index name. Conflicting"
                + " indexes:{ v: 2, key: { z: 1 }, name: \"z_1\" }, { v: 2, key: { z: 1 }, name:"
                + " \"part\", partialFilterExpression: { a: 1 } }");
  }

  /** Row 43. */
  @Test
  void missingCollectionFails() {
    assertThat(indexError("{'name':'x_1','expireAfterSeconds':1}"))
        .isEqualTo("26 ns does not exist");
  }

  /** Row 44. */
  @Test
  void unknownFieldsFail() {
    fixture.index("{'x':1}", "");
    assertThat(indexError("{'name':'x_1','colour':1}"))
        .isEqualTo("40415 BSON field 'collMod.index.colour' is an unknown field.");
  }

  /** Row 45. */
  @Test
  void replyHasHiddenOnlyIfItChanges() {
    fixture.index("{'x':1}", "");
    Document reply = change("{'name':'x_1','expireAfterSeconds':5,'hidden':true}");
    assertThat(reply.field("hidden_old").asBoolean()).isFalse();
    assertThat(reply.field("hidden_new").asBoolean()).isTrue();
    assertThat(fixture.indexes().get(1))
        .isEqualTo("{'v':2,'key':{'x':1},'name':'x_1','hidden':true,'expireAfterSeconds':5}");
    assertThat(change("{'name':'x_1','hidden':true}").isEmpty()).isTrue();
    change("{'name':'x_1','hidden':false}");
    assertThat(fixture.indexes().get(1)).doesNotContain("hidden");
    assertThat(indexError("{'name':'_id_','hidden':true}")).isEqualTo("2 can't hide _id index");
  }

  @Test
  void uniqueNeedsPrepareUniqueFirst() {
    fixture.index("{'x':1}", "");
    fixture.insert("{'_id':1,'x':1}", "{'_id':2,'x':2}");
    assertThat(indexError("{'name':'x_1','unique':true}")).startsWith("72 ");
    assertThat(change("{'name':'x_1','prepareUnique':true}"))
        .hasToString("{\"prepareUnique_old\":false,\"prepareUnique_new\":true}");
    assertThat(change("{'name':'x_1','unique':true}")).hasToString("{\"unique_new\":true}");
    assertThat(fixture.indexes().get(1))
        .isEqualTo("{'v':2,'key':{'x':1},'name':'x_1','unique':true}");
  }

  @Test
  void uniqueFailsWithDuplicates() {
    fixture.index("{'x':1}", "'expireAfterSeconds':5");
    fixture.insert("{'_id':1,'x':1}", "{'_id':2,'x':1}");
    change("{'name':'x_1','prepareUnique':true}");
    CommandException failure =
        fixture.failure("{'collMod':'c','index':{'name':'x_1','unique':true}}");
    assertThat(failure.code().number()).isEqualTo(359);
    assertThat(failure.details()).hasToString("{\"violations\":[{\"ids\":[1,2]}]}");
    assertThat(fixture.indexes().get(1))
        .isEqualTo(
            "{'v':2,'key':{'x':1},'name':'x_1','expireAfterSeconds':5,'prepareUnique':true}");
  }

  @Test
  void dryRunReportsDuplicatesAndChangesNothing() {
    fixture.index("{'x':1}", "");
    fixture.insert("{'_id':1,'x':[1,7]}", "{'_id':2,'x':1}", "{'_id':3}", "{'_id':4,'x':null}");
    fixture.insert("{'_id':5,'x':5}");
    change("{'name':'x_1','prepareUnique':true}");
    String dry = "{'collMod':'c','dryRun':true,'index':{'name':'x_1','unique':true}}";
    assertThat(fixture.failure(dry).details())
        .hasToString("{\"violations\":[{\"ids\":[1,2]},{\"ids\":[3,4]}]}");
    fixture.collection().write(new Write.Delete(DocumentKey.of(Value.of(2))));
    fixture.collection().write(new Write.Delete(DocumentKey.of(Value.of(4))));
    assertThat(fixture.run(dry)).hasToString("{}");
    assertThat(fixture.indexes().get(1))
        .contains("'prepareUnique':true")
        .doesNotContain("'unique'");
    assertThat(fixture.error("{'collMod':'c','dryRun':true,'index':{'name':'x_1','hidden':true}}"))
        .startsWith("72 ");
  }

  @Test
  void validatorAndCapCanBeChanged() {
    fixture.run("{'create':'c','capped':true,'size':100000}");
    fixture.run("{'collMod':'c','validator':{'a':1},'validationLevel':'moderate','cappedMax':3}");
    assertThat(fixture.run("{'listCollections':1}").toString())
        .contains(
            "\"options\":{\"capped\":true,\"size\":100000,\"max\":3,\"validator\":{\"a\":1},"
                + "\"validationLevel\":\"moderate\",\"validationAction\":\"error\"}");
    assertThat(fixture.error("{'collMod':'c','validationAction':'shout'}"))
        .isEqualTo(
            "2 Enumeration value 'shout' for field 'collMod.validationAction' is not a valid"
                + " value.");
    assertThat(fixture.error("{'collMod':'c','validator':{'$nonsense':1}}")).startsWith("2 ");
    fixture.run("{'create':'plain'}");
    assertThat(fixture.error("{'collMod':'plain','cappedMax':3}"))
        .isEqualTo("72 Collection must be capped.");
  }

  @Test
  void viewDefinitionCanBeChanged() {
    fixture.run("{'create':'c','viewOn':'t','pipeline':[]}");
    fixture.run("{'collMod':'c','viewOn':'u','pipeline':[{'$match':{'a':1}}]}");
    assertThat(fixture.run("{'listCollections':1}").toString()).contains("\"viewOn\":\"u\"");
    assertThat(fixture.error("{'collMod':'c','validator':{'a':1}}"))
        .isEqualTo("72 option not supported on a view: validator");
    assertThat(fixture.error("{'collMod':'c','viewOn':'c','pipeline':[]}")).startsWith("5 ");
  }

  @Test
  void prepareUniqueOfAUniqueIndexIsIgnored() {
    fixture.index("{'a':1}", "'unique':true");
    assertThat(fixture.run("{'collMod':'c','index':{'name':'a_1','prepareUnique':true}}").isEmpty())
        .isTrue();
    assertThat(fixture.indexes().toString()).doesNotContain("prepareUnique");
  }

  @Test
  void unsupportedChangesFail() {
    fixture.index("{'a':1}", "'prepareUnique':true");
    assertThat(
            fixture.error(
                "{'collMod':'c','dryRun':true,'index':{'name':'a_1','unique':true,"
                    + "'hidden':true}}"))
        .startsWith("72 ");
    fixture.run("{'collMod':'c','dryRun':true,'index':{'name':'a_1','unique':true}}");
    assertThat(fixture.error("{'collMod':'c','timeseriesBucketsMayHaveMixedSchemaData':true}"))
        .startsWith("72 ");
    fixture.run("{'create':'k','clusteredIndex':{'key':{'_id':1},'unique':true}}");
    assertThat(fixture.error("{'collMod':'k','index':{'name':'_id_','hidden':true}}"))
        .startsWith("6011800 ");
  }
}
