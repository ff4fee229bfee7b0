import dev.mayfly.Mayfly;
import dev.mayfly.MayflySettings;
import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Retry;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.archive.OnExpire;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.expiry.TimeFormat;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Writes the data directory that StoredFormatsTest opens, with the version of Mayfly on the class
 * path. Run it with the last commit that writes a format, before the format changes, and after a
 * feature that stores something new; let it write that, too, and keep the result:
 *
 * <pre>
 *   java -cp server/target/mayfly.jar tools/StoredDirectory.java DIR
 *   rm DIR/LOG* DIR/LOCK
 *   jar --create --no-manifest --file embedded/src/test/resources/formats/NAME.zip -C DIR .
 * </pre>
 *
 * <p>It ends as a crash does, so that the last writes are only in the log.
 */
final class StoredDirectory {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final long HOUR_MILLIS = Duration.ofHours(1).toMillis();
  private static final int BULK = 12_000;
  private static final int GROUP = 200;

  private StoredDirectory() {}

  public static void main(String[] arguments) {
    Path directory = Path.of(arguments[0]);
    ManualClock clock = new ManualClock(START.toEpochMilli());
    MayflySettings settings =
        MayflySettings.standard().withBackground(false).withMemoryBytes(4 << 20);
    try (Mayfly mayfly = Mayfly.open(directory, clock, settings)) {
      write(mayfly, clock);
    }
    Mayfly crashed = Mayfly.open(directory, clock, settings);
    bulk(crashed);
    writeLast(crashed, clock);
    Runtime.getRuntime().halt(0);
  }

  private static void write(Mayfly mayfly, ManualClock clock) {
    swept(mayfly, clock);
    carts(mayfly, clock);
    sessions(mayfly);
    Collection capped = mayfly.create("shop", "events", CollectionSpec.mongo().withCap(1 << 20, 3));
    for (int i = 0; i < 5; i++) {
      capped.insert(Document.writer().put("_id", i).build());
    }
    orders(mayfly);
    slides(mayfly);
    recent(mayfly);
    tokens(mayfly, clock);
    places(mayfly);
    files(mayfly);
    work(mayfly);
  }

  /** Chunks that follow files: one is deleted later, one expires soon, one lives for a while. */
  private static void files(Mayfly mayfly) {
    Collection files =
        mayfly.create("shop", "files", CollectionSpec.mongo().withDefaultTtl(TimeToLive.NEVER));
    IndexSpec file = IndexSpec.implicit("file_1", Part.ascending(FieldPath.of("file")));
    Collection chunks =
        mayfly.create(
            "shop",
            "chunks",
            CollectionSpec.mongo().withIndex(file).withExpiresWith("files", "file", true));
    files.insert(Document.writer().put("_id", "deleted").build());
    files.insert(Document.writer().put("_id", "short").put("ttl", 5).build());
    files.insert(Document.writer().put("_id", "long").put("ttl", 20).build());
    for (String parent : List.of("deleted", "short", "long", "none")) {
      chunks.insert(Document.writer().put("_id", "of " + parent).put("file", parent).build());
    }
  }

  /** Documents that live for five seconds and then move to another collection. */
  private static void orders(Mayfly mayfly) {
    mayfly.create("archive", "orders", CollectionSpec.mongo());
    Collection orders =
        mayfly.create(
            "shop",
            "orders",
            CollectionSpec.mongo()
                .withDefaultTtl(5)
                .withOnExpire(OnExpire.moveTo("archive", "orders")));
    for (int i = 1; i <= 3; i++) {
      orders.insert(Document.writer().put("_id", i).put("note", "first").build());
    }
  }

  /** Rules that slide: lives of eight seconds after the last read or write. */
  private static void slides(Mayfly mayfly) {
    TimeToLive ttl = TimeToLive.NONE.withDefault(8).withSliding(TimeToLive.PROPERTY_RULE);
    Collection byWrite =
        mayfly.create("shop", "slides", CollectionSpec.mongo().withTimeToLive(ttl));
    IndexSpec used = IndexSpec.implicit("used_1", Part.ascending(FieldPath.of("used")));
    TimeToLive byField =
        TimeToLive.NONE.withIndex("used_1", 8).withSliding(TimeToLive.INDEX_RULE + "used_1");
    Collection byIndex =
        mayfly.create(
            "shop", "used", CollectionSpec.mongo().withIndex(used).withTimeToLive(byField));
    for (String id : List.of("read", "forgotten")) {
      byWrite.insert(Document.writer().put("_id", id).build());
      byIndex.insert(
          Document.writer().put("_id", id).put("used", Value.date(mayfly.engine().now())).build());
    }
  }

  /** A bounded collection, after an eviction. */
  private static void recent(Mayfly mayfly) {
    Collection recent =
        mayfly.create(
            "shop",
            "recent",
            CollectionSpec.mongo().withDefaultTtl(TimeToLive.NEVER).withLimits(0, 2));
    for (int i = 1; i <= 3; i++) {
      recent.insert(Document.writer().put("_id", i).put("ttl", i * 10_000).build());
    }
  }

  /** Times that are not dates. */
  private static void tokens(Mayfly mayfly, ManualClock clock) {
    IndexSpec end = IndexSpec.implicit("end_1", Part.ascending(FieldPath.of("end")));
    Collection tokens =
        mayfly.create(
            "shop",
            "tokens",
            CollectionSpec.mongo()
                .withIndex(end)
                .withTimeToLive(
                    TimeToLive.NONE
                        .withIndex("end_1", 0)
                        .withIndexFormat("end_1", TimeFormat.SECONDS)));
    long seconds = clock.now() / 1000;
    tokens.insert(Document.writer().put("_id", "soon").put("end", seconds + 20).build());
    tokens.insert(Document.writer().put("_id", "later").put("end", seconds + 2000).build());
  }

  /** Other kinds of indexes. */
  private static void places(Mayfly mayfly) {
    Collection places =
        mayfly.create(
            "shop",
            "places",
            CollectionSpec.mongo()
                .withIndex(IndexSpec.implicit("at_sphere", Part.sphere(FieldPath.of("at"))))
                .withIndex(IndexSpec.implicit("all", Part.wildcard(FieldPath.of(List.of())))));
    Value point =
        Value.of(
            Document.writer()
                .put("type", "Point")
                .put("coordinates", Value.array(List.of(Value.of(13.4), Value.of(52.5))))
                .build());
    places.insert(Document.writer().put("_id", 1.0).put("at", point).put("name", "b").build());
  }

  /** Fills several logs, so that a version that recycles logs does so, and drops the collection. */
  private static void bulk(Mayfly mayfly) {
    Collection bulk = mayfly.create("shop", "bulk", CollectionSpec.mongo());
    String text = "x".repeat(1000);
    for (int i = 0; i < BULK; i += GROUP) {
      for (int j = i; j < i + GROUP; j++) {
        bulk.insert(Document.writer().put("_id", j).put("text", text).build());
      }
      work(mayfly);
    }
    mayfly.engine().drop(bulk.namespace());
    work(mayfly);
  }

  /** Two documents, of which one is expired and swept. */
  private static void swept(Mayfly mayfly, ManualClock clock) {
    Collection swept = mayfly.create("shop", "swept", CollectionSpec.mongo().withDefaultTtl(60));
    swept.insert(Document.writer().put("_id", "early").build());
    clock.advance(Duration.ofSeconds(30));
    swept.insert(Document.writer().put("_id", "late").put("ttl", -1).build());
    clock.advance(Duration.ofSeconds(30));
    mayfly.engine().clockMoved();
    work(mayfly);
  }

  /** A TTL index, a unique index and a multikey index; a rule change that an undo can revert. */
  private static void carts(Mayfly mayfly, ManualClock clock) {
    IndexSpec at = IndexSpec.implicit("at_1", Part.ascending(FieldPath.of("at")));
    IndexSpec tag = IndexSpec.implicit("tag_1", Part.ascending(FieldPath.of("tag")));
    IndexSpec code =
        IndexSpec.implicit("code_1", Part.ascending(FieldPath.of("code"))).withUnique(true);
    Collection carts =
        mayfly.create(
            "shop",
            "carts",
            CollectionSpec.mongo()
                .withIndex(at)
                .withIndex(tag)
                .withIndex(code)
                .withTimeToLive(
                    TimeToLive.NONE.withIndex("at_1", 86_400).withGrace(24 * HOUR_MILLIS)));
    for (int i = 0; i < 10; i++) {
      carts.insert(
          Document.writer()
              .put("_id", i)
              .put("at", Value.date(clock.now() - i * HOUR_MILLIS))
              .put("code", "c" + i)
              .put("tag", Value.array(List.of(Value.of("all"), Value.of("t" + i % 2))))
              .build());
    }
    // expires the documents from 4 hours ago on; the grace allows an undo
    carts.alter(spec -> spec.withTimeToLive(spec.timeToLive().withIndex("at_1", 4 * 3600)));
  }

  /** A container with a default TTL, and items with and without their own. */
  private static void sessions(Mayfly mayfly) {
    Collection sessions =
        mayfly.create("cosmos:web", "sessions", CollectionSpec.cosmos("user").withDefaultTtl(1800));
    sessions.insert(Document.writer().put("id", "default").put("user", "ada").build());
    sessions.insert(Document.writer().put("id", "short").put("user", "ada").put("ttl", 60).build());
    sessions.insert(Document.writer().put("id", "never").put("user", "bob").put("ttl", -1).build());
  }

  /**
   * Writes that stay in the log: inserts, a delete, touches, the image of an expired document, the
   * receipt of a retryable write, departures of parents.
   */
  private static void writeLast(Mayfly mayfly, ManualClock clock) {
    Collection carts = mayfly.collection("shop", "carts");
    carts.insert(
        Document.writer()
            .put("_id", "last")
            .put("at", Value.date(clock.now()))
            .put("code", "c")
            .build());
    carts.write(new Write.Delete(DocumentKey.of(Value.of(3))));
    Collection sessions = mayfly.collection("cosmos:web", "sessions");
    clock.advance(Duration.ofSeconds(5));
    for (String sliding : List.of("slides", "used")) {
      mayfly.collection("shop", sliding).read(DocumentKey.of("read")).orElseThrow();
    }
    clock.advance(Duration.ofSeconds(5));
    mayfly.collection("shop", "files").write(new Write.Delete(DocumentKey.of("deleted")));
    // the parent has expired: it departs, and the document has none
    mayfly
        .collection("shop", "chunks")
        .insert(Document.writer().put("_id", "late").put("file", "short").build());
    sessions.insert(Document.writer().put("id", "last").put("user", "cleo").build());
    // replaces an expired document, whose image then waits
    mayfly
        .collection("shop", "orders")
        .insert(Document.writer().put("_id", 1).put("note", "second").build());
    mayfly
        .collection("shop", "recent")
        .write(
            List.of(new Write.Insert(Document.writer().put("_id", "retried").build())),
            Grouping.ATOMIC,
            Durability.SYNCED,
            new Retry(new ByteKey("session".getBytes(StandardCharsets.UTF_8)), 7, 0));
  }

  private static void work(Mayfly mayfly) {
    while (mayfly.engine().work()) {
      // one round after the other
    }
  }
}
