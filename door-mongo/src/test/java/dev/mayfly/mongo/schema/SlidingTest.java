package dev.mayfly.mongo.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mongo.Shell;
import dev.mayfly.query.Filter;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code mayflySliding}. */
final class SlidingTest {
  private static final String NOW = "{'$date':{'$numberLong':'" + Shell.START + "'}}";

  private final Shell shell = new Shell();

  @AfterEach
  void close() {
    shell.close();
  }

  private void createIndex(String key, String options) {
    shell.run(
        "{'createIndexes':'c','indexes':[{'key':" + key + ",'name':'used_1'," + options + "}]}");
  }

  private void insert(String... documents) {
    shell.run("{'insert':'c','documents':[" + String.join(",", documents) + "]}");
  }

  private long count() {
    return shell.collection().count(Filter.all());
  }

  /** The description of the second index. */
  private String index() {
    return Shell.at(shell.run("{'listIndexes':'c'}"), "cursor.firstBatch.1")
        .toString()
        .replace('"', '\'');
  }

  private void advance(long millis) {
    shell.advance(Duration.ofMillis(millis));
  }

  private int found(String filter) {
    Fields batch =
        shell
            .run("{'find':'c','filter':" + filter + "}")
            .field("cursor")
            .asDocument()
            .field("firstBatch")
            .asDocument()
            .fields();
    int found = 0;
    while (batch.next()) {
      found++;
    }
    return found;
  }

  @Test
  void readsByIdExtendALife() {
    createIndex("{'used':1}", "'expireAfterSeconds':100,'mayflySliding':true");
    insert("{'_id':1,'used':" + NOW + ",'n':1}");
    assertThat(index()).contains("'mayflySliding':true");
    advance(60_000);
    assertThat(found("{'n':1}")).as("does not count").isEqualTo(1);
    assertThat(found("{'_id':1}")).isEqualTo(1);
    advance(99_999);
    assertThat(count()).isEqualTo(1);
    Document life =
        shell
            .run("{'mayflyExplainExpiry':'c','ids':[1]}")
            .field("documents")
            .asDocument()
            .field("0")
            .asDocument();
    assertThat(life.field("deadline").asDate() - life.field("usedAt").asDate()).isEqualTo(100_000);
    advance(1);
    assertThat(count()).isZero();
    assertThat(found("{'_id':1}")).isZero();
  }

  @Test
  void queriesExtendByOptionAndUpdatesAreWrites() {
    createIndex(
        "{'_ts':1}",
        "'expireAfterSeconds':100,"
            + "'mayflySliding':{'queries':true,'slackSeconds':{'$numberLong':'2'}}");
    insert("{'_id':1,'n':1}", "{'_id':2,'n':2}", "{'_id':3,'n':3}");
    assertThat(index()).contains("slackSeconds").contains("'queries':true");
    advance(90_000);
    assertThat(found("{'n':1}")).isEqualTo(1);
    shell.run("{'update':'c','updates':[{'q':{'n':2},'u':{'$set':{'m':1}}}]}");
    advance(10_000);
    assertThat(count()).isEqualTo(2);
    advance(90_000);
    assertThat(count()).isZero();
  }

  @Test
  void commandsThatOnlyExamineDocumentsExtendNoLife() {
    createIndex("{'_ts':1}", "'expireAfterSeconds':100,'mayflySliding':{'queries':true}");
    insert("{'_id':1,'n':1}", "{'_id':2,'n':2}");
    shell.run("{'createIndexes':'c','indexes':[{'key':{'n':1},'name':'n_1'}]}");
    advance(50_000);
    shell.run("{'validate':'c'}");
    shell.run("{'dbHash':1}");
    shell.run("{'dataSize':'d.c','keyPattern':{'_id':1},'min':{'_id':0},'max':{'_id':9}}");
    shell.run("{'collMod':'c','index':{'name':'n_1','prepareUnique':true}}");
    shell.run("{'collMod':'c','index':{'name':'n_1','unique':true}}");
    shell.run("{'cloneCollectionAsCapped':'c','toCollection':'copy','size':10000}");
    advance(50_000);
    assertThat(count()).isZero();
  }

  @Test
  void collModTurnsItOnAndOff() {
    createIndex("{'used':1}", "'expireAfterSeconds':100");
    insert("{'_id':1,'used':" + NOW + "}");
    advance(50_000);
    assertThat(
            shell.run("{'collMod':'c','index':{'name':'used_1','mayflySliding':true}}").toString())
        .contains("\"mayflySliding_old\":false,\"mayflySliding_new\":true");
    assertThat(found("{'_id':1}")).isEqualTo(1);
    advance(99_999);
    assertThat(count()).isEqualTo(1);
    Document off =
        shell.run(
            "{'collMod':'c','index':"
                + "{'name':'used_1','mayflySliding':false,'expireAfterSeconds':0}}");
    assertThat(off.toString()).contains("\"mayflySliding_new\":false");
    assertThat(index()).doesNotContain("mayflySliding");
    assertThat(count()).isZero();
  }

  @Test
  void clusteredCollectionsSlideToo() {
    shell.run(
        "{'create':'c','clusteredIndex':{'key':{'_id':1},'unique':true},"
            + "'expireAfterSeconds':100,'mayflySliding':true}");
    insert("{'_id':" + NOW + "}");
    advance(90_000);
    assertThat(found("{'_id':" + NOW + "}")).isEqualTo(1);
    advance(99_999);
    assertThat(count()).isEqualTo(1);
    advance(1);
    assertThat(count()).isZero();
  }

  @Test
  void wrongOptionsAreRejected() {
    String create = "{'createIndexes':'c','indexes':[{'key':{'a':1},'name':'a_1',%s}]}";
    assertThat(shell.error(create.formatted("'mayflySliding':true"))).startsWith("67 ");
    assertThat(shell.error(create.formatted("'expireAfterSeconds':0,'mayflySliding':true")))
        .startsWith("67 ");
    assertThat(shell.error(create.formatted("'expireAfterSeconds':9,'mayflySliding':3")))
        .startsWith("2 ")
        .contains("'mayflySliding' is invalid");
    assertThat(
            shell.error(
                create.formatted("'expireAfterSeconds':9,'mayflySliding':{'slackSeconds':0}")))
        .startsWith("2 ");
    assertThat(shell.error(create.formatted("'expireAfterSeconds':9,'mayflySliding':{'on':true}")))
        .startsWith("2 ");
    createIndex("{'used':1}", "'expireAfterSeconds':100,'mayflySliding':true");
    assertThat(shell.error("{'collMod':'c','index':{'name':'used_1','expireAfterSeconds':0}}"))
        .startsWith("72 ");
    assertThat(shell.error("{'collMod':'c','mayflySliding':true}")).startsWith("72 ");
    assertThat(shell.error("{'create':'e','mayflySliding':true}")).startsWith("72 ");
  }
}
