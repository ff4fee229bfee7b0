package dev.mayfly.mongo;

import dev.mayfly.cluster.Admission;
import dev.mayfly.cluster.Cell;
import dev.mayfly.cluster.CellLoss;
import dev.mayfly.cluster.CellObserver;
import dev.mayfly.cluster.MovedException;
import dev.mayfly.cluster.PeerException;
import dev.mayfly.engine.Engine;
import dev.mayfly.mongo.admin.EngineMonitoring;
import dev.mayfly.mongo.admin.EngineStatus;
import dev.mayfly.mongo.command.HomeCopy;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.wire.Message;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The backends of the cells that this server serves: one for each, created when the cell is opened
 * and closed before its engine is. Thread-safe.
 */
final class CellBackends implements CellObserver {
  private final MongoFrontend frontend;
  private final HomeEngine home;
  private final LongSupplier cursorIds;
  private final Map<Integer, Served> all = new ConcurrentSkipListMap<>();
  private volatile Consumer<Document> onSlow = _ -> {};
  private volatile Optional<HomeCopy> copy = Optional.empty();

  /**
   * @param home is set while this server serves the home cell
   * @param cursorIds returns candidates for the ids of new cursors
   */
  CellBackends(MongoFrontend frontend, HomeEngine home, LongSupplier cursorIds) {
    this.frontend = frontend;
    this.home = home;
    this.cursorIds = cursorIds;
  }

  /** A cell that this server serves, and what answers its requests. */
  record Served(Cell cell, MongoBackend backend, Dispatcher dispatcher) {
    /**
     * Runs a request within an admission. Returns whether the command succeeded.
     *
     * @throws MovedException if nothing was done because the cell has moved
     * @throws PeerException LOST if the cell has moved, and something may have been done
     */
    boolean answer(Request request, Message.Call call, DocumentWriter reply) {
      try {
        return dispatcher.answer(request.client(), call, reply);
      } catch (RuntimeException failure) {
        throw switch (CellLoss.of(failure)) {
          case NONE -> failure;
          case NOTHING_DONE ->
              Repetition.isAllOrNothing(request)
                  ? new MovedException(cell.number())
                  : lost(failure);
          case UNKNOWN -> lost(failure);
        };
      }
    }

    /** As {@link #answer}, with an admission of its own. */
    boolean admitted(Request request, Message.Call call, DocumentWriter reply) {
      try (Admission admission = cell.admit()) {
        boolean done = answer(request, call, reply);
        if (admission.isValid()) {
          return done;
        }
      }
      throw Repetition.isRepeatable(request) ? new MovedException(cell.number()) : lost(null);
    }

    private PeerException lost(@Nullable RuntimeException failure) {
      return new PeerException(
          PeerException.Reason.LOST,
          "the server has lost cell " + cell.number() + " during the operation",
          failure);
    }
  }

  @Override
  public void opened(Cell cell) {
    if (cell.number() == Cell.HOME) {
      takeHome(cell.engine());
    }
    MongoBackend backend = new MongoBackend(frontend, cell.engine(), cursorIds);
    backend.monitoring().profiler().onSlow(onSlow);
    if (cell.number() != Cell.HOME) {
      copy.ifPresent(known -> backend.monitoring().writeBlock().follow(known));
    }
    Dispatcher dispatcher = Dispatcher.shared(frontend, cell.engine()::now, backend);
    all.put(cell.number(), new Served(cell, backend, dispatcher));
  }

  @Override
  public void closing(Cell cell) {
    if (cell.number() == Cell.HOME) {
      home.set(Optional.empty());
    }
    Served closed = all.remove(cell.number());
    if (closed != null) {
      closed.backend().close();
    }
  }

  private synchronized void takeHome(Engine engine) {
    home.set(Optional.of(engine));
    HomeCopy stored = HomeCopy.of(engine);
    copy = Optional.of(stored);
    frontend.load(stored);
  }

  /**
   * Uses the users, roles, default concerns and write block mode of a copy, unless this server has
   * got the home cell meanwhile.
   */
  synchronized void follow(HomeCopy known) {
    if (find(Cell.HOME).isEmpty()) {
      copy = Optional.of(known);
      frontend.load(known);
      followWriteBlock(known);
    }
  }

  /** Makes the write block mode of the home cell, which this server serves, that of all cells. */
  synchronized void followOwn(Engine homeEngine) {
    HomeCopy stored = HomeCopy.of(homeEngine);
    copy = Optional.of(stored);
    followWriteBlock(stored);
  }

  /** The home cell itself has the mode already. */
  private void followWriteBlock(HomeCopy known) {
    all.values().stream()
        .filter(one -> one.cell().number() != Cell.HOME)
        .forEach(one -> one.backend().monitoring().writeBlock().follow(known));
  }

  /** Returns the copy that is in use; empty before the first one. */
  Optional<HomeCopy> copy() {
    return copy;
  }

  /**
   * Returns a cell that this server serves.
   *
   * @throws MovedException if it does not
   */
  Served served(int cell) {
    return find(cell).orElseThrow(() -> new MovedException(cell));
  }

  Optional<Served> find(int cell) {
    return Optional.ofNullable(all.get(cell));
  }

  /** Returns the cell with an open cursor. */
  Optional<Served> withCursor(long id) {
    return all.values().stream().filter(one -> one.backend().hasCursor(id)).findFirst();
  }

  /** Returns all cells that this server serves, in the order of their numbers. */
  List<Served> all() {
    return List.copyOf(all.values());
  }

  /** Returns the monitoring of all cells. */
  List<EngineMonitoring> monitoring() {
    List<EngineMonitoring> monitoring = new ArrayList<>();
    all.values().forEach(one -> monitoring.add(one.backend().monitoring()));
    return monitoring;
  }

  /** Returns the sources of {@code serverStatus} in all cells. */
  List<EngineStatus> status() {
    return all.values().stream().map(one -> one.backend().status()).toList();
  }

  /** Sets the consumer of slow requests in all cells, also those that are opened later. */
  void onSlow(Consumer<Document> consumer) {
    onSlow = consumer;
    all.values().forEach(one -> one.backend().monitoring().profiler().onSlow(consumer));
  }

  /** Ends idle sessions and cursors, starts due TTL passes. */
  void tick() {
    all.values().forEach(one -> one.backend().periodicTasks().forEach(Runnable::run));
  }
}
