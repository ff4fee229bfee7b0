package dev.mayfly.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Namespace;
import dev.mayfly.store.MemberRow;
import dev.mayfly.store.MemoryBoard;
import dev.mayfly.store.StoreException;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;

/**
 * One history of a cluster of three servers with two cells, in simulated time: paused and crashed
 * servers, late and lost statements, clocks that differ in time and rate. Clients write and read
 * meanwhile; every answer is checked.
 */
final class Simulation {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;
  private static final long START_MILLIS = 1_700_000_000_000L;
  private static final int SERVERS = 3;
  private static final int CELLS = 2;

  /** How long faults happen, and then how long the cluster has to recover. */
  private static final long FAULTS = 25 * SECOND;

  private static final long RECOVERY = 20 * SECOND;
  private static final Namespace CARTS = new Namespace("shop", "carts");

  private final Random random;
  private final SimulatedTime time = new SimulatedTime();
  private final MemoryBoard board = new MemoryBoard();
  private final List<Server> servers = new ArrayList<>();
  private final List<History> histories = new ArrayList<>();
  private boolean faults = true;
  private int answers;

  Simulation(Random random) {
    this.random = random;
    for (int cell = 0; cell < CELLS; cell++) {
      board.createCell(cell);
      histories.add(new History());
    }
  }

  /** What clients know of a cell. */
  private static final class History {
    /** Ids of documents whose insert was answered. */
    private final List<Integer> written = new ArrayList<>();

    /** The latest instant of an operation that was answered. */
    private long instant;

    private int lastId;
  }

  /** Runs the history; returns the number of answers that were checked. */
  int run() {
    for (int i = 0; i < SERVERS; i++) {
      servers.add(new Server());
    }
    time.start(new Machine(), SECOND, this::disturb);
    time.run(FAULTS, this::toString);
    faults = false;
    time.run(FAULTS + RECOVERY, this::toString);
    for (int cell = 0; cell < CELLS; cell++) {
      checkEnd(cell);
    }
    return answers;
  }

  /** Every cell has one server at the end, and all that was ever answered is there. */
  private void checkEnd(int cell) {
    List<OwnedCell> served = new ArrayList<>();
    for (Server server : servers) {
      OwnedCell found = server.host.serving(cell);
      if (found != null) {
        served.add(found);
      }
    }
    assertThat(served).hasSize(1);
    Collection carts = carts(served.getFirst().engine());
    for (int id : histories.get(cell).written) {
      assertThat(carts.read(DocumentKey.of(Value.of(id)))).as("document %d", id).isPresent();
    }
  }

  private static Collection carts(Engine engine) {
    return engine.find(CARTS).orElseGet(() -> engine.create(CARTS, CollectionSpec.mongo()));
  }

  /** Pauses, crashes and replaces servers, and moves cells. */
  private void disturb() {
    while (faults) {
      time.pause(random.nextLong(4 * SECOND));
      Server server = servers.get(random.nextInt(servers.size()));
      switch (random.nextInt(4)) {
        case 0 -> server.pausedUntil = time.now() + random.nextLong(9 * SECOND);
        case 1 -> {
          server.crashed = true;
          servers.remove(server);
          servers.add(new Server());
        }
        default -> {
          int cell = random.nextInt(CELLS);
          Optional<UUID> next =
              Optional.of(servers.get(random.nextInt(servers.size())).id)
                  .filter(_ -> random.nextBoolean());
          time.start(server, 0, () -> server.handOver(cell, next));
        }
      }
    }
  }

  /** A machine that never fails. */
  private static final class Machine implements SimulatedTime.Machine {
    @Override
    public long pausedUntil() {
      return 0;
    }

    @Override
    public boolean isCrashed() {
      return false;
    }
  }

  /** A simulated server: real parts on a simulated clock. */
  private final class Server implements SimulatedTime.Machine {
    private final UUID id = new UUID(random.nextLong(), random.nextLong());
    private final long offsetMillis = random.nextInt(400);
    private final double rate = 0.99 + random.nextDouble() * 0.02;
    private final long origin = random.nextLong();
    private final ClusterClock clock;
    private final Lease lease;
    private final Membership membership;
    private final CellHost host;
    private final Ownership ownership;
    private long pausedUntil;
    private boolean crashed;

    Server() {
      FaultyBoard own = new FaultyBoard(board, time, random, () -> faults);
      clock = new ClusterClock(this::systemTime, this::tick, Duration.ofMillis(500));
      lease = new Lease(this::tick, SharedCellsSettings.LEASE);
      MemberRow row = new MemberRow(id, 0, "", "", "", "", new byte[0], "", 0, 0, 0);
      membership = new Membership(own, row, clock, lease, SharedCellsSettings.LEASE, this::tick);
      EngineSettings settings = EngineSettings.standard(this::tick).withBackground(false);
      host = new CellHost(id, own, board.stores(), clock, lease, settings, time::pause);
      ownership =
          new Ownership(
              id,
              own,
              lease,
              SharedCellsSettings.LEASE,
              host,
              this::tick,
              task -> time.start(this, 0, () -> unlessLost(task)),
              () -> true);
      time.start(this, random.nextLong(SECOND), () -> repeat(SECOND, this::beat));
      time.start(this, random.nextLong(SECOND), () -> repeat(SECOND / 2, ownership::look));
      for (int cell = 0; cell < CELLS; cell++) {
        int number = cell;
        time.start(this, random.nextLong(SECOND), () -> repeat(SECOND / 5, () -> use(number)));
      }
    }

    private long tick() {
      return origin + (long) (time.now() * rate);
    }

    private long systemTime() {
      return START_MILLIS + offsetMillis + time.now() / MILLI;
    }

    @Override
    public long pausedUntil() {
      return pausedUntil;
    }

    @Override
    public boolean isCrashed() {
      return crashed;
    }

    private void repeat(long nanos, Runnable task) {
      while (true) {
        unlessLost(task);
        time.pause(nanos);
      }
    }

    private static void unlessLost(Runnable task) {
      try {
        task.run();
      } catch (StoreException lost) {
        assertThat(lost.reason())
            .isIn(
                StoreException.Reason.UNAVAILABLE,
                StoreException.Reason.FENCED,
                StoreException.Reason.CLOSED);
      }
    }

    private void beat() {
      clock.verified();
      membership.beat(0);
    }

    private void handOver(int cell, Optional<UUID> next) {
      unlessLost(() -> host.handOver(cell, next));
    }

    /** Writes or reads at a cell if this server serves it, and checks the answer. */
    private void use(int number) {
      OwnedCell cell = host.serving(number);
      if (cell == null) {
        return;
      }
      try (Admission admission = cell.admit()) {
        History history = histories.get(number);
        if (random.nextBoolean()) {
          write(cell.engine(), admission, history);
        } else {
          read(cell.engine(), admission, history);
        }
      } catch (MovedException | StoreException | EngineException moved) {
        // nothing was answered
      }
    }

    private void write(Engine engine, Admission admission, History history) {
      long before = history.instant;
      history.lastId++;
      int id = history.lastId;
      work();
      long instant = engine.now();
      carts(engine).insert(Document.writer().put("_id", id).build());
      work();
      if (admission.isValid()) {
        history.written.add(id);
        answered(history, before, instant);
      }
    }

    private void read(Engine engine, Admission admission, History history) {
      long before = history.instant;
      int count = history.written.size();
      int id =
          count == 0
              ? 0
              : history.written.get(random.nextInt(3) > 0 ? count - 1 : random.nextInt(count));
      work();
      long instant = engine.now();
      boolean found = carts(engine).read(DocumentKey.of(Value.of(id))).isPresent();
      work();
      if (admission.isValid()) {
        assertThat(found).as("document %d of %d is found", id, count).isEqualTo(count > 0);
        answered(history, before, instant);
      }
    }

    private void answered(History history, long before, long instant) {
      answers++;
      assertThat(instant)
          .as("instant of an operation after another")
          .isGreaterThanOrEqualTo(before);
      history.instant = Math.max(history.instant, instant);
    }

    private void work() {
      time.pause(random.nextLong(random.nextInt(20) == 0 ? 6 * SECOND : 20 * MILLI));
    }
  }
}
