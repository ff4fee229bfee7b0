package dev.mayfly.store.cassandra;

import dev.mayfly.store.Board;
import dev.mayfly.store.Direction;
import dev.mayfly.store.ForwardingStore;
import dev.mayfly.store.Store;
import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import dev.mayfly.store.Stores;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

/**
 * The cells of a Cassandra keyspace. Safe for many threads.
 *
 * <pre>{@code
 * try (CassandraStores stores = CassandraStores.open(settings, name, System::nanoTime, micros);
 *     Store cell = stores.claim(0)) {
 *   cell.own(1).commit(new Batch().put(Space.RECORDS, key, value));
 * }
 * }</pre>
 */
public final class CassandraStores implements Stores, AutoCloseable {
  private static final int CLAIM_ATTEMPTS = 10;

  /** Rows of a page of the store's own keys, which are small. */
  private static final int OWN_PAGE = 1000;

  private final Tables tables;
  private final CellLimits limits;
  private final LongSupplier ticker;
  private final LongSupplier micros;
  private final UUID server = UUID.randomUUID();
  private final CassandraBoard board;
  private final Heartbeat heartbeat;
  private final List<CellStore> claimed = new CopyOnWriteArrayList<>();

  private CassandraStores(
      Tables tables, CellLimits limits, String name, LongSupplier ticker, LongSupplier micros) {
    this.tables = tables;
    this.limits = limits;
    this.ticker = ticker;
    this.micros = micros;
    this.board = new CassandraBoard(tables);
    this.heartbeat =
        new Heartbeat(
            tables, server, name, ticker, micros, () -> claimed.forEach(CellStore::checkOwner));
  }

  /**
   * Connects, and creates the keyspace and its tables if they do not exist.
   *
   * @param name of this server, for the messages of others
   * @param ticker the monotonic clock in nanoseconds
   * @param micros the wall clock in microseconds: Cassandra's timestamps are of about this time
   * @throws StoreException UNAVAILABLE if Cassandra does not answer
   */
  public static CassandraStores open(
      CassandraSettings settings, String name, LongSupplier ticker, LongSupplier micros) {
    Tables tables = Tables.open(settings);
    try {
      return new CassandraStores(tables, settings.limits(), name, ticker, micros);
    } catch (RuntimeException failure) {
      tables.close();
      throw failure;
    }
  }

  /** Returns what the servers of the keyspace share beside the cells. */
  public Board board() {
    return board;
  }

  @Override
  public Store open(int cell, long epoch, Runnable lost) {
    CellRow row = tables.cell(cell);
    if (row.epoch() != epoch) {
      throw new StoreException(
          Reason.FENCED, "another server has claimed cell " + cell + ", in epoch " + row.epoch());
    }
    return new Opening(cell, row, lost).open();
  }

  /**
   * Becomes the only server of the keyspace that owns a cell, under a new epoch, and opens it. The
   * previous owner is fenced when this returns. If that is another server which has not left, this
   * waits until it has given no sign of life for a while.
   *
   * @throws StoreException IN_USE if another server that lives owns the cell
   */
  public Store claim(int cell) {
    return claim(cell, () -> {});
  }

  /**
   * As {@link #claim(int)}.
   *
   * @param lost called once when the store has found out that another server has claimed the cell;
   *     must return at once
   */
  public Store claim(int cell, Runnable lost) {
    CellRow row = claimed(cell);
    Opening opening = new Opening(cell, row, lost);
    CellStore store = opening.open();
    claimed.add(store);
    return store;
  }

  private CellRow claimed(int cell) {
    heartbeat.start();
    for (int i = 0; i < CLAIM_ATTEMPTS; i++) {
      CellRow before = tables.cell(cell);
      UUID owner = before.owner();
      if (owner != null && !owner.equals(server)) {
        heartbeat.awaitSilence(owner, cell);
      }
      long next = before.epoch() + 1;
      try {
        tables.claim(cell, next, server);
      } catch (StoreException unanswered) {
        if (unanswered.reason() != Reason.UNAVAILABLE || i == CLAIM_ATTEMPTS - 1) {
          throw unanswered;
        }
      }
      CellRow now = tables.cell(cell);
      if (now.epoch() == next && server.equals(now.owner())) {
        return now;
      }
    }
    throw new StoreException(Reason.IN_USE, "other servers claim cell " + cell + ", too");
  }

  /** Reads what a claimed cell contains. */
  private final class Opening {
    private final int cell;
    private final CellRow row;
    private final Runnable lost;

    /** The store's own keys. */
    private final TreeMap<byte[], byte[]> own = new TreeMap<>(Arrays::compareUnsigned);

    Opening(int cell, CellRow row, Runnable lost) {
      this.cell = cell;
      this.row = row;
      this.lost = lost;
    }

    CellStore open() {
      readOwn();
      Memtable memtable = Memtable.EMPTY;
      for (LogEntry entry : entries()) {
        memtable = entry.applyTo(memtable);
        apply(entry);
      }
      List<Leaf> leaves = new ArrayList<>();
      List<Long> unused = new ArrayList<>();
      Map<Integer, Long> epochs = new HashMap<>();
      long lastLeaf = sort(leaves, unused, epochs);
      boolean isNew = leaves.isEmpty();
      if (isNew) {
        lastLeaf++;
        leaves.add(Leaf.empty(lastLeaf, new byte[0]));
      }
      Cell opened =
          new Cell(
              cell,
              tables,
              limits,
              ticker,
              lost,
              new Cell.View(memtable, Directory.of(leaves), row.last(), row.stamp()));
      Committer committer = new Committer(opened, row, epochs, ticker, micros);
      committer.start();
      committer.commitOwn(first(lastLeaf, isNew ? leaves : List.of()));
      Checkpoint checkpoint =
          new Checkpoint(opened, committer, ticker, row.flushed(), lastLeaf, unused);
      return new CellStore(new CellStore.OpenedCell(opened, committer, checkpoint), ticker);
    }

    /** Returns the changes of the first entry of an owner. */
    private static List<LogEntry.OwnChange> first(long lastLeaf, List<Leaf> leaves) {
      List<LogEntry.OwnChange> changes = new ArrayList<>();
      changes.add(
          LogEntry.OwnChange.put(
              Directory.lastLeafKey(), ByteBuffer.allocate(Long.BYTES).putLong(lastLeaf).array()));
      for (Leaf leaf : leaves) {
        changes.add(LogEntry.OwnChange.put(Directory.leafKey(leaf.low()), leaf.encode()));
      }
      return changes;
    }

    private void readOwn() {
      byte[] from = Directory.END;
      List<Tables.LeafRow> page;
      do {
        page =
            Tables.await(
                tables.page(
                    cell, Directory.OWN_LEAF, from, Directory.AFTER_ALL, Direction.UP, OWN_PAGE));
        for (Tables.LeafRow row : page) {
          own.put(row.key(), Objects.requireNonNull(Tables.value(List.of(row)), "a small value"));
          from = Arrays.copyOf(row.key(), row.key().length + 1);
        }
      } while (page.size() == OWN_PAGE);
    }

    private void apply(LogEntry entry) {
      for (LogEntry.OwnChange change : entry.own()) {
        if (change.delete()) {
          own.remove(change.key());
        } else {
          own.put(change.key(), change.value());
        }
      }
    }

    /** Sorts the store's own keys by their meaning; returns the highest number of a leaf. */
    private long sort(List<Leaf> leaves, List<Long> unused, Map<Integer, Long> epochs) {
      long last = 0;
      for (Map.Entry<byte[], byte[]> entry : own.entrySet()) {
        ByteBuffer key = ByteBuffer.wrap(entry.getKey(), 2, entry.getKey().length - 2);
        ByteBuffer value = ByteBuffer.wrap(entry.getValue());
        switch (entry.getKey()[1]) {
          case 'd' -> leaves.add(Leaf.decode(entry.getKey(), entry.getValue()));
          case 'x' -> unused.add(key.getLong());
          case 'e' -> epochs.put(key.getInt(), value.getLong());
          case 'n' -> last = value.getLong();
          default ->
              throw new StoreException(
                  Reason.NEWER_FORMAT, "cell " + cell + " was written by a newer version");
        }
      }
      return last;
    }

    /**
     * Returns the committed entries that are not in leaves. Bodies of entries that were never
     * committed lie beside them, so the chain is followed back from the last one.
     */
    private Deque<LogEntry> entries() {
      Map<Long, Map<Long, ByteArrayOutputStream>> bodies = bodies();
      Deque<LogEntry> entries = new ArrayDeque<>();
      long epoch = row.made();
      for (long number = row.last(); number > row.flushed(); number--) {
        ByteArrayOutputStream body = bodies.getOrDefault(number, Map.of()).get(epoch);
        if (body == null) {
          throw new StoreException(
              Reason.CORRUPT, "entry " + number + " of the log of cell " + cell + " is missing");
        }
        LogEntry entry = LogEntry.decode(body.toByteArray());
        entries.addFirst(entry);
        epoch = entry.previousEpoch();
      }
      return entries;
    }

    private Map<Long, Map<Long, ByteArrayOutputStream>> bodies() {
      Map<Long, Map<Long, ByteArrayOutputStream>> bodies = new HashMap<>();
      long from = row.flushed() + 1;
      for (long bucket = from / Tables.ENTRIES_PER_BUCKET;
          bucket <= row.last() / Tables.ENTRIES_PER_BUCKET;
          bucket++) {
        for (Tables.LogPart part : tables.readLog(cell, bucket, from, row.last())) {
          bodies
              .computeIfAbsent(part.number(), _ -> new HashMap<>())
              .computeIfAbsent(part.epoch(), _ -> new ByteArrayOutputStream())
              .writeBytes(part.body());
        }
      }
      return bodies;
    }
  }

  /** Returns this store with another duty: when it is closed, the connection is closed, too. */
  public Store owning(Store cell) {
    return new ForwardingStore(cell) {
      @Override
      public void close() {
        try {
          super.close();
        } finally {
          CassandraStores.this.close();
        }
      }
    };
  }

  /** Closes the connection. Close the cells first. */
  @Override
  public void close() {
    heartbeat.close();
    tables.close();
  }
}
