package dev.mayfly.mongo.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Bounded collections: {@code mayflyLimit}. */
final class LimitTest {
  private static final String DATED =
      "{'createIndexes':'c','indexes':[{'key':{'at':1},'name':'at_1','expireAfterSeconds':10}]}";

  private final SchemaFixture fixture = new SchemaFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  private String listed() {
    return fixture.run("{'listCollections':1}").toString();
  }

  @Test
  void documentsThatExpireFirstAreEvicted() {
    fixture.run("{'create':'c','mayflyLimit':{'maxDocuments':2,'evict':'soonest'}}");
    fixture.run(DATED);
    fixture.engine.workUntilIdle();
    for (int i = 1; i <= 4; i++) {
      fixture.insert("{'_id':" + i + ",'at':" + SchemaFixture.ago(i) + "}");
    }
    assertThat(fixture.count()).isEqualTo(2);
    assertThat(listed())
        .contains("\"mayflyLimit\":{\"maxDocuments\":2,\"evict\":\"soonest\"}")
        .doesNotContain("capped");
    fixture.run("{'create':'c','mayflyLimit':{'maxDocuments':2}}");
  }

  @Test
  void collModChangesTheLimit() {
    fixture.insert("{'_id':1}", "{'_id':2}", "{'_id':3}");
    fixture.run("{'collMod':'c','mayflyLimit':{'maxBytes':1000,'maxDocuments':2}}");
    assertThat(listed()).contains("\"maxBytes\":1000,\"maxDocuments\":2");
    assertThat(fixture.count()).isEqualTo(3);
    fixture.insert("{'_id':4}");
    assertThat(fixture.count()).isEqualTo(2);
    fixture.run("{'collMod':'c','mayflyLimit':'off'}");
    assertThat(listed()).doesNotContain("mayflyLimit");
    fixture.insert("{'_id':5}");
    assertThat(fixture.count()).isEqualTo(3);
  }

  @Test
  void wrongLimitsAreRejected() {
    assertThat(fixture.error("{'create':'c','mayflyLimit':{}}")).startsWith("72 ");
    assertThat(fixture.error("{'create':'c','mayflyLimit':5}")).startsWith("14 ");
    assertThat(fixture.error("{'create':'c','mayflyLimit':{'maxBytes':0}}")).startsWith("51024 ");
    assertThat(fixture.error("{'create':'c','mayflyLimit':{'max':1}}")).startsWith("40415 ");
    assertThat(fixture.error("{'create':'c','mayflyLimit':{'maxBytes':1,'evict':'oldest'}}"))
        .startsWith("72 ");
    assertThat(fixture.error("{'create':'c','capped':true,'size':1,'mayflyLimit':{'maxBytes':1}}"))
        .startsWith("72 ");
  }
}
