package dev.mayfly.mongo.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.value.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Knowing what will expire, what would, and bringing it back. */
final class ForesightTest {
  private final Desk desk = new Desk();

  @AfterEach
  void close() {
    desk.close();
  }

  @Test
  void theForecastCountsByRule() {
    desk.index("{'x':1}", "'expireAfterSeconds':100");
    desk.insert("{'_id':1,'x':" + Desk.ago(90) + "}", "{'_id':2,'x':" + Desk.ago(0) + "}");
    Document reply = desk.run("{'mayflyForecast':'c','within':[10,100]}");
    assertThat(reply.field("forecast").toString())
        .contains("\"documents\":1,")
        .contains("\"documents\":2,")
        .contains("\"byRule\":{\"index:x_1\":{\"documents\":2,");
    assertThat(desk.run("{'mayflyForecast':'c'}").field("forecast").asDocument().field("3"))
        .asString()
        .contains("\"documents\":2");
    assertThat(desk.refused("{'mayflyForecast':'none'}")).startsWith("26 ");
  }

  @Test
  void whatIfAnswersWithoutDoing() {
    desk.insert("{'_id':1,'x':" + Desk.ago(90) + "}", "{'_id':2,'x':" + Desk.ago(0) + "}");
    assertThat(
            desk.run(
                    "{'mayflyWhatIf':'c','indexes':[{'key':{'x':1},'name':'x_1',"
                        + "'expireAfterSeconds':50}]}")
                .field("expiresNow")
                .asDocument()
                .field("documents")
                .asLong())
        .isEqualTo(1);
    assertThat(desk.indexes()).hasSize(1);
    desk.index("{'x':1}", "");
    assertThat(
            desk.run(
                    "{'mayflyWhatIf':'c','collMod':"
                        + "{'index':{'name':'x_1','expireAfterSeconds':0}}}")
                .field("expiresNow")
                .asDocument()
                .field("documents")
                .asLong())
        .isEqualTo(2);
    assertThat(desk.count()).isEqualTo(2);
    assertThat(desk.refused("{'mayflyWhatIf':'c'}")).startsWith("72 ");
  }

  @Test
  void aRuleChangeIsUndoneWithinTheGrace() {
    desk.run("{'create':'c','mayflyGraceSeconds':3600}");
    desk.index("{'x':1}", "'expireAfterSeconds':1000");
    desk.insert("{'_id':1,'x':" + Desk.ago(90) + "}");
    desk.run("{'collMod':'c','index':{'name':'x_1','expireAfterSeconds':10}}");
    desk.engine.workUntilIdle();
    assertThat(desk.count()).isZero();
    assertThat(desk.run("{'mayflyUndoExpiry':'c'}").field("restored").asLong()).isEqualTo(1);
    assertThat(desk.count()).isEqualTo(1);
    assertThat(desk.indexes().get(1)).endsWith("'expireAfterSeconds':1000}");
  }

  @Test
  void aGraceIsNotLessThanNone() {
    assertThat(desk.refused("{'create':'c','mayflyGraceSeconds':-1}"))
        .isEqualTo("51024 BSON field 'mayflyGraceSeconds' value must be >= 0, actual value '-1'");
  }

  @Test
  void whatIsBackIsNotUndoneAgain() {
    desk.run("{'create':'c','mayflyGraceSeconds':3600}");
    desk.index("{'x':1}", "'expireAfterSeconds':1000");
    desk.insert("{'_id':1,'x':" + Desk.ago(90) + "}", "{'_id':2}");
    desk.run("{'collMod':'c','index':{'name':'x_1','expireAfterSeconds':10}}");
    desk.index("{'y':1}", "'expireAfterSeconds':1000");
    assertThat(desk.run("{'mayflyUndoExpiry':'c'}")).hasToString("{\"ns\":\"d.c\",\"restored\":1}");
    assertThat(desk.refused("{'mayflyUndoExpiry':'c'}")).startsWith("96 Nothing to undo in d.c");
    assertThat(desk.indexes().get(1)).endsWith("'expireAfterSeconds':1000}");
    assertThat(desk.count()).isEqualTo(2);
  }

  @Test
  void withoutGraceNothingIsUndone() {
    desk.index("{'x':1}", "'expireAfterSeconds':1000");
    assertThat(desk.refused("{'mayflyUndoExpiry':'c'}")).startsWith("96 Nothing to undo in d.c");
  }
}
