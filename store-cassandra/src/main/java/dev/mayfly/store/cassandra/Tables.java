package dev.mayfly.store.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BatchableStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import dev.mayfly.store.Direction;
import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a keyspace and all statements on them. Safe for many threads. Every failure of the
 * driver becomes a {@link StoreException} with the reason UNAVAILABLE: the statement may or may not
 * have been executed.
 *
 * <p>Tables are created once; a collection never needs one of its own. All statements can be sent
 * again without harm.
 */
final class Tables implements AutoCloseable {
  /** Log entries of one partition. */
  static final long ENTRIES_PER_BUCKET = 1024;

  /** Parts of a log entry that are written at the same time. */
  private static final int MAX_IN_FLIGHT = 24;

  static final ConsistencyLevel QUORUM = DefaultConsistencyLevel.LOCAL_QUORUM;
  static final ConsistencyLevel SERIAL = DefaultConsistencyLevel.LOCAL_SERIAL;

  /** Name of the group of servers that share the keyspace: there is one. */
  static final String CLUSTER = "mayfly";

  /** How often a value whose parts are being replaced is read again, and the pause between. */
  private static final int TORN_READS = 200;

  private static final long TORN_PAUSE_NANOS = 10_000_000;

  /** The tables, by name. */
  static final Map<String, String> SCHEMA =
      Map.of(
          "cell",
          "CREATE TABLE IF NOT EXISTS cell (cell int PRIMARY KEY, epoch bigint, owner uuid,"
              + " last bigint, made bigint, stamp bigint, flushed bigint, floor bigint)",
          "log",
          "CREATE TABLE IF NOT EXISTS log (cell int, bucket bigint, n bigint, epoch bigint,"
              + " part int, body blob, PRIMARY KEY ((cell, bucket), n, epoch, part))"
              + " WITH gc_grace_seconds = 3600",
          "leaf",
          "CREATE TABLE IF NOT EXISTS leaf (cell int, leaf bigint, k blob, part int, v blob,"
              + " PRIMARY KEY ((cell, leaf), k, part))"
              + " WITH compaction = {'class': 'UnifiedCompactionStrategy'}",
          "member",
          "CREATE TABLE IF NOT EXISTS member (cluster text, server uuid, slot int, peer text,"
              + " mongo text, cosmos text, fingerprint blob, version text, beat bigint,"
              + " until bigint, load double, name text, PRIMARY KEY (cluster, server))",
          "database",
          "CREATE TABLE IF NOT EXISTS database (name text PRIMARY KEY, cell int)",
          "slot",
          "CREATE TABLE IF NOT EXISTS slot (slot int PRIMARY KEY, server uuid)");

  /** A column that a table of an earlier version lacks. */
  record AddedColumn(String table, String column, String type) {}

  static final List<AddedColumn> ADDED_COLUMNS = List.of(new AddedColumn("member", "name", "text"));

  private final CqlSession session;
  private final int partBytes;
  private final PreparedStatement readCell;
  private final PreparedStatement createCell;
  private final PreparedStatement claim;
  private final PreparedStatement commit;
  private final PreparedStatement putLog;
  private final PreparedStatement readLog;
  private final PreparedStatement deleteLog;
  private final PreparedStatement put;
  private final PreparedStatement delete;
  private final PreparedStatement deleteRange;
  private final PreparedStatement deleteLeaf;
  private final PreparedStatement read;
  private final PreparedStatement readAll;
  private final PreparedStatement pageUp;
  private final PreparedStatement pageDown;
  private final PreparedStatement beat;
  private final PreparedStatement member;
  private final PreparedStatement leave;

  private Tables(CqlSession session, int partBytes) {
    this.session = session;
    this.partBytes = partBytes;
    readCell =
        session.prepare(
            "SELECT epoch, owner, last, made, stamp, flushed, floor FROM cell WHERE cell = ?");
    createCell =
        session.prepare(
            "INSERT INTO cell (cell, epoch, last, made, stamp, flushed, floor)"
                + " VALUES (?, 0, 0, 0, 0, 0, 0) IF NOT EXISTS");
    claim = session.prepare("UPDATE cell SET epoch = ?, owner = ? WHERE cell = ? IF epoch = ?");
    commit =
        session.prepare(
            "UPDATE cell SET last = ?, made = ?, stamp = ?, flushed = ?"
                + " WHERE cell = ? IF epoch = ? AND last = ?");
    putLog =
        session.prepare(
            "INSERT INTO log (cell, bucket, n, epoch, part, body) VALUES (?, ?, ?, ?, ?, ?)");
    readLog =
        session.prepare(
            "SELECT n, epoch, part, body FROM log"
                + " WHERE cell = ? AND bucket = ? AND n >= ? AND n <= ?");
    deleteLog = session.prepare("DELETE FROM log WHERE cell = ? AND bucket = ?");
    put =
        session.prepare(
            "INSERT INTO leaf (cell, leaf, k, part, v) VALUES (?, ?, ?, ?, ?) USING TIMESTAMP ?");
    delete =
        session.prepare("DELETE FROM leaf USING TIMESTAMP ? WHERE cell = ? AND leaf = ? AND k = ?");
    deleteRange =
        session.prepare(
            "DELETE FROM leaf USING TIMESTAMP ?"
                + " WHERE cell = ? AND leaf = ? AND k >= ? AND k < ?");
    deleteLeaf = session.prepare("DELETE FROM leaf USING TIMESTAMP ? WHERE cell = ? AND leaf = ?");
    read = session.prepare("SELECT k, part, v FROM leaf WHERE cell = ? AND leaf = ? AND k = ?");
    readAll = session.prepare("SELECT k, part, v FROM leaf WHERE cell = ? AND leaf = ? AND k IN ?");
    pageUp =
        session.prepare(
            "SELECT k, part, v FROM leaf WHERE cell = ? AND leaf = ? AND k >= ? AND k < ? LIMIT ?");
    pageDown =
        session.prepare(
            "SELECT k, part, v FROM leaf WHERE cell = ? AND leaf = ? AND k >= ? AND k < ?"
                + " ORDER BY k DESC, part DESC LIMIT ?");
    beat =
        session.prepare(
            "INSERT INTO member (cluster, server, peer, beat, until) VALUES ('"
                + CLUSTER
                + "', ?, ?, ?, ?)");
    member =
        session.prepare(
            "SELECT peer, beat FROM member WHERE cluster = '" + CLUSTER + "' AND server = ?");
    leave = session.prepare("DELETE FROM member WHERE cluster = '" + CLUSTER + "' AND server = ?");
  }

  /** Connects, and creates keyspace and tables if they do not exist. */
  static Tables open(CassandraSettings settings) {
    CqlSession session = Sessions.open(settings);
    try {
      return new Tables(session, settings.limits().partBytes());
    } catch (DriverException failure) {
      session.close();
      throw unavailable(failure);
    }
  }

  static StoreException unavailable(Throwable failure) {
    return new StoreException(
        Reason.UNAVAILABLE, "Cassandra did not answer: " + failure.getMessage(), failure);
  }

  /** Returns the session, for statements on the other tables. */
  CqlSession session() {
    return session;
  }

  ResultSet execute(Statement<?> statement) {
    try {
      return session.execute(statement);
    } catch (DriverException | IllegalStateException failure) {
      throw unavailable(failure);
    }
  }

  // The row of a cell.

  /** Returns the row; creates it if the cell does not exist. */
  CellRow cell(int cell) {
    Row row = execute(readCell.bind(cell).setConsistencyLevel(SERIAL)).one();
    if (row == null) {
      create(cell);
      row = execute(readCell.bind(cell).setConsistencyLevel(SERIAL)).one();
    }
    return row(Objects.requireNonNull(row));
  }

  /** Creates the row of a cell; returns false if it exists. */
  boolean create(int cell) {
    return Objects.requireNonNull(execute(createCell.bind(cell)).one()).getBoolean(0);
  }

  private static CellRow row(Row row) {
    return new CellRow(
        row.getLong("epoch"),
        row.getUuid("owner"),
        row.getLong("last"),
        row.getLong("made"),
        row.getLong("stamp"),
        row.getLong("flushed"),
        row.getLong("floor"));
  }

  /** Claims the cell for the next epoch. */
  void claim(int cell, long epoch, UUID owner) {
    execute(claim.bind(epoch, owner, cell, epoch - 1));
  }

  /**
   * Commits a log entry whose body is written.
   *
   * @return empty if the commit was applied, or else epoch and last of the row as it is
   */
  @Nullable Refused commit(int cell, LogEntry entry, long flushed) {
    Row row =
        Objects.requireNonNull(
            execute(
                    commit.bind(
                        entry.number(),
                        entry.epoch(),
                        entry.stamp(),
                        flushed,
                        cell,
                        entry.epoch(),
                        entry.number() - 1))
                .one());
    return row.getBoolean(0) ? null : new Refused(row.getLong("epoch"), row.getLong("last"));
  }

  /** The row of a cell that has refused a commit. */
  record Refused(long epoch, long last) {}

  // The log.

  /** Writes the body of an entry, which is not committed by that. */
  void putLog(int cell, LogEntry entry, byte[] body) {
    List<CompletionStage<AsyncResultSet>> inFlight = new ArrayList<>();
    for (int from = 0, part = 0; from < body.length; from += partBytes, part++) {
      if (inFlight.size() == MAX_IN_FLIGHT) {
        await(inFlight);
        inFlight.clear();
      }
      ByteBuffer bytes = ByteBuffer.wrap(body, from, Math.min(partBytes, body.length - from));
      inFlight.add(
          session.executeAsync(
              putLog.bind(
                  cell,
                  entry.number() / ENTRIES_PER_BUCKET,
                  entry.number(),
                  entry.epoch(),
                  part,
                  bytes.slice())));
    }
    await(inFlight);
  }

  static void await(List<CompletionStage<AsyncResultSet>> statements) {
    statements.forEach(Tables::await);
  }

  /** Waits for the result of a statement. */
  static <T> T await(CompletionStage<T> statement) {
    try {
      return statement.toCompletableFuture().join();
    } catch (CompletionException | CancellationException failure) {
      throw unavailable(failure.getCause() == null ? failure : failure.getCause());
    }
  }

  /** A part of a body, which may belong to an entry that was never committed. */
  @SuppressWarnings("ArrayRecordComponent") // nobody changes or compares them
  record LogPart(long number, long epoch, int part, byte[] body) {}

  /** Returns the bodies of a bucket with numbers of an interval, in order. */
  List<LogPart> readLog(int cell, long bucket, long from, long to) {
    List<LogPart> parts = new ArrayList<>();
    for (Row row : execute(readLog.bind(cell, bucket, from, to).setPageSize(64))) {
      parts.add(
          new LogPart(row.getLong(0), row.getLong(1), row.getInt(2), array(row.getByteBuffer(3))));
    }
    return parts;
  }

  void deleteLog(int cell, long bucket) {
    execute(deleteLog.bind(cell, bucket));
  }

  // Leaves.

  /** A row of a leaf: a value, or a part of one. */
  @SuppressWarnings("ArrayRecordComponent") // nobody changes or compares them
  record LeafRow(byte[] key, int part, byte[] value) {
    /** Returns the number of parts of the value; only of part 0. */
    int parts() {
      return ByteBuffer.wrap(value).getInt();
    }

    /** Returns whether it has a whole value. */
    boolean isWhole() {
      return part == 0 && parts() == 1;
    }

    /** Returns the timestamp of the write that it is a part of; only if there are several. */
    private long writer() {
      return ByteBuffer.wrap(value).getLong(part == 0 ? Integer.BYTES : 0);
    }

    /** Returns the number of bytes before its part of the value. */
    private int header() {
      if (part > 0) {
        return Long.BYTES;
      }
      return parts() == 1 ? Integer.BYTES : Integer.BYTES + Long.BYTES;
    }
  }

  private static LeafRow leafRow(Row row) {
    return new LeafRow(array(row.getByteBuffer(0)), row.getInt(1), array(row.getByteBuffer(2)));
  }

  private static List<LeafRow> leafRows(Iterable<Row> rows) {
    List<LeafRow> read = new ArrayList<>();
    for (Row row : rows) {
      read.add(leafRow(row));
    }
    return read;
  }

  private CompletionStage<List<LeafRow>> leafRows(Statement<?> statement) {
    try {
      return session.executeAsync(statement).thenApply(result -> leafRows(result.currentPage()));
    } catch (DriverException | IllegalStateException failure) {
      throw unavailable(failure);
    }
  }

  /**
   * Returns the value of a key, or null. Its parts are written one by one, so a read may find parts
   * of two writes: it reads again until they are of one.
   */
  byte @Nullable [] read(int cell, long leaf, byte[] key) {
    for (int i = 0; i < TORN_READS; i++) {
      List<LeafRow> rows = leafRows(execute(read.bind(cell, leaf, ByteBuffer.wrap(key))));
      if (rows.isEmpty()) {
        return null;
      }
      byte[] value = value(rows);
      if (value != null) {
        return value;
      }
      LockSupport.parkNanos(this, TORN_PAUSE_NANOS);
    }
    throw new StoreException(Reason.CORRUPT, "a part of a value is missing");
  }

  /** Joins the parts of a value; returns null if they are not all of one write. */
  static byte @Nullable [] value(List<LeafRow> rows) {
    LeafRow first = rows.getFirst();
    if (first.part() != 0 || rows.size() < first.parts()) {
      return null;
    }
    List<LeafRow> parts = rows.subList(0, first.parts());
    int size = 0;
    for (LeafRow part : parts) {
      if (parts.size() > 1 && part.writer() != first.writer()) {
        return null;
      }
      size += part.value().length - part.header();
    }
    ByteBuffer value = ByteBuffer.allocate(size);
    for (LeafRow part : parts) {
      value.put(part.value(), part.header(), part.value().length - part.header());
    }
    return value.array();
  }

  /** Begins to read the rows of several keys, in the order of the keys in the leaf. */
  CompletionStage<List<LeafRow>> readAll(int cell, long leaf, List<byte[]> keys) {
    return leafRows(readAll.bind(cell, leaf, keys.stream().map(ByteBuffer::wrap).toList()));
  }

  /** Begins to read the first rows of a range of a leaf in a direction. */
  CompletionStage<List<LeafRow>> page(
      int cell, long leaf, byte[] from, byte[] to, Direction direction, int limit) {
    PreparedStatement statement =
        switch (direction) {
          case UP -> pageUp;
          case DOWN -> pageDown;
        };
    return leafRows(statement.bind(cell, leaf, ByteBuffer.wrap(from), ByteBuffer.wrap(to), limit));
  }

  /** Deletes a leaf. Writes to it with lower timestamps have no effect afterwards. */
  void deleteLeaf(int cell, long leaf, long timestamp) {
    execute(deleteLeaf.bind(timestamp, cell, leaf));
  }

  /** Returns the statements that put a value. */
  List<BatchableStatement<?>> put(int cell, long leaf, byte[] key, byte[] value, long timestamp) {
    int count = Math.max(1, (value.length + partBytes - 1) / partBytes);
    List<BatchableStatement<?>> statements = new ArrayList<>(count);
    for (int part = 0; part < count; part++) {
      int from = part * partBytes;
      int length = Math.min(partBytes, value.length - from);
      ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES + Long.BYTES + length);
      if (part == 0) {
        bytes.putInt(count);
      }
      if (count > 1) {
        bytes.putLong(timestamp);
      }
      bytes.put(value, from, length).flip();
      statements.add(put.bind(cell, leaf, ByteBuffer.wrap(key), part, bytes, timestamp));
    }
    return statements;
  }

  BatchableStatement<?> delete(int cell, long leaf, byte[] key, long timestamp) {
    return delete.bind(timestamp, cell, leaf, ByteBuffer.wrap(key));
  }

  BatchableStatement<?> deleteRange(int cell, long leaf, byte[] from, byte[] to, long timestamp) {
    return deleteRange.bind(timestamp, cell, leaf, ByteBuffer.wrap(from), ByteBuffer.wrap(to));
  }

  /** Begins to execute statements on one leaf, atomically. */
  CompletionStage<AsyncResultSet> batch(List<BatchableStatement<?>> statements) {
    if (statements.size() == 1) {
      return session.executeAsync(statements.getFirst());
    }
    BatchStatementBuilder batch = BatchStatement.builder(BatchType.UNLOGGED).setIdempotence(true);
    batch.addStatements(statements);
    return session.executeAsync(batch.build());
  }

  // Members.

  /** A server and the number of its last sign of life. */
  record Member(String name, long beat) {}

  /** Writes a sign of life of a server. */
  void beat(UUID server, String name, long beat, long until) {
    execute(this.beat.bind(server, name, beat, until));
  }

  /** Returns a server; null if it has left. */
  @Nullable Member member(UUID server) {
    Row row = execute(member.bind(server)).one();
    return row == null
        ? null
        : new Member(Objects.requireNonNullElse(row.getString(0), ""), row.getLong(1));
  }

  void leave(UUID server) {
    execute(leave.bind(server));
  }

  private static byte[] array(@Nullable ByteBuffer buffer) {
    byte[] bytes = new byte[Objects.requireNonNull(buffer).remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  @Override
  public void close() {
    session.close();
  }
}
