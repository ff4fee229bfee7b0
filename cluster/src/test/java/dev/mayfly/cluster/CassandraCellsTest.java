package dev.mayfly.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.Namespace;
import dev.mayfly.store.StoreException;
import dev.mayfly.store.cassandra.CassandraStores;
import dev.mayfly.store.cassandra.TestCluster;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Several servers on one Cassandra node. */
final class CassandraCellsTest {
  private static final Namespace CARTS = new Namespace("shop", "carts");

  private static final AtomicInteger KEYSPACES = new AtomicInteger();

  private final List<CassandraStores> connections = new ArrayList<>();
  private TestServers servers;

  @BeforeEach
  void start() {
    TestCluster.assumeAvailable();
    CassandraStores stores =
        TestCluster.openKeyspace("cells" + KEYSPACES.incrementAndGet(), TestCluster.tiny());
    connections.add(stores);
    servers = TestServers.on(stores.board(), stores, System::currentTimeMillis);
    servers.add();
    servers.add();
  }

  @AfterEach
  void stop() {
    if (servers != null) {
      servers.close();
      connections.forEach(CassandraStores::close);
    }
  }

  private static Engine engine(SharedCells cells, String database) {
    return new Router(cells, System::nanoTime)
        .run(
            () -> cells.routeForWrite(database),
            new Router.Operation<>() {
              @Override
              public Engine here(Cell cell) {
                return cell.engine();
              }

              @Override
              public Engine there(Peer peer, int cell) {
                throw new MovedException(cell);
              }

              @Override
              public Engine nowhere() {
                throw new AssertionError();
              }

              @Override
              public boolean isRepeatable() {
                return true;
              }
            });
  }

  private static void insert(Engine engine, int id) {
    Collection carts =
        engine.find(CARTS).orElseGet(() -> engine.create(CARTS, CollectionSpec.mongo()));
    carts.insert(Document.writer().put("_id", id).build());
  }

  private static boolean has(Engine engine, int id) {
    return engine.collection(CARTS).read(DocumentKey.of(Value.of(id))).isPresent();
  }

  @Test
  void cellsMoveAndAreTakenOverWithAllTheirDocuments() {
    insert(engine(servers.cells(0), "shop"), 1);
    int cell = ((Route.Here) servers.cells(0).route("shop")).cell().number();

    servers.cells(0).move(cell, servers.cells(1).self().slot());
    Engine second = engine(servers.cells(1), "shop");
    assertThat(has(second, 1)).isTrue();
    insert(second, 2);

    servers.kill(1);
    Engine first = engine(servers.cells(0), "shop");
    assertThat(List.of(has(first, 1), has(first, 2))).containsOnly(true);
  }

  @Test
  void pausedOwnerNeitherWritesNorAnswersAfterItsLease() {
    SharedCells owner = servers.cells(0);
    Engine old = engine(owner, "paused");
    insert(old, 1);
    Cell cell = ((Route.Here) owner.route("paused")).cell();
    Admission admission = cell.admit();

    owner.pause();
    Engine next = engine(servers.cells(1), "paused");
    insert(next, 2);

    assertThat(admission.isValid()).isFalse();
    assertThatThrownBy(cell::admit).isInstanceOf(MovedException.class);
    assertThatThrownBy(() -> insert(old, 3))
        .isInstanceOfAny(StoreException.class, EngineException.class)
        .satisfies(
            failure ->
                assertThat(CellLoss.of((RuntimeException) failure)).isNotEqualTo(CellLoss.NONE));
    assertThat(List.of(has(next, 1), has(next, 2), !has(next, 3))).containsOnly(true);
    admission.close();
  }

  @Test
  void cellsOfDrainedServersMoveToAServerThatJoins() {
    for (int i = 0; i < 6; i++) {
      insert(engine(servers.cells(i % 2), "many" + i), i);
    }
    SharedCells third = servers.add();
    servers.cells(0).drain(servers.cells(0).self().slot(), true);
    servers.cells(1).drain(servers.cells(1).self().slot(), true);

    for (int i = 0; i < 6; i++) {
      assertThat(has(engine(third, "many" + i), i)).isTrue();
    }
    assertThat(third.status().cells())
        .allMatch(each -> each.owner().equals(Optional.of(third.self().id())));
  }
}
