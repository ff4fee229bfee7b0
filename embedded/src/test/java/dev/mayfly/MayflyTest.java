package dev.mayfly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.Change;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.FeedReader;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.Write;
import dev.mayfly.store.Batch;
import dev.mayfly.store.Shard;
import dev.mayfly.store.Space;
import dev.mayfly.store.StoreException;
import dev.mayfly.store.rocksdb.RocksSettings;
import dev.mayfly.store.rocksdb.RocksStore;
import dev.mayfly.value.Document;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MayflyTest {
  private static final DocumentKey KEY = DocumentKey.of("one");

  @TempDir private Path directory;

  @Test
  void dataSurvivesReopening() {
    Document document = document("one");
    try (Mayfly mayfly = Mayfly.open(directory)) {
      mayfly
          .create("db", "things", CollectionSpec.mongo())
          .write(List.of(new Write.Insert(document)), Grouping.ATOMIC, Durability.SYNCED);
    }
    try (Mayfly mayfly = Mayfly.open(directory)) {
      assertThat(mayfly.collection("db", "things").read(KEY))
          .map(stored -> stored.document())
          .contains(document);
    }
  }

  @Test
  void aDirectoryBelongsToOneInstanceUntilItIsClosed() {
    try (Mayfly _ = Mayfly.open(directory)) {
      assertThatThrownBy(() -> Mayfly.open(directory))
          .isInstanceOfSatisfying(
              StoreException.class,
              failure -> assertThat(failure.reason()).isEqualTo(StoreException.Reason.IN_USE));
    }
    Mayfly.open(directory).close();
  }

  @Test
  void aDirectoryOfANewerStoreIsRejectedUnchanged() throws Exception {
    Mayfly.open(directory).close();
    Path format = directory.resolve("FORMAT");
    Files.writeString(format, Files.readString(format).replaceAll("\\d+", "999"));
    assertThatThrownBy(() -> Mayfly.open(directory))
        .isInstanceOfSatisfying(
            StoreException.class,
            failure -> assertThat(failure.reason()).isEqualTo(StoreException.Reason.NEWER_FORMAT));
  }

  @Test
  void aDirectoryOfANewerEngineIsRejectedAndUnlocked() {
    Mayfly.open(directory).close();
    byte[] formatKey = {'v'};
    byte[] newer = {2};
    try (RocksStore store = RocksStore.open(directory, RocksSettings.defaults())) {
      Shard catalog = store.own(0);
      catalog.sync(catalog.commit(new Batch().put(Space.META, formatKey, newer)));
    }
    for (int attempt = 0; attempt < 2; attempt++) {
      assertThatThrownBy(() -> Mayfly.open(directory))
          .isInstanceOfSatisfying(
              EngineException.class,
              failure -> assertThat(failure.reason()).isEqualTo(EngineException.Reason.UNREADABLE));
    }
  }

  @Test
  void aClosedInstanceRejectsWritesAndClosesTwice() {
    Mayfly mayfly = Mayfly.open(directory);
    Collection things = mayfly.create("db", "things", CollectionSpec.mongo());
    mayfly.close();
    mayfly.close();
    assertThatThrownBy(() -> things.insert(document("one")))
        .isInstanceOfSatisfying(
            EngineException.class,
            failure -> assertThat(failure.reason()).isEqualTo(EngineException.Reason.CLOSED));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void withTheSystemClockADocumentExpiresAtItsDeadline(boolean dropInCompaction)
      throws InterruptedException {
    MayflySettings settings =
        MayflySettings.standard().withMemoryBytes(8 << 20).withDropInCompaction(dropInCompaction);
    try (Mayfly mayfly = Mayfly.open(directory, settings)) {
      checkOneLife(mayfly);
    }
  }

  @Test
  void anInstanceInMemoryUsesTheSystemClock() throws InterruptedException {
    try (Mayfly mayfly = Mayfly.inMemory()) {
      checkOneLife(mayfly);
    }
  }

  /** Looks at a document until it is gone, with a look at the clock before and after each look. */
  private static void checkOneLife(Mayfly mayfly) throws InterruptedException {
    Collection things = mayfly.create("db", "things", CollectionSpec.mongo().withDefaultTtl(2));
    things.insert(document("one"));
    StoredDocument stored = things.read(KEY).orElseThrow();
    long before = mayfly.engine().now();
    while (things.read(KEY).isPresent()) {
      assertThat(before).isLessThan(stored.deadline());
      before = mayfly.engine().now();
    }
    assertThat(mayfly.engine().now()).isGreaterThanOrEqualTo(stored.deadline());
    FeedReader feed = things.feeds().getFirst();
    assertThat(feed.await(stored.version(), Duration.ofSeconds(20))).isTrue();
    assertThat(feed.read(stored.version(), 1))
        .singleElement()
        .satisfies(
            change -> {
              assertThat(change.kind()).isEqualTo(Change.Kind.EXPIRE);
              assertThat(change.key()).isEqualTo(KEY);
              assertThat(change.deadline()).isEqualTo(stored.deadline());
            });
  }

  @Test
  void tooLittleMemoryIsRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MayflySettings.standard().withMemoryBytes(1 << 20));
  }

  private static Document document(String id) {
    return Document.writer().put("_id", id).build();
  }
}
