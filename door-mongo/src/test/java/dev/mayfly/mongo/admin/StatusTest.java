package dev.mayfly.mongo.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mongo.Shell;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code serverStatus}, and the log of the sweep. */
final class StatusTest {
  private final Shell shell = new Shell();

  @AfterEach
  void close() {
    shell.close();
  }

  private Document status(String section) {
    return shell.admin("{'serverStatus':1}").field(section).asDocument();
  }

  private String feature(String name) {
    return Shell.text(Shell.at(status("indexStats"), "features." + name));
  }

  private void index(String collection, String index) {
    shell.run("{'createIndexes':'" + collection + "','indexes':[" + index + "]}");
  }

  @Test
  void batchesOfTheSweepAreCounted() {
    index("c", "{'key':{'at':1},'name':'at_1','expireAfterSeconds':10}");
    assertThat(Shell.text(status("batchedDeletes").field("batches"))).isEqualTo("0");
    shell.insert("{'_id':1,'at':" + Shell.ago(0) + "}", "{'_id':2,'at':" + Shell.ago(0) + "}");
    shell.advance(Duration.ofSeconds(11));
    shell.sweep();
    int bytes = 2 * Shell.json("{'_id':1,'at':" + Shell.ago(0) + "}").length();
    assertThat(Shell.text(Value.of(status("batchedDeletes"))))
        .isEqualTo(
            "{'batches':1,'docs':2,'stagedSizeBytes':"
                + bytes
                + ",'timeInBatchMillis':0,'refetchesDueToYield':0}");
  }

  @Test
  void indexStatsCountsIndexesByFeature() {
    shell.run(
        "{'create':'byDate','clusteredIndex':{'key':{'_id':1},'unique':true},"
            + "'expireAfterSeconds':100}");
    shell.run("{'create':'v','viewOn':'c'}");
    index("c", "{'key':{'at':1},'name':'at_1','expireAfterSeconds':1000,'sparse':true}");
    index("c", "{'key':{'a':1,'b':1},'name':'ab','unique':true}");
    index("c", "{'key':{'p':'2dsphere'},'name':'p'}");
    index("c", "{'key':{'$**':1},'name':'w'}");
    shell.found("{'at':" + Shell.ago(0) + "}");
    shell.found("{'a':1,'b':2}");
    shell.all("{'find':'c','filter':{'_id':1}}");
    assertThat(status("indexStats").field("count").asLong()).isEqualTo(5);
    assertThat(feature("id")).isEqualTo("{'count':1,'accesses':1}");
    assertThat(feature("ttl")).isEqualTo("{'count':1,'accesses':1}");
    assertThat(feature("sparse")).isEqualTo("{'count':1,'accesses':1}");
    assertThat(feature("normal")).isEqualTo("{'count':2,'accesses':2}");
    assertThat(feature("single")).isEqualTo("{'count':3,'accesses':1}");
    assertThat(feature("compound")).isEqualTo("{'count':1,'accesses':1}");
    assertThat(feature("unique")).isEqualTo("{'count':1,'accesses':1}");
    assertThat(feature("2dsphere")).isEqualTo("{'count':1,'accesses':0}");
    assertThat(feature("wildcard")).isEqualTo("{'count':1,'accesses':0}");
    assertThat(feature("text")).isEqualTo("{'count':0,'accesses':0}");
  }

  @Test
  void indexStatsOmitsInternalDatabases() {
    shell.admin("{'create':'mine'}");
    assertThat(status("indexStats").field("count").asLong()).isZero();
  }

  @Test
  void sectionsCanBeExcluded() {
    Document reply = shell.admin("{'serverStatus':1,'metrics':0,'repl':false,'mem':1}");
    assertThat(reply.field("metrics").isMissing()).isTrue();
    assertThat(reply.field("repl").isMissing()).isTrue();
    assertThat(reply.field("mem").isMissing()).isFalse();
    assertThat(reply.field("opcounters").isMissing()).isFalse();
  }

  @Test
  void openCursorsAreCounted() {
    shell.insert("{'_id':1}");
    shell.insert("{'_id':2}");
    shell.run("{'find':'c','batchSize':1}");
    shell.run("{'find':'c','batchSize':1,'noCursorTimeout':true}");
    assertThat(Shell.text(status("metrics").field("cursor")))
        .isEqualTo("{'timedOut':0,'open':{'noTimeout':1,'pinned':0,'total':2}}");
    shell.nanos.addAndGet(TimeUnit.MINUTES.toNanos(11));
    shell.cursors().closeIdle();
    assertThat(Shell.text(status("metrics").field("cursor")))
        .isEqualTo("{'timedOut':1,'open':{'noTimeout':1,'pinned':0,'total':1}}");
  }

  @Test
  void memIsTheMemoryOfTheProcess() {
    Document memory = status("mem");
    int heap = (int) (Runtime.getRuntime().totalMemory() >> 20);
    assertThat(memory.field("resident").asInt()).isPositive();
    assertThat(memory.field("virtual").asInt())
        .isGreaterThan(memory.field("resident").asInt())
        .isGreaterThan(heap);
  }

  @Test
  void memoryStoreIsNotPersistent() {
    assertThat(status("storageEngine").field("persistent").asBoolean()).isFalse();
  }

  @Test
  void globalLockCountsActiveClients() {
    assertThat(Shell.text(Shell.at(status("globalLock"), "activeClients")))
        .isEqualTo("{'total':0,'readers':0,'writers':0}");
    assertThat(Shell.text(Shell.at(status("globalLock"), "currentQueue")))
        .isEqualTo("{'total':0,'readers':0,'writers':0}");
  }

  @Test
  void latenciesAndFailuresAreCounted() {
    shell.insert("{'_id':1}");
    shell.found("{}");
    shell.all("{'find':'other'}");
    shell.error("{'nix':1}");
    Document latencies = status("opLatencies");
    assertThat(Shell.at(latencies, "reads.ops").asLong()).isEqualTo(2);
    assertThat(Shell.at(latencies, "writes.ops").asLong()).isEqualTo(1);
    assertThat(status("asserts").field("user").asInt()).isEqualTo(1);
  }

  @Test
  void slowSweepIsLogged() {
    index("c", "{'key':{'at':1},'name':'at_1','expireAfterSeconds':10}");
    shell.insert("{'_id':1,'at':" + Shell.ago(0) + "}");
    shell.advance(Duration.ofSeconds(11));
    shell.run("{'profile':2,'slowms':0}");
    shell.sweep();
    String log = Shell.text(shell.admin("{'getLog':'global'}").field("log"));
    assertThat(log)
        .contains(
            "Deleted expired documents using index",
            "'namespace\\':\\'d.c\\',\\'index\\':\\'at_1\\',\\'numDeleted\\':1,");
    assertThat(shell.all("{'find':'system.profile','filter':{'op':'remove'}}")).hasSize(1);
  }

  @Test
  void fastSweepIsNotLogged() {
    index("c", "{'key':{'at':1},'name':'at_1','expireAfterSeconds':10}");
    shell.insert("{'_id':1,'at':" + Shell.ago(0) + "}");
    shell.advance(Duration.ofSeconds(11));
    shell.sweep();
    assertThat(Shell.text(shell.admin("{'getLog':'global'}").field("log")))
        .doesNotContain("Deleted expired documents");
  }
}
