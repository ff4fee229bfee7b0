package dev.mayfly.store.cassandra;

import dev.mayfly.store.Direction;
import dev.mayfly.store.Store;
import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * The cells of a Cassandra keyspace. Safe for many threads.
 *
 * <pre>{@code
 * try (CassandraStores stores = CassandraStores.open(settings, System::nanoTime, micros);
 *     Store cell = stores.claim(0)) {
 *   cell.own(1).commit(new Batch().put(Space.RECORDS, key, value));
 * }
 * }</pre>
 */
public final class CassandraStores implements AutoCloseable {
  private static final int CLAIM_ATTEMPTS = 10;

  /** Rows of a page of the store's own keys, which are small. */
  private static final int OWN_PAGE = 1000;

  private final Tables tables;
  private final CellLimits limits;
  private final LongSupplier ticker;
  private final LongSupplier micros;
  private final UUID server = UUID.randomUUID();

  private CassandraStores(
      Tables tables, CellLimits limits, LongSupplier ticker, LongSupplier micros) {
    this.tables = tables;
    this.limits = limits;
    this.ticker = ticker;
    this.micros = micros;
  }

  /**
   * Connects, and creates the keyspace and its tables if they do not exist.
   *
   * @param ticker the monotonic clock in nanoseconds
   * @param micros the wall clock in microseconds: Cassandra's timestamps are of about this time
   * @throws StoreException UNAVAILABLE if Cassandra does not answer
   */
  public static CassandraStores open(
      CassandraSettings settings, LongSupplier ticker, LongSupplier micros) {
    return new CassandraStores(Tables.open(settings), settings.limits(), ticker, micros);
  }

  /**
   * Becomes the owner of a cell under a new epoch, and opens it. The previous owner is fenced when
   * this returns.
   *
   * @throws StoreException IN_USE if another server claims it again and again
   */
  public Store claim(int cell) {
    CellRow row = claimed(cell);
    Opening opening = new Opening(cell, row);
    return opening.open();
  }

  private CellRow claimed(int cell) {
    for (int i = 0; i < CLAIM_ATTEMPTS; i++) {
      long next = tables.cell(cell).epoch() + 1;
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

    /** The store's own keys. */
    private final TreeMap<byte[], byte[]> own = new TreeMap<>(Arrays::compareUnsigned);

    Opening(int cell, CellRow row) {
      this.cell = cell;
      this.row = row;
    }

    Store open() {
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
            tables.page(
                cell, Directory.OWN_LEAF, from, Directory.AFTER_ALL, Direction.UP, OWN_PAGE);
        for (Tables.LeafRow row : page) {
          own.put(row.key(), Tables.value(List.of(row)));
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

  @Override
  public void close() {
    tables.close();
  }
}
