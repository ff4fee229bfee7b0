package dev.mayfly.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Board in memory, for several servers in one process, as in tests. Its {@link #stores()} are in
 * memory, too, and outlive the servers. A former owner of a cell goes on seeing what it has seen.
 */
public final class MemoryBoard implements Board {
  private final Map<UUID, MemberRow> members = new HashMap<>();
  private final Map<Integer, UUID> slots = new HashMap<>();
  private final Map<String, Integer> databases = new HashMap<>();
  private final Map<Integer, CellState> cells = new TreeMap<>();

  /** The store of the last owner of each cell. */
  private final Map<Integer, MemoryStore> stores = new HashMap<>();

  /** Returns the stores of the cells. */
  public Stores stores() {
    return this::open;
  }

  private synchronized Store open(int cell, long epoch, Runnable lost) {
    MemoryStore before = stores.get(cell);
    MemoryStore store = before == null ? MemoryStore.withFilters() : before.copy();
    FencedStore fenced = new FencedStore(store, () -> epoch(cell) == epoch, this, lost);
    fenced.check();
    stores.put(cell, store);
    return fenced;
  }

  private long epoch(int cell) {
    CellState state = cells.get(cell);
    return state == null ? 0 : state.epoch();
  }

  @Override
  public synchronized void beat(MemberRow member) {
    members.put(member.server(), member);
  }

  @Override
  public synchronized List<MemberRow> members() {
    return List.copyOf(members.values());
  }

  @Override
  public synchronized void leave(UUID server) {
    members.remove(server);
  }

  @Override
  public synchronized Map<Integer, UUID> slots() {
    return Map.copyOf(slots);
  }

  @Override
  public synchronized boolean takeSlot(int slot, Optional<UUID> expected, UUID server) {
    if (!Optional.ofNullable(slots.get(slot)).equals(expected)) {
      return false;
    }
    slots.put(slot, server);
    return true;
  }

  @Override
  public synchronized void freeSlot(int slot, UUID server) {
    slots.remove(slot, server);
  }

  @Override
  public synchronized List<CellState> cells() {
    return new ArrayList<>(cells.values());
  }

  @Override
  public synchronized boolean createCell(int cell) {
    return cells.putIfAbsent(cell, new CellState(cell, 0, Optional.empty(), 0, 0, 0)) == null;
  }

  @Override
  public synchronized OptionalLong claim(CellState expected, UUID server, long floor) {
    CellState now = cells.get(expected.cell());
    if (now == null || now.epoch() != expected.epoch() || !now.owner().equals(expected.owner())) {
      return OptionalLong.empty();
    }
    long epoch = now.epoch() + 1;
    long highest = Math.max(floor, now.floor());
    cells.put(now.cell(), new CellState(now.cell(), epoch, Optional.of(server), 0, 0, highest));
    return OptionalLong.of(epoch);
  }

  @Override
  public synchronized void handOver(
      int cell, long epoch, UUID owner, Optional<UUID> next, long floor) {
    CellState now = cells.get(cell);
    if (now != null && now.epoch() == epoch && now.owner().equals(Optional.of(owner))) {
      cells.put(cell, new CellState(cell, epoch, next, 0, 0, Math.max(floor, now.floor())));
    }
  }

  @Override
  public synchronized Map<String, Integer> databases() {
    return Map.copyOf(databases);
  }

  @Override
  public synchronized OptionalInt database(String name) {
    Integer cell = databases.get(name);
    return cell == null ? OptionalInt.empty() : OptionalInt.of(cell);
  }

  @Override
  public synchronized int placeDatabase(String name, int cell) {
    return databases.computeIfAbsent(name, _ -> cell);
  }

  @Override
  public List<ReferenceClock> clocks() {
    return List.of();
  }
}
