package dev.mayfly.mongo.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clustered collections. Row numbers refer to the TTL tables of docs/mongodb.md. */
final class ClusteredTest {
  private static final String CLUSTERED =
      "{'create':'c','clusteredIndex':{'key':{'_id':1},'unique':true}";

  private final SchemaFixture fixture = new SchemaFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  /** Rows 67 to 69. */
  @Test
  void onlyDocumentsWithADateIdExpire() {
    fixture.run(CLUSTERED + ",'expireAfterSeconds':10}");
    fixture.insert(
        "{'_id':" + SchemaFixture.ago(10) + "}",
        "{'_id':" + SchemaFixture.ago(9) + "}",
        "{'_id':{'$oid':'000000000000000000000000'}}",
        "{'_id':{'$date':{'$numberLong':'-1'}}}");
    assertThat(fixture.count()).isEqualTo(3);
    fixture.clock.advance(Duration.ofSeconds(1));
    assertThat(fixture.count()).isEqualTo(2);
  }

  /** Row 70. */
  @Test
  void expireAfterSecondsNeedsAClusteredIndex() {
    assertThat(fixture.error("{'create':'c','expireAfterSeconds':10}"))
        .isEqualTo(
            "72 'expireAfterSeconds' is only supported on time-series collections or when the"
                + " 'clusteredIndex' option is specified");
  }

  /** Row 71. */
  @Test
  void invalidExpireAfterSecondsFails() {
    assertThat(fixture.error(CLUSTERED + ",'expireAfterSeconds':-1}"))
        .isEqualTo("72 TTL index 'expireAfterSeconds' option cannot be less than 0");
    assertThat(fixture.error(CLUSTERED + ",'expireAfterSeconds':1700000001}"))
        .isEqualTo(
            "72 TTL index 'expireAfterSeconds' option cannot exceed time since last epoch"
                + " (1700000000) for time-series collections, found 1700000001");
    assertThat(
            fixture.error(CLUSTERED + ",'expireAfterSeconds':{'$numberLong':'9223372036854775'}}"))
        .contains("cannot exceed time since last epoch");
    assertThat(
            fixture.error(CLUSTERED + ",'expireAfterSeconds':{'$numberLong':'9223372036854776'}}"))
        .isEqualTo(
            "72 TTL index 'expireAfterSeconds' option cannot overflow int64_t when cast as"
                + " milliseconds, found 9223372036854776");
    assertThat(fixture.error(CLUSTERED + ",'expireAfterSeconds':'10'}")).startsWith("14 ");
  }

  /** Row 72. */
  @Test
  void collModChangesAndDisablesTheTtl() {
    fixture.run(CLUSTERED + ",'expireAfterSeconds':1000}");
    fixture.insert(
        "{'_id':" + SchemaFixture.ago(100) + "}", "{'_id':" + SchemaFixture.ago(5) + "}");
    assertThat(fixture.run("{'collMod':'c','expireAfterSeconds':10}"))
        .hasToString("{\"mayfly\":{\"expiredNow\":1}}");
    assertThat(fixture.count()).isEqualTo(1);
    fixture.run("{'collMod':'c','expireAfterSeconds':'off'}");
    fixture.clock.advance(Duration.ofMinutes(1));
    assertThat(fixture.count()).isEqualTo(1);
    assertThat(fixture.error("{'collMod':'c','expireAfterSeconds':'x'}"))
        .isEqualTo(
            "72 Invalid string value for the 'clusteredIndex::expireAfterSeconds' option. Got: 'x'."
                + " Accepted value is 'off'");
    fixture.run("{'create':'plain'}");
    assertThat(fixture.error("{'collMod':'plain','expireAfterSeconds':10}"))
        .isEqualTo(
            "72 'expireAfterSeconds' option is only supported on collections clustered by _id");
  }

  /** Rows 73 and 74. */
  @Test
  void clusteredIndexIsListedWithOtherIndexes() {
    fixture.run(CLUSTERED + ",'expireAfterSeconds':10}");
    fixture.index("{'x':1}", "'expireAfterSeconds':20");
    assertThat(fixture.indexes())
        .containsExactly(
            "{'v':2,'key':{'_id':1},'name':'_id_','unique':true,'expireAfterSeconds':10,"
                + "'clustered':true}",
            "{'v':2,'key':{'x':1},'name':'x_1','expireAfterSeconds':20}");
    fixture.insert("{'_id':1,'x':" + SchemaFixture.ago(20) + "}");
    assertThat(fixture.count()).isZero();
  }

  /** Row 25. */
  @Test
  void clusteredCollectionCannotBeCapped() {
    assertThat(fixture.error(CLUSTERED + ",'capped':true,'size':100000,'expireAfterSeconds':10}"))
        .startsWith("6049200 'size' field for capped collections is not allowed");
    assertThat(fixture.error(CLUSTERED + ",'capped':true,'expireAfterSeconds':10}"))
        .startsWith("6127800 Clustered capped collection only available with");
  }

  @Test
  void keyMustBeId() {
    assertThat(fixture.error("{'create':'c','clusteredIndex':{'key':{'a':1},'unique':true}}"))
        .isEqualTo("197 The clusteredIndex option is only supported for key: {_id: 1}");
    assertThat(fixture.error("{'create':'c','clusteredIndex':{'key':{'_id':1},'unique':false}}"))
        .startsWith("5979700 ");
    assertThat(fixture.error("{'create':'c','clusteredIndex':{'key':{'_id':1}}}"))
        .startsWith("40414 BSON field 'create.clusteredIndex.unique' is missing");
  }

  @Test
  void timeSeriesCollectionsAreNotSupported() {
    assertThat(fixture.error("{'create':'c','timeseries':{'timeField':'t'}}"))
        .isEqualTo("238 time-series collections are not supported by this server");
  }
}
