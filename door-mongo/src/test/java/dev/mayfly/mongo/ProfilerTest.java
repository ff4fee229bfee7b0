package dev.mayfly.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.PendingCommit;
import dev.mayfly.engine.WouldBlock;
import dev.mayfly.mongo.command.Client;
import dev.mayfly.mongo.wire.Compressor;
import dev.mayfly.mongo.wire.Message;
import dev.mayfly.value.Document;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The profiler: {@code profile} and {@code system.profile}. */
final class ProfilerTest {
  private final Shell shell = new Shell();
  private final Client client = new Client(3, "127.0.0.1:50002", "127.0.0.1:27017");

  @AfterEach
  void close() {
    shell.close();
  }

  private boolean answeredAtOnce() {
    Document body = Shell.json("{'find':'c','filter':{'_id':1},'limit':1,'$db':'d'}");
    Message call = new Message.Call(1, Compressor.NOOP, false, false, body, Map.of());
    Dispatcher dispatcher = shell.dispatcher();
    boolean done = dispatcher.tryAnswer(client, call, new PendingCommit(), Document.writer());
    dispatcher.ended(client, done);
    return done;
  }

  @Test
  void profiledRequestsDoNotRunOnTheEventLoop() {
    shell.insert("{'_id':1}");
    assertThat(answeredAtOnce()).isTrue();
    shell.run("{'profile':1,'slowms':1000}");
    assertThatThrownBy(() -> answeredAtOnce()).isInstanceOf(WouldBlock.class);
    assertThat(client.running()).isEmpty();
    shell.run("{'profile':0}");
    assertThat(answeredAtOnce()).isTrue();
  }

  private void expiring() {
    shell.run(
        "{'createIndexes':'c','indexes':["
            + "{'key':{'x':1},'name':'old','expireAfterSeconds':0}]}");
  }

  @Test
  void sweepSlicesAreProfiledAtLevel2() {
    expiring();
    shell.insert("{'_id':1,'x':" + Shell.ago(5) + "}", "{'_id':2,'x':" + Shell.ago(7) + "}");
    shell.run("{'profile':2}");
    shell.sweep();
    assertThat(
            shell.all(
                "{'find':'system.profile','filter':{'op':'remove'},"
                    + "'projection':{'_id':0,'micros':0}}"))
        .containsExactly(
            "{'op':'remove','ns':'d.c','rule':'index:old','ndeleted':2,'millis':0,'ts':{'$date':"
                + "'2023-11-14T22:13:20Z'}}");
  }

  @ParameterizedTest
  @CsvSource({"0,0,0", "1,1000,0", "1,0,1"})
  void slowSweepSlicesAreProfiledAtLevel1(int level, int slow, int entries) {
    expiring();
    shell.insert("{'_id':1,'x':" + Shell.ago(5) + "}");
    shell.run("{'profile':" + level + ",'slowms':" + slow + "}");
    shell.sweep();
    assertThat(shell.all("{'find':'system.profile','filter':{'op':'remove'}}")).hasSize(entries);
  }

  private List<String> noted(String projection) {
    return shell.all(
        "{'find':'system.profile','filter':{'command.find':'c'},'projection':"
            + projection
            + ",'sort':{'$natural':1}}");
  }

  @Test
  void numberOfReturnedDocumentsIsRecorded() {
    shell.insert("{'_id':1}", "{'_id':2}", "{'_id':3}");
    shell.run("{'profile':2}");
    Document cursor = shell.cursor("{'find':'c','batchSize':2}");
    shell.more(cursor, "");
    shell.run("{'find':'c','filter':{'_id':7}}");
    shell.run("{'aggregate':'c','pipeline':[{'$match':{'_id':2}}],'cursor':{}}");
    shell.run("{'count':'c'}");
    shell.run("{'profile':0}");
    assertThat(
            shell.all(
                "{'find':'system.profile','filter':{'ns':'d.c'},"
                    + "'projection':{'_id':0,'op':1,'nreturned':1},'sort':{'$natural':1}}"))
        .containsExactly(
            "{'op':'query','nreturned':2}",
            "{'op':'getmore','nreturned':1}",
            "{'op':'query','nreturned':0}",
            "{'op':'command','nreturned':1}",
            "{'op':'command'}");
  }

  @Test
  void filterSelectsProfiledOperations() {
    shell.insert("{'_id':1}", "{'_id':2}");
    shell.run("{'profile':1,'slowms':0,'filter':{'nreturned':{'$gte':2}}}");
    shell.run("{'find':'c','filter':{'_id':1}}");
    shell.run("{'find':'c'}");
    assertThat(noted("{'_id':0,'nreturned':1}")).containsExactly("{'nreturned':2}");
    shell.run("{'profile':1,'filter':{'$expr':{'$eq':['$nreturned',1]}}}");
    shell.run("{'find':'c','filter':{'_id':1}}");
    assertThat(noted("{'_id':0,'nreturned':1}"))
        .containsExactly("{'nreturned':2}", "{'nreturned':1}");
  }

  @Test
  void failingFilterDoesNotFailTheCommand() {
    shell.insert("{'_id':1}");
    shell.run("{'profile':1,'filter':{'$expr':{'$divide':[1,{'$subtract':['$nreturned',1]}]}}}");
    assertThat(shell.all("{'find':'c'}")).hasSize(1);
    assertThat(noted("{}")).isEmpty();
  }

  @Test
  void filterDoesNotApplyAtLevel2() {
    shell.insert("{'_id':1}");
    shell.run("{'profile':2,'filter':{'ns':'d.other'}}");
    shell.run("{'find':'c'}");
    assertThat(noted("{}")).hasSize(1);
    assertThat(Shell.text(shell.admin("{'getLog':'global'}").field("log")))
        .doesNotContain("Slow query");
  }

  @Test
  void filterStaysUntilItIsUnset() {
    assertThat(shell.replyText("{'profile':1,'slowms':70,'filter':{'op':'query'}}"))
        .isEqualTo("{'was':0,'slowms':100,'sampleRate':1.0}");
    assertThat(shell.replyText("{'profile':-1}"))
        .isEqualTo(
            "{'was':1,'slowms':70,'sampleRate':1.0,'filter':{'op':'query'},'note':'When a filter"
                + " expression is set, slowms and sampleRate are not used for profiling and"
                + " slow-query log lines.'}");
    shell.run("{'profile':0,'filter':'unset'}");
    assertThat(shell.replyText("{'profile':-1}"))
        .isEqualTo("{'was':0,'slowms':70,'sampleRate':1.0}");
    assertThat(shell.error("{'profile':1,'filter':'x'}"))
        .isEqualTo("2 Expected an object, or the string 'unset'.");
    assertThat(shell.error("{'profile':1,'filter':{'$nix':1}}")).startsWith("2 ");
    assertThat(shell.replyText("{'profile':-1}")).startsWith("{'was':0,");
  }

  @Test
  void sampleRateAppliesToSlowOperationsOnly() {
    shell.insert("{'_id':1}");
    shell.run("{'profile':1,'slowms':0,'sampleRate':0}");
    shell.run("{'find':'c'}");
    assertThat(noted("{}")).isEmpty();
    shell.run("{'profile':2}");
    shell.run("{'find':'c'}");
    assertThat(noted("{}")).hasSize(1);
  }
}
