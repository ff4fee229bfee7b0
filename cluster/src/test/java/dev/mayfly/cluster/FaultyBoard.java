package dev.mayfly.cluster;

import dev.mayfly.store.Board;
import dev.mayfly.store.CellState;
import dev.mayfly.store.MemberRow;
import dev.mayfly.store.ReferenceClock;
import dev.mayfly.store.StoreException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Board as one simulated server reaches it: slowly, late, or not at all. */
final class FaultyBoard implements Board {
  private static final long MILLI = 1_000_000;

  private final Board board;
  private final SimulatedTime time;
  private final RandomGenerator random;
  private final BooleanSupplier faults;

  /**
   * @param faults returns whether statements may be late or lost
   */
  FaultyBoard(Board board, SimulatedTime time, RandomGenerator random, BooleanSupplier faults) {
    this.board = board;
    this.time = time;
    this.random = random;
    this.faults = faults;
  }

  private <T> T step(Supplier<T> statement) {
    travel();
    T result = statement.get();
    travel();
    return result;
  }

  private void step(Runnable statement) {
    var _ =
        step(
            () -> {
              statement.run();
              return true;
            });
  }

  private void travel() {
    int kind = faults.getAsBoolean() ? random.nextInt(200) : 199;
    time.pause(
        switch (kind) {
          case 0 -> random.nextLong(7_000 * MILLI);
          case 1, 2, 3 -> random.nextLong(1_500 * MILLI);
          default -> random.nextLong(10 * MILLI);
        });
    if (kind == 4 || kind == 5) {
      throw new StoreException(StoreException.Reason.UNAVAILABLE, "lost in the simulation");
    }
  }

  @Override
  public void beat(MemberRow member) {
    step(() -> board.beat(member));
  }

  @Override
  public List<MemberRow> members() {
    return step(board::members);
  }

  @Override
  public void leave(UUID server) {
    step(() -> board.leave(server));
  }

  @Override
  public Map<Integer, UUID> slots() {
    return step(board::slots);
  }

  @Override
  public boolean takeSlot(int slot, Optional<UUID> expected, UUID server) {
    return step(() -> board.takeSlot(slot, expected, server));
  }

  @Override
  public void freeSlot(int slot, UUID server) {
    step(() -> board.freeSlot(slot, server));
  }

  @Override
  public List<CellState> cells() {
    return step(board::cells);
  }

  @Override
  public boolean createCell(int cell) {
    return step(() -> board.createCell(cell));
  }

  @Override
  public OptionalLong claim(CellState expected, UUID server, long floor) {
    return step(() -> board.claim(expected, server, floor));
  }

  @Override
  public void handOver(int cell, long epoch, UUID owner, Optional<UUID> next, long floor) {
    step(() -> board.handOver(cell, epoch, owner, next, floor));
  }

  @Override
  public Map<String, Integer> databases() {
    return step(board::databases);
  }

  @Override
  public OptionalInt database(String name) {
    return step(() -> board.database(name));
  }

  @Override
  public int placeDatabase(String name, int cell) {
    return step(() -> board.placeDatabase(name, cell));
  }

  @Override
  public List<ReferenceClock> clocks() {
    return List.of();
  }
}
