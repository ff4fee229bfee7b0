package dev.mayfly.bench;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.Properties;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.bson.types.ObjectId;

/**
 * PostgreSQL with its JDBC driver: an order is a row of an id and a {@code jsonb} column, with a
 * B-tree on an expression for its amount.
 *
 * <p>Writes are committed asynchronously, as by Mayfly with {@code durability: logged}; journaled
 * writes with synchronous commit. Connections stay open, so that their processes keep their CPU
 * time.
 */
final class PostgresServer implements DoorServer {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final String INSERT = "insert into inserted values (?, ?::jsonb)";
  private static final String FIND = "select id, doc from orders where id = ?";
  private static final String RANGE =
      "select id, doc from orders"
          + " where (doc->>'amount')::bigint >= ? and (doc->>'amount')::bigint < ?";
  private static final String UPDATE =
      "update updated set doc = doc || jsonb_build_object("
          + "'visits', (doc->>'visits')::int + 1, 'customer', ?::text) where id = ?";

  private final PostgresProcess process;
  private final DoorOrders orders;
  private final Sessions logged;
  private final Sessions synced;

  PostgresServer(PostgresProcess process, DoorOrders orders) {
    this.process = process;
    this.orders = orders;
    this.logged = new Sessions(process, "off");
    this.synced = new Sessions(process, "on");
  }

  /** Work on a connection. */
  private interface Work {
    void on(Connection connection, Random random) throws SQLException;
  }

  /** Open connections that no client uses now. */
  private static final class Sessions {
    private final PostgresProcess process;
    private final String commit;
    private final Queue<Connection> idle = new ConcurrentLinkedQueue<>();
    private final Collection<Connection> all = new ConcurrentLinkedQueue<>();

    /**
     * @param commit value of {@code synchronous_commit}
     */
    Sessions(PostgresProcess process, String commit) {
      this.process = process;
      this.commit = commit;
    }

    Connection open() throws SQLException {
      Properties properties = new Properties();
      properties.setProperty("user", PostgresProcess.USER);
      properties.setProperty("sslmode", "disable");
      properties.setProperty("reWriteBatchedInserts", "true");
      properties.setProperty("options", "-c synchronous_commit=" + commit);
      Connection connection = DriverManager.getConnection(process.url(), properties);
      all.add(connection);
      return connection;
    }

    void use(Work work, Random random) throws SQLException {
      Connection some = idle.poll();
      Connection connection = some == null ? open() : some;
      work.on(connection, random);
      idle.add(connection);
    }

    void close() throws SQLException {
      for (Connection connection : all) {
        connection.close();
      }
    }
  }

  @Override
  public void load() throws Exception {
    awaitStart();
    for (String table : new String[] {"orders", "updated", "inserted"}) {
      execute("create table " + table + " (id text primary key, doc jsonb not null)");
    }
    for (String table : new String[] {"orders", "updated"}) {
      execute("create index on " + table + " (((doc->>'amount')::bigint))");
      load(table);
      execute("vacuum analyze " + table);
    }
  }

  private void awaitStart() throws SQLException {
    long start = System.nanoTime();
    while (true) {
      try {
        logged.use((_, _) -> {}, new Random());
        return;
      } catch (SQLException early) {
        if (!process.isAlive() || System.nanoTime() - start > PATIENCE_NANOS) {
          throw early;
        }
        Thread.onSpinWait();
      }
    }
  }

  private void execute(String command) throws SQLException {
    logged.use(
        (connection, _) -> {
          try (Statement statement = connection.createStatement()) {
            statement.execute(command);
          }
        },
        new Random());
  }

  private void load(String table) throws SQLException {
    logged.use(
        (connection, _) -> {
          try (PreparedStatement insert =
              connection.prepareStatement("insert into " + table + " values (?, ?::jsonb)")) {
            for (int i = 0; i < orders.documents(); i++) {
              insert.setString(1, Workload.id(i));
              insert.setString(2, DoorOrders.json(i, orders.amount(i)));
              insert.addBatch();
              if ((i + 1) % DoorOrders.LOAD_BATCH == 0) {
                insert.executeBatch();
              }
            }
            insert.executeBatch();
          }
        },
        new Random());
  }

  @Override
  public Optional<Load.Work> work(DoorOperation operation) {
    return switch (operation) {
      case INSERT -> Optional.of(on(logged, (some, random) -> insert(some, random, newId())));
      case JOURNALED_INSERT ->
          Optional.of(on(synced, (some, random) -> insert(some, random, newId())));
      case SCATTERED ->
          Optional.of(on(logged, (some, random) -> insert(some, random, scattered(random))));
      case BULK -> Optional.of(on(logged, this::bulk));
      case FIND -> Optional.of(on(logged, this::find));
      case TEN -> Optional.of(on(logged, (some, random) -> range(some, random, DoorOrders.TEN)));
      case UPDATE -> Optional.of(on(logged, this::update));
      case JOURNALED_UPDATE -> Optional.of(on(synced, this::update));
      case RANGE ->
          Optional.of(on(logged, (some, random) -> range(some, random, DoorOrders.RANGE)));
      case GROUP, REGROUP -> Optional.empty();
    };
  }

  private static Load.Work on(Sessions sessions, Work work) {
    return random -> sessions.use(work, random);
  }

  /** An id of the kind that MongoDB's driver generates. */
  private static String newId() {
    return new ObjectId().toHexString();
  }

  private static String scattered(Random random) {
    return Workload.scattered(random.nextLong());
  }

  private void insert(Connection connection, Random random, String id) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      set(insert, random, id);
      DoorOrders.expect(1, insert.executeUpdate());
    }
  }

  private void set(PreparedStatement insert, Random random, String id) throws SQLException {
    insert.setString(1, id);
    insert.setString(2, DoorOrders.json(random.nextInt(orders.documents()), random.nextInt()));
  }

  private void bulk(Connection connection, Random random) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      for (int i = 0; i < DoorOrders.BULK; i++) {
        set(insert, random, scattered(random));
        insert.addBatch();
      }
      DoorOrders.expect(DoorOrders.BULK, insert.executeBatch().length);
    }
  }

  private void find(Connection connection, Random random) throws SQLException {
    try (PreparedStatement find = connection.prepareStatement(FIND)) {
      find.setString(1, orders.any(random));
      expect(1, find);
    }
  }

  private void range(Connection connection, Random random, int length) throws SQLException {
    long from = orders.from(random, length);
    try (PreparedStatement find = connection.prepareStatement(RANGE)) {
      find.setLong(1, from);
      find.setLong(2, from + length);
      expect(length, find);
    }
  }

  private static void expect(int rows, PreparedStatement find) throws SQLException {
    int found = 0;
    try (ResultSet results = find.executeQuery()) {
      while (results.next()) {
        found += results.getString(1).isEmpty() || results.getString(2).isEmpty() ? 0 : 1;
      }
    }
    DoorOrders.expect(rows, found);
  }

  private void update(Connection connection, Random random) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(UPDATE)) {
      update.setString(1, DoorOrders.anyCustomer(random));
      update.setString(2, orders.any(random));
      DoorOrders.expect(1, update.executeUpdate());
    }
  }

  @Override
  public void dropInserted() throws SQLException {
    execute("truncate inserted");
  }

  @Override
  public Duration processorTime() {
    return process.processorTime();
  }

  @Override
  public double allocatedBytes() {
    return Double.NaN;
  }

  @Override
  public void close() throws IOException {
    try {
      logged.close();
      synced.close();
    } catch (SQLException failed) {
      throw new IOException(failed);
    } finally {
      process.close();
    }
  }
}
