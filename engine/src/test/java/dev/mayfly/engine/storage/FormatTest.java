package dev.mayfly.engine.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.Change;
import dev.mayfly.engine.Change.Cause;
import dev.mayfly.engine.Change.Kind;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Retry;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.TransactionId;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.engine.catalog.Alteration;
import dev.mayfly.engine.catalog.Catalog;
import dev.mayfly.engine.catalog.CollectionState;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.engine.shard.Receipts;
import dev.mayfly.engine.sweep.ShardBuild;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.expiry.Header;
import dev.mayfly.expiry.HeaderFields;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.Batch;
import dev.mayfly.store.Direction;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Shard;
import dev.mayfly.store.Space;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Pins the bytes that docs/formats specifies. A change that fails here is a new format. */
final class FormatTest {
  private static final HexFormat HEX = HexFormat.of();
  private static final CollectionSpec KEYED = CollectionSpec.mongo();

  /** 0x018BCFE56800: whole seconds. */
  private static final long NOW = 1_700_000_000_000L;

  @Test
  void numbersOfStoredFormats() {
    assertThat(hex(new ByteBuilder().varint(0).varint(127).varint(300).bytes()))
        .isEqualTo("007fac02");
    assertThat(hex(new ByteBuilder().signed(-1).signed(1).signed(-64).bytes())).isEqualTo("01027f");
    assertThat(hex(new ByteBuilder().sized(new byte[] {7, 8}).bytes())).isEqualTo("020708");
  }

  @Test
  void keysOfTheLayout() {
    byte[] key = {0x24, 'a'};
    assertThat(hex(Layout.lane(2, 5, key))).isEqualTo("4c0002" + "8000000000000005" + "2461");
    assertThat(hex(Layout.lane(2, -1, key))).isEqualTo("4c0002" + "7fffffffffffffff" + "2461");
    assertThat(hex(Layout.feed(9))).isEqualTo("468000000000000009");
    assertThat(hex(Layout.arrival(9))).isEqualTo("438000000000000009");
    assertThat(hex(Layout.archive(9))).isEqualTo("458000000000000009");
    assertThat(hex(Layout.archived())).isEqualTo("45");
    assertThat(hex(Layout.indexPrefix(3))).isEqualTo("00000003");
    assertThat(hex(Layout.arrays(3))).isEqualTo("4100000003");
    assertThat(hex(Layout.swept(1))).isEqualTo("530001");
    assertThat(hex(Layout.totals())).isEqualTo("54");
    assertThat(hex(Layout.lazyIndexed())).isEqualTo("5a");
    assertThat(hex(ShardBuild.Target.index(3).progressKey())).isEqualTo("4200000003");
    assertThat(hex(ShardBuild.Target.lane(3).progressKey())).isEqualTo("4240000003");
  }

  @Test
  void timeInTheCatalog() {
    try (MemoryStore store = new MemoryStore()) {
      Catalog catalog = new Catalog(store.own(Catalog.SHARD));
      assertThat(catalog.time()).isEmpty();
      catalog.keepTime(300);
      byte[] stored = store.own(Catalog.SHARD).read(Space.META, new byte[] {'t'});
      assertThat(hex(java.util.Objects.requireNonNull(stored))).isEqualTo("d804");
      assertThat(catalog.time()).hasValue(300);
    }
  }

  /** A collection of an earlier version has no history of rules. */
  @Test
  void ruleChangesInTheCatalog() {
    CollectionState state =
        Alteration.create(1, new Namespace("d", "c"), CollectionSpec.mongo(), List.of(1), 0, 1);
    CollectionState changed =
        state.withRuleChange(state, 300, /* undo= */ true, OptionalLong.of(2), "me");
    assertThat(CollectionState.of(changed.toDocument())).isEqualTo(changed);
    Document stored = changed.toDocument().field("ruleChanges").asDocument();
    assertThat(stored.field("0").toString())
        .startsWith("{\"number\":1,\"at\":300,\"undo\":true,\"from\":{")
        .endsWith("\"by\":\"me\",\"documents\":2}");
    DocumentWriter old = Document.writer();
    Fields fields = changed.toDocument().fields();
    while (fields.next()) {
      if (!fields.name().equals("ruleChanges")) {
        old.put(fields.name(), fields.value());
      }
    }
    assertThat(CollectionState.of(old.build())).isEqualTo(state);
  }

  @Test
  void headers() {
    HeaderFields life = new HeaderFields();
    assertThat(header(life.begin(0x0102, 0x0102, NOW, HeaderFields.NO_TTL), true))
        .isEqualTo("04" + "0000000000000102" + "018bcfe56800" + "00");
    assertThat(header(life.begin(0x0102, 2, NOW, HeaderFields.NEVER), false))
        .isEqualTo("01" + "0000000000000102" + "018bcfe56800" + "8002");
    assertThat(header(life.begin(0x0102, 0x0101, NOW, 60).place(2, -1).place(3, 5), true))
        .isEqualTo(
            ("16" + "0000000000000102" + "018bcfe56800" + "0000003c")
                + ("0002" + "ffffffffffffffff")
                + ("0003" + "0000000000000005")
                + "01");
    assertThat(Header.MAX_LENGTH).isEqualTo(338);
  }

  private static String header(HeaderFields life, boolean coversWrite) {
    byte[] buffer = new byte[Header.MAX_LENGTH];
    return hex(Arrays.copyOf(buffer, Header.write(life, coversWrite, buffer, 0)));
  }

  @Test
  void changes() {
    ByteBuilder entry = new ByteBuilder();
    FeedFormat.begin(entry, Kind.UPDATE, Cause.WRITE, 300, new Usage(1, -40), 7);
    PrimaryKey key = PrimaryKey.of(KEYED, DocumentKey.of("a"));
    Document after = Document.writer().put("b", 1).build();
    FeedFormat.write(entry, key, Document.EMPTY, after, Document.EMPTY);
    assertThat(hex(entry.bytes()))
        .isEqualTo(
            ("a1" + "02" + "4f" + "07" + "ac02")
                + ("04" + "24610001")
                + "00"
                + ("02" + "0c0000001062000100000000"));
  }

  @Test
  void changesWithDifferences() {
    ByteBuilder entry = new ByteBuilder();
    FeedFormat.begin(entry, Kind.UPDATE, Cause.WRITE, 300, new Usage(1, -40), 7);
    PrimaryKey key = PrimaryKey.of(KEYED, DocumentKey.of("a"));
    Document before = Document.writer().put("a", 1).build();
    Document after = Document.writer().put("a", 1).put("b", 1).build();
    FeedFormat.writeDifferences(entry, key, before, after, Document.EMPTY);
    assertThat(hex(entry.bytes()))
        .isEqualTo(
            ("a1" + "02" + "4f" + "07" + "ac02")
                + ("04" + "24610001")
                + "00"
                + ("04" + "0500000000" + "0c0000001062000100000000"));
  }

  @Test
  void changesOfEarlierVersionsContainTotals() {
    byte[] entry =
        HexFormat.of().parseHex("21" + "02" + "28" + "07" + "ac02" + "0424610001" + "00" + "00");
    assertThat(FeedFormat.hasTotals(entry)).isTrue();
    assertThat(FeedFormat.totals(entry)).isEqualTo(new Usage(2, 40));
    assertThat(FeedFormat.offset(entry)).isEqualTo(7);
    assertThat(FeedFormat.time(entry)).isEqualTo(300);
    Change change = FeedFormat.read(KEYED, 5, entry, 0).getFirst();
    assertThat(change.kind()).isEqualTo(Kind.UPDATE);
    assertThat(change.key()).isEqualTo(DocumentKey.of("a"));
  }

  @Test
  void changesWithANote() {
    ByteBuilder entry = new ByteBuilder();
    FeedFormat.begin(entry, Kind.UPDATE, Cause.WRITE, 300, new Usage(1, -40), 7);
    PrimaryKey key = PrimaryKey.of(KEYED, DocumentKey.of("a"));
    Document before = Document.writer().put("a", 1).build();
    Document note = Document.writer().put("b", 1).build();
    FeedFormat.writeDifferences(entry, key, before, Document.EMPTY, note);
    assertThat(hex(entry.bytes()))
        .isEqualTo(
            ("a1" + "02" + "4f" + "07" + "ac02")
                + ("04" + "24610001")
                + "00"
                + ("0c" + "0c0000001061000100000000" + "0500000000")
                + "0c0000001062000100000000");
  }

  @Test
  void changesOfATransaction() {
    ByteBuilder entry = new ByteBuilder();
    FeedFormat.begin(entry, Kind.DELETE, Cause.WRITE, 300, new Usage(1, -40), 7);
    TransactionId id = new TransactionId(ByteKey.of(new byte[] {8, 9}), 300);
    FeedFormat.mark(entry, id);
    PrimaryKey key = PrimaryKey.of(KEYED, DocumentKey.of("a"));
    FeedFormat.write(entry, key, Document.EMPTY, Document.EMPTY, Document.EMPTY);
    assertThat(hex(entry.bytes()))
        .isEqualTo(
            ("b4" + "02" + "4f" + "07" + "ac02")
                + ("02" + "0809" + "ac02")
                + ("04" + "24610001")
                + "00"
                + "00");
    Change read = FeedFormat.read(KEYED, 5, entry.bytes(), 0).getFirst();
    assertThat(read.transaction()).isEqualTo(id);
    assertThat(read.cause()).isEqualTo(Cause.WRITE);
    assertThat(read.key()).isEqualTo(DocumentKey.of("a"));
  }

  @Test
  void positionsAtWhichFeedTimesGoBack() {
    assertThat(hex(Layout.feedTimes())).isEqualTo("4b");
    FeedTimes times =
        FeedTimes.NONE
            .with(new FeedTimes.Back(3, 7), 0)
            .with(new FeedTimes.Back(300, 128), 0)
            .with(new FeedTimes.Back(301, 5), 3);
    assertThat(hex(times.encode())).isEqualTo("ac02" + "8001" + "ad02" + "05");
    assertThat(FeedTimes.decode(times.encode())).isEqualTo(times);
  }

  @Test
  void receipts() {
    ByteKey session = ByteKey.of(new byte[] {8, 9});
    assertThat(hex(Layout.receipt(session))).isEqualTo("52" + "0809");
    assertThat(Layout.receiptSession(Layout.receipt(session))).isEqualTo(session);
    assertThat(hex(Layout.receiptBlock(session, 258))).isEqualTo("51" + "02" + "0809" + "00000102");
    Document reply = Document.writer().put("b", 1).build();
    StoredDocument stored = new StoredDocument(reply, 1, 1, 0, Deadline.NEVER);
    Retry retry =
        new Retry(
            session,
            300,
            5,
            outcome -> outcome instanceof WriteOutcome.Deleted ? reply : Document.EMPTY);
    List<WriteOutcome> outcomes =
        List.of(
            new WriteOutcome.Inserted(stored),
            new WriteOutcome.Inserted(stored),
            new WriteOutcome.Skipped(),
            new WriteOutcome.Deleted(reply),
            new WriteOutcome.Unchanged(stored));
    Receipts.Chain chain =
        Receipts.put(new Batch(), retry, Receipts.Receipt.NONE, outcomes, 128)
            .flatMap(Receipts.Receipt::head)
            .orElseThrow();
    assertThat(hex(chain.encode()))
        .isEqualTo(
            ("ac02" + "8001")
                + ("05" + "02" + "01")
                + ("08" + "01" + "14" + "0c0000001062000100000000")
                + ("09" + "01" + "03"));
    assertThat(Receipts.Chain.decode(chain.encode())).isEqualTo(chain);
  }

  @Test
  void longGroupOfExpiriesIsDeflated() {
    CollectionSpec spec = CollectionSpec.mongo();
    FeedFormat.Expiries expiries = new FeedFormat.Expiries();
    for (int i = 0; i < 1000; i++) {
      Document document = Document.writer().put("_id", scattered(i)).build();
      PrimaryKey key = PrimaryKey.of(spec, document);
      expiries.add(key.bytes(), key.spelled(), 5000 + i, Document.EMPTY);
    }
    ByteBuilder entry = new ByteBuilder();
    FeedFormat.begin(entry, Change.Kind.EXPIRE, Change.Cause.DEADLINE, 7000, Usage.NONE, 0);
    expiries.writeTo(entry);
    assertThat(entry.buffer()[0]).isEqualTo((byte) 0xd3);
    assertThat(entry.size()).isLessThan(expiries.bytes() * 3 / 4);
    List<Change> changes = FeedFormat.read(spec, 100, entry.bytes(), 900);
    assertThat(changes).hasSize(199);
    assertThat(changes.getFirst().position()).isEqualTo(901);
    assertThat(changes.getLast().position()).isEqualTo(1099);
    assertThat(changes.getLast().deadline()).isEqualTo(5999);
    assertThat(changes.getLast().key()).isEqualTo(DocumentKey.of(scattered(999)));
    byte[] cut = Arrays.copyOf(entry.bytes(), entry.size() / 2);
    assertThatThrownBy(() -> FeedFormat.read(spec, 100, cut, 0))
        .isInstanceOf(EngineException.class);
  }

  private static String scattered(long number) {
    return "%016x".formatted(number * 0x9E3779B97F4A7C15L);
  }

  @Test
  void groupsOfExpiries() {
    FeedFormat.Expiries expiries = new FeedFormat.Expiries();
    byte[] first = {1, 2, 3};
    byte[] second = {1, 2, 4, 5};
    expiries.add(first, new byte[0], 100, Document.EMPTY);
    expiries.add(second, new byte[] {9}, 99, Document.writer().put("b", 1).build());
    ByteBuilder body = new ByteBuilder();
    expiries.writeTo(body);
    assertThat(hex(body.bytes()))
        .isEqualTo(
            ("00" + "03010203" + "c801" + "00")
                + ("02" + "020405" + "01" + "03" + "0109" + "0c0000001062000100000000"));
  }

  @Test
  void aDocumentWithAnIndexAndALane() {
    ManualClock clock = new ManualClock(NOW);
    EngineSettings settings = EngineSettings.standard(clock::now).withBackground(false);
    MemoryStore store = new MemoryStore();
    try (LocalEngine engine = LocalEngine.open(store, clock, settings)) {
      IndexSpec plain = IndexSpec.implicit("plain", Part.ascending(FieldPath.of("n")));
      IndexSpec unique = IndexSpec.implicit("unique", Part.ascending(FieldPath.of("n")));
      CollectionSpec spec =
          KEYED.withIndex(plain).withIndex(unique.withUnique(true)).withDefaultTtl(60);
      LocalCollection collection = engine.create(new Namespace("d", "c"), spec);
      collection.insert(Document.writer().put("_id", "a").put("n", Value.TRUE).build());
      clock.advance(Duration.ofSeconds(60));
      engine.workUntilIdle();
      collection.insert(Document.writer().put("_id", "a").put("n", Value.TRUE).build());
    }
    Shard shard = store.reopen().own(1);
    String key = "24610001";
    String header = "04" + "0000000000000005" + "018bcfe65260" + "00";
    String document = "14000000" + "025f69640002000000" + "6100" + "086e0001" + "00";
    assertThat(all(shard, Space.RECORDS)).containsOnly(entry(key, header + document));
    assertThat(all(shard, Space.ENTRIES))
        .containsOnly(
            entry("00000001" + "3801" + key, header + "0004"),
            entry("00000002" + "3801", header + key));
    String written = "80d095ffbc31";
    String expired = "e0a499ffbc31";
    assertThat(all(shard, Space.QUEUES))
        .containsOnly(
            entry("46" + "8000000000000003", "91" + "022800" + written + "04" + key + "0000"),
            entry(
                "46" + "8000000000000004",
                "c3" + "012711" + expired + "0004" + key + "c0c9b2fef962" + "00"),
            entry("46" + "8000000000000005", "91" + "022828" + expired + "04" + key + "0000"),
            entry("4c0000" + "8000018bcfe65260" + key, header + "14"));
    assertThat(all(shard, Space.META))
        .containsOnly(
            entry("44", "1414"),
            entry("4e", "05011439"),
            entry("530000", "01" + "80a0abfef962" + "05"));
  }

  private static Map.Entry<String, String> entry(String key, String value) {
    return Map.entry(key, value);
  }

  private static Map<String, String> all(Shard shard, Space space) {
    Map<String, String> entries = new TreeMap<>();
    try (Scan scan = shard.scan(space, Range.all(), Direction.UP)) {
      while (scan.next()) {
        entries.put(hex(scan.key()), hex(scan.value()));
      }
    }
    return entries;
  }

  private static String hex(byte[] bytes) {
    return HEX.formatHex(bytes);
  }
}
