package dev.mayfly;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.Change;
import dev.mayfly.engine.CheckReport;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.ExpiryService;
import dev.mayfly.engine.FeedReader;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Retry;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.engine.archive.OnExpire;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Opens a directory of every format that a version of Mayfly has written. They were written by
 * {@code tools/StoredDirectory.java} with that version, which ended without closing them.
 */
final class StoredFormatsTest {
  /** 70 seconds after the start of the program that wrote the directories. */
  private static final Instant WRITTEN = Instant.parse("2026-01-01T00:01:10Z");

  /** Actions on expiry, sliding and bounded collections, formats of times, kinds of indexes. */
  private static final String FEATURES = "format-2-features";

  /** The same, and documents that expire together with a parent. */
  private static final String PARENTS = "format-2-parents";

  /**
   * Kept directories: each format, and features that a later version of the same format stores.
   * Directories are added at the end.
   */
  private static final List<String> KEPT = List.of("format-1", "format-2", FEATURES, PARENTS);

  private final ManualClock clock = new ManualClock(WRITTEN.toEpochMilli());

  @TempDir private Path directory;

  static List<String> kept() {
    return KEPT;
  }

  private Mayfly open(String kept) throws IOException {
    InputStream resource = StoredFormatsTest.class.getResourceAsStream("/formats/" + kept + ".zip");
    try (InputStream packed = Objects.requireNonNull(resource);
        ZipInputStream zip = new ZipInputStream(packed)) {
      for (ZipEntry each = zip.getNextEntry(); each != null; each = zip.getNextEntry()) {
        Files.copy(zip, directory.resolve(each.getName()));
      }
    }
    assertThat(directory.resolve("FORMAT")).hasContent(content(kept));
    return reopened();
  }

  /** Content of the format file of a kept directory. */
  private static String content(String kept) {
    return "mayfly-rocksdb " + kept.split("-", -1)[1];
  }

  private Mayfly reopened() {
    return Mayfly.open(directory, clock, MayflySettings.standard().withBackground(false));
  }

  private void advance(Mayfly mayfly, Duration time) {
    clock.advance(time);
    mayfly.engine().clockMoved();
    while (mayfly.engine().work()) {
      // one round after the other
    }
  }

  private static List<String> ids(Collection collection) {
    List<String> ids = new ArrayList<>();
    try (Cursor cursor = collection.records(List.of())) {
      while (cursor.next()) {
        Document document = cursor.document();
        Value id = document.field("_id");
        ids.add((id.isMissing() ? document.field("id") : id).toString());
      }
    }
    return ids.stream().sorted().toList();
  }

  @Test
  void aDirectoryOfTheCurrentFormatIsKept() {
    try (Mayfly mayfly = reopened()) {
      assertThat(mayfly.writable()).isTrue();
    }
    assertThat(directory.resolve("FORMAT"))
        .as("keep a directory of the previous format; see tools/StoredDirectory.java")
        .hasContent(content(KEPT.getLast()));
  }

  @ParameterizedTest
  @MethodSource("kept")
  void documentsAndRulesAreThere(String kept) throws IOException {
    try (Mayfly mayfly = open(kept)) {
      Collection carts = mayfly.collection("shop", "carts");
      assertThat(ids(carts)).containsExactly("\"last\"", "0", "1", "2");
      assertThat(carts.usage().documents()).isEqualTo(4);
      assertThat(carts.spec().timeToLive().indexes()).containsEntry("at_1", 14_400L);
      assertThat(carts.spec().indexes()).hasSize(3);
      assertThat(carts.read(DocumentKey.of(Value.of(3)))).isEmpty();

      Collection sessions = mayfly.collection("cosmos:web", "sessions");
      assertThat(sessions.spec().timeToLive().defaultSeconds()).isEqualTo(1800);
      assertThat(ids(sessions))
          .containsExactly("\"default\"", "\"last\"", "\"never\"", "\"short\"");

      assertThat(ids(mayfly.collection("shop", "events"))).containsExactly("2", "3", "4");
      assertThat(mayfly.engine().namespaces())
          .doesNotContain(new Namespace("shop", "bulk"))
          .hasSize(
              switch (kept) {
                case FEATURES -> 11;
                case PARENTS -> 13;
                default -> 4;
              });
    }
  }

  @ParameterizedTest
  @MethodSource("kept")
  void expiredDocumentsStayExpired(String kept) throws IOException {
    try (Mayfly mayfly = open(kept)) {
      Collection swept = mayfly.collection("shop", "swept");
      assertThat(ids(swept)).containsExactly("\"late\"");
      List<Change> changes =
          swept.feeds().stream()
              .flatMap(feed -> feed.read(FeedReader.BEGINNING, 100).stream())
              .toList();
      assertThat(changes)
          .extracting(Change::kind)
          .containsExactly(Change.Kind.INSERT, Change.Kind.INSERT, Change.Kind.EXPIRE);

      Collection sessions = mayfly.collection("cosmos:web", "sessions");
      advance(mayfly, Duration.ofSeconds(49));
      assertThat(sessions.read(DocumentKey.of("ada", "short"))).isPresent();
      advance(mayfly, Duration.ofSeconds(1));
      assertThat(sessions.read(DocumentKey.of("ada", "short"))).isEmpty();
      advance(mayfly, Duration.ofDays(1));
      assertThat(ids(sessions)).containsExactly("\"never\"");
      assertThat(ids(mayfly.collection("shop", "carts"))).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("kept")
  void aRuleChangeCanBeUndoneWithinItsGrace(String kept) throws IOException {
    try (Mayfly mayfly = open(kept)) {
      Collection carts = mayfly.collection("shop", "carts");
      ExpiryService expiry = carts.expiry();
      assertThat(expiry.undo().documents()).isEqualTo(6);
      assertThat(ids(carts))
          .containsExactly("\"last\"", "0", "1", "2", "4", "5", "6", "7", "8", "9");
      assertThat(carts.spec().timeToLive().indexes()).containsEntry("at_1", 86_400L);
    }
  }

  @ParameterizedTest
  @MethodSource("kept")
  void everythingIsConsistentAndStaysSoAfterWrites(String kept) throws IOException {
    try (Mayfly mayfly = open(kept)) {
      Collection carts = mayfly.collection("shop", "carts");
      carts.insert(
          Document.writer()
              .put("_id", "new")
              .put("at", Value.date(clock.now()))
              .put("code", "new")
              .build());
      check(mayfly);
    }
    assertThat(directory.resolve("FORMAT")).hasContent(content(KEPT.getLast()));
    try (Mayfly mayfly = reopened()) {
      assertThat(ids(mayfly.collection("shop", "carts")))
          .containsExactly("\"last\"", "\"new\"", "0", "1", "2");
      advance(mayfly, Duration.ofHours(1));
      check(mayfly);
    }
  }

  @Test
  void imagesThatWaitedAreDelivered() throws IOException {
    try (Mayfly mayfly = open(FEATURES)) {
      Collection orders = mayfly.collection("shop", "orders");
      Collection archive = mayfly.collection("archive", "orders");
      assertThat(orders.spec().onExpire()).isEqualTo(OnExpire.moveTo("archive", "orders"));
      assertThat(ids(orders)).containsExactly("1");
      assertThat(ids(archive)).isEmpty();
      advance(mayfly, Duration.ZERO);
      assertThat(ids(archive)).containsExactly("1", "2", "3");
      DocumentKey replaced = DocumentKey.of(Value.of(1));
      assertThat(archive.read(replaced).orElseThrow().document().field("note"))
          .isEqualTo(Value.of("first"));
      advance(mayfly, Duration.ofSeconds(5));
      assertThat(archive.read(replaced).orElseThrow().document().field("note"))
          .isEqualTo(Value.of("second"));
      assertThat(orders.expiry().archiveStatus().waiting()).isZero();
      check(mayfly);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"slides", "used"})
  void touchesCount(String collection) throws IOException {
    try (Mayfly mayfly = open(FEATURES)) {
      Collection slides = mayfly.collection("shop", collection);
      assertThat(slides.spec().timeToLive().sliding()).hasSize(1);
      advance(mayfly, Duration.ofMillis(2_999));
      assertThat(ids(slides)).containsExactly("\"read\"");
      check(mayfly);
      advance(mayfly, Duration.ofMillis(1));
      assertThat(ids(slides)).isEmpty();
    }
  }

  @Test
  void aBoundedCollectionEvictsTheSoonest() throws IOException {
    try (Mayfly mayfly = open(FEATURES)) {
      Collection recent = mayfly.collection("shop", "recent");
      assertThat(ids(recent)).containsExactly("\"retried\"", "3");
      recent.insert(Document.writer().put("_id", 4).put("ttl", 90_000).build());
      assertThat(ids(recent)).containsExactly("\"retried\"", "4");
    }
  }

  @Test
  void documentsExpireTogetherWithTheirParents() throws IOException {
    try (Mayfly mayfly = open(PARENTS)) {
      Collection chunks = mayfly.collection("shop", "chunks");
      assertThat(ids(chunks)).containsExactly("\"late\"", "\"of long\"", "\"of none\"");
      assertThat(chunks.usage().documents()).isEqualTo(3);
      advance(mayfly, Duration.ofMillis(9_999));
      assertThat(ids(chunks)).containsExactly("\"late\"", "\"of long\"", "\"of none\"");
      advance(mayfly, Duration.ofMillis(1));
      assertThat(ids(chunks)).containsExactly("\"late\"", "\"of none\"");
      check(mayfly);
    }
  }

  @Test
  void timesInOtherFormatsExpireDocuments() throws IOException {
    try (Mayfly mayfly = open(FEATURES)) {
      Collection tokens = mayfly.collection("shop", "tokens");
      advance(mayfly, Duration.ofMillis(9_999));
      assertThat(ids(tokens)).containsExactly("\"later\"", "\"soon\"");
      advance(mayfly, Duration.ofMillis(1));
      assertThat(ids(tokens)).containsExactly("\"later\"");
    }
  }

  @Test
  void aRetryableWriteIsNotRepeated() throws IOException {
    try (Mayfly mayfly = open(FEATURES)) {
      Collection recent = mayfly.collection("shop", "recent");
      Retry retry = new Retry(new ByteKey("session".getBytes(StandardCharsets.UTF_8)), 7, 0);
      Write again = new Write.Insert(Document.writer().put("_id", "retried").build());
      assertThat(recent.write(List.of(again), Grouping.ATOMIC, Durability.SYNCED, retry).outcomes())
          .singleElement()
          .isInstanceOf(WriteOutcome.Repeated.class);
    }
  }

  private static void check(Mayfly mayfly) {
    for (Namespace name : mayfly.engine().namespaces()) {
      CheckReport report = mayfly.engine().collection(name).check(false);
      assertThat(report.wrong()).as("%s: %s", name, report.examples()).isZero();
    }
  }
}
