package dev.mayfly.bench;

import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.Clock;
import dev.mayfly.store.Store;
import dev.mayfly.store.rocksdb.RocksSettings;
import dev.mayfly.store.rocksdb.RocksStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.function.Function;
import java.util.stream.Stream;

/** Temporary directories of a benchmark. */
final class Scratch {
  private Scratch() {}

  /** What a benchmark does with an engine. */
  interface Work {
    void with(Engine engine) throws Exception;
  }

  /** Opens an engine on RocksDB in a temporary directory, and deletes the directory afterwards. */
  static void engine(Work work) throws Exception {
    engine(System::currentTimeMillis, _ -> EngineSettings.standard(System::nanoTime), work);
  }

  /**
   * As {@link #engine(Work)}, with a clock and settings.
   *
   * @param settings for an engine with this temporary directory
   */
  static void engine(Clock clock, Function<Path, EngineSettings> settings, Work work)
      throws Exception {
    Path directory = Files.createTempDirectory("mayfly-bench");
    try (Store store = RocksStore.open(directory.resolve("data"), RocksSettings.defaults());
        Engine engine = LocalEngine.open(store, clock, settings.apply(directory))) {
      work.with(engine);
    } finally {
      delete(directory);
    }
  }

  /** Deletes a directory recursively. */
  static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
