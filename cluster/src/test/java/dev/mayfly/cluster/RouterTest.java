package dev.mayfly.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.StoreException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

final class RouterTest {
  private long nanos;

  @Test
  void theOnlyServerRunsEverythingHere() {
    try (Engine engine = engine()) {
      Cells cells = Cells.single(engine);
      Router router = new Router(cells, () -> nanos);

      assertThat(router.run(() -> cells.route("shop"), operation(true, "done"))).isEqualTo("done");
      assertThat(cells.isShared()).isFalse();
    }
  }

  @Test
  void anOperationThatFoundItsCellMovedIsRepeated() {
    try (Engine engine = engine()) {
      Cells cells = Cells.single(engine);

      String result =
          new Router(cells, () -> nanos)
              .run(
                  cells::home,
                  operation(false, new MovedException(Cell.HOME), lost("NOT_SENT"), "done"));

      assertThat(result).isEqualTo("done");
    }
  }

  @Test
  void aWriteWhoseEffectIsUnknownIsRepeatedOnlyIfThatIsHarmless() {
    try (Engine engine = engine()) {
      Cells cells = Cells.single(engine);
      Router router = new Router(cells, () -> nanos);

      assertThat(router.run(cells::home, operation(true, lost("LOST"), "done"))).isEqualTo("done");
      assertThatThrownBy(() -> router.run(cells::home, operation(false, lost("LOST"), "done")))
          .isInstanceOf(PeerException.class);
    }
  }

  @Test
  void anOperationWithoutOwnerFailsAfterTenSeconds() {
    try (Engine engine = engine()) {
      Router router = new Router(Cells.single(engine), () -> nanos += 1_000_000_000);
      Queue<Route> routes = new ArrayDeque<>();
      for (int i = 0; i < 20; i++) {
        routes.add(new Route.Orphaned(3));
      }

      assertThatThrownBy(() -> router.run(routes::remove, operation(true, "done")))
          .isInstanceOf(MovedException.class)
          .hasMessageContaining("cell 3");
      assertThat(routes).hasSize(9);
    }
  }

  @Test
  void failuresOfALostCellAreClassified() {
    StoreException fenced = new StoreException(StoreException.Reason.FENCED, "");
    StoreException unsure = new StoreException(StoreException.Reason.UNSURE, "");

    assertThat(CellLoss.of(fenced)).isEqualTo(CellLoss.NOTHING_DONE);
    assertThat(CellLoss.of(EngineException.failed("", fenced))).isEqualTo(CellLoss.NOTHING_DONE);
    assertThat(CellLoss.of(EngineException.unknown("", fenced))).isEqualTo(CellLoss.UNKNOWN);
    assertThat(CellLoss.of(EngineException.unknown("", unsure))).isEqualTo(CellLoss.UNKNOWN);
    assertThat(CellLoss.of(new EngineException(EngineException.Reason.DUPLICATE_ID, "")))
        .isEqualTo(CellLoss.NONE);
  }

  private static PeerException lost(String reason) {
    return new PeerException(PeerException.Reason.valueOf(reason), "", null);
  }

  /** An operation whose attempts end one after another with a failure or a result. */
  private static Router.Operation<String> operation(boolean repeatable, Object... ends) {
    Queue<Object> left = new ArrayDeque<>(List.of(ends));
    return new Router.Operation<>() {
      @Override
      public String here(Cell cell) {
        Object end = left.remove();
        if (end instanceof RuntimeException failure) {
          throw failure;
        }
        return (String) end;
      }

      @Override
      public String there(Peer peer, int cell) {
        throw new IllegalStateException();
      }

      @Override
      public String nowhere() {
        return "";
      }

      @Override
      public boolean isRepeatable() {
        return repeatable;
      }
    };
  }

  private static Engine engine() {
    return LocalEngine.open(
        new MemoryStore(), new ManualClock(1_000_000), EngineSettings.standard(System::nanoTime));
  }
}
