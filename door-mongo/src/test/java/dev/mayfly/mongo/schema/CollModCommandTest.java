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
  private final Desk desk = new Desk();

  @AfterEach
  void close() {
    desk.close();
  }

  private Document change(String index) {
    return desk.run("{'collMod':'c','index':" + index + "}");
  }

  private String refused(String index) {
    return desk.refused("{'collMod':'c','index':" + index + "}");
  }

  /** Row 30. */
  @ParameterizedTest
  @ValueSource(strings = {"'name':'x_1'", "'keyPattern':{'x':1}", "'keyPattern':{'x':1.0}"})
  void theReplyTellsOldAndNewAsLongs(String which) {
    desk.index("{'x':1}", "'expireAfterSeconds':10");
    for (int again = 0; again < 2; again++) {
      Document reply = change("{" + which + ",'expireAfterSeconds':20}");
      int old = again == 0 ? 10 : 20;
      assertThat(reply)
          .isEqualTo(
              Desk.json(
                  "{'expireAfterSeconds_old':{'$numberLong':'"
                      + old
                      + "'},'expireAfterSeconds_new':{'$numberLong':'20'},"
                      + "'mayfly':{'expiredNow':{'$numberLong':'0'}}}"));
    }
    assertThat(desk.indexes().get(1)).endsWith("'expireAfterSeconds':20}");
  }

  /** Rows 31 and 48: at once, without building anything. */
  @Test
  void anOrdinaryIndexBecomesOneThatExpires() {
    desk.index("{'x':1}", "");
    desk.insert("{'_id':1,'x':" + Desk.ago(100) + "}", "{'_id':2,'x':" + Desk.ago(5) + "}");
    Document reply = change("{'name':'x_1','expireAfterSeconds':50}");
    assertThat(reply.field("expireAfterSeconds_old").isMissing()).isTrue();
    assertThat(reply.field("expireAfterSeconds_new").asLong()).isEqualTo(50);
    assertThat(reply.field("mayfly")).hasToString("{\"expiredNow\":1}");
    assertThat(desk.count()).isEqualTo(1);
    desk.clock.advance(Duration.ofSeconds(45));
    assertThat(desk.count()).isZero();
  }

  @Test
  void theGuardRefusesWhatWouldExpireTooMuch() {
    desk.index("{'x':1}", "'expireAfterSeconds':1000");
    desk.insert("{'_id':1,'x':" + Desk.ago(100) + "}");
    String command =
        "{'collMod':'c','index':{'name':'x_1','expireAfterSeconds':10},'maxExpireNow':";
    assertThat(desk.refused(command + "0}"))
        .startsWith("96 The change would expire 1 documents at once, but maxExpireNow is 0");
    assertThat(desk.count()).isEqualTo(1);
    desk.run(command + "1}");
    assertThat(desk.count()).isZero();
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
  void whatSaysTooLittleOrTooMuchIsRefused(String index, String refusal) {
    desk.index("{'x':1}", "'expireAfterSeconds':10");
    assertThat(refused(index)).isEqualTo(refusal);
  }

  /** Row 36. */
  @Test
  void lessThanZeroIsRefused() {
    desk.index("{'x':1}", "'expireAfterSeconds':10");
    assertThat(refused("{'name':'x_1','expireAfterSeconds':-1}"))
        .isEqualTo("72 TTL index 'expireAfterSeconds' option cannot be less than 0");
  }

  /** Row 37. */
  @ParameterizedTest
  @CsvSource({"1e12,2147483647", "10.7,10", "{'$numberDouble':'NaN'},0", "-0.5,0"})
  void whatDoesNotFitIsMadeToFit(String asked, long meant) {
    desk.index("{'x':1}", "'expireAfterSeconds':10");
    assertThat(
            change("{'name':'x_1','expireAfterSeconds':" + asked + "}")
                .field("expireAfterSeconds_new")
                .asLong())
        .isEqualTo(meant);
  }

  /** Row 38. */
  @Test
  void otherTypesAreRefused() {
    desk.index("{'x':1}", "'expireAfterSeconds':10");
    assertThat(refused("{'name':'x_1','expireAfterSeconds':'10'}"))
        .isEqualTo(
            "14 BSON field 'collMod.index.expireAfterSeconds' is the wrong type 'string', expected"
                + " types '[long, int, decimal, double']");
  }

  /** Rows 39 to 42. */
  @Test
  void indexesThatCannotExpireAreRefused() {
    desk.index("{'x':1,'y':1}", "");
    desk.index("{'z':1}", "");
    desk.index("{'z':1}", "'name':'part','partialFilterExpression':{'a':1}");
    assertThat(refused("{'name':'_id_','expireAfterSeconds':1}"))
        .isEqualTo("72 the _id field does not support TTL indexes");
    assertThat(refused("{'name':'x_1_y_1','expireAfterSeconds':1}"))
        .isEqualTo("72 TTL indexes are single-field indexes, compound indexes do not support TTL");
    assertThat(refused("{'name':'no_1','expireAfterSeconds':1}"))
        .isEqualTo("27 cannot find index no_1 for ns d.c");
    assertThat(refused("{'keyPattern':{'no':1},'expireAfterSeconds':1}"))
        .isEqualTo("27 cannot find index { no: 1 } for ns d.c");
    assertThat(refused("{'keyPattern':{'z':1},'expireAfterSeconds':1}"))
        .isEqualTo(
            "181 index keyPattern { z: 1 } matches 2 indexes, must use index name. Conflicting"
                + " indexes:{ v: 2, key: { z: 1 }, name: \"z_1\" }, { v: 2, key: { z: 1 }, name:"
                + " \"part\", partialFilterExpression: { a: 1 } }");
  }

  /** Row 43. */
  @Test
  void aCollectionThatIsNotThereIsToldSo() {
    assertThat(refused("{'name':'x_1','expireAfterSeconds':1}")).isEqualTo("26 ns does not exist");
  }

  /** Row 44. */
  @Test
  void unknownFieldsAreRefused() {
    desk.index("{'x':1}", "");
    assertThat(refused("{'name':'x_1','colour':1}"))
        .isEqualTo("40415 BSON field 'collMod.index.colour' is an unknown field.");
  }

  /** Row 45. */
  @Test
  void hidingIsToldOnlyWhenItChanges() {
    desk.index("{'x':1}", "");
    Document reply = change("{'name':'x_1','expireAfterSeconds':5,'hidden':true}");
    assertThat(reply.field("hidden_old").asBoolean()).isFalse();
    assertThat(reply.field("hidden_new").asBoolean()).isTrue();
    assertThat(desk.indexes().get(1))
        .isEqualTo("{'v':2,'key':{'x':1},'name':'x_1','hidden':true,'expireAfterSeconds':5}");
    assertThat(change("{'name':'x_1','hidden':true}").isEmpty()).isTrue();
    change("{'name':'x_1','hidden':false}");
    assertThat(desk.indexes().get(1)).doesNotContain("hidden");
    assertThat(refused("{'name':'_id_','hidden':true}")).isEqualTo("2 can't hide _id index");
  }

  @Test
  void anIndexBecomesUniqueInTwoSteps() {
    desk.index("{'x':1}", "");
    desk.insert("{'_id':1,'x':1}", "{'_id':2,'x':2}");
    assertThat(refused("{'name':'x_1','unique':true}")).startsWith("72 ");
    assertThat(change("{'name':'x_1','prepareUnique':true}"))
        .hasToString("{\"prepareUnique_old\":false,\"prepareUnique_new\":true}");
    assertThat(change("{'name':'x_1','unique':true}")).hasToString("{\"unique_new\":true}");
    assertThat(desk.indexes().get(1)).isEqualTo("{'v':2,'key':{'x':1},'name':'x_1','unique':true}");
  }

  @Test
  void anIndexWithDuplicatesStaysAsItWas() {
    desk.index("{'x':1}", "'expireAfterSeconds':5");
    desk.insert("{'_id':1,'x':1}", "{'_id':2,'x':1}");
    change("{'name':'x_1','prepareUnique':true}");
    CommandException failure = desk.failure("{'collMod':'c','index':{'name':'x_1','unique':true}}");
    assertThat(failure.code().number()).isEqualTo(359);
    assertThat(failure.details()).hasToString("{\"violations\":[{\"ids\":[1,2]}]}");
    assertThat(desk.indexes().get(1))
        .isEqualTo(
            "{'v':2,'key':{'x':1},'name':'x_1','expireAfterSeconds':5,'prepareUnique':true}");
  }

  @Test
  void aDryRunTellsWhatIsInTheWayAndChangesNothing() {
    desk.index("{'x':1}", "");
    desk.insert("{'_id':1,'x':[1,7]}", "{'_id':2,'x':1}", "{'_id':3}", "{'_id':4,'x':null}");
    desk.insert("{'_id':5,'x':5}");
    change("{'name':'x_1','prepareUnique':true}");
    String dry = "{'collMod':'c','dryRun':true,'index':{'name':'x_1','unique':true}}";
    assertThat(desk.failure(dry).details())
        .hasToString("{\"violations\":[{\"ids\":[1,2]},{\"ids\":[3,4]}]}");
    desk.collection().write(new Write.Delete(DocumentKey.of(Value.of(2))));
    desk.collection().write(new Write.Delete(DocumentKey.of(Value.of(4))));
    assertThat(desk.run(dry)).hasToString("{}");
    assertThat(desk.indexes().get(1)).contains("'prepareUnique':true").doesNotContain("'unique'");
    assertThat(desk.refused("{'collMod':'c','dryRun':true,'index':{'name':'x_1','hidden':true}}"))
        .startsWith("72 ");
  }

  @Test
  void validatorAndCapAreChanged() {
    desk.run("{'create':'c','capped':true,'size':100000}");
    desk.run("{'collMod':'c','validator':{'a':1},'validationLevel':'moderate','cappedMax':3}");
    assertThat(desk.run("{'listCollections':1}").toString())
        .contains(
            "\"options\":{\"capped\":true,\"size\":100000,\"max\":3,\"validator\":{\"a\":1},"
                + "\"validationLevel\":\"moderate\",\"validationAction\":\"error\"}");
    assertThat(desk.refused("{'collMod':'c','validationAction':'shout'}"))
        .isEqualTo(
            "2 Enumeration value 'shout' for field 'collMod.validationAction' is not a valid"
                + " value.");
    assertThat(desk.refused("{'collMod':'c','validator':{'$nonsense':1}}")).startsWith("2 ");
    desk.run("{'create':'plain'}");
    assertThat(desk.refused("{'collMod':'plain','cappedMax':3}"))
        .isEqualTo("72 Collection must be capped.");
  }

  @Test
  void aViewIsChangedAsAView() {
    desk.run("{'create':'c','viewOn':'t','pipeline':[]}");
    desk.run("{'collMod':'c','viewOn':'u','pipeline':[{'$match':{'a':1}}]}");
    assertThat(desk.run("{'listCollections':1}").toString()).contains("\"viewOn\":\"u\"");
    assertThat(desk.refused("{'collMod':'c','validator':{'a':1}}"))
        .isEqualTo("72 option not supported on a view: validator");
    assertThat(desk.refused("{'collMod':'c','viewOn':'c','pipeline':[]}")).startsWith("5 ");
  }

  @Test
  void aUniqueIndexHasNothingToPrepareFor() {
    desk.index("{'a':1}", "'unique':true");
    assertThat(desk.run("{'collMod':'c','index':{'name':'a_1','prepareUnique':true}}").isEmpty())
        .isTrue();
    assertThat(desk.indexes().toString()).doesNotContain("prepareUnique");
  }

  @Test
  void whatCannotBeChangedIsRefused() {
    desk.index("{'a':1}", "'prepareUnique':true");
    assertThat(
            desk.refused(
                "{'collMod':'c','dryRun':true,'index':{'name':'a_1','unique':true,"
                    + "'hidden':true}}"))
        .startsWith("72 ");
    desk.run("{'collMod':'c','dryRun':true,'index':{'name':'a_1','unique':true}}");
    assertThat(desk.refused("{'collMod':'c','timeseriesBucketsMayHaveMixedSchemaData':true}"))
        .startsWith("72 ");
    desk.run("{'create':'k','clusteredIndex':{'key':{'_id':1},'unique':true}}");
    assertThat(desk.refused("{'collMod':'k','index':{'name':'_id_','hidden':true}}"))
        .startsWith("6011800 ");
  }
}
