package dev.mayfly.mongo.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Write;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Documents that follow others: {@code mayflyExpiresWith}. */
final class FollowingTest {
  private static final String WITH =
      "'mayflyExpiresWith':{'collection':'files','field':'file','deleted':true}";

  private final SchemaFixture fixture = new SchemaFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  private String listed() {
    return fixture.run("{'listCollections':1}").toString();
  }

  private void createBoth() {
    fixture.run("{'create':'files'}");
    fixture.run(
        "{'createIndexes':'files','indexes':"
            + "[{'key':{'at':1},'name':'at_1','expireAfterSeconds':10}]}");
    fixture.run("{'createIndexes':'c','indexes':[{'key':{'file':1,'n':1},'name':'file_1_n_1'}]}");
    fixture.run("{'collMod':'c'," + WITH + "}");
    fixture.engine.workUntilIdle();
  }

  @Test
  void collModDeclaresAndRemovesTheParents() {
    createBoth();
    assertThat(listed())
        .contains(
            "\"mayflyExpiresWith\":{\"collection\":\"files\",\"field\":\"file\",\"deleted\":true}");
    fixture.run("{'collMod':'c','mayflyExpiresWith':'off'}");
    assertThat(listed()).doesNotContain("mayflyExpiresWith");
  }

  @Test
  void childrenExpireWithTheirParent() {
    createBoth();
    fixture
        .engine
        .collection(new Namespace("d", "files"))
        .write(
            new Write.Insert(
                Document.writer()
                    .put("_id", 1)
                    .put("at", Value.date(SchemaFixture.START))
                    .build()));
    fixture.insert("{'_id':1,'file':1,'n':0}", "{'_id':2,'file':1,'n':1}", "{'_id':3,'file':2}");
    assertThat(fixture.run("{'mayflyForecast':'c'}").toString())
        .contains("\"with:files\":{\"documents\":2");
    assertThat(fixture.run("{'mayflyExplainExpiry':'c','ids':[1]}").toString())
        .contains("\"rule\":\"with:files\"");
    fixture.clock.advance(Duration.ofMillis(9_999));
    assertThat(fixture.count()).isEqualTo(3);
    fixture.clock.advance(Duration.ofMillis(1));
    assertThat(fixture.count()).isEqualTo(1);
    fixture.engine.workUntilIdle();
    assertThat(fixture.count()).isEqualTo(1);
  }

  /** Restored dumps and seeds declare options before indexes. */
  @Test
  void aNewCollectionGetsTheIndexThatFindsItsDocuments() {
    fixture.run("{'create':'files'}");
    fixture.run("{'create':'c'," + WITH + "}");
    assertThat(fixture.run("{'listIndexes':'c'}").toString()).contains("\"name\":\"file_1\"");
    fixture.run("{'createIndexes':'c','indexes':[{'key':{'file':1},'name':'file_1'}]}");
    fixture.run("{'create':'c'," + WITH + "}");
  }

  @Test
  void wrongParentsAreRejected() {
    fixture.run("{'create':'files'}");
    fixture.run("{'create':'c'}");
    assertThat(fixture.error("{'collMod':'c','mayflyExpiresWith':{}}")).startsWith("72 ");
    assertThat(fixture.error("{'collMod':'c','mayflyExpiresWith':5}")).startsWith("14 ");
    assertThat(fixture.error("{'collMod':'c','mayflyExpiresWith':{'collection':'files','x':1}}"))
        .startsWith("40415 ");
    assertThat(fixture.error("{'collMod':'c'," + WITH + "}"))
        .contains("needs an index that begins with file");
    fixture.run("{'createIndexes':'c','indexes':[{'key':{'file':1},'name':'file_1'}]}");
    assertThat(
            fixture.error(
                "{'collMod':'c','mayflyExpiresWith':{'collection':'none','field':'file'}}"))
        .contains("does not exist: none");
    assertThat(
            fixture.error("{'collMod':'c','mayflyExpiresWith':{'collection':'c','field':'file'}}"))
        .contains("cannot expire with itself");
    fixture.run("{'collMod':'c'," + WITH + "}");
    assertThat(fixture.error("{'dropIndexes':'c','index':'file_1'}"))
        .contains("needs an index that begins with file");
    fixture.run("{'createIndexes':'files','indexes':[{'key':{'x':1},'name':'x_1'}]}");
    assertThat(
            fixture.error("{'collMod':'files','mayflyExpiresWith':{'collection':'c','field':'x'}}"))
        .contains("expires with another one itself");
    fixture.run("{'create':'other'}");
    assertThat(
            fixture.error(
                "{'collMod':'files','mayflyExpiresWith':{'collection':'other','field':'x'}}"))
        .contains("other collections expire with this one");
    assertThat(fixture.error("{'collMod':'c','mayflyLimit':{'maxDocuments':1}}"))
        .contains("cannot expire with another one");
  }
}
