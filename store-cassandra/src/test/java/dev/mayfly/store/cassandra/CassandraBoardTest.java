package dev.mayfly.store.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.store.Board;
import dev.mayfly.store.BoardContract;
import dev.mayfly.store.ReferenceClock;
import dev.mayfly.store.Stores;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class CassandraBoardTest extends BoardContract {
  private static CassandraStores stores;

  @BeforeAll
  static void connect() {
    TestCluster.assumeAvailable();
    stores = TestCluster.open(TestCluster.tiny());
  }

  @AfterAll
  static void disconnect() {
    if (stores != null) {
      stores.close();
    }
  }

  @Override
  protected Board board() {
    return stores.board();
  }

  @Override
  protected Stores stores() {
    return stores;
  }

  @Override
  protected int newCell() {
    return TestCluster.newCell();
  }

  @Test
  void nodesReportTheirTime() {
    long now = ProcessHandle.current().info().startInstant().orElseThrow().toEpochMilli();

    assertThat(board().clocks()).isNotEmpty();
    for (ReferenceClock clock : board().clocks()) {
      assertThat(clock.read()).isBetween(now, now + 3_600_000);
    }
  }
}
