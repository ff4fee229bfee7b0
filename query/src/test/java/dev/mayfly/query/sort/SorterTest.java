package dev.mayfly.query.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.query.QueryException;
import dev.mayfly.value.Document;
import dev.mayfly.value.KeyWriter;
import dev.mayfly.value.testing.SeedExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(SeedExtension.class)
final class SorterTest {
  private static final long AMPLE = 1 << 20;
  private static final long TIGHT = 2_000;

  @TempDir private Path directory;

  /** What is sorted: a number, and the place it came at. */
  private record Item(long number, int place) {}

  @Test
  void equalKeysStayInTheirOrderWhateverFitsIntoMemory(Random random) {
    for (int round = 0; round < 25; round++) {
      List<Item> items = items(random, random.nextInt(1500));
      long limit = random.nextBoolean() ? Long.MAX_VALUE : random.nextInt(50);
      List<Item> expected =
          items.stream().sorted(Comparator.comparingLong(Item::number)).limit(limit).toList();
      assertThat(sort(items, Workspace.memory(AMPLE), limit)).isEqualTo(expected);
      assertThat(sort(items, Workspace.spilling(TIGHT, directory), limit)).isEqualTo(expected);
    }
  }

  @Test
  void theFirstFewOfManyFitIntoLittleMemory(Random random) {
    List<Item> items = items(random, 100_000);
    List<Item> sorted = sort(items, Workspace.memory(400_000), 5);
    assertThat(sorted)
        .isEqualTo(items.stream().sorted(Comparator.comparingLong(Item::number)).limit(5).toList());
  }

  @Test
  void whatDoesNotFitIsAnErrorWithoutADirectory(Random random) {
    assertThatThrownBy(() -> sort(items(random, 100), Workspace.memory(TIGHT), Long.MAX_VALUE))
        .isInstanceOfSatisfying(QueryException.class, e -> assertThat(e.number()).isEqualTo(292));
  }

  @Test
  void noFileOutlivesTheSorter(Random random) throws IOException {
    try (Sorter sorter = new Sorter(Workspace.spilling(TIGHT, directory), Long.MAX_VALUE)) {
      items(random, 500).forEach(item -> add(sorter, item));
      sorter.finish();
      sorter.next();
      assertThat(files()).isNotEmpty();
    }
    assertThat(files()).isEmpty();
  }

  private static List<Item> sort(List<Item> items, Workspace workspace, long limit) {
    List<Item> sorted = new ArrayList<>();
    try (Sorter sorter = new Sorter(workspace, limit)) {
      items.forEach(item -> add(sorter, item));
      sorter.finish();
      while (sorter.next()) {
        Document document = sorter.document();
        sorted.add(new Item(document.field("number").asLong(), document.field("place").asInt()));
      }
    }
    return sorted;
  }

  private static void add(Sorter sorter, Item item) {
    sorter.add(
        new KeyWriter().appendLong(item.number()).bytes(),
        Document.writer().put("number", item.number()).put("place", item.place()).build());
  }

  private static List<Item> items(Random random, int count) {
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      items.add(new Item(random.nextInt(100), i));
    }
    return items;
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }
}
