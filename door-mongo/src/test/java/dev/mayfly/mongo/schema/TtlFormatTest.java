package dev.mayfly.mongo.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.value.Document;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** TTL rules that say how to read their field: {@code mayflyTtlFormat}. */
final class TtlFormatTest {
  /** The second {@link SchemaFixture#START}, in the first bytes of an ObjectId. */
  private static final String OBJECT_ID = "{'$oid':'6553f100aabbccddeeff0011'}";

  private final SchemaFixture fixture = new SchemaFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "seconds | 1700000000 | 10000",
        "seconds | 1700000000.25 | 10250",
        "seconds | {'$numberDecimal':'1700000000.5'} | 10500",
        "milliseconds | {'$numberLong':'1700000000007'} | 10007",
        "iso8601 | '2023-11-14T22:13:20.007Z' | 10007",
        "iso8601 | '2023-11-14T23:13:20+01:00' | 10000",
        "iso8601 | ['2023-11-15', 7, '2023-11-14T22:13:20Z'] | 10000",
        "objectId | {'$oid':'6553f100aabbccddeeff0011'} | 10000",
        "objectId | '6553f100aabbccddeeff0011' | 10000",
        "date | {'$date':{'$numberLong':'1700000000003'}} | 10003",
      })
  void documentsExpireByTheTimeInTheirField(String format, String value, long deadline) {
    fixture.index("{'at':1}", "'expireAfterSeconds':10,'mayflyTtlFormat':'" + format + "'");
    fixture.insert("{'_id':1,'at':" + value + "}", "{'_id':2,'at':true}");
    fixture.clock.advance(Duration.ofMillis(deadline - 1));
    assertThat(fixture.count()).isEqualTo(2);
    fixture.clock.advance(Duration.ofMillis(1));
    assertThat(fixture.count()).isEqualTo(1);
    fixture.engine.workUntilIdle();
    assertThat(fixture.count()).isEqualTo(1);
  }

  @Test
  void indexesWithoutTheOptionReadDatesOnly() {
    fixture.index("{'at':1}", "'expireAfterSeconds':0");
    fixture.insert(
        "{'_id':1,'at':1}", "{'_id':2,'at':'2001-01-01'}", "{'_id':3,'at':" + OBJECT_ID + "}");
    assertThat(fixture.count()).isEqualTo(3);
    assertThat(fixture.indexes().get(1)).doesNotContain("mayflyTtlFormat");
  }

  @Test
  void listIndexesReportsTheFormat() {
    fixture.index("{'at':1}", "'expireAfterSeconds':10,'mayflyTtlFormat':'seconds'");
    String listed =
        "{'v':2,'key':{'at':1},'name':'at_1','expireAfterSeconds':10,'mayflyTtlFormat':'seconds'}";
    assertThat(fixture.indexes().get(1)).isEqualTo(listed);
    fixture.run("{'collMod':'c','index':{'name':'at_1','hidden':true}}");
    fixture.run("{'collMod':'c','index':{'name':'at_1','expireAfterSeconds':20}}");
    assertThat(fixture.indexes().get(1))
        .contains("'hidden':true", "'expireAfterSeconds':20", "'mayflyTtlFormat':'seconds'");
    assertThat(
            fixture.index(
                "{'at':1}", "'expireAfterSeconds':20,'hidden':true,'mayflyTtlFormat':'seconds'"))
        .isEqualTo(
            SchemaFixture.json(
                "{'numIndexesBefore':2,'numIndexesAfter':2,'note':'all indexes already exist'}"));
    assertThat(fixture.indexError("{'at':1}", "'expireAfterSeconds':20,'hidden':true"))
        .startsWith("85 ");
  }

  @Test
  void collModChangesTheFormatWithoutANewIndex() {
    fixture.insert("{'_id':1,'at':1600000000}", "{'_id':2,'at':" + SchemaFixture.ago(5) + "}");
    fixture.index("{'at':1}", "'expireAfterSeconds':10");
    String seconds = "'index':{'name':'at_1','mayflyTtlFormat':'seconds'}";
    assertThat(fixture.run("{'mayflyWhatIf':'c','collMod':{" + seconds + "}}").toString())
        .contains("\"documents\":1");
    Document reply = fixture.run("{'collMod':'c'," + seconds + "}");
    assertThat(reply.field("mayflyTtlFormat_old").asString()).isEqualTo("date");
    assertThat(reply.field("mayflyTtlFormat_new").asString()).isEqualTo("seconds");
    assertThat(reply.toString()).contains("\"expiredNow\":1");
    assertThat(fixture.count()).isEqualTo(1);
    fixture.clock.advance(Duration.ofSeconds(10));
    assertThat(fixture.count()).as("the date is no number of seconds").isEqualTo(1);
    fixture.engine.workUntilIdle();
    fixture.run("{'collMod':'c','index':{'name':'at_1','mayflyTtlFormat':'date'}}");
    assertThat(fixture.count()).isZero();
    assertThat(fixture.indexes().get(1)).doesNotContain("mayflyTtlFormat");
  }

  @Test
  void changeOfTheFormatCanBeUndone() {
    fixture.run("{'create':'c','mayflyGraceSeconds':3600}");
    fixture.insert("{'_id':1,'at':1600000000}", "{'_id':2,'at':" + SchemaFixture.ago(-5) + "}");
    fixture.index("{'at':1}", "'expireAfterSeconds':10");
    fixture.run("{'collMod':'c','index':{'name':'at_1','mayflyTtlFormat':'seconds'}}");
    fixture.engine.workUntilIdle();
    assertThat(fixture.count()).isEqualTo(1);
    fixture.run("{'mayflyUndoExpiry':'c'}");
    assertThat(fixture.count()).isEqualTo(2);
    assertThat(fixture.indexes().get(1)).doesNotContain("mayflyTtlFormat");
    fixture.clock.advance(Duration.ofSeconds(15));
    assertThat(fixture.count()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "seconds | '2023-11-14' | type | `at` is a string, not a number.",
        "seconds | {'$numberDouble':'NaN'} | value | `at` is a number out of range.",
        "milliseconds | 1e300 | value | `at` is a number out of range.",
        "iso8601 | 'tomorrow' | value | `at` is a string, but not an ISO 8601 time.",
        "iso8601 | 7 | type | `at` is a number, not a string.",
        "iso8601 | ['x'] | noDate | `at` is an array without a time in the format iso8601.",
        "objectId | 'x' | value | `at` is a string, but not the 24 digits of an ObjectId.",
        "objectId | null | type | `at` is null, not an ObjectId.",
      })
  void wrongValuesAreExplained(String format, String value, String code, String why) {
    fixture.index("{'at':1}", "'expireAfterSeconds':10,'mayflyTtlFormat':'" + format + "'");
    fixture.insert("{'_id':1,'at':" + value + "}");
    Document life =
        fixture
            .run("{'mayflyExplainExpiry':'c','ids':[1]}")
            .field("documents")
            .asDocument()
            .field("0")
            .asDocument();
    assertThat(life.field("never").asString()).isEqualTo(code);
    assertThat(life.field("why").asString()).isEqualTo(why);
  }

  @Test
  void explanationHasTheValueOfTheField() {
    fixture.index("{'at':1}", "'expireAfterSeconds':10,'mayflyTtlFormat':'seconds'");
    fixture.insert("{'_id':1,'at':1700000005}", "{'_id':2,'at':'x'}", "{'_id':3}");
    assertThat(fixture.run("{'mayflyExplainExpiry':'c','ids':[1]}").toString())
        .contains("\"rule\":\"index:at_1\",\"value\":1700000005");
    assertThat(fixture.run("{'mayflyExplainExpiry':'c','ids':[2]}").toString())
        .contains("\"never\":\"type\"", "\"value\":\"x\"");
    assertThat(fixture.run("{'mayflyExplainExpiry':'c','ids':[3]}").toString())
        .doesNotContain("\"value\"");
  }

  @Test
  void documentsThatNeverExpireAreCountedByReason() {
    fixture.index("{'at':1}", "'expireAfterSeconds':10,'mayflyTtlFormat':'iso8601'");
    fixture.insert("{'_id':1,'at':'2023-11-15'}", "{'_id':2,'at':'x'}", "{'_id':3,'at':'y'}");
    Document report = fixture.run("{'mayflyExplainExpiry':'c'}");
    assertThat(report.field("sampled").asLong()).isEqualTo(3);
    assertThat(report.field("exact").asBoolean()).isTrue();
    assertThat(report.field("neverExpiring").asLong()).isEqualTo(2);
    assertThat(report.field("total").asLong()).isEqualTo(2);
    assertThat(report.field("reasons").toString())
        .contains("\"never\":\"value\"", "\"documents\":2", "\"ids\":[2,3]");
  }

  @Test
  void replyNotesThatTheFormatFitsFewDocuments() {
    fixture.insert(
        "{'_id':1,'at':" + SchemaFixture.ago(5) + "}",
        "{'_id':2,'at':" + SchemaFixture.ago(6) + "}");
    Document reply =
        fixture.index("{'at':1}", "'expireAfterSeconds':10,'mayflyTtlFormat':'iso8601'");
    assertThat(reply.field("note").asString())
        .isEqualTo(
            "at_1 does not expire 2 of 2 documents, for example because: `at` is a date, not a"
                + " string.");
  }

  @Test
  void documentsExpireByTheTimeInTheirObjectId() {
    fixture.run("{'create':'c','expireAfterSeconds':10,'mayflyTtlFormat':'objectId'}");
    fixture.insert("{'_id':" + OBJECT_ID + "}", "{'_id':7}");
    fixture.clock.advance(Duration.ofMillis(9_999));
    assertThat(fixture.count()).isEqualTo(2);
    fixture.clock.advance(Duration.ofMillis(1));
    assertThat(fixture.count()).isEqualTo(1);
    assertThat(fixture.run("{'listCollections':1}").toString())
        .contains("\"expireAfterSeconds\":10,\"mayflyTtlFormat\":\"objectId\"");
  }

  @Test
  void collModSetsTheRuleOnIds() {
    fixture.insert("{'_id':" + OBJECT_ID + "}", "{'_id':7}");
    fixture.run("{'collMod':'c','expireAfterSeconds':10,'mayflyTtlFormat':'objectId'}");
    fixture.clock.advance(Duration.ofSeconds(10));
    assertThat(fixture.count()).isEqualTo(1);
    fixture.run("{'collMod':'c','expireAfterSeconds':'off'}");
    assertThat(fixture.run("{'listCollections':1}").toString()).doesNotContain("objectId");
    assertThat(fixture.error("{'collMod':'c','expireAfterSeconds':10}")).startsWith("72 ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'at':1} | 'expireAfterSeconds':1,'mayflyTtlFormat':'days' | 2 ",
        "{'at':1} | 'expireAfterSeconds':1,'mayflyTtlFormat':7 | 14 ",
        "{'at':1} | 'mayflyTtlFormat':'seconds' | 67 ",
        "{'_ts':1} | 'expireAfterSeconds':1,'mayflyTtlFormat':'seconds' | 67 ",
        "{'at':'2dsphere'} | 'expireAfterSeconds':1,'mayflyTtlFormat':'seconds' | 67 ",
        "{'_id':1} | 'mayflyTtlFormat':'seconds' | 197 ",
      })
  void wrongFormatsAreRejected(String key, String options, String error) {
    assertThat(fixture.indexError(key, options)).startsWith(error);
  }

  @Test
  void wrongChangesOfTheFormatAreRejected() {
    fixture.index("{'x':1}", "");
    fixture.index("{'_ts':1}", "'expireAfterSeconds':10");
    String change = "{'collMod':'c','index':{'name':'%s','mayflyTtlFormat':'%s'}}";
    assertThat(fixture.error(change.formatted("x_1", "seconds"))).startsWith("72 ");
    assertThat(fixture.error(change.formatted("_ts_1", "seconds"))).startsWith("72 ");
    assertThat(fixture.error(change.formatted("x_1", "days")))
        .isEqualTo(
            "2 'mayflyTtlFormat' is 'days', but must be one of date, seconds, milliseconds,"
                + " iso8601, objectId");
    assertThat(fixture.error("{'collMod':'c','mayflyTtlFormat':'seconds'}")).startsWith("72 ");
    assertThat(fixture.error("{'create':'d','mayflyTtlFormat':'seconds'}")).startsWith("72 ");
  }
}
