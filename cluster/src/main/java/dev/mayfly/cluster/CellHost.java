package dev.mayfly.cluster;

import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.store.Board;
import dev.mayfly.store.CellState;
import dev.mayfly.store.Store;
import dev.mayfly.store.Stores;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The cells that this server has opened: claims, opens, closes them and hands them over. Each cell
 * is changed by one thread at a time. Safe for many threads.
 */
final class CellHost {
  private static final System.Logger LOG = System.getLogger(CellHost.class.getName());

  /** How long operations in progress may go on when a cell is to be closed. */
  private static final long DRAIN_MILLIS = 300;

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final UUID self;
  private final Board board;
  private final Stores stores;
  private final ClusterClock clock;
  private final Lease lease;
  private final LongSupplier ticker;
  private final EngineSettings engineSettings;
  private final LongConsumer pause;
  private final Map<Integer, OwnedCell> open = new ConcurrentSkipListMap<>();

  /** Cells that a thread is opening or closing. */
  private final Set<Integer> changing = ConcurrentHashMap.newKeySet();

  /** Guarded by itself, which also orders the calls of observers. */
  private final List<CellObserver> observers = new ArrayList<>();

  /**
   * @param pause waits for a number of nanoseconds
   */
  CellHost(
      UUID self,
      Board board,
      Stores stores,
      ClusterClock clock,
      Lease lease,
      EngineSettings engineSettings,
      LongConsumer pause) {
    this.self = self;
    this.board = board;
    this.stores = stores;
    this.clock = clock;
    this.lease = lease;
    this.ticker = engineSettings.ticker();
    this.engineSettings = engineSettings;
    this.pause = pause;
  }

  void observe(CellObserver observer) {
    synchronized (observers) {
      open.values().forEach(observer::opened);
      observers.add(observer);
    }
  }

  /** Returns a cell if this server serves it. */
  @Nullable OwnedCell serving(int cell) {
    OwnedCell found = open.get(cell);
    return found != null && found.tenure().isServing() ? found : null;
  }

  /** Returns the cells that this server serves, in the order of their numbers. */
  List<Cell> served() {
    List<Cell> served = new ArrayList<>();
    for (OwnedCell cell : open.values()) {
      if (cell.tenure().isServing()) {
        served.add(cell);
      }
    }
    return served;
  }

  /** Returns the numbers of the cells that are open, also of those whose lease has ended. */
  List<Integer> opened() {
    return List.copyOf(open.keySet());
  }

  /** Returns whether this server serves a cell of its own, or is opening or closing it. */
  boolean holds(CellState state) {
    return changing.contains(state.cell()) || isServedSince(state);
  }

  private boolean isServedSince(CellState state) {
    OwnedCell found = serving(state.cell());
    return found != null && found.tenure().epoch() >= state.epoch();
  }

  /**
   * Claims a cell and opens it. A cell that is still open from an earlier claim is closed first.
   *
   * @return whether this server serves it now
   */
  boolean take(TakeOver.Claim claim) {
    int number = claim.expected().cell();
    if (!changing.add(number)) {
      return false;
    }
    try {
      // the map may have been read before this server has opened the cell
      if (isServedSince(claim.expected())) {
        return true;
      }
      closeStale(number);
      long term = lease.current();
      if (term == 0) {
        return false;
      }
      OptionalLong epoch = board.claim(claim.expected(), self, claim.floor());
      if (epoch.isEmpty()) {
        return false;
      }
      return open(new Tenure(number, epoch.getAsLong(), term, lease), number, claim.floor());
    } finally {
      changing.remove(number);
    }
  }

  private boolean open(Tenure tenure, int number, long floor) {
    if (!awaitFloor(tenure, floor)) {
      return false;
    }
    OwnedCell cell = opened(number, tenure);
    synchronized (observers) {
      open.put(number, cell);
      try {
        observers.forEach(observer -> observer.opened(cell));
      } catch (RuntimeException | Error failure) {
        tenure.end();
        close(cell);
        throw failure;
      }
    }
    tenure.start();
    LOG.log(System.Logger.Level.INFO, "serves cell {0} in epoch {1}", number, tenure.epoch());
    return tenure.isServing();
  }

  private OwnedCell opened(int number, Tenure tenure) {
    Store store = stores.open(number, tenure.epoch(), tenure::end);
    try {
      Engine engine = LocalEngine.open(store, clock, engineSettings);
      return new OwnedCell(number, engine, store, tenure);
    } catch (RuntimeException | Error failure) {
      store.close();
      throw failure;
    }
  }

  /** Waits until the clock has reached the floor; returns false if the lease has ended first. */
  private boolean awaitFloor(Tenure tenure, long floor) {
    while (clock.now() < floor && !clock.isManual()) {
      if (!tenure.isValid()) {
        return false;
      }
      pause.accept(POLL_NANOS);
    }
    return tenure.isValid();
  }

  /** Returns whether a cell is open that another server has claimed since. */
  boolean hasLost(CellState state) {
    OwnedCell found = open.get(state.cell());
    return found != null && found.tenure().epoch() < state.epoch();
  }

  /** Closes a cell that another server has claimed. */
  void closeLost(CellState state) {
    if (changing.add(state.cell())) {
      try {
        if (hasLost(state)) {
          closeStale(state.cell());
        }
      } finally {
        changing.remove(state.cell());
      }
    }
  }

  private void closeStale(int number) {
    OwnedCell cell = open.get(number);
    if (cell != null) {
      cell.tenure().end();
      close(cell);
      LOG.log(
          System.Logger.Level.INFO,
          "has lost cell {0} of epoch {1}",
          number,
          cell.tenure().epoch());
    }
  }

  /**
   * Closes a cell and gives it to another server, or to none.
   *
   * @return false if this server does not serve it
   */
  boolean handOver(int number, Optional<UUID> next) {
    OwnedCell cell = serving(number);
    if (cell == null) {
      return false;
    }
    cell.store().checkpoint();
    if (!changing.add(number)) {
      return false;
    }
    try {
      Tenure tenure = cell.tenure();
      if (!tenure.isServing()) {
        return false;
      }
      tenure.stop();
      tenure.drain(DRAIN_MILLIS, ticker, pause);
      tenure.end();
      close(cell);
      board.handOver(number, tenure.epoch(), self, next, clock.time() + 1);
      return true;
    } finally {
      changing.remove(number);
    }
  }

  /** Closes a cell whose tenure has ended. */
  private void close(OwnedCell cell) {
    synchronized (observers) {
      open.remove(cell.number(), cell);
      for (CellObserver observer : observers) {
        try {
          observer.closing(cell);
        } catch (RuntimeException failure) {
          LOG.log(System.Logger.Level.ERROR, "an observer of cells failed", failure);
        }
      }
    }
    try {
      cell.engine().close();
    } catch (RuntimeException failure) {
      LOG.log(System.Logger.Level.DEBUG, "the engine of a lost cell could not close", failure);
    }
    cell.store().close();
  }

  /**
   * Closes all cells without giving them to anybody, as a crash does: nothing is written any more.
   */
  void abandon() {
    for (OwnedCell cell : open.values()) {
      cell.tenure().end();
      cell.store().close();
      close(cell);
    }
  }
}
