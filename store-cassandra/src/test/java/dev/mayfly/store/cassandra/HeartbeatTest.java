package dev.mayfly.store.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.store.Store;
import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Claims of a cell that another server owns, which is a row of the table of members here. */
class HeartbeatTest {
  private static Tables tables;
  private static CassandraStores stores;

  @BeforeAll
  static void connect() {
    TestCluster.assumeAvailable();
    stores = TestCluster.open(TestCluster.tiny());
    tables = Tables.open(TestCluster.settings(TestCluster.tiny()));
  }

  @AfterAll
  static void disconnect() {
    if (stores != null) {
      stores.close();
      tables.close();
    }
  }

  private static int cellOf(UUID server) {
    int cell = TestCluster.newCell();
    tables.claim(cell, tables.cell(cell).epoch() + 1, server);
    return cell;
  }

  @Test
  void cellOfAServerThatHasLeftIsClaimed() {
    int cell = cellOf(UUID.randomUUID());
    try (Store store = stores.claim(cell)) {
      assertThat(store.own(1).epoch()).isEqualTo(1);
    }
  }

  @Test
  void cellOfASilentServerIsClaimedAfterAWhile() {
    UUID silent = UUID.randomUUID();
    tables.beat(silent, "the silent one", 7, 0);
    int cell = cellOf(silent);
    try (Store store = stores.claim(cell)) {
      assertThat(store.own(1).epoch()).isEqualTo(1);
    }
    assertThat(tables.member(silent)).isNull();
  }

  @Test
  void cellOfALivingServerIsRefused() throws Exception {
    UUID living = UUID.randomUUID();
    AtomicBoolean lives = new AtomicBoolean(true);
    tables.beat(living, "the living one", 0, 0);
    int cell = cellOf(living);
    long epoch = tables.cell(cell).epoch();
    Thread heart =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int beat = 1; lives.get(); beat++) {
                    LockSupport.parkNanos(100_000_000);
                    tables.beat(living, "the living one", beat, 0);
                  }
                });
    try {
      assertThatThrownBy(() -> stores.claim(cell))
          .isInstanceOfSatisfying(
              StoreException.class, e -> assertThat(e.reason()).isEqualTo(Reason.IN_USE))
          .hasMessageContaining("another server uses this keyspace: the living one");
      assertThat(tables.cell(cell).epoch()).isEqualTo(epoch);
    } finally {
      lives.set(false);
      heart.join();
    }
  }
}
