package dev.mayfly.mongo.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.value.Document;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code mayflyWarnings}. */
final class WarningsTest {
  private static final String DATED =
      "{'createIndexes':'c','indexes':[{'key':{'at':1},'name':'at_1','expireAfterSeconds':0}]}";

  private final SchemaFixture fixture = new SchemaFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void documentsAreReportedOnceBeforeTheyExpire() {
    fixture.run(DATED);
    fixture.engine.workUntilIdle();
    fixture.insert(
        "{'_id':1,'at':" + SchemaFixture.ago(-5) + "}",
        "{'_id':2,'at':" + SchemaFixture.ago(-30) + "}",
        "{'_id':3}");
    String command = "{'mayflyWarnings':'c','withinSeconds':10,'fullDocument':true";
    Document first = fixture.run(command + "}");
    assertThat(first.field("documents").toString())
        .contains("\"_id\":1", "\"deadline\"", "\"rule\":\"index:at_1\"", "\"fullDocument\":{")
        .doesNotContain("\"_id\":2");
    assertThat(first.field("more").asBoolean()).isFalse();
    String after = command + ",'after':'" + first.field("next").asString() + "'}";
    assertThat(fixture.run(after).field("documents").asDocument().isEmpty()).isTrue();
    fixture.clock.advance(Duration.ofSeconds(20));
    assertThat(fixture.run(after).field("documents").toString())
        .contains("\"_id\":2")
        .doesNotContain("\"_id\":1");
  }

  @Test
  void wrongRequestsAreRejected() {
    fixture.run(DATED);
    assertThat(fixture.error("{'mayflyWarnings':'none','withinSeconds':10}")).startsWith("26 ");
    assertThat(fixture.error("{'mayflyWarnings':'c'}")).startsWith("40414 ");
    assertThat(fixture.error("{'mayflyWarnings':'c','withinSeconds':0}")).startsWith("51024 ");
    assertThat(fixture.error("{'mayflyWarnings':'c','withinSeconds':5,'limit':1001}"))
        .startsWith("51024 ");
    assertThat(fixture.error("{'mayflyWarnings':'c','withinSeconds':5,'after':'x'}"))
        .startsWith("2 ");
    assertThat(fixture.error("{'mayflyWarnings':'c','withinSeconds':5,'x':1}"))
        .startsWith("40415 ");
  }
}
