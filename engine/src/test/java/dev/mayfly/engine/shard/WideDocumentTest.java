package dev.mayfly.engine.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.Change;
import dev.mayfly.engine.ChangeImageMode;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.engine.model.Audit;
import dev.mayfly.engine.read.QueryCursor;
import dev.mayfly.engine.read.ShardScan;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Operator;
import dev.mayfly.query.Query;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents with long arrays and many fields, and many documents with arrays. */
final class WideDocumentTest {
  private static final Namespace NAME = new Namespace("db", "wide");
  private static final FieldPath TAGS = FieldPath.of("tags");

  /** Work that grows with the square of these sizes takes several times as long. */
  private static final long MOST_CPU_NANOS = 5_000_000_000L;

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private LocalEngine engine;

  @BeforeEach
  void open() {
    engine =
        LocalEngine.open(
            MemoryStore.withFilters(),
            clock,
            EngineSettings.standard(clock::now).withBackground(false));
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private static IndexSpec byTags() {
    return IndexSpec.implicit("tags_1", Part.ascending(TAGS));
  }

  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  @Test
  void pushToALongIndexedArrayIsNotQuadratic() {
    LocalCollection wide = engine.create(NAME, CollectionSpec.mongo().withIndex(byTags()));
    wide.insert(tagged(100_000));
    long start = cpu();
    wide.write(new Write.Update(DocumentKey.of(Value.of(0)), _ -> tagged(100_001)));
    assertThat(cpu() - start).isLessThan(MOST_CPU_NANOS);
    assertThat(wide.count(new Filter.Compare(TAGS, Operator.EQ, Value.of(100_000)))).isEqualTo(1);
    wide.write(new Write.Update(DocumentKey.of(Value.of(0)), _ -> tagged(50)));
    assertThat(wide.count(new Filter.Compare(TAGS, Operator.EQ, Value.of(50)))).isZero();
    Audit.check(engine, wide);
  }

  private static Document tagged(int count) {
    List<Value> tags = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      tags.add(Value.of(i));
    }
    return Document.writer().put("_id", 0).put("tags", Value.array(tags)).build();
  }

  @Test
  void differenceOfManyFieldsIsNotQuadratic() {
    LocalCollection wide =
        engine.create(
            NAME,
            CollectionSpec.mongo()
                .withFeed(
                    new CollectionSpec.FeedSpec(
                        ChangeImageMode.DIFFERENCES, 86_400_000, 1L << 30)));
    wide.insert(fields(0, 60_000));
    long start = cpu();
    wide.write(new Write.Update(DocumentKey.of(Value.of(0)), _ -> fields(1, 60_000)));
    assertThat(cpu() - start).isLessThan(MOST_CPU_NANOS);
    Change last = wide.feeds().getFirst().read(0, 10).getLast();
    assertThat(last.before()).isEqualTo(Document.writer().put("field0", 0).build());
  }

  private static Document fields(int from, int to) {
    DocumentWriter fields = Document.writer().put("_id", 0);
    for (int i = from; i < to; i++) {
      fields.put("field" + i, i);
    }
    return fields.build();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void multikeyScanHasABoundedMemory(boolean unique) {
    int count = 60_000;
    LocalCollection many =
        engine.create(NAME, CollectionSpec.mongo().withIndex(byTags().withUnique(unique)));
    List<Write> writes = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      Value tags = Value.array(List.of(Value.of(i), Value.of(-i)));
      writes.add(new Write.Insert(Document.writer().put("_id", i).put("tags", tags).build()));
    }
    many.write(writes, Grouping.ORDERED, Durability.LOGGED);
    Filter all = new Filter.Compare(TAGS, Operator.GTE, Value.of(-count));
    List<Integer> ids = new ArrayList<>();
    try (QueryCursor cursor = many.query(Query.of(all, many.spec().dialect().mode()))) {
      assertThat(cursor.plan()).contains("tags_1");
      while (cursor.next()) {
        ids.add(cursor.document().field("_id").asInt());
      }
      assertThat(cursor.keptBytes()).isLessThan(ShardScan.MAX_SEEN_BYTES + 1000);
    }
    assertThat(ids).hasSize(count).doesNotHaveDuplicates();
    assertThat(ids.getFirst()).isEqualTo(count);
    assertThat(ids).isSortedAccordingTo(Collections.reverseOrder());
  }
}
