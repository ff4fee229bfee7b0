package dev.mayfly.mongo.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.TransactionLimits;
import dev.mayfly.mongo.Shell;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code fsync} with {@code lock}: writes wait until {@code fsyncUnlock}. */
final class WriteLockTest {
  private static final String LOCK = "{'fsync':1,'lock':true}";

  private final Shell shell = new Shell();
  private final ExecutorService others = Executors.newVirtualThreadPerTaskExecutor();

  @BeforeEach
  void fill() {
    shell.insert("{'_id':1,'n':0}");
  }

  @AfterEach
  void close() {
    others.close();
    shell.close();
  }

  private CompletableFuture<Document> onSecondConnection(String command) {
    return CompletableFuture.supplyAsync(() -> shell.replyOnSecondConnection(command), others);
  }

  /** Waits until the command on the other connection waits for the lock. */
  private void awaitWaiting(CompletableFuture<Document> command) throws Exception {
    boolean shown = false;
    for (int times = 0; !shown; times++) {
      assertThat(times).isLessThan(1000);
      try {
        throw new AssertionError(
            "the command did not wait: " + command.get(10, TimeUnit.MILLISECONDS));
      } catch (TimeoutException notYet) {
        shown = !waiting().isEmpty();
      }
    }
  }

  private Document waiting() {
    return shell.admin("{'currentOp':1,'waitingForLock':true}").field("inprog").asDocument();
  }

  @Test
  void fsyncWithoutLockSucceeds() {
    assertThat(Shell.text(Value.of(shell.admin("{'fsync':1}")))).isEqualTo("{'numFiles':1}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'insert':'c','documents':[{'_id':2}]}",
        "{'update':'c','updates':[{'q':{},'u':{'$set':{'n':1}}}]}",
        "{'delete':'c','deletes':[{'q':{},'limit':0}]}",
        "{'findAndModify':'c','query':{},'remove':true}",
        "{'create':'other'}",
        "{'createIndexes':'c','indexes':[{'key':{'n':1},'name':'n'}]}",
        "{'aggregate':'c','pipeline':[{'$set':{'n':1}},{'$merge':'c'}],'cursor':{}}",
        "{'dropDatabase':1}"
      })
  void writesWaitAndReadsSucceed(String write) throws Exception {
    shell.admin(LOCK);
    CompletableFuture<Document> waiting = onSecondConnection(write);
    awaitWaiting(waiting);
    assertThat(shell.found("{}")).containsExactly("{'_id':1,'n':0}");
    assertThat(shell.replyText("{'count':'c'}")).isEqualTo("{'n':1}");
    assertThat(shell.aggregate("{'$count':'n'}")).containsExactly("{'n':1}");
    shell.admin("{'fsyncUnlock':1}");
    assertThat(waiting.get(10, TimeUnit.SECONDS).field("ok").asDouble()).isOne();
  }

  @Test
  void locksAreCounted() {
    assertThat(shell.admin(LOCK).field("lockCount").asLong()).isEqualTo(1);
    assertThat(shell.admin(LOCK).field("lockCount").asLong()).isEqualTo(2);
    Document operations = shell.admin("{'currentOp':1}");
    assertThat(operations.field("fsyncLock").asBoolean()).isTrue();
    assertThat(shell.admin("{'fsyncUnlock':1}").field("lockCount").asLong()).isEqualTo(1);
    assertThat(shell.admin("{'fsyncUnlock':1}").field("lockCount").asLong()).isZero();
    assertThat(shell.admin("{'currentOp':1}").field("fsyncLock").isMissing()).isTrue();
    assertThat(shell.adminError("{'fsyncUnlock':1}"))
        .isEqualTo("20 fsyncUnlock called when not locked");
    shell.insert("{'_id':2}");
  }

  @Test
  void waitingWriteRespectsMaxTimeMs() throws Exception {
    shell.admin(LOCK);
    CompletableFuture<Document> waiting =
        onSecondConnection("{'insert':'c','documents':[{'_id':2}],'maxTimeMS':50}");
    awaitWaiting(waiting);
    shell.nanos.addAndGet(100_000_000);
    assertThat(waiting.get(10, TimeUnit.SECONDS).field("code").asInt()).isEqualTo(50);
    shell.admin("{'fsyncUnlock':1}");
    assertThat(shell.found("{}")).hasSize(1);
  }

  @Test
  void lockWaitsForRunningWritesUntilItsTimeout() throws Exception {
    try (Shell patient = new Shell(TransactionLimits.STANDARD)) {
      patient.insert("{'_id':1}");
      patient.run(
          "{'update':'c','updates':[{'q':{'_id':1},'u':{'$set':{'n':1}}}],"
              + Shell.retryable(1)
              + ",'autocommit':false,'startTransaction':true}");
      CompletableFuture<Document> writing =
          CompletableFuture.supplyAsync(
              () ->
                  patient.replyOnSecondConnection(
                      "{'update':'c','updates':[{'q':{'_id':1},'u':{'$inc':{'n':1}}}]}"),
              others);
      while (patient
          .admin("{'currentOp':1,'op':'update'}")
          .field("inprog")
          .asDocument()
          .isEmpty()) {
        Thread.onSpinWait();
      }
      CompletableFuture<String> locking =
          CompletableFuture.supplyAsync(
              () ->
                  patient.adminError(
                      "{'fsync':1,'lock':true,'fsyncLockAcquisitionTimeoutMillis':50}"),
              others);
      while (patient.admin("{'currentOp':1}").field("fsyncLock").isMissing()) {
        Thread.onSpinWait();
      }
      patient.nanos.addAndGet(100_000_000);
      assertThat(locking.get(10, TimeUnit.SECONDS)).startsWith("46 ");
      patient.admin("{'abortTransaction':1," + Shell.retryable(1) + ",'autocommit':false}");
      assertThat(writing.get(10, TimeUnit.SECONDS).field("nModified").asInt()).isOne();
      patient.insert("{'_id':2}");
    }
  }

  @Test
  void convertToCappedLosesNoConcurrentInserts() throws Exception {
    CompletableFuture<Void> writing =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 2; i <= 2000; i++) {
                Document reply =
                    shell.replyOnSecondConnection("{'insert':'c','documents':[{'_id':" + i + "}]}");
                assertThat(reply.field("n")).as(reply.toString()).isEqualTo(Value.of(1));
              }
            },
            others);
    for (int i = 0; i < 5; i++) {
      shell.run("{'convertToCapped':'c','size':1000000}");
    }
    writing.get(60, TimeUnit.SECONDS);
    assertThat(shell.replyText("{'count':'c'}")).isEqualTo("{'n':2000}");
  }

  @Test
  void lockPausesTheSweep() {
    shell.run(
        "{'createIndexes':'c','indexes':[{'key':{'at':1},'name':'at','expireAfterSeconds':10}]}");
    shell.insert("{'_id':2,'at':" + Shell.ago(0) + "}");
    shell.admin(LOCK);
    shell.advance(Duration.ofSeconds(10));
    shell.sweep();
    assertThat(shell.collection().expiry().backlog().documents()).isOne();
    assertThat(shell.found("{}")).hasSize(1);
    shell.admin("{'fsyncUnlock':1}");
    shell.sweep();
    assertThat(shell.collection().expiry().backlog().documents()).isZero();
  }
}
