package dev.mayfly.mongo.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.TransactionLimits;
import dev.mayfly.mongo.Shell;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Writes outside transactions wait for a transaction that has locked their document. */
final class WaitingWriteTest {
  private static final String IN = Shell.retryable(1) + ",'autocommit':false";

  private final Shell shell = new Shell(TransactionLimits.STANDARD);

  @BeforeEach
  void lockDocument() {
    shell.insert("{'_id':1,'n':0}");
    shell.run(
        "{'update':'c','updates':[{'q':{'_id':1},'u':{'$set':{'n':1}}}],"
            + IN
            + ",'startTransaction':true}");
  }

  @AfterEach
  void close() {
    shell.close();
  }

  private CompletableFuture<Document> increment(String options) {
    return CompletableFuture.supplyAsync(
        () ->
            shell.replyOnSecondConnection(
                "{'update':'c','updates':[{'q':{'_id':1},'u':{'$inc':{'n':10}}}]" + options + "}"));
  }

  /** Repeats an action until the write has returned. */
  private static Document until(CompletableFuture<Document> end, Runnable action) throws Exception {
    for (int times = 1; true; times++) {
      action.run();
      try {
        return end.get(10, TimeUnit.MILLISECONDS);
      } catch (TimeoutException notYet) {
        assertThat(times).isLessThan(1000);
      }
    }
  }

  @Test
  void writeContinuesAfterTheTransactionEnds() throws Exception {
    CompletableFuture<Document> waiting = increment("");
    shell.admin("{'commitTransaction':1," + IN + "}");
    assertThat(waiting.get(10, TimeUnit.SECONDS).field("nModified").asInt()).isEqualTo(1);
    assertThat(shell.found("{}")).containsExactly("{'_id':1,'n':11}");
  }

  @Test
  void waitingWriteRespectsMaxTimeMs() throws Exception {
    Document refused =
        until(increment(",'maxTimeMS':50"), () -> shell.nanos.addAndGet(100_000_000));
    assertThat(refused.field("code").asInt()).isEqualTo(50);
    shell.admin("{'commitTransaction':1," + IN + "}");
    assertThat(shell.found("{}")).containsExactly("{'_id':1,'n':1}");
  }

  @Test
  void killOpEndsAWaitingWrite() throws Exception {
    Document refused = until(increment(",'comment':'kill me'"), this::kill);
    assertThat(refused.field("code").asInt()).isEqualTo(11601);
    shell.admin("{'abortTransaction':1," + IN + "}");
    assertThat(shell.found("{}")).containsExactly("{'_id':1,'n':0}");
  }

  private void kill() {
    Document operations = shell.admin("{'currentOp':1,'command.comment':'kill me'}");
    Fields running = operations.field("inprog").asDocument().fields();
    while (running.next()) {
      shell.admin("{'killOp':1,'op':" + running.value().asDocument().field("opid").asInt() + "}");
    }
  }
}
