package dev.mayfly.store.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import dev.mayfly.store.Board;
import dev.mayfly.store.CellState;
import dev.mayfly.store.MemberRow;
import dev.mayfly.store.ReferenceClock;
import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Board in the tables of a keyspace. Conditional changes go through Paxos, as those of commits do.
 * A statement that is not answered is not waited for as long as others: a sign of life that comes
 * late is worth nothing. Safe for many threads.
 */
final class CassandraBoard implements Board {
  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final Duration CLOCK_TIMEOUT = Duration.ofSeconds(1);

  /** How often a change is sent again if it is not answered. */
  private static final int ATTEMPTS = 5;

  /** Nodes whose clocks are compared. */
  private static final int CLOCKS = 5;

  private static final String IS_MEMBER = " WHERE cluster = '" + Tables.CLUSTER + "'";

  private final Tables tables;
  private final CqlSession session;
  private final PreparedStatement beat;
  private final PreparedStatement leave;
  private final PreparedStatement takeSlot;
  private final PreparedStatement replaceSlot;
  private final PreparedStatement freeSlot;
  private final PreparedStatement claim;
  private final PreparedStatement handOver;
  private final PreparedStatement database;
  private final PreparedStatement placeDatabase;

  CassandraBoard(Tables tables) {
    this.tables = tables;
    this.session = tables.session();
    beat =
        session.prepare(
            "INSERT INTO member (cluster, server, slot, name, peer, mongo, cosmos, fingerprint,"
                + " version, beat, until, load) VALUES ('"
                + Tables.CLUSTER
                + "', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    leave = session.prepare("DELETE FROM member" + IS_MEMBER + " AND server = ?");
    takeSlot = session.prepare("INSERT INTO slot (slot, server) VALUES (?, ?) IF NOT EXISTS");
    replaceSlot = session.prepare("UPDATE slot SET server = ? WHERE slot = ? IF server = ?");
    freeSlot = session.prepare("DELETE FROM slot WHERE slot = ? IF server = ?");
    claim =
        session.prepare(
            "UPDATE cell SET epoch = ?, owner = ?, floor = ? WHERE cell = ?"
                + " IF epoch = ? AND owner = ?");
    handOver =
        session.prepare(
            "UPDATE cell SET owner = ?, floor = ? WHERE cell = ? IF epoch = ? AND owner = ?");
    database = session.prepare("SELECT cell FROM database WHERE name = ?");
    placeDatabase =
        session.prepare("INSERT INTO database (name, cell) VALUES (?, ?) IF NOT EXISTS");
  }

  private List<Row> rows(String statement) {
    return tables.execute(SimpleStatement.newInstance(statement).setTimeout(TIMEOUT)).all();
  }

  @Override
  public void beat(MemberRow member) {
    tables.execute(
        beat.bind(
                member.server(),
                member.slot(),
                member.name(),
                member.peer(),
                member.mongo(),
                member.cosmos(),
                ByteBuffer.wrap(member.fingerprint()),
                member.version(),
                member.beat(),
                member.until(),
                member.load())
            .setTimeout(TIMEOUT));
  }

  @Override
  public List<MemberRow> members() {
    List<MemberRow> members = new ArrayList<>();
    for (Row row :
        rows(
            "SELECT server, slot, name, peer, mongo, cosmos, fingerprint, version, beat, until,"
                + " load FROM member"
                + IS_MEMBER)) {
      members.add(
          new MemberRow(
              Objects.requireNonNull(row.getUuid("server")),
              row.getInt("slot"),
              text(row, "name"),
              text(row, "peer"),
              text(row, "mongo"),
              text(row, "cosmos"),
              bytes(row.getByteBuffer("fingerprint")),
              text(row, "version"),
              row.getLong("beat"),
              row.getLong("until"),
              row.getDouble("load")));
    }
    return members;
  }

  private static String text(Row row, String column) {
    return Objects.requireNonNullElse(row.getString(column), "");
  }

  private static byte[] bytes(@Nullable ByteBuffer buffer) {
    byte[] bytes = new byte[buffer == null ? 0 : buffer.remaining()];
    if (buffer != null) {
      buffer.duplicate().get(bytes);
    }
    return bytes;
  }

  @Override
  public void leave(UUID server) {
    tables.execute(leave.bind(server).setTimeout(TIMEOUT));
  }

  @Override
  public Map<Integer, UUID> slots() {
    Map<Integer, UUID> slots = new HashMap<>();
    for (Row row : rows("SELECT slot, server FROM slot")) {
      UUID server = row.getUuid("server");
      if (server != null) {
        slots.put(row.getInt("slot"), server);
      }
    }
    return slots;
  }

  @Override
  public boolean takeSlot(int slot, Optional<UUID> expected, UUID server) {
    Row row =
        changed(
            expected.isEmpty()
                ? takeSlot.bind(slot, server)
                : replaceSlot.bind(server, slot, expected.get()));
    return row.getBoolean(0)
        || (row.getColumnDefinitions().contains("server") && server.equals(row.getUuid("server")));
  }

  @Override
  public void freeSlot(int slot, UUID server) {
    changed(freeSlot.bind(slot, server));
  }

  /** Sends a conditional statement until it is answered. */
  private Row changed(Statement<?> statement) {
    for (int i = 1; ; i++) {
      try {
        return Objects.requireNonNull(tables.execute(statement.setTimeout(TIMEOUT)).one());
      } catch (StoreException unanswered) {
        if (i == ATTEMPTS) {
          throw unanswered;
        }
      }
    }
  }

  @Override
  public List<CellState> cells() {
    List<CellState> cells = new ArrayList<>();
    for (Row row : rows("SELECT cell, epoch, owner, last, flushed, floor FROM cell")) {
      cells.add(
          new CellState(
              row.getInt("cell"),
              row.getLong("epoch"),
              Optional.ofNullable(row.getUuid("owner")),
              row.getLong("last"),
              row.getLong("flushed"),
              row.getLong("floor")));
    }
    cells.sort(Comparator.comparingInt(CellState::cell));
    return cells;
  }

  @Override
  public boolean createCell(int cell) {
    return tables.create(cell);
  }

  @Override
  public OptionalLong claim(CellState expected, UUID server, long floor) {
    long epoch = expected.epoch() + 1;
    try {
      Row row =
          tables
              .execute(
                  claim
                      .bind(
                          epoch,
                          server,
                          Math.max(floor, expected.floor()),
                          expected.cell(),
                          expected.epoch())
                      .setUuid(5, expected.owner().orElse(null))
                      .setTimeout(TIMEOUT))
              .one();
      return Objects.requireNonNull(row).getBoolean(0)
          ? OptionalLong.of(epoch)
          : OptionalLong.empty();
    } catch (StoreException unanswered) {
      if (unanswered.reason() != Reason.UNAVAILABLE) {
        throw unanswered;
      }
      CellRow now = tables.cell(expected.cell());
      return now.epoch() == epoch && server.equals(now.owner())
          ? OptionalLong.of(epoch)
          : OptionalLong.empty();
    }
  }

  @Override
  public void handOver(int cell, long epoch, UUID owner, Optional<UUID> next, long floor) {
    long highest = Math.max(floor, tables.cell(cell).floor());
    changed(
        handOver
            .bind()
            .setUuid(0, next.orElse(null))
            .setLong(1, highest)
            .setInt(2, cell)
            .setLong(3, epoch)
            .setUuid(4, owner));
  }

  @Override
  public Map<String, Integer> databases() {
    Map<String, Integer> databases = new HashMap<>();
    for (Row row : rows("SELECT name, cell FROM database")) {
      databases.put(text(row, "name"), row.getInt("cell"));
    }
    return databases;
  }

  @Override
  public OptionalInt database(String name) {
    Row row = tables.execute(database.bind(name)).one();
    return row == null ? OptionalInt.empty() : OptionalInt.of(row.getInt("cell"));
  }

  @Override
  public int placeDatabase(String name, int cell) {
    Row row = changed(placeDatabase.bind(name, cell));
    return row.getBoolean(0) ? cell : row.getInt("cell");
  }

  @Override
  public List<ReferenceClock> clocks() {
    return session.getMetadata().getNodes().values().stream()
        .filter(node -> node.getState() == NodeState.UP)
        .limit(CLOCKS)
        .<ReferenceClock>map(NodeClock::new)
        .toList();
  }

  /** Clock of a Cassandra node. */
  private final class NodeClock implements ReferenceClock {
    private final Node node;

    NodeClock(Node node) {
      this.node = node;
    }

    @Override
    public String name() {
      return "Cassandra node " + node.getEndPoint();
    }

    @Override
    public long read() {
      Statement<?> statement =
          SimpleStatement.newInstance("SELECT toUnixTimestamp(now()) FROM system.local")
              .setNode(node)
              .setTimeout(CLOCK_TIMEOUT);
      Row row = Objects.requireNonNull(tables.execute(statement).one());
      return row.getLong(0);
    }
  }
}
