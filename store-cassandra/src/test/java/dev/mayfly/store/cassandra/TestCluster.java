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
public final class TestCluster {
  /** Set it where test runs share a machine. */
  private static final int PORT = Integer.getInteger("cassandra.port", 19_042);

  private static final Path LIBRARIES = Path.of("../cassandra-node/target/lib");
  private static final AtomicInteger CELLS = new AtomicInteger();
  private static final TestCluster SHARED = new TestCluster();

  private boolean started;

  private TestCluster() {}

  /** Skips the test where Cassandra cannot run. */
  public static void assumeAvailable() {
    Assumptions.assumeTrue(
        CassandraNode.jdk().isPresent() && Files.isDirectory(LIBRARIES),
        "tests on Cassandra need a JDK 17 and cassandra-node/target/lib");
  }

  /** Connects to the node, which is started first if it does not run. */
  public static CassandraStores open(CellLimits limits) {
    return CassandraStores.open(
        settings(limits), "the tests", System::nanoTime, () -> 1_700_000_000_000_000L);
  }

  /** As {@link #open(CellLimits)}, in a keyspace of its own. */
  public static CassandraStores openKeyspace(String keyspace, CellLimits limits) {
    return CassandraStores.open(
        settings(limits).withKeyspace(keyspace),
        "the tests",
        System::nanoTime,
        () -> 1_700_000_000_000_000L);
  }

  static CassandraSettings settings(CellLimits limits) {
    return CassandraSettings.of(List.of(contactPoint())).withKeyspace("mayfly").withLimits(limits);
  }

  /** Returns the address of the node, which is started first if it does not run. */
  public static String contactPoint() {
    SHARED.start();
    return "127.0.0.1:" + PORT;
  }

  private synchronized void start() {
    if (started) {
      return;
    }
    try {
      Path directory = Files.createTempDirectory(Path.of("target"), "cassandra");
      CassandraNode.start(1, directory.toAbsolutePath(), LIBRARIES.toAbsolutePath(), PORT);
      started = true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static int newCell() {
    return CELLS.incrementAndGet();
  }

  /** Limits at which small tests split and renew leaves, and divide values. */
  public static CellLimits tiny() {
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
