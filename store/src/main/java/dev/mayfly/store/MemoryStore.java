package dev.mayfly.store;

import dev.mayfly.store.StoreException.Reason;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Store in memory, for tests and for instances without a disk. There are three kinds, to test
 * against everything that the contract allows: with snapshots, with snapshots and a filter, with
 * neither.
 *
 * <p>Data lives in the object: {@link #reopen} after {@link #close} finds what was committed, and
 * {@link #powerLoss} what was synced.
 */
public final class MemoryStore implements Store {
  private final Map<Integer, Cell> cells;
  private final AtomicLong tickets;
  private final ReadWriteLock instants;
  private final boolean snapshots;
  private final boolean filters;
  private volatile boolean closed;
  private volatile CompactionFilter filter = (_, _, _) -> false;

  /**
   * Creates a store with consistent snapshots and without a filter: expired entries must be
   * deleted.
   */
  public MemoryStore() {
    this(true, false);
  }

  private MemoryStore(boolean snapshots, boolean filters) {
    this.cells = new ConcurrentHashMap<>();
    this.tickets = new AtomicLong();
    this.instants = new ReentrantReadWriteLock();
    this.snapshots = snapshots;
    this.filters = filters;
  }

  /** Creates a store over the data of another, which is closed. */
  private MemoryStore(MemoryStore before) {
    this.cells = before.cells;
    this.tickets = before.tickets;
    this.instants = before.instants;
    this.snapshots = before.snapshots;
    this.filters = before.filters;
  }

  /** Creates a store that drops expired entries in {@link #reclaim}, as RocksDB does. */
  public static MemoryStore withFilters() {
    return new MemoryStore(true, true);
  }

  /**
   * Creates a store whose snapshots and scans read the current state at every step, as those of a
   * distributed store may.
   */
  public static MemoryStore withoutSnapshots() {
    return new MemoryStore(false, false);
  }

  /** Closes this store and opens another over everything that was committed. */
  public MemoryStore reopen() {
    close();
    return new MemoryStore(this);
  }

  /**
   * Closes this store and opens another over what survives the worst loss of power: for each shard
   * the state of its last sync, or of the last sync of a shard it was committed together with.
   */
  public MemoryStore powerLoss() {
    close();
    cells.values().forEach(Cell::losePower);
    return new MemoryStore(this);
  }

  /**
   * Returns another store with the same contents, which does not see later commits of this one.
   * Call it while no commit is in progress.
   */
  MemoryStore copy() {
    MemoryStore copy = new MemoryStore(snapshots, filters);
    cells.forEach((number, cell) -> copy.cells.put(number, cell.copy()));
    copy.tickets.set(tickets.get());
    return copy;
  }

  @Override
  public Shard own(int shard) {
    checkOpen();
    Cell cell = cell(shard);
    return new Owned(shard, cell, alone(cell::own));
  }

  @Override
  public void drop(int shard) {
    checkOpen();
    Cell cell = cell(shard);
    alone(
        () -> {
          cell.drop();
          return cell;
        });
  }

  @Override
  public Optional<CrossShard> together() {
    return snapshots ? Optional.of(new AllCells()) : Optional.empty();
  }

  @Override
  public boolean install(CompactionFilter newFilter) {
    checkOpen();
    if (filters) {
      filter = newFilter;
    }
    return filters;
  }

  @Override
  public void reclaim(int shard, Space space) {
    checkOpen();
    if (filters && space.filtered()) {
      CompactionFilter current = filter;
      cell(shard).remove(space, value -> dead(current, shard, space, value));
    }
  }

  @Override
  public StoreStats stats() {
    checkOpen();
    long bytes = cells.values().stream().mapToLong(cell -> cell.current.bytes()).sum();
    return StoreStats.ofMemory(bytes);
  }

  @Override
  public long bytesOnDisk(int shard) {
    checkOpen();
    return cell(shard).current.bytes();
  }

  @Override
  public long bytesOnDisk(int shard, Space space, Range range) {
    checkOpen();
    Treap all = cell(shard).current.spaces[space.code()];
    return all.bytes() - all.deleteRange(range).bytes();
  }

  @Override
  public void close() {
    closed = true;
  }

  private static boolean dead(CompactionFilter filter, int shard, Space space, byte[] value) {
    try {
      return filter.drop(shard, space, MemorySegment.ofArray(value));
    } catch (RuntimeException e) {
      return false;
    }
  }

  /** Runs work while no commit is in progress. */
  private <T> T alone(Supplier<T> work) {
    instants.writeLock().lock();
    try {
      return work.get();
    } finally {
      instants.writeLock().unlock();
    }
  }

  private Cell cell(int shard) {
    if (shard < 0) {
      throw new IllegalArgumentException("shards are numbered from 0, not " + shard);
    }
    return cells.computeIfAbsent(shard, _ -> new Cell());
  }

  private void checkOpen() {
    if (closed) {
      throw new StoreException(Reason.CLOSED, "the store is closed");
    }
  }

  /** Commits and snapshots of several cells, while no other commit is in progress. */
  private final class AllCells implements CrossShard {
    @Override
    public long commit(List<ShardBatch> batches) {
      checkOpen();
      List<Owned> owners = batches.stream().map(this::owner).toList();
      List<Cell> owned = owners.stream().map(owner -> owner.cell).distinct().toList();
      if (owned.size() < owners.size()) {
        throw new IllegalArgumentException("a shard has two batches");
      }
      return alone(
          () -> {
            owners.forEach(owner -> owner.cell.checkOwner(owner.epoch));
            for (int i = 0; i < owned.size(); i++) {
              owned.get(i).apply(batches.get(i).batch());
            }
            Cell.join(owned);
            long ticket = tickets.incrementAndGet();
            owned.forEach(cell -> cell.committed = ticket);
            return ticket;
          });
    }

    private Owned owner(ShardBatch batch) {
      if (batch.shard() instanceof Owned owned && owned.store() == MemoryStore.this) {
        return owned;
      }
      throw new IllegalArgumentException("not a shard of this store");
    }

    @Override
    public StoreSnapshot snapshot() {
      checkOpen();
      return alone(
          () -> {
            Map<Integer, State> states = new HashMap<>();
            cells.forEach((number, cell) -> states.put(number, cell.current));
            return new Frozen(states);
          });
    }
  }

  /** The state of all cells at one instant. */
  private final class Frozen implements StoreSnapshot {
    private final Map<Integer, State> states;
    private volatile boolean released;

    Frozen(Map<Integer, State> states) {
      this.states = states;
    }

    @Override
    public Snapshot of(int shard) {
      State state = states.getOrDefault(shard, State.EMPTY);
      return new FrozenCell(() -> state, () -> released);
    }

    @Override
    public void close() {
      released = true;
    }
  }

  /** One shard: its state, and the epoch of its owner. */
  private static final class Cell {
    private volatile State current = State.EMPTY;
    private State synced = State.EMPTY;
    private Set<Cell> joined = Set.of();
    private long epoch;

    /** Ticket of the last commit. */
    private long committed;

    private volatile long syncedThrough;

    /** Records that cells were committed together: none is synced without the others. */
    static void join(List<Cell> cells) {
      Set<Cell> all = Collections.newSetFromMap(new IdentityHashMap<>());
      for (Cell cell : cells) {
        all.add(cell);
        all.addAll(cell.joined);
      }
      all.forEach(cell -> cell.joined = all);
    }

    synchronized long own() {
      return ++epoch;
    }

    synchronized Cell copy() {
      Cell copy = new Cell();
      copy.current = current;
      copy.synced = synced;
      copy.epoch = epoch;
      copy.committed = committed;
      copy.syncedThrough = syncedThrough;
      return copy;
    }

    synchronized void drop() {
      epoch++;
      current = State.EMPTY;
      synced = State.EMPTY;
    }

    synchronized long commit(long owner, Batch batch, AtomicLong tickets) {
      checkOwner(owner);
      apply(batch);
      committed = tickets.incrementAndGet();
      return committed;
    }

    synchronized void checkOwner(long owner) {
      if (owner != epoch) {
        throw new StoreException(
            Reason.FENCED, "epoch " + owner + " was followed by epoch " + epoch);
      }
    }

    synchronized void apply(Batch batch) {
      current = current.apply(batch);
    }

    /** Call while no commit is in progress. */
    void sync() {
      Set<Cell> together = joined;
      syncAlone();
      together.forEach(Cell::syncAlone);
    }

    private void syncAlone() {
      synced = current;
      syncedThrough = committed;
      joined = Set.of();
    }

    synchronized void losePower() {
      current = synced;
    }

    synchronized void remove(Space space, Predicate<byte[]> dead) {
      current = current.with(space, current.space(space).without(dead));
      synced = synced.with(space, synced.space(space).without(dead));
    }
  }

  /** The contents of a shard at one instant. Immutable. */
  private static final class State {
    static final State EMPTY = new State(filled());

    private final Treap[] spaces;

    private State(Treap[] spaces) {
      this.spaces = spaces;
    }

    private static Treap[] filled() {
      Treap[] spaces = new Treap[Space.values().length];
      Arrays.fill(spaces, Treap.EMPTY);
      return spaces;
    }

    Treap space(Space space) {
      return spaces[space.code()];
    }

    State with(Space space, Treap entries) {
      Treap[] changed = spaces.clone();
      changed[space.code()] = entries;
      return new State(changed);
    }

    State apply(Batch batch) {
      if (batch.isEmpty()) {
        return this;
      }
      Treap[] changed = spaces.clone();
      batch.replay(new Changes(changed));
      return new State(changed);
    }

    long bytes() {
      return Arrays.stream(spaces).mapToLong(Treap::bytes).sum();
    }
  }

  /** Applies the operations of a batch to the maps of a shard. */
  private record Changes(@SuppressWarnings("ArrayRecordComponent") Treap[] spaces)
      implements Batch.Visitor {
    @Override
    public void put(Space space, byte[] buffer, int key, int keyLength, int value, int length) {
      int at = space.code();
      spaces[at] = spaces[at].put(slice(buffer, key, keyLength), slice(buffer, value, length));
    }

    @Override
    public void delete(Space space, byte[] buffer, int key, int keyLength) {
      int at = space.code();
      spaces[at] = spaces[at].delete(slice(buffer, key, keyLength));
    }

    @Override
    public void deleteRange(
        Space space, byte[] buffer, int from, int fromLength, int to, int toLength) {
      int at = space.code();
      byte[] low = slice(buffer, from, fromLength);
      Range range = toLength < 0 ? Range.from(low) : Range.of(low, slice(buffer, to, toLength));
      spaces[at] = spaces[at].deleteRange(range);
    }

    private static byte[] slice(byte[] buffer, int offset, int length) {
      return Arrays.copyOfRange(buffer, offset, offset + length);
    }
  }

  /** Reads of the state that the supplier returns at the time of the read. */
  private class View implements Reader {
    private final Supplier<State> states;

    View(Supplier<State> states) {
      this.states = states;
    }

    @Override
    public byte @Nullable [] read(Space space, byte[] key) {
      Treap.Node node = state().space(space).find(key);
      return node == null ? null : node.value().clone();
    }

    @Override
    public Scan scan(Space space, Range range, Direction direction) {
      State now = state();
      Supplier<State> seen = snapshots ? () -> now : states;
      return new Cursor(() -> seen.get().space(space), range, direction);
    }

    State state() {
      checkOpen();
      return states.get();
    }
  }

  private final class Owned extends View implements Shard {
    private final int number;
    private final Cell cell;
    private final long epoch;

    Owned(int number, Cell cell, long epoch) {
      super(() -> cell.current);
      this.number = number;
      this.cell = cell;
      this.epoch = epoch;
    }

    @Override
    public int number() {
      return number;
    }

    @Override
    public long epoch() {
      return epoch;
    }

    @Override
    public byte @Nullable [] readIfCached(Space space, byte[] key) {
      return read(space, key);
    }

    @Override
    public Snapshot snapshot() {
      State now = state();
      return new FrozenCell(snapshots ? () -> now : () -> cell.current, () -> false);
    }

    @Override
    public Optional<Snapshot> nonBlockingSnapshot() {
      return Optional.of(snapshot());
    }

    @Override
    public long commit(Batch batch) {
      checkOpen();
      instants.readLock().lock();
      try {
        return cell.commit(epoch, batch, tickets);
      } finally {
        instants.readLock().unlock();
      }
    }

    @Override
    public OptionalLong tryCommit(Batch batch) {
      return OptionalLong.of(commit(batch));
    }

    @Override
    public void sync(long ticket) {
      checkOpen();
      alone(
          () -> {
            cell.sync();
            return cell;
          });
    }

    /** Memory is flushed at once. */
    @Override
    public boolean trySync(long ticket) {
      sync(ticket);
      return true;
    }

    @Override
    public void wakeAfterFlush(long ticket, Runnable wake) {
      wake.run();
    }

    @Override
    public long syncedThrough() {
      checkOpen();
      return cell.syncedThrough;
    }

    MemoryStore store() {
      return MemoryStore.this;
    }
  }

  private final class FrozenCell extends View implements Snapshot {
    private final BooleanSupplier gone;
    private volatile boolean released;

    /**
     * @param gone whether the enclosing snapshot has been closed
     */
    FrozenCell(Supplier<State> states, BooleanSupplier gone) {
      super(states);
      this.gone = gone;
    }

    @Override
    public boolean consistent() {
      return snapshots;
    }

    @Override
    State state() {
      if (released || gone.getAsBoolean()) {
        throw new StoreException(Reason.CLOSED, "the snapshot is closed");
      }
      return super.state();
    }

    @Override
    public void close() {
      released = true;
    }
  }

  /** A scan that looks up every entry in the current state. */
  private final class Cursor implements Scan {
    private final Supplier<Treap> entries;
    private final Range range;
    private final Direction direction;
    private byte @Nullable [] position;
    private boolean inclusive;
    private Treap.@Nullable Node current;
    private boolean exhausted;
    private boolean released;

    Cursor(Supplier<Treap> entries, Range range, Direction direction) {
      this.entries = entries;
      this.range = range;
      this.direction = direction;
      rewind();
    }

    @Override
    public boolean next() {
      check();
      if (exhausted) {
        return false;
      }
      current = follow();
      exhausted = current == null;
      if (current != null) {
        position = current.key();
        inclusive = false;
      }
      return current != null;
    }

    @Override
    public byte[] key() {
      return entry().key().clone();
    }

    @Override
    public byte[] value() {
      return entry().value().clone();
    }

    @Override
    public void seek(byte[] key) {
      check();
      rewind();
      boolean inside =
          position == null
              || switch (direction) {
                case UP -> Arrays.compareUnsigned(key, position) > 0;
                case DOWN -> Arrays.compareUnsigned(key, position) < 0;
              };
      if (inside) {
        position = key.clone();
        inclusive = true;
      }
    }

    @Override
    public void close() {
      released = true;
    }

    private void rewind() {
      position =
          switch (direction) {
            case UP -> range.from();
            case DOWN -> range.to();
          };
      inclusive = direction == Direction.UP;
      current = null;
      exhausted = range.isEmpty();
    }

    private Treap.@Nullable Node follow() {
      Treap now = entries.get();
      Treap.Node node =
          switch (direction) {
            case UP -> now.above(position, inclusive);
            case DOWN -> now.below(position, inclusive);
          };
      return node != null && range.contains(node.key()) ? node : null;
    }

    private Treap.Node entry() {
      check();
      if (current == null) {
        throw new IllegalStateException("the scan is not at an entry");
      }
      return current;
    }

    private void check() {
      checkOpen();
      if (released) {
        throw new StoreException(Reason.CLOSED, "the scan is closed");
      }
    }
  }
}
