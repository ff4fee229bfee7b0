package dev.mayfly.store.cassandra;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;

/** One Cassandra node for all tests of a run. Every test uses cells of its own. */
final class TestCluster {
  private static final int PORT = 19_042;
  private static final AtomicInteger CELLS = new AtomicInteger();
  private static final TestCluster SHARED = new TestCluster();

  private boolean started;

  private TestCluster() {}

  /** Skips the test where Cassandra cannot run. */
  static void assumeAvailable() {
    Assumptions.assumeTrue(
        CassandraNode.jdk().isPresent(), "no JDK 17 is installed, which Cassandra needs");
  }

  /** Connects to the node, which is started first if it does not run. */
  static CassandraStores open(CellLimits limits) {
    SHARED.start();
    CassandraSettings settings =
        CassandraSettings.of(List.of("127.0.0.1:" + PORT))
            .withKeyspace("mayfly")
            .withLimits(limits);
    return CassandraStores.open(
        settings, "the tests", System::nanoTime, () -> 1_700_000_000_000_000L);
  }

  private synchronized void start() {
    if (started) {
      return;
    }
    try {
      Path directory = Files.createTempDirectory(Path.of("target"), "cassandra");
      CassandraNode.start(
          1,
          directory.toAbsolutePath(),
          Path.of("../cassandra-node/target/lib").toAbsolutePath(),
          PORT);
      started = true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static int newCell() {
    return CELLS.incrementAndGet();
  }

  /** Limits at which small tests split and renew leaves, and divide values. */
  static CellLimits tiny() {
    return new CellLimits(
        2_000,
        Duration.ofMillis(200),
        1L << 20,
        1_000,
        40,
        10,
        500,
        4096,
        64L << 20,
        Duration.ofSeconds(60),
        1 << 20);
  }
}
