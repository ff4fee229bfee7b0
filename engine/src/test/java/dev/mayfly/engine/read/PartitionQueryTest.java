package dev.mayfly.engine.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Operator;
import dev.mayfly.query.Query;
import dev.mayfly.query.Sort;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Queries within one partition read that partition only. */
final class PartitionQueryTest {
  private static final FieldPath P = FieldPath.of("p");
  private static final FieldPath A = FieldPath.of("a");
  private static final FieldPath B = FieldPath.of("b");

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final LocalEngine engine =
      LocalEngine.open(
          MemoryStore.withFilters(),
          clock,
          EngineSettings.standard(clock::now).withBackground(false));
  private final LocalCollection items =
      engine.create(
          new Namespace("cosmos", "items"),
          CollectionSpec.cosmos("p")
              .withIndex(IndexSpec.explicit("all", Part.wildcard(FieldPath.of(List.of()))))
              .withIndex(IndexSpec.explicit("p b", Part.ascending(P), Part.ascending(B))));

  @BeforeEach
  void fill() {
    List<Value> partitions =
        List.of(Value.of("x"), Value.of("xy"), Value.of(1), Value.NULL, Value.MISSING);
    for (Value partition : partitions) {
      for (int i = 0; i < 10; i++) {
        var writer = Document.writer().put("id", "i" + i);
        if (!partition.isMissing()) {
          writer.put("p", partition);
        }
        items.insert(writer.put("a", i % 5).put("b", i % 3).build());
      }
    }
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private List<String> ids(Query query, int looks) {
    List<String> ids = new ArrayList<>();
    try (QueryCursor cursor = items.query(query)) {
      while (cursor.next()) {
        ids.add(cursor.document().field("id").asString());
      }
      assertThat(cursor.explain().documentsExamined()).as(cursor.plan()).isEqualTo(looks);
    }
    return ids;
  }

  private static Query of(Filter... filters) {
    return Query.of(Filter.and(List.of(filters)), Mode.SQL);
  }

  @Test
  void valueWithinAPartitionIsOneIndexRange() {
    Filter two = Filter.equal(A, Value.of(2));
    Filter some = new Filter.In(A, List.of(Value.of(2), Value.of(4)));
    assertThat(ids(of(Filter.equal(P, Value.of("x")), two), 2)).containsExactly("i2", "i7");
    assertThat(ids(of(Filter.equal(P, Value.of(1.0)), two), 2)).containsExactly("i2", "i7");
    assertThat(ids(of(Filter.equal(P, Value.of("xy")), some), 4))
        .containsExactly("i2", "i7", "i4", "i9");
    assertThat(ids(of(Filter.equal(P, Value.NULL), two), 2)).containsExactly("i2", "i7");
    assertThat(ids(of(new Filter.Exists(P, false), two), 2)).containsExactly("i2", "i7");
    assertThat(ids(of(Filter.equal(P, Value.of("nobody")), two), 0)).isEmpty();
  }

  @Test
  void otherConditionsScanThePartition() {
    Filter above = new Filter.Compare(A, Operator.GTE, Value.of(4));
    assertThat(ids(of(Filter.equal(P, Value.of("x")), above), 10)).containsExactly("i4", "i9");
    assertThat(ids(of(Filter.equal(P, Value.of("x"))).orderedBy(Sort.descending(A)), 10))
        .startsWith("i4", "i9", "i3");
    assertThat(ids(of(new Filter.Exists(P, false)), 10)).hasSize(10);
  }

  @Test
  void indexOnThePartitionKeyGivesTheOrder() {
    Query ordered =
        of(Filter.equal(P, Value.of("x"))).orderedBy(Sort.ascending(P), Sort.ascending(B));
    assertThat(items.explain(ordered).sorts()).isFalse();
    assertThat(ids(ordered, 10)).startsWith("i0", "i3", "i6", "i9", "i1");
  }

  @Test
  void idWithinAPartitionIsAPointRead() {
    assertThat(
            ids(
                of(Filter.equal(P, Value.NULL), Filter.equal(FieldPath.of("id"), Value.of("i3"))),
                1))
        .containsExactly("i3");
    assertThat(
            ids(
                of(new Filter.Exists(P, false), Filter.equal(FieldPath.of("id"), Value.of("i3"))),
                1))
        .containsExactly("i3");
  }
}
