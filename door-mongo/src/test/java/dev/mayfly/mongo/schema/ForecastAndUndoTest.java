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
