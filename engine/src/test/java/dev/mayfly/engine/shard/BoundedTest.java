package dev.mayfly.engine.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.Change;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.FeedReader;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Bounded collections: a write evicts the documents that expire first. */
final class BoundedTest {
  private static final Namespace NAME = new Namespace("d", "c");

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final MemoryStore store = MemoryStore.withFilters();

  @AutoClose private LocalEngine engine = open();

  private LocalEngine open() {
    return LocalEngine.open(
        store, clock, EngineSettings.standard(clock::now).withBackground(false));
  }

  private Collection create(long bytes, long documents) {
    return engine.create(
        NAME, CollectionSpec.mongo().withDefaultTtl(TimeToLive.NEVER).withLimits(bytes, documents));
  }

  private static Document document(int id, int ttl) {
    return Document.writer().put("_id", id).put("ttl", ttl).build();
  }

  private static List<Integer> ids(Collection collection) {
    List<Integer> ids = new ArrayList<>();
    try (Cursor cursor = collection.query(Query.of(Filter.all(), Mode.MATCH))) {
      while (cursor.next()) {
        ids.add(cursor.document().field("_id").asInt());
      }
    }
    return ids;
  }

  @Test
  void documentsWithTheEarliestDeadlinesAreEvicted() {
    Collection collection = create(0, 3);
    collection.insert(document(1, 50));
    collection.insert(document(2, 10));
    collection.insert(document(3, 30));
    collection.insert(document(4, 40));
    assertThat(ids(collection)).containsExactly(1, 3, 4);
    collection.insert(document(5, 1));
    assertThat(ids(collection)).as("the new document stays").containsExactly(1, 4, 5);
    collection.insert(document(6, 5));
    assertThat(ids(collection)).containsExactly(1, 4, 6);
  }

  @Test
  void expiredDocumentsNeedNoRoom() {
    Collection collection = create(0, 2);
    collection.insert(document(1, 10));
    collection.insert(document(2, 20));
    clock.advance(Duration.ofSeconds(10));
    collection.insert(document(3, 30));
    assertThat(ids(collection)).containsExactly(2, 3);
  }

  @Test
  void documentsWithoutADeadlineAreEvictedLast() {
    Collection collection = create(0, 2);
    collection.insert(document(1, -1));
    collection.insert(document(2, 10));
    collection.insert(document(3, -1));
    assertThat(ids(collection)).containsExactly(1, 3);
    collection.insert(document(4, 5));
    assertThat(ids(collection)).containsExactly(3, 4);
  }

  @Test
  void bytesAreLimited() {
    int size = document(1, 10).length();
    Collection collection = create(3L * size, 0);
    for (int i = 0; i < 10; i++) {
      collection.insert(document(i, 100 + i));
    }
    assertThat(ids(collection)).containsExactly(7, 8, 9);
    Document large =
        Document.writer().put("_id", 20).put("ttl", 7).put("pad", "x".repeat(9 * size)).build();
    collection.insert(large);
    assertThat(ids(collection)).as("one document always fits").containsExactly(20);
  }

  @Test
  void oneGroupKeepsTheDocumentsThatExpireLast() {
    Collection collection = create(0, 2);
    List<Write> writes = new ArrayList<>();
    for (int i = 1; i <= 5; i++) {
      writes.add(new Write.Insert(document(i, 100 - i)));
    }
    collection.write(writes, Grouping.ATOMIC, Durability.SYNCED);
    assertThat(ids(collection)).containsExactly(1, 2);
  }

  @Test
  void evictionsAreMarkedInTheFeed() {
    Collection collection = create(0, 1);
    collection.insert(document(1, 10));
    collection.insert(document(2, 20));
    FeedReader feed = collection.feeds().getFirst();
    assertThat(feed.read(feed.oldest(), 10))
        .extracting(Change::kind, Change::cause, Change::key)
        .contains(
            org.assertj.core.groups.Tuple.tuple(
                Change.Kind.DELETE, Change.Cause.CAP, DocumentKey.of(Value.of(1))));
  }

  @Test
  void limitsSurviveARestartAndCanBeChanged() {
    Collection collection = create(0, 5);
    for (int i = 0; i < 5; i++) {
      collection.insert(document(i, 100 + i));
    }
    engine.close();
    engine = open();
    collection = engine.collection(NAME);
    collection.insert(document(9, 999));
    assertThat(ids(collection)).containsExactly(1, 2, 3, 4, 9);
    collection.alter(spec -> spec.withLimits(0, 2));
    assertThat(collection.count(Filter.all())).isEqualTo(5);
    collection.insert(document(10, 1000));
    assertThat(ids(collection)).containsExactly(9, 10);
    collection.alter(spec -> spec.withLimits(0, 0));
    assertThat(collection.spec().bounded()).isFalse();
    collection.insert(document(11, 5));
    assertThat(ids(collection)).containsExactly(9, 10, 11);
  }

  @Test
  void manyEvictionsReadEachEntryOnce() {
    Collection collection = create(0, 100);
    for (int i = 0; i < 3000; i++) {
      collection.insert(document(i, 1000 + i));
    }
    assertThat(ids(collection)).hasSize(100).startsWith(2900).endsWith(2999);
    engine.workUntilIdle();
    clock.advance(Duration.ofSeconds(1000 + 2950));
    assertThat(collection.count(Filter.all())).isEqualTo(49);
    engine.workUntilIdle();
    assertThat(collection.count(Filter.all())).isEqualTo(49);
  }

  @Test
  void cappedCollectionCannotBeBounded() {
    assertThatThrownBy(() -> CollectionSpec.mongo().withCap(10, 0).withLimits(10, 0))
        .hasMessageContaining("capped");
    assertThatThrownBy(() -> CollectionSpec.mongo().withShards(2).withLimits(10, 0))
        .hasMessageContaining("one shard");
  }
}
