package dev.mayfly.engine.deliver;

import static dev.mayfly.engine.deliver.ArchiveFixture.PAST;
import static dev.mayfly.engine.deliver.ArchiveFixture.THINGS;
import static dev.mayfly.engine.deliver.ArchiveFixture.document;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.Alarm;
import dev.mayfly.engine.ClockLimits;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.Dialect;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.archive.ArchiveDirectory;
import dev.mayfly.engine.archive.ArchiveSettings;
import dev.mayfly.engine.archive.ArchiveStatus;
import dev.mayfly.engine.archive.OnExpire;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.engine.shard.ArchiveQueue.Image;
import dev.mayfly.store.Direction;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Space;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

final class ArchiverTest {
  @TempDir private Path root;
  private ArchiveFixture fixture;

  @BeforeEach
  void open() {
    fixture = new ArchiveFixture(ArchiveSettings.STANDARD.withDirectory(root));
    fixture.engine.create(PAST, CollectionSpec.mongo());
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private List<Document> past() {
    return all(fixture.engine.collection(PAST));
  }

  private static List<Document> all(Collection collection) {
    List<Document> found = new ArrayList<>();
    try (Cursor cursor = collection.records(List.of())) {
      while (cursor.next()) {
        found.add(cursor.document());
      }
    }
    return found;
  }

  private ArchiveStatus status() {
    return fixture.things().expiry().archiveStatus();
  }

  @Test
  void expiredDocumentsMoveToAnotherCollection() {
    fixture.create(OnExpire.moveTo("db", "past"));
    fixture.insert(0, 3);
    fixture.things().write(new Write.Delete(DocumentKey.of(Value.of(1))));
    fixture.engine.workUntilIdle();
    assertThat(past()).isEmpty();
    fixture.expire();
    assertThat(past()).containsExactly(document(0, "life 0"), document(2, "life 2"));
    assertThat(status()).isEqualTo(new ArchiveStatus(0, 0, 0, 2, 0, 0, "", 0));
  }

  @Test
  void theImageIsTheDocumentAtItsDeadline() {
    fixture.create(OnExpire.files("things"));
    fixture.insert(1, 1);
    fixture.things().write(new Write.Upsert(document(1, "changed")));
    fixture.expire();
    assertThat(read("things")).containsExactly(document(1, "changed"));
  }

  private List<Document> read(String directory) {
    try {
      return ArchiveFiles.read(root.resolve(directory));
    } catch (IOException failure) {
      throw new AssertionError(failure);
    }
  }

  @Test
  void imagesOfReplacedDocumentsAreNotLost() {
    LocalCollection things =
        fixture.engine.create(
            THINGS,
            ArchiveFixture.spec(OnExpire.files("things"))
                .withIndex(
                    IndexSpec.implicit("text", Part.ascending(FieldPath.of("text")))
                        .withUnique(true)));
    things.insert(document(1, "first"));
    things.insert(document(2, "unique"));
    fixture.advance(11);
    // the same id, and the same unique key, before the sweep
    things.insert(document(1, "second"));
    things.insert(document(3, "unique"));
    assertThat(status().waiting()).isEqualTo(2);
    assertThat(status().lagMillis()).isEqualTo(1000);
    fixture.restart();
    fixture.expire();
    assertThat(read("things"))
        .containsExactly(
            document(1, "first"),
            document(2, "unique"),
            document(1, "second"),
            document(3, "unique"));
  }

  @Test
  void transactionsKeepTheImagesOfDocumentsThatTheyReplace() {
    LocalCollection things = fixture.create(OnExpire.files("things"));
    things.insert(document(1, "first"));
    fixture.advance(11);
    try (var aborted = fixture.engine.begin()) {
      aborted.write(things, List.of(new Write.Insert(document(1, "aborted"))));
    }
    try (var transaction = fixture.engine.begin()) {
      transaction.write(things, List.of(new Write.Insert(document(1, "second"))));
      transaction.commit(Durability.SYNCED);
    }
    fixture.engine.workUntilIdle();
    assertThat(read("things")).containsExactly(document(1, "first"));
  }

  @Test
  void nothingIsDeliveredWithinTheGraceAndAfterAnUndo() {
    LocalCollection things = fixture.create(OnExpire.files("things"));
    things.alter(
        spec -> spec.withDefaultTtl(100).withTimeToLive(spec.timeToLive().withGrace(60_000)));
    things.alter(spec -> spec.withDefaultTtl(100));
    fixture.insert(1, 2);
    fixture.advance(20);
    things.alter(spec -> spec.withDefaultTtl(5));
    fixture.engine.workUntilIdle();
    assertThat(things.usage().documents()).isZero();
    assertThat(read("things")).isEmpty();
    things.expiry().undo();
    fixture.engine.workUntilIdle();
    assertThat(things.usage().documents()).isEqualTo(2);
    assertThat(read("things")).isEmpty();
    fixture.advance(81);
    fixture.engine.workUntilIdle();
    assertThat(things.usage().documents()).isZero();
    assertThat(read("things")).isEmpty();
    fixture.advance(60);
    fixture.engine.workUntilIdle();
    assertThat(read("things")).hasSize(2);
  }

  @Test
  void aMissingTargetKeepsTheDocumentsAndRaisesAnAlarm() {
    fixture.create(OnExpire.moveTo("db", "past"));
    fixture.engine.drop(PAST);
    fixture.insert(0, 5);
    fixture.expire();
    fixture.engine.work();
    fixture.engine.work();
    ArchiveStatus failing = status();
    assertThat(failing.waiting()).isEqualTo(5);
    assertThat(failing.failing()).isGreaterThanOrEqualTo(3);
    assertThat(failing.lastFailure()).contains("db.past does not exist");
    assertThat(failing.lagMillis()).isEqualTo(1000);
    assertThat(fixture.engine.alarms().raised())
        .singleElement()
        .satisfies(
            alarm ->
                assertThat(alarm.text())
                    .endsWith("times in a row: the collection db.past does not exist"));
    fixture.engine.create(PAST, CollectionSpec.mongo());
    fixture.engine.workUntilIdle();
    assertThat(past()).hasSize(5);
    assertThat(status().failing()).isZero();
    assertThat(fixture.engine.alarms().count(Alarm.Kind.ARCHIVE)).isZero();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aFullDiskKeepsTheDocuments() throws Exception {
    Path file = Files.createDirectory(root.resolve("things")).resolve("things-000001.ndjson.gz");
    Files.createSymbolicLink(file, Path.of("/dev/full"));
    fixture.create(OnExpire.files("things"));
    fixture.insert(0, 3);
    fixture.expire();
    assertThat(status().waiting()).isEqualTo(3);
    assertThat(status().failing()).isPositive();
    assertThat(status().lastFailure()).contains("cannot be written");
    Files.delete(file);
    fixture.engine.workUntilIdle();
    assertThat(read("things")).extracting(one -> one.field("_id").asInt()).containsExactly(0, 1, 2);
    assertThat(status().waiting()).isZero();
  }

  @Test
  void archiveFilesAreReadInTheOrderOfTheirNumbers() throws Exception {
    Path last = Files.createFile(root.resolve("things-1000000.ndjson"));
    Path first = Files.createFile(root.resolve("things-999999.ndjson"));
    assertThat(ArchiveDirectory.files(root)).containsExactly(first, last);
  }

  @Test
  void beyondTheLimitTheOldestAreDiscarded() {
    fixture.close();
    fixture = new ArchiveFixture(ArchiveSettings.STANDARD.withLimitBytes(400));
    fixture.engine.create(PAST, CollectionSpec.mongo());
    fixture.create(OnExpire.moveTo("db", "past"));
    fixture.engine.drop(PAST);
    fixture.insert(0, 20);
    fixture.expire();
    ArchiveStatus full = status();
    assertThat(full.waitingBytes()).isLessThanOrEqualTo(400);
    assertThat(full.discarded()).isPositive();
    assertThat(full.waiting() + full.discarded()).isEqualTo(20);
    assertThat(fixture.engine.alarms().raised())
        .anyMatch(alarm -> alarm.text().contains("beyond 400 the oldest are discarded"));
    fixture.engine.create(PAST, CollectionSpec.mongo());
    fixture.engine.workUntilIdle();
    assertThat(past()).hasSize((int) full.waiting()).contains(document(19, "life 19"));
    fixture.engine.workUntilIdle();
    assertThat(fixture.engine.alarms().raised()).isEmpty();
  }

  @Test
  void evictedDocumentsAreDeliveredOnRequest() {
    LocalCollection things = fixture.create(OnExpire.files("things"));
    things.alter(spec -> spec.withLimits(0, 2));
    fixture.insert(0, 3);
    fixture.engine.workUntilIdle();
    assertThat(read("things")).isEmpty();
    things.alter(spec -> spec.withOnExpire(spec.onExpire().withEvicted(true)));
    fixture.insert(3, 1);
    fixture.engine.workUntilIdle();
    assertThat(read("things")).containsExactly(document(1, "life 1"));
  }

  @Test
  void withoutAnActionWaitingDocumentsAreDiscarded() {
    LocalCollection things = fixture.create(OnExpire.moveTo("db", "past"));
    fixture.engine.drop(PAST);
    fixture.insert(0, 3);
    fixture.expire();
    things.alter(spec -> spec.withOnExpire(OnExpire.NOTHING));
    fixture.restart();
    fixture.engine.workUntilIdle();
    assertThat(status().waiting()).isZero();
    assertThat(status().discarded()).isEqualTo(3);
  }

  @Test
  void nothingIsDeliveredWhileTheClockIsInDoubt() {
    AtomicLong wall = new AtomicLong(1_700_000_000_000L);
    MemoryStore store = new MemoryStore();
    // the ticker stands still, so the clock leaps
    EngineSettings settings =
        EngineSettings.standard(() -> 0)
            .withBackground(false)
            .withClock(new ClockLimits(60_000, 1L << 50));
    try (LocalEngine engine = LocalEngine.open(store, wall::get, settings)) {
      LocalCollection past = engine.create(PAST, CollectionSpec.mongo());
      LocalCollection things =
          engine.create(THINGS, ArchiveFixture.spec(OnExpire.moveTo("db", "past")));
      things.insert(document(1, "first"));
      wall.addAndGet(Duration.ofDays(10).toMillis());
      assertThat(things.usage().documents()).isZero();
      assertThat(engine.clockLeap()).isPresent();
      things.insert(document(1, "second"));
      engine.workUntilIdle();
      assertThat(engine.clockLeap()).isPresent();
      assertThat(things.expiry().archiveStatus().waiting()).isEqualTo(1);
      assertThat(past.usage().documents()).isZero();
      engine.confirmClock();
      engine.workUntilIdle();
      assertThat(all(past)).containsExactly(document(1, "first"));
    }
    store.close();
  }

  @Test
  void filesAreClosedBySizeAndAgeWithChecksums() throws Exception {
    Document form =
        Document.writer()
            .put("files", "things")
            .put("format", "bson")
            .put("compress", "none")
            .put("rollBytes", 1024)
            .put("rollSeconds", 60)
            .build();
    fixture.create(OnExpire.of(form));
    fixture.insert(0, 40);
    fixture.expire();
    fixture.insert(100, 1);
    fixture.expire();
    assertThat(ArchiveFiles.dataFiles(root.resolve("things"))).hasSize(2);
    assertThat(manifest()).hasSize(1);
    fixture.advance(61);
    fixture.engine.workUntilIdle();
    List<Document> closed = manifest();
    assertThat(closed).hasSize(2);
    assertThat(closed.getFirst().field("file").asString()).isEqualTo("things-000001.bson");
    assertThat(closed.getFirst().field("documents").asLong()).isEqualTo(40);
    byte[] first = Files.readAllBytes(root.resolve("things/things-000001.bson"));
    assertThat(closed.getFirst().field("bytes").asLong()).isEqualTo(first.length);
    assertThat(closed.getFirst().field("sha256").asString())
        .isEqualTo(HexFormat.of().formatHex(ArchiveDirectory.digest().digest(first)));
    assertThat(read("things")).hasSize(41);
    assertThat(ArchiveDirectory.files(root.resolve("things"))).hasSize(2);
    first[7]++;
    Files.write(root.resolve("things/things-000001.bson"), first);
    assertThatThrownBy(() -> ArchiveDirectory.files(root.resolve("things")))
        .hasMessageContaining("checksum");
    Files.delete(root.resolve("things/things-000001.bson"));
    assertThatThrownBy(() -> ArchiveDirectory.files(root.resolve("things")))
        .hasMessageContaining("lacks a file of its manifest: things-000001.bson");
  }

  @Test
  void imagesHaveTheStoredForm() {
    LocalCollection things = fixture.create(OnExpire.moveTo("db", "past"));
    Document document = document(1, "first");
    things.insert(document);
    fixture.advance(11);
    things.insert(document(1, "second"));
    try (Scan images =
        things
            .owners()
            .getFirst()
            .shard()
            .scan(Space.QUEUES, Range.prefix(new byte[] {'E'}), Direction.UP)) {
      assertThat(images.next()).isTrue();
      assertThat(HexFormat.of().formatHex(images.key())).startsWith("458000");
      assertThat(HexFormat.of().formatHex(images.value()))
          .isEqualTo("00" + "a0bcacfef962" + HexFormat.of().formatHex(document.bytes()));
      assertThat(images.next()).isFalse();
    }
  }

  private List<Document> manifest() throws IOException {
    return Files.readAllLines(root.resolve("things").resolve(ArchiveDirectory.MANIFEST)).stream()
        .map(line -> Json.parse(line, Limits.MONGO))
        .toList();
  }

  @Test
  void aTornTailIsCutAndABatchIsNotAppendedTwice() throws Exception {
    fixture.create(OnExpire.files("things"));
    fixture.insert(0, 2);
    fixture.expire();
    Path state = root.resolve("things/state.json");
    byte[] before = Files.readAllBytes(state);
    fixture.insert(2, 2);
    fixture.expire();
    Path file = root.resolve("things/things-000001.ndjson.gz");
    // as if the process had been killed before it replaced the state: the tail is unfinished
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, whole.length - 3));
    Files.write(state, before);
    fixture.restart();
    fixture.insert(4, 1);
    fixture.expire();
    assertThat(read("things")).extracting(one -> one.field("_id").asInt()).containsExactly(0, 1, 4);
  }

  @Test
  void aBatchThatWasDeliveredIsNotAppendedAgain() {
    OnExpire.Target.Files target = OnExpire.Target.Files.in("things");
    Source source = new Source("db.things", new UUID(1, 2), Dialect.MONGO, List.of());
    Path directory = root.resolve("things");
    List<Image> images = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      images.add(new Image(10 + i, false, 1000, document(i, "x")));
    }
    new FileDelivery(directory, target, source).deliver(7, images.subList(0, 2), 2000);
    // the queue was not shortened: the same images again, and one more
    new FileDelivery(directory, target, source).deliver(7, images, 3000);
    assertThat(read("things"))
        .containsExactly(document(0, "x"), document(1, "x"), document(2, "x"));
    // after the restore of a backup, other documents have the same positions
    List<Image> others = List.of(new Image(12, false, 1000, document(5, "y")));
    new FileDelivery(directory, target, source).deliver(7, others, 4000);
    assertThat(read("things")).hasSize(4);
  }

  @Test
  void aDirectoryBelongsToOneCollection() {
    fixture.create(OnExpire.files("things"));
    fixture.insert(0, 1);
    fixture.expire();
    Namespace other = new Namespace("db", "other");
    assertThatThrownBy(
            () -> fixture.engine.create(other, ArchiveFixture.spec(OnExpire.files("things"))))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("the directory things belongs to db.things");
    fixture.engine.drop(THINGS);
    LocalCollection reused =
        fixture.engine.create(other, ArchiveFixture.spec(OnExpire.files("things")));
    reused.insert(document(7, "x"));
    fixture.expire();
    assertThat(reused.expiry().archiveStatus().lastFailure())
        .contains("has files of another collection, db.things");
    assertThat(read("things")).hasSize(1);
  }

  @Test
  void documentsMoveBetweenTheKinds() {
    Namespace container = new Namespace("cosmos:shop", "items");
    LocalCollection items =
        fixture.engine.create(
            container,
            CollectionSpec.cosmos("p")
                .withDefaultTtl(10)
                .withOnExpire(OnExpire.moveTo("db", "past")));
    items.insert(Document.writer().put("id", "a").put("p", "x").put("n", 1).build());
    items.insert(Document.writer().put("id", "a").put("p", "y").put("n", 2).build());
    fixture.expire();
    assertThat(past())
        .extracting(one -> one.field("_id").asDocument())
        .containsExactlyInAnyOrder(
            Document.writer().put("p", "x").put("id", "a").build(),
            Document.writer().put("p", "y").put("id", "a").build());
    fixture.create(OnExpire.moveTo("cosmos:shop", "items"));
    fixture
        .things()
        .insert(
            Document.writer()
                .put("_id", Value.objectId(new byte[12]))
                .put("p", "z")
                .put("at", Value.date(0))
                .build());
    fixture.advance(11);
    while (fixture.engine.collection(container).usage().documents() == 0) {
      fixture.engine.work();
    }
    Document item = all(fixture.engine.collection(container)).getFirst();
    assertThat(item.field("id").asString()).isEqualTo("000000000000000000000000");
    assertThat(item.at(FieldPath.of("at.$date")).asString()).isEqualTo("1970-01-01T00:00:00Z");
  }

  @Test
  void badActionsAreRefused() {
    assertThatThrownBy(() -> fixture.create(OnExpire.moveTo("db", "things")))
        .hasMessageContaining("would be moved to itself");
    assertThatThrownBy(() -> fixture.create(OnExpire.moveTo("db", "missing")))
        .hasMessageContaining("db.missing does not exist");
    assertThatThrownBy(() -> fixture.create(OnExpire.moveTo("admin", "system.users")))
        .hasMessageContaining("system collection");
    assertThatThrownBy(() -> fixture.create(OnExpire.post(URI.create("http://169.254.1.1/x"))))
        .hasMessageContaining("may not be sent to 169.254.1.1");
    fixture.create(OnExpire.moveTo("db", "past"));
    assertThatThrownBy(
            () ->
                fixture
                    .engine
                    .collection(PAST)
                    .alter(spec -> spec.withOnExpire(OnExpire.moveTo("db", "things"))))
        .hasMessageContaining("documents of db.past would be moved to itself");
    assertThatThrownBy(() -> OnExpire.files("../etc")).hasMessageContaining("'files' must be");
    assertThatThrownBy(() -> OnExpire.post(URI.create("file:///etc/passwd")))
        .hasMessageContaining("'post' must be an http");
    for (String bad :
        List.of(
            "{\"x\": 1}",
            "{\"moveTo\": \"nodot\"}",
            "{\"moveTo\": 1}",
            "{\"files\": \"a\", \"format\": \"csv\"}",
            "{\"files\": \"a\", \"compress\": \"lz\"}",
            "{\"files\": \"a\", \"rollBytes\": 1.5}",
            "{\"files\": \"a\", \"post\": \"http://x/\"}",
            "{\"moveTo\": \"a.b\", \"evicted\": 1}",
            "{\"post\": \"::\"}")) {
      assertThatThrownBy(() -> CollectionSpec.mongo().withOnExpire(Json.parse(bad, Limits.MONGO)))
          .as(bad)
          .isInstanceOf(EngineException.class);
    }
  }

  @Test
  void theFormIsStoredAndReadBack() {
    for (OnExpire action :
        List.of(
            OnExpire.NOTHING,
            OnExpire.moveTo("a", "b.c").withEvicted(true),
            OnExpire.files("x"),
            OnExpire.post(URI.create("https://example.com:8443/in?x=1")))) {
      CollectionSpec spec = CollectionSpec.mongo().withOnExpire(action);
      assertThat(CollectionSpec.of(spec.toDocument())).isEqualTo(spec);
    }
  }

  @Test
  void noFilesWithoutADirectory() {
    try (ArchiveFixture bare = new ArchiveFixture(ArchiveSettings.STANDARD)) {
      assertThatThrownBy(() -> bare.create(OnExpire.files("things")))
          .hasMessageContaining("on-expire-directory");
    }
  }
}
