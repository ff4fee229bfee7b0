package dev.mayfly.mongo.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.value.Document;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code mayflyTouch}. */
final class TouchTest {
  private final SchemaFixture fixture = new SchemaFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  private void insert() {
    fixture.index("{'at':1}", "'expireAfterSeconds':10");
    fixture.insert(
        "{'_id':1,'at':" + SchemaFixture.ago(0) + ",'n':1}",
        "{'_id':2,'at':" + SchemaFixture.ago(0) + ",'n':2}");
  }

  @Test
  void documentsOfAFilterGetADeadline() {
    insert();
    Document reply = fixture.run("{'mayflyTouch':'c','filter':{'n':{'$gt':1}},'seconds':60}");
    assertThat(reply)
        .isEqualTo(
            SchemaFixture.json(
                "{'ns':'d.c','matched':{'$numberLong':'1'},'touched':{'$numberLong':'1'},"
                    + "'complete':true}"));
    fixture.clock.advance(Duration.ofMillis(59_999));
    assertThat(fixture.count()).isEqualTo(1);
    fixture.clock.advance(Duration.ofMillis(1));
    assertThat(fixture.count()).isZero();
  }

  @Test
  void deadlinesAreDatesOrExtended() {
    insert();
    fixture.run("{'mayflyTouch':'c','filter':{'_id':1},'deadline':" + SchemaFixture.ago(-20) + "}");
    fixture.run("{'mayflyTouch':'c','filter':{},'extendBySeconds':5}");
    fixture.clock.advance(Duration.ofSeconds(15));
    assertThat(fixture.count()).isEqualTo(1);
    fixture.clock.advance(Duration.ofSeconds(10));
    assertThat(fixture.count()).isZero();
  }

  @Test
  void ruleIsExtendedWithoutAFilter() {
    insert();
    Document reply = fixture.run("{'mayflyTouch':'c','extendBySeconds':5}");
    assertThat(reply.field("rule").asString()).isEqualTo("index:at_1");
    assertThat(fixture.indexes().get(1)).contains("'expireAfterSeconds':15");
    fixture.clock.advance(Duration.ofSeconds(14));
    assertThat(fixture.count()).isEqualTo(2);
  }

  @Test
  void validatorsAreApplied() {
    fixture.run("{'create':'c','validator':{'ttl':{'$lt':30}}}");
    fixture.run(
        "{'createIndexes':'c','indexes':[{'key':{'_ts':1},'name':'x','expireAfterSeconds':10}]}");
    fixture.insert("{'_id':1,'ttl':5}");
    assertThat(fixture.error("{'mayflyTouch':'c','filter':{},'seconds':60}")).startsWith("121 ");
    assertThat(fixture.run("{'mayflyTouch':'c','filter':{},'seconds':20}").toString())
        .contains("\"touched\":1");
  }

  @Test
  void stoppedCommandReportsWhereToContinue() {
    insert();
    Document reply =
        fixture.run("{'mayflyTouch':'c','filter':{},'extendBySeconds':5,'maxMillis':0}");
    assertThat(reply.field("complete").asBoolean()).isFalse();
    String from = reply.field("continueFrom").asString();
    assertThat(
            fixture
                .run(
                    "{'mayflyTouch':'c','filter':{},'extendBySeconds':5,'continueFrom':'"
                        + from
                        + "'}")
                .field("touched")
                .asLong())
        .isEqualTo(2);
  }

  @Test
  void wrongRequestsAreRejected() {
    insert();
    assertThat(fixture.error("{'mayflyTouch':'c'}")).startsWith("72 mayflyTouch needs a 'filter'");
    assertThat(fixture.error("{'mayflyTouch':'c','filter':{},'seconds':1,'deadline':5}"))
        .startsWith("72 ");
    assertThat(fixture.error("{'mayflyTouch':'c','filter':{},'seconds':'x'}")).startsWith("72 ");
    assertThat(fixture.error("{'mayflyTouch':'c','filter':{},'rule':5}")).startsWith("72 ");
    assertThat(fixture.error("{'mayflyTouch':'c','filter':{'$x':1}}")).startsWith("2 ");
    assertThat(fixture.error("{'mayflyTouch':'none','filter':{}}")).startsWith("26 ");
    assertThat(fixture.error("{'mayflyTouch':'c','filter':{},'until':1}")).startsWith("40415 ");
  }
}
