package dev.mayfly.mongo.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A TTL index on {@code _ts}: the default TTL since the last write, as in Azure Cosmos DB. */
final class LastWriteTtlTest {
  private final SchemaFixture fixture = new SchemaFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void documentTtlOverridesTheDefaultTtl() {
    fixture.index("{'_ts':1}", "'expireAfterSeconds':10");
    fixture.insert(
        "{'_id':1}", "{'_id':2,'ttl':-1}", "{'_id':3,'ttl':20}", "{'_id':4,'ttl':'no number'}");
    assertThat(fixture.count()).isEqualTo(4);
    fixture.clock.advance(Duration.ofSeconds(10));
    assertThat(fixture.count()).isEqualTo(2);
    fixture.clock.advance(Duration.ofSeconds(10));
    assertThat(fixture.count()).isEqualTo(1);
  }

  @Test
  void existingDocumentsCountFromTheirLastWrite() {
    fixture.insert("{'_id':1}");
    fixture.clock.advance(Duration.ofSeconds(60));
    fixture.insert("{'_id':2}");
    assertThat(fixture.index("{'_ts':1}", "'expireAfterSeconds':60").field("mayfly"))
        .hasToString("{\"expiredNow\":1}");
    assertThat(fixture.count()).isEqualTo(1);
  }

  @Test
  void indexOnTsIsListedChangedAndDropped() {
    fixture.index("{'_ts':1}", "'expireAfterSeconds':10");
    fixture.insert("{'_id':1}");
    assertThat(fixture.indexes().get(1))
        .isEqualTo("{'v':2,'key':{'_ts':1},'name':'_ts_1','expireAfterSeconds':10}");
    assertThat(
            fixture
                .run("{'collMod':'c','index':{'name':'_ts_1','expireAfterSeconds':20}}")
                .field("expireAfterSeconds_old")
                .asLong())
        .isEqualTo(10);
    assertThat(fixture.indexes().get(1)).endsWith("'expireAfterSeconds':20}");
    fixture.clock.advance(Duration.ofSeconds(15));
    assertThat(fixture.count()).isEqualTo(1);
    fixture.run("{'dropIndexes':'c','index':{'_ts':1}}");
    fixture.clock.advance(Duration.ofSeconds(15));
    assertThat(fixture.count()).isEqualTo(1);
    assertThat(fixture.indexes()).hasSize(1);
  }

  @Test
  void minusOneExpiresOnlyDocumentsWithATtl() {
    fixture.index("{'_ts':1}", "'expireAfterSeconds':-1");
    assertThat(fixture.index("{'_ts':1}", "'expireAfterSeconds':-1").toString())
        .contains("all indexes already exist");
    fixture.insert("{'_id':1}", "{'_id':2,'ttl':5}");
    fixture.clock.advance(Duration.ofSeconds(5));
    assertThat(fixture.count()).isEqualTo(1);
    assertThat(fixture.indexes().get(1)).endsWith("'expireAfterSeconds':-1}");
  }

  @Test
  void collModTurnsAnIndexOnTsIntoATtlIndex() {
    fixture.index("{'_ts':1}", "");
    fixture.insert("{'_id':1}");
    fixture.run("{'collMod':'c','index':{'keyPattern':{'_ts':1},'expireAfterSeconds':10}}");
    fixture.clock.advance(Duration.ofSeconds(10));
    assertThat(fixture.count()).isZero();
  }

  @Test
  void collModAcceptsMinusOneButNotZero() {
    fixture.index("{'_ts':1}", "'expireAfterSeconds':10");
    fixture.insert("{'_id':1}", "{'_id':2,'ttl':5}");
    String change = "{'collMod':'c','index':{'name':'_ts_1','expireAfterSeconds':";
    assertThat(fixture.run(change + "-1}}").field("expireAfterSeconds_new").asLong()).isEqualTo(-1);
    assertThat(fixture.indexes().get(1)).endsWith("'expireAfterSeconds':-1}");
    fixture.clock.advance(Duration.ofSeconds(100));
    assertThat(fixture.count()).isEqualTo(1);
    assertThat(fixture.error(change + "0}}"))
        .isEqualTo(
            "72 'expireAfterSeconds' of a TTL index on '_ts' must be -1 or between 1 and"
                + " 2147483647");
    assertThat(fixture.error(change + "-2}}"))
        .isEqualTo("72 TTL index 'expireAfterSeconds' option cannot be less than 0");
  }

  @Test
  void uniqueIndexOnTsCannotHaveATtl() {
    fixture.index("{'_ts':1}", "'unique':true");
    assertThat(fixture.error("{'collMod':'c','index':{'name':'_ts_1','expireAfterSeconds':10}}"))
        .isEqualTo("72 a TTL index on '_ts' can be neither unique nor partial");
  }

  @Test
  void ttlOnTsCannotBeZeroOrUnique() {
    assertThat(fixture.indexError("{'_ts':1}", "'expireAfterSeconds':0"))
        .endsWith("must be -1 or between 1 and 2147483647");
    assertThat(fixture.indexError("{'_ts':1}", "'expireAfterSeconds':5,'unique':true"))
        .endsWith("a TTL index on '_ts' can be neither unique nor partial");
  }

  @Test
  void storedDateInTsIsIgnored() {
    fixture.index("{'_ts':1}", "'expireAfterSeconds':10");
    fixture.insert("{'_id':1,'_ts':" + SchemaFixture.ago(1000) + "}");
    assertThat(fixture.count()).isEqualTo(1);
  }
}
