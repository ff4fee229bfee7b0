package dev.mayfly.engine.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents in storage order, starting after any key. */
final class RecordsTest {
  private static final Namespace NAME = new Namespace("cosmos", "items");

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final LocalEngine engine =
      LocalEngine.open(
          MemoryStore.withFilters(),
          clock,
          EngineSettings.standard(clock::now).withBackground(false));

  @AfterEach
  void close() {
    engine.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void resumeAfterEachDocumentReturnsAllOnce(int shards) {
    LocalCollection items = engine.create(NAME, CollectionSpec.cosmos("p").withShards(shards));
    for (int i = 0; i < 30; i++) {
      items.insert(item("p" + i % 5, "i" + i));
    }
    List<String> all = ids(items.records(List.of()));
    assertThat(all).hasSize(30).doesNotHaveDuplicates();
    List<String> paged = new ArrayList<>();
    Cursor page = items.records(List.of());
    while (page.next()) {
      Document document = page.document();
      paged.add(document.field("id").asString());
      page.close();
      page =
          items.records(
              List.of(), new DocumentKey(List.of(document.field("p")), document.field("id")));
    }
    page.close();
    assertThat(paged).isEqualTo(all);
  }

  @Test
  void partitionScanEndsAtItsPartition() {
    LocalCollection items = engine.create(NAME, CollectionSpec.cosmos("p", "q"));
    items.insert(item("a", "1"));
    items.insert(item("b", "1"));
    items.insert(item("b", "2"));
    items.insert(item("ba", "1"));
    assertThat(ids(items.records(List.of(Value.of("b"))))).containsExactly("1", "2");
    DocumentKey first = new DocumentKey(List.of(Value.of("b"), Value.MISSING), Value.of("1"));
    assertThat(ids(items.records(List.of(Value.of("b")), first))).containsExactly("2");
    DocumentKey before = new DocumentKey(List.of(Value.of("a"), Value.MISSING), Value.of("9"));
    assertThat(ids(items.records(List.of(Value.of("b")), before))).containsExactly("1", "2");
  }

  @Test
  void resumeKeyNeedNotExist() {
    LocalCollection items = engine.create(NAME, CollectionSpec.cosmos("p").withDefaultTtl(10));
    items.insert(item("a", "1"));
    clock.advance(Duration.ofSeconds(5));
    items.insert(item("a", "3"));
    clock.advance(Duration.ofSeconds(5));
    assertThat(ids(items.records(List.of()))).containsExactly("3");
    assertThat(ids(items.records(List.of(), DocumentKey.of("a", "2")))).containsExactly("3");
    assertThat(ids(items.records(List.of(), DocumentKey.of("a", "3")))).isEmpty();
  }

  private static List<String> ids(Cursor cursor) {
    List<String> ids = new ArrayList<>();
    try (cursor) {
      while (cursor.next()) {
        ids.add(cursor.document().field("id").asString());
      }
    }
    return ids;
  }

  private static Document item(String partition, String id) {
    return Document.writer().put("id", id).put("p", partition).build();
  }
}
