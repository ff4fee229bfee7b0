package dev.mayfly.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.expiry.HandClock;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A write for who must not wait is done at once or not at all. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class WriteAtOnceTest {
  private static final Namespace NAME = new Namespace("db", "things");

  private final HandClock clock = new HandClock(1_700_000_000_000L);
  private final HookedStore store = new HookedStore(MemoryStore.withFilters());
  private Engine engine;
  private Collection things;

  @BeforeEach
  void open() {
    engine = Engine.open(store, clock, EngineSettings.standard(clock::now).withBackground(false));
    things = engine.create(NAME, CollectionSpec.mongo());
  }

  @AfterEach
  void close() {
    Audit.check(engine, things);
    engine.close();
  }

  @Test
  void itIsDoneWhenNobodyIsInTheWay() {
    WriteReply reply = insert(1).orElseThrow();
    assertThat(reply.only()).isInstanceOf(Outcome.Inserted.class);
    assertThat(reply.charge()).isPositive();
    assertThat(things.read(key(1))).isPresent();
  }

  @Test
  void itIsRefusedAsAnyOther() {
    things.insert(thing(1));
    assertThat(insert(1).orElseThrow().outcomes())
        .singleElement()
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> assertThat(failed.failure().reason()).isEqualTo(Reason.DUPLICATE_ID));
    assertThat(things.usage().documents()).isEqualTo(1);
  }

  @Test
  void itDoesNotWaitForAnotherWriter() throws Exception {
    FutureTask<Optional<WriteReply>> meanwhile = new FutureTask<>(() -> insert(2));
    store.beforeEveryCommit(() -> runElsewhere(meanwhile));
    things.insert(thing(1));
    store.beforeEveryCommit(() -> {});
    assertThat(meanwhile.get()).isEmpty();
    assertThat(things.read(key(2))).isEmpty();
    assertThat(insert(2)).isPresent();
  }

  private static void runElsewhere(Runnable task) {
    try {
      Thread.ofPlatform().start(task).join();
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
  }

  @Test
  void itDoesNotWaitForATransaction() {
    things.insert(thing(1));
    try (Transaction transaction = engine.begin()) {
      transaction.write(things, List.of(new Write.Delete(key(1))));
      assertThat(insert(2)).isEmpty();
    }
    assertThat(insert(2)).isPresent();
  }

  @Test
  void itDoesNotWaitForTheStoreToMakeRoom() {
    store.stalled(true);
    assertThat(insert(1)).isEmpty();
    store.stalled(false);
    assertThat(insert(1)).isPresent();
  }

  @Test
  void itDoesNotReadFromADisk() {
    store.cold(true);
    assertThat(insert(1)).isEmpty();
    store.cold(false);
    assertThat(insert(1)).isPresent();
  }

  @Test
  void oneThatIsToBeOnDiskIsNeverDoneAtOnce() {
    assertThat(things.writesAtOnce(Durability.SYNCED)).isFalse();
    assertThat(things.writeAtOnce(new Write.Insert(thing(1)), Durability.SYNCED)).isEmpty();
    assertThat(things.read(key(1))).isEmpty();
  }

  @Test
  void whereKeysAreUniqueOthersAreLookedAtAndItIsNotDone() {
    IndexSpec unique =
        IndexSpec.implicit("n_1", Part.ascending(FieldPath.of("n"))).withUnique(true);
    Collection strict =
        engine.create(new Namespace("db", "strict"), CollectionSpec.mongo().withIndex(unique));
    assertThat(strict.writeAtOnce(new Write.Insert(thing(1)), Durability.LOGGED)).isEmpty();
    assertThat(strict.read(key(1))).isEmpty();
  }

  private Optional<WriteReply> insert(int id) {
    return things.writeAtOnce(new Write.Insert(thing(id)), Durability.LOGGED);
  }

  private static Document thing(int id) {
    return Document.writer().put("_id", id).put("n", id).build();
  }

  private static DocumentKey key(int id) {
    return new DocumentKey(List.of(), Value.of(id));
  }
}
