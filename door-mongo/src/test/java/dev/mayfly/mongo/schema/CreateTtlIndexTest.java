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
  private final Desk desk = new Desk();

  @AfterEach
  void close() {
    desk.close();
  }

  /** Row 1. */
  @Test
  void theReplyCountsIndexes() {
    assertThat(desk.index("{'x':1}", "'expireAfterSeconds':10"))
        .isEqualTo(
            Desk.json(
                "{'numIndexesBefore':1,'numIndexesAfter':2,'createdCollectionAutomatically':true,"
                    + "'commitQuorum':'votingMembers',"
                    + "'mayfly':{'expiredNow':{'$numberLong':'0'}}}"));
    assertThat(desk.index("{'y':1}", ""))
        .isEqualTo(
            Desk.json(
                "{'numIndexesBefore':2,'numIndexesAfter':3,'createdCollectionAutomatically':false,"
                    + "'commitQuorum':'votingMembers'}"));
  }

  /** Rows 1, 3 and 8: any number that fits, stored as a 32-bit one. */
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
  void numbersThatFitAreKeptWithoutTheirFraction(String seconds, int kept) {
    desk.index("{'x':1}", "'expireAfterSeconds':" + seconds);
    assertThat(desk.indexes().get(1))
        .isEqualTo("{'v':2,'key':{'x':1},'name':'x_1','expireAfterSeconds':" + kept + "}");
  }

  /** Row 4. */
  @Test
  void lessThanZeroIsRefused() {
    assertThat(desk.refusedIndex("{'x':1}", "'expireAfterSeconds':-1"))
        .isEqualTo(
            "67 . Index spec: { key: { x: 1 }, name: \"x_1\", expireAfterSeconds: -1 } :: caused by"
                + " :: TTL index 'expireAfterSeconds' option cannot be less than 0");
  }

  /** Row 5. */
  @ParameterizedTest
  @ValueSource(strings = {"2147483648", "-2147483649", "1e12"})
  void whatDoesNotFitIsRefused(String seconds) {
    assertThat(desk.refusedIndex("{'x':1}", "'expireAfterSeconds':" + seconds))
        .startsWith("67 . Index spec: { key: { x: 1 }, name: \"x_1\", expireAfterSeconds: ")
        .endsWith(
            " :: caused by :: TTL index 'expireAfterSeconds' must be within the range of a 32-bit"
                + " integer");
  }

  /** Row 6. */
  @Test
  void notANumberIsRefused() {
    assertThat(desk.refusedIndex("{'x':1}", "'expireAfterSeconds':{'$numberDouble':'NaN'}"))
        .endsWith(" :: caused by :: TTL index 'expireAfterSeconds' option must not be NaN");
  }

  /** Row 7: the quotation is left open, as it is there. */
  @ParameterizedTest
  @CsvSource({"'''x''',string", "true,bool", "null,null", "{},object"})
  void otherTypesAreRefused(String value, String type) {
    assertThat(desk.refusedIndex("{'x':1}", "'expireAfterSeconds':" + value))
        .startsWith("67 . Index spec: ")
        .endsWith(
            " :: caused by :: TTL index 'expireAfterSeconds' option must be numeric, but received a"
                + " type of '"
                + type);
  }

  /** Row 9. */
  @Test
  void compoundKeysAreRefused() {
    assertThat(desk.refusedIndex("{'x':1,'y':1}", "'expireAfterSeconds':10"))
        .isEqualTo(
            "67 TTL indexes are single-field indexes, compound indexes do not support TTL. Index"
                + " spec: { key: { x: 1, y: 1 }, name: \"x_1_y_1\", expireAfterSeconds: 10 }");
  }

  /** Row 10. */
  @ParameterizedTest
  @ValueSource(ints = {1, -1})
  void theIdIsRefused(int direction) {
    assertThat(desk.refusedIndex("{'_id':" + direction + "}", "'name':'i','expireAfterSeconds':10"))
        .isEqualTo(
            "197 The field 'expireAfterSeconds' is not valid for an _id index specification."
                + " Specification: { key: { _id: "
                + direction
                + " }, name: \"i\", expireAfterSeconds: 10, v: 2 }");
  }

  /** Row 12. */
  @Test
  void wildcardsAreRefused() {
    assertThat(desk.refusedIndex("{'$**':1}", "'expireAfterSeconds':10"))
        .isEqualTo(
            "67 cannot make a TTL index :: caused by :: Index type 'wildcard' does not support the"
                + " 'expireAfterSeconds' option");
  }

  /** Rows 11, 13 and 14. */
  @ParameterizedTest
  @ValueSource(strings = {"{'x':'hashed'}", "{'p':'2dsphere'}", "{'x':'2d'}", "{'_id':'hashed'}"})
  void otherKindsAreTakenAndExpireNothing(String key) {
    desk.insert("{'_id':" + Desk.ago(100) + ",'x':" + Desk.ago(100) + ",'p':[1,2]}");
    desk.index(key, "'expireAfterSeconds':1");
    desk.engine.workUntilIdle();
    assertThat(desk.count()).isEqualTo(1);
    assertThat(desk.indexes().get(1)).contains("'expireAfterSeconds':1");
  }

  /** Row 14. */
  @Test
  void thatNothingExpiresByOtherKindsIsLogged() {
    List<String> lines = new ArrayList<>();
    Logger logger = Logger.getLogger(CreateIndexesCommand.class.getName());
    Handler handler = new Lines(lines);
    logger.addHandler(handler);
    try {
      desk.index("{'x':1}", "'expireAfterSeconds':1");
      assertThat(lines).isEmpty();
      desk.index("{'x':'hashed'}", "'expireAfterSeconds':1");
      assertThat(lines)
          .containsExactly(
              "special index can't be used as a TTL index, it expires nothing: x_hashed of d.c");
    } finally {
      logger.removeHandler(handler);
    }
  }

  /** Collects what is logged. */
  private static final class Lines extends Handler {
    private final List<String> lines;

    Lines(List<String> lines) {
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
  void textIsNotThereYet() {
    assertThat(desk.refusedIndex("{'x':'text'}", ""))
        .isEqualTo("67 text indexes are not supported by this server yet");
  }

  /** Row 15. */
  @ParameterizedTest
  @ValueSource(strings = {"10", "10.0", "{'$numberLong':'10'}"})
  void theSameAgainChangesNothing(String seconds) {
    desk.index("{'x':1}", "'expireAfterSeconds':10");
    assertThat(desk.index("{'x':1}", "'expireAfterSeconds':" + seconds))
        .isEqualTo(
            Desk.json(
                "{'numIndexesBefore':2,'numIndexesAfter':2,'note':'all indexes already exist'}"));
  }

  /** Row 16. */
  @Test
  void anotherValueUnderTheSameNameIsAConflict() {
    desk.index("{'x':1}", "'expireAfterSeconds':604800");
    assertThat(desk.refusedIndex("{'x':1}", "'expireAfterSeconds':172800"))
        .isEqualTo(
            "85 An equivalent index already exists with the same name but different options."
                + " Requested index: { v: 2, key: { x: 1 }, name: \"x_1\", expireAfterSeconds:"
                + " 172800 }, existing index: { v: 2, key: { x: 1 }, name: \"x_1\","
                + " expireAfterSeconds: 604800 }");
    assertThat(desk.refusedIndex("{'x':1}", "")).startsWith("85 An equivalent index");
  }

  /** Row 17. */
  @Test
  void anotherValueUnderAnotherNameIsAConflict() {
    desk.index("{'x':1}", "'expireAfterSeconds':10");
    assertThat(desk.refusedIndex("{'x':1}", "'name':'n','expireAfterSeconds':20"))
        .startsWith(
            "85 An equivalent index already exists with a different name and options. Requested"
                + " index: { v: 2, key: { x: 1 }, name: \"n\", expireAfterSeconds: 20 }, existing");
  }

  /** Row 18. */
  @Test
  void anotherNameIsAConflict() {
    desk.index("{'x':1}", "'expireAfterSeconds':10");
    assertThat(desk.refusedIndex("{'x':1}", "'name':'n','expireAfterSeconds':10"))
        .isEqualTo("85 Index already exists with a different name: x_1");
  }

  /** Row 19. */
  @Test
  void anotherKeyUnderTheSameNameIsAConflict() {
    desk.index("{'x':1}", "");
    assertThat(desk.refusedIndex("{'y':1}", "'name':'x_1'"))
        .isEqualTo(
            "86 An existing index has the same name as the requested index. When index names are"
                + " not specified, they are auto generated and can cause conflicts. Please refer to"
                + " our documentation. Requested index: { v: 2, key: { y: 1 }, name: \"x_1\" },"
                + " existing index: { v: 2, key: { x: 1 }, name: \"x_1\" }");
  }

  /** Rows 20 and 58: several on one key, the earliest wins. */
  @Test
  void indexesOnOneKeyMayDifferInTheirFilters() {
    desk.index("{'x':1}", "'expireAfterSeconds':1000");
    desk.index(
        "{'x':1}", "'name':'done','expireAfterSeconds':10,'partialFilterExpression':{'done':true}");
    desk.insert(
        "{'_id':1,'x':" + Desk.ago(100) + "}", "{'_id':2,'done':true,'x':" + Desk.ago(100) + "}");
    assertThat(desk.count()).isEqualTo(1);
  }

  /** Row 21. */
  @Test
  void anInvalidValueBesideAnEquivalentIndexIsAConflictFirst() {
    desk.index("{'x':1}", "'expireAfterSeconds':10");
    assertThat(desk.refusedIndex("{'x':1}", "'expireAfterSeconds':-1"))
        .startsWith("85 ")
        .contains("expireAfterSeconds: 2147483647 }, existing");
    desk.index("{'y':1}", "'expireAfterSeconds':2147483647");
    assertThat(desk.index("{'y':1}", "'expireAfterSeconds':-1").toString())
        .contains("all indexes already exist");
  }

  /** Row 22. */
  @Test
  void aKeyFieldOfThatNameIsOrdinary() {
    desk.index("{'x':1,'expireAfterSeconds':3600}", "");
    assertThat(desk.indexes().get(1))
        .isEqualTo(
            "{'v':2,'key':{'x':1,'expireAfterSeconds':3600},'name':'x_1_expireAfterSeconds_3600'}");
  }

  /** Rows 23, 62 and 97: the order of the fields is that of the list, not of the request. */
  @Test
  void otherOptionsGoWithItInTheOrderOfTheList() {
    desk.index(
        "{'x':-1}",
        "'expireAfterSeconds':10,'sparse':true,'hidden':true,'unique':true,'background':true");
    assertThat(desk.indexes().get(1))
        .isEqualTo(
            "{'v':2,'key':{'x':-1},'name':'x_-1','background':true,'unique':true,'hidden':true,"
                + "'sparse':true,'expireAfterSeconds':10}");
    desk.insert("{'_id':1,'x':" + Desk.ago(10) + "}", "{'_id':2,'x':" + Desk.ago(9) + "}");
    assertThat(desk.count()).isEqualTo(1);
    assertThat(desk.refusedIndex("{'y':1}", "'sparse':true,'partialFilterExpression':{'a':1}"))
        .isEqualTo(
            "67 Error in specification { key: { y: 1 }, name: \"y_1\", sparse: true,"
                + " partialFilterExpression: { a: 1 }, v: 2 } :: caused by :: cannot mix"
                + " \"partialFilterExpression\" and \"sparse\" options");
  }

  /** Row 24, as from 7.1 on. */
  @Test
  void cappedCollectionsExpireToo() {
    desk.run("{'create':'c','capped':true,'size':100000}");
    desk.index("{'x':1}", "'expireAfterSeconds':10");
    desk.insert("{'_id':1,'x':" + Desk.ago(10) + "}");
    assertThat(desk.count()).isZero();
  }

  /** Row 27. */
  @Test
  void viewsAreRefused() {
    desk.run("{'create':'c','viewOn':'t','pipeline':[]}");
    assertThat(desk.refusedIndex("{'x':1}", "'expireAfterSeconds':10"))
        .isEqualTo("166 Cannot create indexes on a view");
  }

  /** Row 63: what is old expires as soon as the index is there. */
  @Test
  void theReplyTellsHowManyExpireNow() {
    desk.insert(
        "{'_id':1,'x':" + Desk.ago(100) + "}",
        "{'_id':2,'x':" + Desk.ago(5) + "}",
        "{'_id':3,'x':'no date'}");
    assertThat(desk.index("{'x':1}", "'expireAfterSeconds':10").field("mayfly"))
        .hasToString("{\"expiredNow\":1}");
    assertThat(desk.count()).isEqualTo(2);
  }

  @Test
  void theGuardRefusesWhatWouldExpireTooMuch() {
    desk.insert("{'_id':1,'x':" + Desk.ago(100) + "}", "{'_id':2,'x':" + Desk.ago(100) + "}");
    String command =
        "{'createIndexes':'c','indexes':[{'key':{'x':1},'name':'x_1','expireAfterSeconds':10}],"
            + "'maxExpireNow':";
    assertThat(desk.refused(command + "1}"))
        .isEqualTo("96 The change would expire 2 documents at once, but maxExpireNow is 1");
    assertThat(desk.count()).isEqualTo(2);
    assertThat(desk.indexes()).hasSize(1);
    assertThat(desk.run(command + "2}").field("mayfly")).hasToString("{\"expiredNow\":2}");
    assertThat(desk.count()).isZero();
  }

  /** Row 65, but for this: what was gone stays gone. */
  @Test
  void droppingTheIndexStopsExpiry() {
    desk.index("{'x':1}", "'expireAfterSeconds':10");
    desk.insert("{'_id':1,'x':" + Desk.ago(10) + "}", "{'_id':2,'x':" + Desk.ago(9) + "}");
    desk.run("{'dropIndexes':'c','index':'x_1'}");
    desk.clock.advance(Duration.ofMinutes(1));
    assertThat(desk.count()).isEqualTo(1);
  }

  /** Row 66. */
  @Test
  void aRenamedCollectionKeepsExpiring() {
    desk.index("{'x':1}", "'expireAfterSeconds':10");
    desk.insert("{'_id':1,'x':" + Desk.ago(0) + "}");
    desk.admin("{'renameCollection':'d.c','to':'d.e'}");
    desk.admin("{'renameCollection':'d.e','to':'d.c'}");
    assertThat(desk.count()).isEqualTo(1);
    desk.clock.advance(Duration.ofSeconds(10));
    assertThat(desk.count()).isZero();
  }
}
