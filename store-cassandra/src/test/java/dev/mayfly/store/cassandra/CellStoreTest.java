package dev.mayfly.store.cassandra;

import dev.mayfly.store.Store;
import dev.mayfly.store.StoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract on a real Cassandra node, with the limits of a server. */
class CellStoreTest extends StoreContract {
  private static CassandraStores stores;
  private int cell;

  @BeforeAll
  static void connect() {
    TestCluster.assumeAvailable();
    stores = TestCluster.open(CellLimits.standard());
  }

  @AfterAll
  static void disconnect() {
    if (stores != null) {
      stores.close();
    }
  }

  @Override
  protected Store open() {
    cell = TestCluster.newCell();
    return stores.claim(cell);
  }

  @Override
  protected Store reopen(Store store) {
    store.close();
    return stores.claim(cell);
  }
}
