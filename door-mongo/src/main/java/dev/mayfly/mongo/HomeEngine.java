package dev.mayfly.mongo;

import dev.mayfly.cluster.Cell;
import dev.mayfly.cluster.MovedException;
import dev.mayfly.engine.Engine;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** The engine of the home cell while this server serves it. Thread-safe. */
final class HomeEngine implements Supplier<Engine> {
  private final AtomicReference<Optional<Engine>> served = new AtomicReference<>(Optional.empty());

  /** Sets the engine; empty if another server has the cell. */
  void set(Optional<Engine> engine) {
    served.set(engine);
  }

  /**
   * Returns the engine.
   *
   * @throws MovedException if another server has the cell
   */
  @Override
  public Engine get() {
    return served.get().orElseThrow(() -> new MovedException(Cell.HOME));
  }
}
