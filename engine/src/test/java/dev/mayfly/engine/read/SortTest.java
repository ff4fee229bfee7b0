package dev.mayfly.engine.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.SortLimits;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import dev.mayfly.query.Sort;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SortTest {
  private static final int DOCUMENTS = 500;
  private static final FieldPath ID = FieldPath.of("_id");
  private static final FieldPath N = FieldPath.of("n");
  private static final Query BY_N = Query.of(Filter.all(), Mode.MATCH).orderedBy(Sort.ascending(N));

  @TempDir private Path directory = Path.of("");

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);

  private LocalEngine open(SortLimits limits) {
    return LocalEngine.open(
        new MemoryStore(),
        clock,
        EngineSettings.standard(clock::now).withBackground(false).withSorting(limits));
  }

  private static LocalCollection filled(LocalEngine engine, CollectionSpec spec) {
    LocalCollection things = engine.create(new Namespace("test", "things"), spec);
    for (int i = 0; i < DOCUMENTS; i++) {
      things.insert(
          Document.writer()
              .put("_id", i)
              .put("n", i * 7 % DOCUMENTS)
              .put("pad", "x".repeat(100))
              .build());
    }
    return things;
  }

  private static List<Integer> numbers(LocalCollection collection, Query query) {
    List<Integer> numbers = new ArrayList<>();
    try (QueryCursor cursor = collection.query(query)) {
      while (cursor.next()) {
        numbers.add(cursor.document().at(N).asInt());
      }
    }
    return numbers;
  }

  private static List<Integer> upTo(int end) {
    return IntStream.range(0, end).boxed().toList();
  }

  @Test
  void largeSortSpillsToFilesAndDeletesThem() throws IOException {
    Path files = directory.resolve("sorts");
    try (LocalEngine engine = open(SortLimits.memory(10_000).spillingTo(files))) {
      LocalCollection things = filled(engine, CollectionSpec.mongo().withShards(2));
      assertThat(numbers(things, BY_N)).isEqualTo(upTo(DOCUMENTS));
      assertThat(numbers(things, BY_N.skipping(10).limitedTo(100)))
          .isEqualTo(upTo(110).subList(10, 110));
      try (QueryCursor cursor = things.query(BY_N)) {
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.explain().sorts()).isTrue();
        assertThat(cursor.current().writtenAt()).isEqualTo(clock.now());
        assertThat(cursor.current().version()).isPositive();
        try (Stream<Path> open = Files.list(files)) {
          assertThat(open).isNotEmpty();
        }
      }
      try (Stream<Path> left = Files.list(files)) {
        assertThat(left).isEmpty();
      }
    }
  }

  @Test
  void filesOfAKilledProcessAreDeleted() throws IOException {
    Path left = Files.createFile(directory.resolve("run-1.tmp"));
    Path other = Files.createFile(directory.resolve("other"));
    open(SortLimits.STANDARD.spillingTo(directory)).close();
    assertThat(left).doesNotExist();
    assertThat(other).exists();
  }

  @Test
  void withoutFilesATooLargeSortFails() {
    try (LocalEngine engine = open(SortLimits.memory(10_000))) {
      LocalCollection things = filled(engine, CollectionSpec.mongo());
      assertTooLarge(things, BY_N);
      assertThat(numbers(things, BY_N.limitedTo(3))).containsExactly(0, 1, 2);
    }
  }

  @Test
  void queryCanForbidFiles() {
    try (LocalEngine engine = open(SortLimits.memory(10_000).spillingTo(directory))) {
      assertTooLarge(filled(engine, CollectionSpec.mongo()), BY_N.withoutDisk());
    }
  }

  private static void assertTooLarge(LocalCollection things, Query query) {
    try (QueryCursor cursor = things.query(query)) {
      assertThatThrownBy(cursor::next)
          .isInstanceOfSatisfying(
              EngineException.class,
              failure -> assertThat(failure.reason()).isEqualTo(Reason.SORT_TOO_LARGE));
    }
  }

  @Test
  void sortedShardsAreMerged() {
    try (LocalEngine engine = open(SortLimits.memory(0))) {
      CollectionSpec spec =
          CollectionSpec.mongo()
              .withShards(5)
              .withIndex(IndexSpec.implicit("n_1", Part.ascending(N)));
      LocalCollection things = filled(engine, spec);
      assertThat(things.explain(BY_N).sorts()).isFalse();
      assertThat(numbers(things, BY_N)).isEqualTo(upTo(DOCUMENTS));
      Query down = BY_N.orderedBy(Sort.descending(N)).skipping(2).limitedTo(3);
      assertThat(numbers(things, down))
          .containsExactly(DOCUMENTS - 3, DOCUMENTS - 4, DOCUMENTS - 5);
      Query byId = BY_N.orderedBy(Sort.ascending(ID)).limitedTo(4);
      assertThat(numbers(things, byId)).containsExactly(0, 7, 14, 21);
    }
  }
}
