package dev.mayfly.mongo.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.Namespace;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Actions on expiry: {@code mayflyOnExpire}. */
final class OnExpireTest {
  private static final String DATED =
      "{'createIndexes':'c','indexes':[{'key':{'at':1},'name':'at_1','expireAfterSeconds':10}]}";

  private final SchemaFixture fixture = new SchemaFixture();

  @BeforeEach
  void create() {
    fixture.run("{'create':'past'}");
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private String listed() {
    return fixture.run("{'listCollections':1}").toString();
  }

  private long past() {
    return fixture.engine.collection(new Namespace("d", "past")).usage().documents();
  }

  @Test
  void expiredDocumentsMove() {
    fixture.run("{'create':'c','mayflyOnExpire':{'moveTo':'d.past'}}");
    assertThat(listed()).contains("\"mayflyOnExpire\":{\"moveTo\":\"d.past\"}");
    fixture.run(DATED);
    fixture.insert("{'_id':1,'at':" + SchemaFixture.ago(60) + "}");
    fixture.engine.workUntilIdle();
    assertThat(past()).isEqualTo(1);
  }

  @Test
  void collModChangesTheAction() {
    fixture.insert("{'_id':1}");
    fixture.run("{'collMod':'c','mayflyOnExpire':{'moveTo':'d.past','evicted':true}}");
    assertThat(listed()).contains("\"moveTo\":\"d.past\",\"evicted\":true");
    fixture.run("{'collMod':'c','mayflyOnExpire':'off'}");
    assertThat(listed()).doesNotContain("mayflyOnExpire");
  }

  @Test
  void wrongActionsAreRejected() {
    assertThat(fixture.error("{'create':'c','mayflyOnExpire':{}}")).startsWith("72 ");
    assertThat(fixture.error("{'create':'c','mayflyOnExpire':5}")).startsWith("14 ");
    assertThat(fixture.error("{'create':'c','mayflyOnExpire':{'moveTo':'d.none'}}"))
        .startsWith("72 ")
        .contains("does not exist");
    assertThat(fixture.error("{'create':'c','mayflyOnExpire':{'files':'x'}}"))
        .startsWith("72 ")
        .contains("on-expire-directory");
    assertThat(fixture.error("{'create':'c','mayflyOnExpire':{'post':'http://localhost/'}}"))
        .startsWith("72 ")
        .contains("on-expire-hosts");
    assertThat(fixture.error("{'create':'c','mayflyOnExpire':{'post':'ftp://x/'}}"))
        .startsWith("72 ");
    assertThat(fixture.error("{'create':'v','viewOn':'c','mayflyOnExpire':{'files':'x'}}"))
        .startsWith("72 ");
  }
}
