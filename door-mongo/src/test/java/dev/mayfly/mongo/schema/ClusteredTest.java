package dev.mayfly.mongo.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clustered collections. Row numbers refer to the TTL tables of docs/mongodb.md. */
final class ClusteredTest {
  private static final String CLUSTERED =
      "{'create':'c','clusteredIndex':{'key':{'_id':1},'unique':true}";

  private final Desk desk = new Desk();

  @AfterEach
  void close() {
    desk.close();
  }

  /** Rows 67 to 69. */
  @Test
  void idsThatAreDatesExpireAndOthersDoNot() {
    desk.run(CLUSTERED + ",'expireAfterSeconds':10}");
    desk.insert(
        "{'_id':" + Desk.ago(10) + "}",
        "{'_id':" + Desk.ago(9) + "}",
        "{'_id':{'$oid':'000000000000000000000000'}}",
        "{'_id':{'$date':{'$numberLong':'-1'}}}");
    assertThat(desk.count()).isEqualTo(3);
    desk.clock.advance(Duration.ofSeconds(1));
    assertThat(desk.count()).isEqualTo(2);
  }

  /** Row 70. */
  @Test
  void onlyClusteredCollectionsTakeIt() {
    assertThat(desk.refused("{'create':'c','expireAfterSeconds':10}"))
        .isEqualTo(
            "72 'expireAfterSeconds' is only supported on time-series collections or when the"
                + " 'clusteredIndex' option is specified");
  }

  /** Row 71. */
  @Test
  void secondsThatCannotBeAreRefused() {
    assertThat(desk.refused(CLUSTERED + ",'expireAfterSeconds':-1}"))
        .isEqualTo("72 TTL index 'expireAfterSeconds' option cannot be less than 0");
    assertThat(desk.refused(CLUSTERED + ",'expireAfterSeconds':1700000001}"))
        .isEqualTo(
            "72 TTL index 'expireAfterSeconds' option cannot exceed time since last epoch"
                + " (1700000000) for time-series collections, found 1700000001");
    assertThat(
            desk.refused(CLUSTERED + ",'expireAfterSeconds':{'$numberLong':'9223372036854775'}}"))
        .contains("cannot exceed time since last epoch");
    assertThat(
            desk.refused(CLUSTERED + ",'expireAfterSeconds':{'$numberLong':'9223372036854776'}}"))
        .isEqualTo(
            "72 TTL index 'expireAfterSeconds' option cannot overflow int64_t when cast as"
                + " milliseconds, found 9223372036854776");
    assertThat(desk.refused(CLUSTERED + ",'expireAfterSeconds':'10'}")).startsWith("14 ");
  }

  /** Row 72. */
  @Test
  void collModChangesItAndSwitchesItOff() {
    desk.run(CLUSTERED + ",'expireAfterSeconds':1000}");
    desk.insert("{'_id':" + Desk.ago(100) + "}", "{'_id':" + Desk.ago(5) + "}");
    assertThat(desk.run("{'collMod':'c','expireAfterSeconds':10}"))
        .hasToString("{\"mayfly\":{\"expiredNow\":1}}");
    assertThat(desk.count()).isEqualTo(1);
    desk.run("{'collMod':'c','expireAfterSeconds':'off'}");
    desk.clock.advance(Duration.ofMinutes(1));
    assertThat(desk.count()).isEqualTo(1);
    assertThat(desk.refused("{'collMod':'c','expireAfterSeconds':'x'}"))
        .isEqualTo(
            "72 Invalid string value for the 'clusteredIndex::expireAfterSeconds' option. Got: 'x'."
                + " Accepted value is 'off'");
    desk.run("{'create':'plain'}");
    assertThat(desk.refused("{'collMod':'plain','expireAfterSeconds':10}"))
        .isEqualTo(
            "72 'expireAfterSeconds' option is only supported on collections clustered by _id");
  }

  /** Rows 73 and 74. */
  @Test
  void theIndexIsListedAndOthersMayStandBesideIt() {
    desk.run(CLUSTERED + ",'expireAfterSeconds':10}");
    desk.index("{'x':1}", "'expireAfterSeconds':20");
    assertThat(desk.indexes())
        .containsExactly(
            "{'v':2,'key':{'_id':1},'name':'_id_','unique':true,'expireAfterSeconds':10,"
                + "'clustered':true}",
            "{'v':2,'key':{'x':1},'name':'x_1','expireAfterSeconds':20}");
    desk.insert("{'_id':1,'x':" + Desk.ago(20) + "}");
    assertThat(desk.count()).isZero();
  }

  /** Row 25. */
  @Test
  void aCappedOneIsRefused() {
    assertThat(desk.refused(CLUSTERED + ",'capped':true,'size':100000,'expireAfterSeconds':10}"))
        .startsWith("6049200 'size' field for capped collections is not allowed");
    assertThat(desk.refused(CLUSTERED + ",'capped':true,'expireAfterSeconds':10}"))
        .startsWith("6127800 Clustered capped collection only available with");
  }

  @Test
  void theKeyIsTheId() {
    assertThat(desk.refused("{'create':'c','clusteredIndex':{'key':{'a':1},'unique':true}}"))
        .isEqualTo("197 The clusteredIndex option is only supported for key: {_id: 1}");
    assertThat(desk.refused("{'create':'c','clusteredIndex':{'key':{'_id':1},'unique':false}}"))
        .startsWith("5979700 ");
    assertThat(desk.refused("{'create':'c','clusteredIndex':{'key':{'_id':1}}}"))
        .startsWith("40414 BSON field 'create.clusteredIndex.unique' is missing");
  }

  @Test
  void timeSeriesAreNotThereYet() {
    assertThat(desk.refused("{'create':'c','timeseries':{'timeField':'t'}}"))
        .isEqualTo("238 time-series collections are not supported by this server");
  }
}
