package dev.mayfly.mongo.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.value.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Forecast, what-if and undo of expiry. */
final class ForecastAndUndoTest {
  private final SchemaFixture fixture = new SchemaFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void forecastCountsByRule() {
    fixture.index("{'x':1}", "'expireAfterSeconds':100");
    fixture.insert(
        "{'_id':1,'x':" + SchemaFixture.ago(90) + "}",
        "{'_id':2,'x':" + SchemaFixture.ago(0) + "}");
    Document reply = fixture.run("{'mayflyForecast':'c','within':[10,100]}");
    assertThat(reply.field("forecast").toString())
        .contains("\"documents\":1,")
        .contains("\"documents\":2,")
        .contains("\"byRule\":{\"index:x_1\":{\"documents\":2,");
    assertThat(fixture.run("{'mayflyForecast':'c'}").field("forecast").asDocument().field("3"))
        .asString()
        .contains("\"documents\":2");
    assertThat(fixture.error("{'mayflyForecast':'none'}")).startsWith("26 ");
  }

  @Test
  void explainNamesTheRuleOrTheReason() {
    fixture.index("{'x':1}", "'expireAfterSeconds':100");
    fixture.insert("{'_id':1,'x':" + SchemaFixture.ago(90) + "}", "{'_id':2,'x':'soon'}");
    assertThat(
            fixture.run("{'mayflyExplainExpiry':'c','ids':[1,2,3]}").field("documents").toString())
        .contains("\"_id\":1,\"state\":\"live\"", "\"rule\":\"index:x_1\"")
        .contains("\"never\":\"type\",\"why\":\"`x` is a string, not a date.\"")
        .contains("\"_id\":3,\"state\":\"absent\"");
    assertThat(fixture.error("{'mayflyExplainExpiry':'c','ids':1}")).startsWith("14 ");
    assertThat(fixture.error("{'mayflyExplainExpiry':'none','ids':[]}")).startsWith("26 ");
  }

  @Test
  void aTtlIndexThatExpiresFewDocumentsIsNoted() {
    fixture.insert(
        "{'_id':1,'x':'soon'}",
        "{'_id':2,'x':'later'}",
        "{'_id':3,'x':" + SchemaFixture.ago(0) + ",'y':" + SchemaFixture.ago(0) + "}");
    assertThat(create("x").field("note").asString())
        .isEqualTo(
            "x_1 does not expire 2 of 3 documents, for example because:"
                + " `x` is a string, not a date.");
    fixture.insert("{'_id':4,'y':" + SchemaFixture.ago(0) + "}");
    assertThat(create("y").field("note").isMissing()).isTrue();
  }

  private Document create(String field) {
    return fixture.run(
        "{'createIndexes':'c','indexes':[{'key':{'"
            + field
            + "':1},'name':'"
            + field
            + "_1','expireAfterSeconds':9}]}");
  }

  @Test
  void whatIfChangesNothing() {
    fixture.insert(
        "{'_id':1,'x':" + SchemaFixture.ago(90) + "}",
        "{'_id':2,'x':" + SchemaFixture.ago(0) + "}");
    assertThat(
            fixture
                .run(
                    "{'mayflyWhatIf':'c','indexes':[{'key':{'x':1},'name':'x_1',"
                        + "'expireAfterSeconds':50}]}")
                .field("expiresNow")
                .asDocument()
                .field("documents")
                .asLong())
        .isEqualTo(1);
    assertThat(fixture.indexes()).hasSize(1);
    fixture.index("{'x':1}", "");
    assertThat(
            fixture
                .run(
                    "{'mayflyWhatIf':'c','collMod':"
                        + "{'index':{'name':'x_1','expireAfterSeconds':0}}}")
                .field("expiresNow")
                .asDocument()
                .field("documents")
                .asLong())
        .isEqualTo(2);
    assertThat(fixture.count()).isEqualTo(2);
    assertThat(fixture.error("{'mayflyWhatIf':'c'}")).startsWith("72 ");
  }

  @Test
  void undoRestoresDocumentsWithinTheGrace() {
    fixture.run("{'create':'c','mayflyGraceSeconds':3600}");
    fixture.index("{'x':1}", "'expireAfterSeconds':1000");
    fixture.insert("{'_id':1,'x':" + SchemaFixture.ago(90) + "}");
    fixture.run("{'collMod':'c','index':{'name':'x_1','expireAfterSeconds':10}}");
    fixture.engine.workUntilIdle();
    assertThat(fixture.count()).isZero();
    assertThat(fixture.run("{'mayflyUndoExpiry':'c'}").field("restored").asLong()).isEqualTo(1);
    assertThat(fixture.count()).isEqualTo(1);
    assertThat(fixture.indexes().get(1)).endsWith("'expireAfterSeconds':1000}");
  }

  @Test
  void negativeGraceFails() {
    assertThat(fixture.error("{'create':'c','mayflyGraceSeconds':-1}"))
        .isEqualTo("51024 BSON field 'mayflyGraceSeconds' value must be >= 0, actual value '-1'");
  }

  @Test
  void undoCannotBeRepeated() {
    fixture.run("{'create':'c','mayflyGraceSeconds':3600}");
    fixture.index("{'x':1}", "'expireAfterSeconds':1000");
    fixture.insert("{'_id':1,'x':" + SchemaFixture.ago(90) + "}", "{'_id':2}");
    fixture.run("{'collMod':'c','index':{'name':'x_1','expireAfterSeconds':10}}");
    fixture.index("{'y':1}", "'expireAfterSeconds':1000");
    assertThat(fixture.run("{'mayflyUndoExpiry':'c'}"))
        .hasToString("{\"ns\":\"d.c\",\"restored\":1}");
    assertThat(fixture.error("{'mayflyUndoExpiry':'c'}")).startsWith("96 Nothing to undo in d.c");
    assertThat(fixture.indexes().get(1)).endsWith("'expireAfterSeconds':1000}");
    assertThat(fixture.count()).isEqualTo(2);
  }

  @Test
  void undoNeedsAGrace() {
    fixture.index("{'x':1}", "'expireAfterSeconds':1000");
    assertThat(fixture.error("{'mayflyUndoExpiry':'c'}")).startsWith("96 Nothing to undo in d.c");
  }
}
