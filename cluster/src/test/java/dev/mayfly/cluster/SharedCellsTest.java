package dev.mayfly.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Write;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.value.Document;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Several servers in one process, over a board in memory and real connections. */
final class SharedCellsTest {
  private static final Namespace CARTS = new Namespace("shop", "carts");
  private static final byte[] NOTHING = {};
  private static final Duration LIMIT = Duration.ofSeconds(5);

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private TestServers servers;

  @BeforeEach
  void start() {
    servers = TestServers.start(2, clock);
  }

  @AfterEach
  void stop() {
    servers.close();
  }

  private static Client at(SharedCells cells) {
    return new Client(cells);
  }

  /** Runs writes and reads at one server, which relays them by the tests' own handler. */
  private static final class Client implements RelayHandler {
    private final SharedCells cells;
    private final Router router;

    Client(SharedCells cells) {
      this.cells = cells;
      this.router = new Router(cells, System::nanoTime);
      cells.answer(RelayKind.MONGO, this);
    }

    void insert(int id) {
      var _ = run(true, Document.writer().put("insert", id).build());
    }

    boolean has(int id) {
      return run(false, Document.writer().put("has", id).build()).field("found").asBoolean();
    }

    private Document run(boolean write, Document request) {
      return router.run(
          () -> write ? cells.routeForWrite("shop") : cells.route("shop"),
          new Router.Operation<>() {
            @Override
            public Document here(Cell cell) {
              return execute(cell, request);
            }

            @Override
            public Document there(Peer peer, int cell) {
              return peer.call(
                      RelayKind.MONGO, new RelayMessage(request, NOTHING), LIMIT, () -> false)
                  .header();
            }

            @Override
            public Document nowhere() {
              return Document.writer().put("found", false).build();
            }

            @Override
            public boolean isRepeatable() {
              return true;
            }
          });
    }

    private static Document execute(Cell cell, Document request) {
      Collection carts =
          cell.engine()
              .find(CARTS)
              .orElseGet(() -> cell.engine().create(CARTS, CollectionSpec.mongo()));
      if (request.field("has").isMissing()) {
        Document document = Document.writer().put("_id", request.field("insert")).build();
        carts.write(new Write.Upsert(document));
        return Document.EMPTY;
      }
      boolean found = carts.read(DocumentKey.of(request.field("has"))).isPresent();
      return Document.writer().put("found", found).build();
    }

    @Override
    public RelayMessage answer(
        Member from, RelayMessage request, java.util.function.BooleanSupplier abandoned) {
      if (!(cells.route("shop") instanceof Route.Here here)) {
        throw new MovedException(1);
      }
      try (Admission admission = here.cell().admit()) {
        Document reply = execute(here.cell(), request.header());
        if (!admission.isValid()) {
          throw new MovedException(1);
        }
        return new RelayMessage(reply, NOTHING);
      }
    }
  }

  @Test
  void writeAtOneServerIsReadAtTheOther() {
    Client one = at(servers.cells(0));
    Client two = at(servers.cells(1));

    two.insert(7);

    assertThat(one.has(7)).isTrue();
    assertThat(two.has(8)).isFalse();
    assertThat(servers.cells(0).route("shop")).isInstanceOf(Route.There.class);
    assertThat(servers.cells(1).route("shop")).isInstanceOf(Route.Here.class);
  }

  @Test
  void movedCellKeepsItsDocuments() {
    Client one = at(servers.cells(0));
    Client two = at(servers.cells(1));
    one.insert(1);

    servers.cells(1).move(1, 1);

    assertThat(servers.cells(1).route("shop")).isInstanceOf(Route.Here.class);
    one.insert(2);
    assertThat(List.of(one.has(1), two.has(1), one.has(2), two.has(2))).containsOnly(true);
  }

  @Test
  void cellsOfAClosedServerAreServedByTheOther() {
    Client one = at(servers.cells(0));
    Client two = at(servers.cells(1));
    one.insert(1);

    servers.cells(0).close();

    assertThat(servers.cells(1).home()).isInstanceOf(Route.Here.class);
    assertThat(two.has(1)).isTrue();
    assertThat(servers.cells(1).status().servers()).hasSize(1);
  }

  @Test
  void cellsOfAKilledServerAreTakenOver() {
    Client one = at(servers.cells(0));
    Client two = at(servers.cells(1));
    one.insert(1);

    servers.kill(0);

    assertThat(two.has(1)).isTrue();
    two.insert(2);
    assertThat(two.has(2)).isTrue();
  }

  @Test
  void observersSeeCellsOpenAndClose() {
    AtomicBoolean open = new AtomicBoolean();
    CellObserver observer =
        new CellObserver() {
          @Override
          public void opened(Cell cell) {
            open.set(true);
          }

          @Override
          public void closing(Cell cell) {
            open.set(false);
          }
        };
    servers.cells(1).observe(observer);
    assertThat(open).isFalse();

    servers.cells(0).move(Cell.HOME, 1);
    assertThat(open).isTrue();

    servers.cells(0).move(Cell.HOME, 0);
    assertThat(open).isFalse();
  }

  @Test
  void impossibleMovesAreRefused() {
    assertThatThrownBy(() -> servers.cells(0).move(Cell.HOME, 9))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("slot 9");
    assertThatThrownBy(() -> servers.cells(0).move(200, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cell 200");
    assertThatThrownBy(() -> servers.cells(0).drain(9, true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("slot 9");
  }

  @Test
  void drainedServerServesNothing() {
    at(servers.cells(0)).insert(1);

    servers.cells(1).drain(0, true);

    assertThat(servers.cells(0).served()).isEmpty();
    assertThat(servers.cells(1).served()).extracting(Cell::number).containsExactly(0, 1);
    assertThat(servers.cells(0).status().notReady()).contains("this server is drained");
  }

  @Test
  void eachDatabaseGetsACellOfItsOwn() {
    var _ = servers.cells(0).routeForWrite("one");
    var _ = servers.cells(0).routeForWrite("two");

    ClusterStatus status = servers.cells(0).status();

    assertThat(status.cells())
        .extracting(ClusterStatus.CellStatus::databases)
        .contains(List.of("one"), List.of("two"));
    assertThat(servers.cells(0).route("nowhere")).isInstanceOf(Route.Nowhere.class);
    assertThat(status.servers()).extracting(server -> server.member().slot()).containsExactly(0, 1);
  }
}
