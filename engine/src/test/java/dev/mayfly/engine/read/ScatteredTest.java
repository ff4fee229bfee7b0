package dev.mayfly.engine.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.engine.shard.ExpiryZones;
import dev.mayfly.expiry.Cutoffs;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Operator;
import dev.mayfly.query.Query;
import dev.mayfly.query.RootFields;
import dev.mayfly.store.Batch;
import dev.mayfly.store.Direction;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.Range;
import dev.mayfly.store.Reader;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Shard;
import dev.mayfly.store.Space;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parallel scans of many records in any order. */
final class ScatteredTest {
  private static final int MANY = 12_000;
  private static final Namespace NAME = new Namespace("mongo", "things");
  private static final Query EVERYTHING = Query.of(Filter.all(), Mode.MATCH).inAnyOrder();
  private static final RootFields N = new RootFields(Set.of("n"), false);

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final MemoryStore store = MemoryStore.withFilters();
  private final LocalEngine engine =
      LocalEngine.open(store, clock, EngineSettings.standard(clock::now).withBackground(false));

  @AfterEach
  void close() {
    engine.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void everyDocumentIsReturnedOnce(int shards) {
    LocalCollection things = filled(CollectionSpec.mongo().withShards(shards));
    assertThat(numbers(things.query(EVERYTHING.wanting(N)))).isEqualTo(upTo(MANY));
    assertThat(numbers(things.query(EVERYTHING))).isEqualTo(upTo(MANY));
  }

  @Test
  void expiredDocumentsAreHidden() {
    LocalCollection things = filled(CollectionSpec.mongo().withDefaultTtl(60));
    clock.advance(Duration.ofSeconds(30));
    things.insert(thing(MANY));
    clock.advance(Duration.ofSeconds(30));
    assertThat(numbers(things.query(EVERYTHING.wanting(N)))).containsExactly(MANY);
  }

  @Test
  void countReadsEveryDocument() {
    LocalCollection things = filled(CollectionSpec.mongo());
    Filter half = new Filter.Compare(FieldPath.of("n"), Operator.LT, Value.of(MANY / 2));
    assertThat(things.count(half)).isEqualTo(MANY / 2);
  }

  @Test
  void earlyCloseEndsTheWorker() {
    LocalCollection things = filled(CollectionSpec.mongo());
    for (int looks : List.of(0, 1, 5000, 5001, 9000)) {
      QueryCursor cursor = things.query(EVERYTHING);
      for (int i = 0; i < looks; i++) {
        assertThat(cursor.next()).isTrue();
      }
      cursor.close();
    }
    assertThat(numbers(things.query(EVERYTHING))).hasSize(MANY);
  }

  @Test
  void failureOfTheWorkerIsThrown() {
    Shard shard = store.own(77);
    Batch batch = new Batch();
    for (int i = 0; i < 4000; i++) {
      batch.put(Space.RECORDS, ByteBuffer.allocate(4).putInt(i).array(), new byte[100]);
    }
    shard.commit(batch);
    Thread reader = Thread.currentThread();
    Reader failing = new FailingElsewhere(shard, reader, new CountDownLatch(1));
    List<Range> halves = List.of(Range.to(new byte[] {0, 0, 8}), Range.from(new byte[] {0, 0, 8}));
    try (ParallelScan scan =
        ParallelScan.begin(failing, halves, ScatteredTest::whole, new ScanWorkers(2))) {
      assertThatThrownBy(
              () -> {
                while (scan.next() != null) {
                  assertThat(Thread.currentThread()).isEqualTo(reader);
                }
              })
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("refused");
    }
  }

  @Test
  void withoutAnIdleProcessorOneThreadReadsAll() {
    ScanWorkers none = new ScanWorkers(1);
    assertThat(none.start(() -> {})).isFalse();
    Shard shard = store.own(78);
    shard.commit(new Batch().put(Space.RECORDS, new byte[] {1}, new byte[] {2}));
    try (ParallelScan scan =
        ParallelScan.begin(shard, List.of(Range.all()), ScatteredTest::whole, none)) {
      assertThat(scan.next()).containsExactly(2);
      assertThat(scan.next()).isNull();
    }
  }

  /** Reads for one thread only, which waits until another has tried and was refused. */
  private record FailingElsewhere(Reader reader, Thread friend, CountDownLatch refused)
      implements Reader {
    @Override
    public byte @Nullable [] read(Space space, byte[] key) {
      return reader.read(space, key);
    }

    @Override
    public Scan scan(Space space, Range range, Direction direction) {
      if (!Thread.currentThread().equals(friend)) {
        refused.countDown();
        throw new IllegalStateException("refused");
      }
      try {
        refused.await();
      } catch (InterruptedException hurried) {
        throw new AssertionError(hurried);
      }
      return reader.scan(space, range, direction);
    }
  }

  private LocalCollection filled(CollectionSpec spec) {
    LocalCollection things = engine.create(NAME, spec);
    List<Write> writes = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      writes.add(new Write.Insert(thing(i)));
    }
    things.write(writes, Grouping.UNORDERED, Durability.LOGGED);
    return things;
  }

  private static Document thing(int number) {
    return Document.writer().put("_id", "thing-" + number).put("n", number).build();
  }

  private static List<Integer> upTo(int end) {
    return IntStream.range(0, end).boxed().toList();
  }

  private static List<Integer> numbers(QueryCursor cursor) {
    List<Integer> numbers = new ArrayList<>();
    try (cursor) {
      while (cursor.next()) {
        numbers.add(cursor.document().field("n").asInt());
      }
    }
    return numbers.stream().sorted().toList();
  }

  private static PartialRecordReader whole() {
    return new PartialRecordReader(RootFields.ALL, Cutoffs.NONE, ExpiryZones.Skipper.NONE);
  }
}
