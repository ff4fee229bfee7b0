package dev.mayfly.mongo.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A TTL index on {@code _ts}: the time since the last write, as Azure Cosmos DB defines it. */
final class LastWriteTtlTest {
  private final Desk desk = new Desk();

  @AfterEach
  void close() {
    desk.close();
  }

  @Test
  void documentsExpireAfterTheirLastWriteUnlessTheySayOtherwise() {
    desk.index("{'_ts':1}", "'expireAfterSeconds':10");
    desk.insert(
        "{'_id':1}", "{'_id':2,'ttl':-1}", "{'_id':3,'ttl':20}", "{'_id':4,'ttl':'no number'}");
    assertThat(desk.count()).isEqualTo(4);
    desk.clock.advance(Duration.ofSeconds(10));
    assertThat(desk.count()).isEqualTo(2);
    desk.clock.advance(Duration.ofSeconds(10));
    assertThat(desk.count()).isEqualTo(1);
  }

  @Test
  void whatWasThereBeforeCountsFromItsLastWrite() {
    desk.insert("{'_id':1}");
    desk.clock.advance(Duration.ofSeconds(60));
    desk.insert("{'_id':2}");
    assertThat(desk.index("{'_ts':1}", "'expireAfterSeconds':60").field("mayfly"))
        .hasToString("{\"expiredNow\":1}");
    assertThat(desk.count()).isEqualTo(1);
  }

  @Test
  void itIsListedChangedAndDroppedLikeAnIndex() {
    desk.index("{'_ts':1}", "'expireAfterSeconds':10");
    desk.insert("{'_id':1}");
    assertThat(desk.indexes().get(1))
        .isEqualTo("{'v':2,'key':{'_ts':1},'name':'_ts_1','expireAfterSeconds':10}");
    assertThat(
            desk.run("{'collMod':'c','index':{'name':'_ts_1','expireAfterSeconds':20}}")
                .field("expireAfterSeconds_old")
                .asLong())
        .isEqualTo(10);
    assertThat(desk.indexes().get(1)).endsWith("'expireAfterSeconds':20}");
    desk.clock.advance(Duration.ofSeconds(15));
    assertThat(desk.count()).isEqualTo(1);
    desk.run("{'dropIndexes':'c','index':{'_ts':1}}");
    desk.clock.advance(Duration.ofSeconds(15));
    assertThat(desk.count()).isEqualTo(1);
    assertThat(desk.indexes()).hasSize(1);
  }

  @Test
  void minusOneLeavesItToTheDocuments() {
    desk.index("{'_ts':1}", "'expireAfterSeconds':-1");
    assertThat(desk.index("{'_ts':1}", "'expireAfterSeconds':-1").toString())
        .contains("all indexes already exist");
    desk.insert("{'_id':1}", "{'_id':2,'ttl':5}");
    desk.clock.advance(Duration.ofSeconds(5));
    assertThat(desk.count()).isEqualTo(1);
    assertThat(desk.indexes().get(1)).endsWith("'expireAfterSeconds':-1}");
  }

  @Test
  void anOrdinaryIndexOnThatFieldBecomesIt() {
    desk.index("{'_ts':1}", "");
    desk.insert("{'_id':1}");
    desk.run("{'collMod':'c','index':{'keyPattern':{'_ts':1},'expireAfterSeconds':10}}");
    desk.clock.advance(Duration.ofSeconds(10));
    assertThat(desk.count()).isZero();
  }

  @Test
  void aChangeLeavesItToTheDocumentsToo() {
    desk.index("{'_ts':1}", "'expireAfterSeconds':10");
    desk.insert("{'_id':1}", "{'_id':2,'ttl':5}");
    String change = "{'collMod':'c','index':{'name':'_ts_1','expireAfterSeconds':";
    assertThat(desk.run(change + "-1}}").field("expireAfterSeconds_new").asLong()).isEqualTo(-1);
    assertThat(desk.indexes().get(1)).endsWith("'expireAfterSeconds':-1}");
    desk.clock.advance(Duration.ofSeconds(100));
    assertThat(desk.count()).isEqualTo(1);
    assertThat(desk.refused(change + "0}}"))
        .isEqualTo(
            "72 'expireAfterSeconds' of a TTL index on '_ts' must be -1 or between 1 and"
                + " 2147483647");
    assertThat(desk.refused(change + "-2}}"))
        .isEqualTo("72 TTL index 'expireAfterSeconds' option cannot be less than 0");
  }

  @Test
  void anIndexThatTakesSomeDocumentsOnlyDoesNotBecomeIt() {
    desk.index("{'_ts':1}", "'unique':true");
    assertThat(desk.refused("{'collMod':'c','index':{'name':'_ts_1','expireAfterSeconds':10}}"))
        .isEqualTo("72 a TTL index on '_ts' can be neither unique nor partial");
  }

  @Test
  void noLifeLastsNoTime() {
    assertThat(desk.refusedIndex("{'_ts':1}", "'expireAfterSeconds':0"))
        .endsWith("must be -1 or between 1 and 2147483647");
    assertThat(desk.refusedIndex("{'_ts':1}", "'expireAfterSeconds':5,'unique':true"))
        .endsWith("a TTL index on '_ts' can be neither unique nor partial");
  }

  @Test
  void aDateOfTheUsersOwnInThatFieldDoesNotCount() {
    desk.index("{'_ts':1}", "'expireAfterSeconds':10");
    desk.insert("{'_id':1,'_ts':" + Desk.ago(1000) + "}");
    assertThat(desk.count()).isEqualTo(1);
  }
}
