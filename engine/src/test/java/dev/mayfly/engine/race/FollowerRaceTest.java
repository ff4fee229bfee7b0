package dev.mayfly.engine.race;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.OperationContext;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/**
 * Writers of parents and children, readers, and the sweep at the same time: no reader meets a child
 * after the deadline of its parent, or misses one before it.
 */
final class FollowerRaceTest {
  private static final int WRITERS = 2;
  private static final int ROUNDS = 250;
  private static final int IDS = 8;
  private static final int CHILDREN = 5;

  /** For children whose parent has expired before they were written. */
  private static final int LIFE_SECONDS = 100;

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final AtomicBoolean done = new AtomicBoolean();

  /** The deadlines of the parents of acknowledged children, by the id of the child. */
  private final Map<String, Long> written = new ConcurrentHashMap<>();

  @Test
  void readersSeeChildrenExactlyUntilTheDeadlinesOfTheirParents() throws Exception {
    EngineSettings settings = EngineSettings.standard(System::nanoTime).withBackground(true);
    try (MemoryStore store = MemoryStore.withFilters();
        LocalEngine engine = LocalEngine.open(store, clock, settings);
        ExecutorService threads = Executors.newCachedThreadPool()) {
      LocalCollection parents =
          engine.create(new Namespace("d", "parents"), CollectionSpec.mongo().withDefaultTtl(-1));
      LocalCollection children =
          engine.create(
              new Namespace("d", "children"),
              CollectionSpec.mongo()
                  .withDefaultTtl(-1)
                  .withIndex(IndexSpec.implicit("p_1", Part.ascending(FieldPath.of("p"))))
                  .withExpiresWith("parents", "p", false));
      List<Future<?>> others = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        others.add(threads.submit(reading(children)));
      }
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        writers.add(threads.submit(writing(engine, parents, children, i)));
      }
      try {
        for (Future<?> writer : writers) {
          writer.get();
        }
      } finally {
        done.set(true);
      }
      for (Future<?> other : others) {
        other.get();
      }
      clock.advance(Duration.ofSeconds(LIFE_SECONDS));
      engine.clockMoved();
      assertThat(children.usage().documents()).isZero();
      engine.workUntilIdle();
      assertThat(children.check(false).examples()).isEmpty();
      assertThat(children.owners().getFirst().documentCounts().totals().stored().documents())
          .isZero();
    }
  }

  private Callable<Boolean> writing(
      LocalEngine engine, LocalCollection parents, LocalCollection children, int writer) {
    return () -> {
      for (int round = 0; round < ROUNDS; round++) {
        int id = writer * IDS + round % IDS;
        insert(parents, Document.writer().put("_id", id).put("ttl", 1 + round % 3).build());
        long deadline =
            parents
                .read(DocumentKey.of(Value.of(id)))
                .map(StoredDocument::deadline)
                .orElse(Long.MIN_VALUE);
        for (int n = 0; n < CHILDREN; n++) {
          String child = writer + "-" + round + "-" + n;
          OperationContext operation = children.operation();
          Document document =
              Document.writer().put("_id", child).put("p", id).put("ttl", LIFE_SECONDS).build();
          children.write(
              operation,
              List.of(new Write.Insert(document)),
              Grouping.ORDERED,
              Durability.LOGGED,
              null);
          if (operation.now() < deadline) {
            written.put(child, deadline);
          }
        }
        clock.advance(Duration.ofMillis(7L + round % 60));
        engine.clockMoved();
      }
      return true;
    };
  }

  /** Inserts a parent, unless one with its id is live. */
  private static void insert(LocalCollection parents, Document document) {
    try {
      parents.write(new Write.Insert(document));
    } catch (EngineException refused) {
      assertThat(refused.reason()).isEqualTo(Reason.DUPLICATE_ID);
    }
  }

  private Callable<Boolean> reading(LocalCollection children) {
    return () -> {
      while (!done.get()) {
        Map<String, Long> before = Map.copyOf(written);
        OperationContext operation = children.operation();
        Set<String> found = new HashSet<>();
        try (Cursor cursor = children.query(operation, Query.of(Filter.all(), Mode.MATCH))) {
          while (cursor.next()) {
            found.add(cursor.document().field("_id").asString());
          }
        }
        long now = operation.now();
        before.forEach(
            (child, deadline) ->
                assertThat(found.contains(child))
                    .as("child %s of a parent that expires at %d, read at %d", child, deadline, now)
                    .isEqualTo(deadline > now));
      }
      return true;
    };
  }
}
