package dev.mayfly.mongo.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.text.MessageFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** TTL indexes by createIndexes. Row numbers refer to the TTL tables of docs/mongodb.md. */
final class CreateTtlIndexTest {
  private final SchemaFixture fixture = new SchemaFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  /** Row 1. */
  @Test
  void replyHasTheNumbersOfIndexes() {
    assertThat(fixture.index("{'x':1}", "'expireAfterSeconds':10"))
        .isEqualTo(
            SchemaFixture.json(
                "{'numIndexesBefore':1,'numIndexesAfter':2,'createdCollectionAutomatically':true,"
                    + "'commitQuorum':'votingMembers',"
                    + "'mayfly':{'expiredNow':{'$numberLong':'0'}}}"));
    assertThat(fixture.index("{'y':1}", ""))
        .isEqualTo(
            SchemaFixture.json(
                "{'numIndexesBefore':2,'numIndexesAfter':3,'createdCollectionAutomatically':false,"
                    + "'commitQuorum':'votingMembers'}"));
  }

  /** Rows 1, 3 and 8: any number in the range, stored as a 32-bit number. */
  @ParameterizedTest
  @CsvSource({
    "0,0",
    "2147483647,2147483647",
    "10.0,10",
    "10000.7,10000",
    "-0.5,0",
    "{'$numberLong':'10'},10",
    "{'$numberDecimal':'3.9'},3"
  })
  void ttlIsStoredWithoutItsFraction(String seconds, int kept) {
    fixture.index("{'x':1}", "'expireAfterSeconds':" + seconds);
    assertThat(fixture.indexes().get(1))
        .isEqualTo("{'v':2,'key':{'x':1},'name':'x_1','expireAfterSeconds':" + kept + "}");
  }

  /** Row 4. */
  @Test
  void negativeTtlFails() {
    assertThat(fixture.indexError("{'x':1}", "'expireAfterSeconds':-1"))
        .isEqualTo(
            "67 . Index spec: { key: { x: 1 }, name: \"x_1\", expireAfterSeconds: -1 } :: caused by"
                + " :: TTL index 'expireAfterSeconds' option cannot be less than 0");
  }

  /** Row 5. */
  @ParameterizedTest
  @ValueSource(strings = {"2147483648", "-2147483649", "1e12"})
  void ttlOutOfRangeFails(String seconds) {
    assertThat(fixture.indexError("{'x':1}", "'expireAfterSeconds':" + seconds))
        .startsWith("67 . Index spec: { key: { x: 1 }, name: \"x_1\", expireAfterSeconds: ")
        .endsWith(
            " :: caused by :: TTL index 'expireAfterSeconds' must be within the range of a 32-bit"
                + " integer");
  }

  /** Row 6. */
  @Test
  void nanTtlFails() {
    assertThat(fixture.indexError("{'x':1}", "'expireAfterSeconds':{'$numberDouble':'NaN'}"))
        .endsWith(" :: caused by :: TTL index 'expireAfterSeconds' option must not be NaN");
  }

  /** Row 7: as in MongoDB, the message has no closing quotation mark. */
  @ParameterizedTest
  @CsvSource({"'''x''',string", "true,bool", "null,null", "{},object"})
  void nonNumericTtlFails(String value, String type) {
    assertThat(fixture.indexError("{'x':1}", "'expireAfterSeconds':" + value))
        .startsWith("67 . Index spec: ")
        .endsWith(
            " :: caused by :: TTL index 'expireAfterSeconds' option must be numeric, but received a"
                + " type of '"
                + type);
  }

  /** Row 9. */
  @Test
  void compoundTtlIndexFails() {
    assertThat(fixture.indexError("{'x':1,'y':1}", "'expireAfterSeconds':10"))
        .isEqualTo(
            "67 TTL indexes are single-field indexes, compound indexes do not support TTL. Index"
                + " spec: { key: { x: 1, y: 1 }, name: \"x_1_y_1\", expireAfterSeconds: 10 }");
  }

  /** Row 10. */
  @ParameterizedTest
  @ValueSource(ints = {1, -1})
  void ttlIndexOnIdFails(int direction) {
    assertThat(
            fixture.indexError("{'_id':" + direction + "}", "'name':'i','expireAfterSeconds':10"))
        .isEqualTo(
            "197 The field 'expireAfterSeconds' is not valid for an _id index specification."
                + " Specification: { key: { _id: "
                + direction
                + " }, name: \"i\", expireAfterSeconds: 10, v: 2 }");
  }

  /** Row 12. */
  @Test
  void wildcardTtlIndexFails() {
    assertThat(fixture.indexError("{'$**':1}", "'expireAfterSeconds':10"))
        .isEqualTo(
            "67 cannot make a TTL index :: caused by :: Index type 'wildcard' does not support the"
                + " 'expireAfterSeconds' option");
  }

  /** Rows 11, 13 and 14. */
  @ParameterizedTest
  @ValueSource(strings = {"{'x':'hashed'}", "{'p':'2dsphere'}", "{'x':'2d'}", "{'_id':'hashed'}"})
  void hashedAndGeoTtlIndexesExpireNothing(String key) {
    fixture.insert(
        "{'_id':" + SchemaFixture.ago(100) + ",'x':" + SchemaFixture.ago(100) + ",'p':[1,2]}");
    fixture.index(key, "'expireAfterSeconds':1");
    fixture.engine.workUntilIdle();
    assertThat(fixture.count()).isEqualTo(1);
    assertThat(fixture.indexes().get(1)).contains("'expireAfterSeconds':1");
  }

  /** Row 14. */
  @Test
  void ttlIndexesWithoutEffectAreLogged() {
    List<String> lines = new ArrayList<>();
    Logger logger = Logger.getLogger(CreateIndexesCommand.class.getName());
    Handler handler = new LineCollector(lines);
    logger.addHandler(handler);
    try {
      fixture.index("{'x':1}", "'expireAfterSeconds':1");
      assertThat(lines).isEmpty();
      fixture.index("{'x':'hashed'}", "'expireAfterSeconds':1");
      assertThat(lines)
          .containsExactly(
              "special index can't be used as a TTL index, it expires nothing: x_hashed of d.c");
    } finally {
      logger.removeHandler(handler);
    }
  }

  /** Collects log lines. */
  private static final class LineCollector extends Handler {
    private final List<String> lines;

    LineCollector(List<String> lines) {
      this.lines = lines;
    }

    @Override
    public void publish(LogRecord line) {
      lines.add(MessageFormat.format(line.getMessage(), line.getParameters()));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @Test
  void textIndexesAreNotSupported() {
    assertThat(fixture.indexError("{'x':'text'}", ""))
        .isEqualTo("67 text indexes are not supported by this server yet");
  }

  /** Row 15. */
  @ParameterizedTest
  @ValueSource(strings = {"10", "10.0", "{'$numberLong':'10'}"})
  void creatingTheSameIndexAgainChangesNothing(String seconds) {
    fixture.index("{'x':1}", "'expireAfterSeconds':10");
    assertThat(fixture.index("{'x':1}", "'expireAfterSeconds':" + seconds))
        .isEqualTo(
            SchemaFixture.json(
                "{'numIndexesBefore':2,'numIndexesAfter':2,'note':'all indexes already exist'}"));
  }

  /** Row 16. */
  @Test
  void differentTtlWithTheSameNameConflicts() {
    fixture.index("{'x':1}", "'expireAfterSeconds':604800");
    assertThat(fixture.indexError("{'x':1}", "'expireAfterSeconds':172800"))
        .isEqualTo(
            "85 An equivalent index already exists with the same name but different options."
                + " Requested index: { v: 2, key: { x: 1 }, name: \"x_1\", expireAfterSeconds:"
                + " 172800 }, existing index: { v: 2, key: { x: 1 }, name: \"x_1\","
                + " expireAfterSeconds: 604800 }");
    assertThat(fixture.indexError("{'x':1}", "")).startsWith("85 An equivalent index");
  }

  /** Row 17. */
  @Test
  void differentTtlWithAnotherNameConflicts() {
    fixture.index("{'x':1}", "'expireAfterSeconds':10");
    assertThat(fixture.indexError("{'x':1}", "'name':'n','expireAfterSeconds':20"))
        .startsWith(
            "85 An equivalent index already exists with a different name and options. Requested"
                + " index: { v: 2, key: { x: 1 }, name: \"n\", expireAfterSeconds: 20 }, existing");
  }

  /** Row 18. */
  @Test
  void sameIndexWithAnotherNameConflicts() {
    fixture.index("{'x':1}", "'expireAfterSeconds':10");
    assertThat(fixture.indexError("{'x':1}", "'name':'n','expireAfterSeconds':10"))
        .isEqualTo("85 Index already exists with a different name: x_1");
  }

  /** Row 19. */
  @Test
  void differentKeyWithTheSameNameConflicts() {
    fixture.index("{'x':1}", "");
    assertThat(fixture.indexError("{'y':1}", "'name':'x_1'"))
        .isEqualTo(
            "86 An existing index has the same name as the requested index. When index names are"
                + " not specified, they are auto generated and can cause conflicts. Please refer to"
                + " our documentation. Requested index: { v: 2, key: { y: 1 }, name: \"x_1\" },"
                + " existing index: { v: 2, key: { x: 1 }, name: \"x_1\" }");
  }

  /** Rows 20 and 58: with several indexes on one key, the earliest deadline counts. */
  @Test
  void indexesOnOneKeyMayHaveDifferentPartialFilters() {
    fixture.index("{'x':1}", "'expireAfterSeconds':1000");
    fixture.index(
        "{'x':1}", "'name':'done','expireAfterSeconds':10,'partialFilterExpression':{'done':true}");
    fixture.insert(
        "{'_id':1,'x':" + SchemaFixture.ago(100) + "}",
        "{'_id':2,'done':true,'x':" + SchemaFixture.ago(100) + "}");
    assertThat(fixture.count()).isEqualTo(1);
  }

  /** Row 21. */
  @Test
  void conflictIsReportedBeforeAnInvalidTtl() {
    fixture.index("{'x':1}", "'expireAfterSeconds':10");
    assertThat(fixture.indexError("{'x':1}", "'expireAfterSeconds':-1"))
        .startsWith("85 ")
        .contains("expireAfterSeconds: 2147483647 }, existing");
    fixture.index("{'y':1}", "'expireAfterSeconds':2147483647");
    assertThat(fixture.index("{'y':1}", "'expireAfterSeconds':-1").toString())
        .contains("all indexes already exist");
  }

  /** Row 22. */
  @Test
  void keyFieldNamedExpireAfterSecondsIsNoTtl() {
    fixture.index("{'x':1,'expireAfterSeconds':3600}", "");
    assertThat(fixture.indexes().get(1))
        .isEqualTo(
            "{'v':2,'key':{'x':1,'expireAfterSeconds':3600},'name':'x_1_expireAfterSeconds_3600'}");
  }

  /** Rows 23, 62 and 97: the fields are listed in MongoDB's order, not in that of the request. */
  @Test
  void ttlIndexCanHaveOtherOptions() {
    fixture.index(
        "{'x':-1}",
        "'expireAfterSeconds':10,'sparse':true,'hidden':true,'unique':true,'background':true");
    assertThat(fixture.indexes().get(1))
        .isEqualTo(
            "{'v':2,'key':{'x':-1},'name':'x_-1','background':true,'unique':true,'hidden':true,"
                + "'sparse':true,'expireAfterSeconds':10}");
    fixture.insert(
        "{'_id':1,'x':" + SchemaFixture.ago(10) + "}",
        "{'_id':2,'x':" + SchemaFixture.ago(9) + "}");
    assertThat(fixture.count()).isEqualTo(1);
    assertThat(fixture.indexError("{'y':1}", "'sparse':true,'partialFilterExpression':{'a':1}"))
        .isEqualTo(
            "67 Error in specification { key: { y: 1 }, name: \"y_1\", sparse: true,"
                + " partialFilterExpression: { a: 1 }, v: 2 } :: caused by :: cannot mix"
                + " \"partialFilterExpression\" and \"sparse\" options");
  }

  /** Row 24, as in MongoDB since 7.1. */
  @Test
  void cappedCollectionCanHaveATtlIndex() {
    fixture.run("{'create':'c','capped':true,'size':100000}");
    fixture.index("{'x':1}", "'expireAfterSeconds':10");
    fixture.insert("{'_id':1,'x':" + SchemaFixture.ago(10) + "}");
    assertThat(fixture.count()).isZero();
  }

  /** Row 27. */
  @Test
  void viewCannotHaveIndexes() {
    fixture.run("{'create':'c','viewOn':'t','pipeline':[]}");
    assertThat(fixture.indexError("{'x':1}", "'expireAfterSeconds':10"))
        .isEqualTo("166 Cannot create indexes on a view");
  }

  /** Row 63: old documents expire as soon as the index exists. */
  @Test
  void replyHasTheNumberOfExpiredDocuments() {
    fixture.insert(
        "{'_id':1,'x':" + SchemaFixture.ago(100) + "}",
        "{'_id':2,'x':" + SchemaFixture.ago(5) + "}",
        "{'_id':3,'x':'no date'}");
    assertThat(fixture.index("{'x':1}", "'expireAfterSeconds':10").field("mayfly"))
        .hasToString("{\"expiredNow\":1}");
    assertThat(fixture.count()).isEqualTo(2);
  }

  @Test
  void maxExpireNowRejectsTheIndex() {
    fixture.insert(
        "{'_id':1,'x':" + SchemaFixture.ago(100) + "}",
        "{'_id':2,'x':" + SchemaFixture.ago(100) + "}");
    String command =
        "{'createIndexes':'c','indexes':[{'key':{'x':1},'name':'x_1','expireAfterSeconds':10}],"
            + "'maxExpireNow':";
    assertThat(fixture.error(command + "1}"))
        .isEqualTo("96 The change would expire 2 documents at once, but maxExpireNow is 1");
    assertThat(fixture.count()).isEqualTo(2);
    assertThat(fixture.indexes()).hasSize(1);
    assertThat(fixture.run(command + "2}").field("mayfly")).hasToString("{\"expiredNow\":2}");
    assertThat(fixture.count()).isZero();
  }

  /** Row 65, except that documents that had expired do not return. */
  @Test
  void droppingTheIndexStopsExpiry() {
    fixture.index("{'x':1}", "'expireAfterSeconds':10");
    fixture.insert(
        "{'_id':1,'x':" + SchemaFixture.ago(10) + "}",
        "{'_id':2,'x':" + SchemaFixture.ago(9) + "}");
    fixture.run("{'dropIndexes':'c','index':'x_1'}");
    fixture.clock.advance(Duration.ofMinutes(1));
    assertThat(fixture.count()).isEqualTo(1);
  }

  /** Row 66. */
  @Test
  void renamedCollectionKeepsItsTtl() {
    fixture.index("{'x':1}", "'expireAfterSeconds':10");
    fixture.insert("{'_id':1,'x':" + SchemaFixture.ago(0) + "}");
    fixture.admin("{'renameCollection':'d.c','to':'d.e'}");
    fixture.admin("{'renameCollection':'d.e','to':'d.c'}");
    assertThat(fixture.count()).isEqualTo(1);
    fixture.clock.advance(Duration.ofSeconds(10));
    assertThat(fixture.count()).isZero();
  }
}
