package dev.mayfly.engine.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.value.testing.SeedExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Engine against a simple model, with random histories on every kind of store.
 *
 * <p>A failure prints the seed of its history and a shortened list of steps that still fails. A
 * normal run uses the same histories every time; {@code -Dseed=N} uses others, {@code
 * -Dhistories=N} more of them.
 */
final class ModelTest {
  private static final long USUAL_SEED = 20_261_115;
  private static final int STEPS = 150;
  private static final int SHRINKS = 400;
  private static final int LINES = 60;

  @TempDir private Path temporary = Path.of("");
  private int directories;

  @ParameterizedTest
  @EnumSource(ModelStores.class)
  void engineBehavesLikeTheModel(ModelStores kind) throws IOException {
    kind.assumeAvailable();
    long base = SeedExtension.seed(USUAL_SEED);
    int indexScans = 0;
    for (int i = 0; i < histories(kind); i++) {
      indexScans += history(kind, base + i);
    }
    assertThat(indexScans).as("queries through an index").isPositive();
  }

  /** A failed read after a rule change was stored left the change half in effect. */
  @ParameterizedTest
  @EnumSource(
      value = ModelStores.class,
      names = {"FAULTY_DISK", "FAULTY_DISK_WITH_FILTERS"})
  void historyThatOnceFailed(ModelStores kind) throws IOException {
    assertThat(history(kind, 20_261_161)).isNotNegative();
  }

  /** A cursor that was opened during a leap of the clock did not delay the sweep. */
  @Test
  void leapThatOnceFailed() throws IOException {
    assertThat(history(ModelStores.MEMORY_WITH_LEAPS, 31_357)).isNotNegative();
  }

  private static int histories(ModelStores kind) {
    String asked = System.getProperty("mayfly.histories", "").strip();
    if (!asked.isEmpty()) {
      return Integer.parseInt(asked);
    }
    if (kind.faulty() || kind.leaps()) {
      return 30;
    }
    if (kind == ModelStores.CASSANDRA) {
      return 3;
    }
    return kind.onDisk() ? 10 : 60;
  }

  private int history(ModelStores kind, long seed) throws IOException {
    List<Integer> steps = IntStream.range(0, STEPS).boxed().toList();
    Run run = run(kind, seed, steps);
    if (run.failure().isPresent()) {
      Run shortest = shrink(kind, seed, run);
      List<String> trace = shortest.trace();
      throw new AssertionError(
          "%s: replay with -Dseed=%d%n%s%n"
              .formatted(
                  kind,
                  seed,
                  String.join(
                      "\n", trace.subList(Math.max(trace.size() - LINES, 0), trace.size()))),
          shortest.failure().orElseThrow());
    }
    return run.indexScans();
  }

  /** Result of a history: its steps, and the failure of the last one, if it failed. */
  private record Run(
      List<Integer> steps, List<String> trace, int indexScans, Optional<Throwable> failure) {}

  private Run run(ModelStores kind, long seed, List<Integer> steps) throws IOException {
    Path directory = Files.createDirectory(temporary.resolve("store" + directories++));
    List<Integer> done = new ArrayList<>();
    try (ModelHistory history = new ModelHistory(kind, directory, seed)) {
      try {
        for (int step : steps) {
          done.add(step);
          history.step(step);
        }
        history.finish();
      } catch (AssertionError | RuntimeException failure) {
        return new Run(done, history.trace(), history.indexScans(), Optional.of(failure));
      }
      return new Run(done, history.trace(), history.indexScans(), Optional.empty());
    }
  }

  /** Removes steps, in ever smaller runs, as long as the rest still fails. */
  private Run shrink(ModelStores kind, long seed, Run failed) throws IOException {
    Run shortest = failed;
    int tries = kind.onDisk() ? SHRINKS / 10 : SHRINKS;
    for (int length = failed.steps().size() / 2; length > 0 && tries > 0; length /= 2) {
      for (int from = 0; from + length <= shortest.steps().size() && tries > 0; tries--) {
        List<Integer> fewer = new ArrayList<>(shortest.steps());
        fewer.subList(from, from + length).clear();
        Run run = run(kind, seed, fewer);
        if (run.failure().isPresent()) {
          shortest = run;
        } else {
          from += length;
        }
      }
    }
    return shortest;
  }
}
