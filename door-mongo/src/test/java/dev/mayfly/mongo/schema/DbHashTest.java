package dev.mayfly.mongo.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mongo.Shell;
import dev.mayfly.value.Document;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code dbHash}: hashes of the collections of a database. */
final class DbHashTest {
  private static final String ONE_AND_TWO = "64258d12ae15fcc412284d681e8eef12";
  private static final String TWO_AND_ONE = "090903a378558fbf1d70a0bb25eaee36";

  private final Shell shell = new Shell();

  @AfterEach
  void close() {
    shell.close();
  }

  private String collections(String options) {
    return Shell.text(shell.run("{'dbHash':1" + options + "}").field("collections"));
  }

  @Test
  void hashUsesIdOrderOrInsertionOrderIfCapped() {
    shell.run("{'create':'d','capped':true,'size':4096}");
    shell.run("{'create':'v','viewOn':'c','pipeline':[]}");
    shell.run("{'insert':'c','documents':[{'_id':2},{'_id':1}]}");
    shell.run("{'insert':'d','documents':[{'_id':2},{'_id':1}]}");
    Document reply = shell.run("{'dbHash':1}");
    assertThat(Shell.text(reply.field("collections")))
        .isEqualTo("{'c':'" + ONE_AND_TWO + "','d':'" + TWO_AND_ONE + "'}");
    assertThat(Shell.text(reply.field("capped"))).isEqualTo("['d']");
    assertThat(Shell.text(reply.field("md5"))).isEqualTo("'59ae61c67058e4866d0726c192a1ac9a'");
    assertThat(reply.field("uuids").asDocument().field("c").isMissing()).isFalse();
    assertThat(collections(",'collections':['c']")).isEqualTo("{'c':'" + ONE_AND_TWO + "'}");
    assertThat(shell.error("{'dbHash':1,'collections':[1]}")).startsWith("2 ");
  }

  @Test
  void expiredDocumentsAreNotHashed() {
    shell.run(
        "{'createIndexes':'c','indexes':[{'key':{'t':1},'name':'t','expireAfterSeconds':60}]}");
    shell.insert("{'_id':1}", "{'_id':2}");
    shell.insert("{'_id':3,'t':{'$date':{'$numberLong':'" + Shell.START + "'}}}");
    assertThat(collections("")).doesNotContain(ONE_AND_TWO);
    shell.advance(Duration.ofSeconds(60));
    assertThat(collections("")).contains(ONE_AND_TWO);
  }
}
