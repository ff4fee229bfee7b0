package dev.mayfly.cli.cassandra;

import dev.mayfly.config.Configuration;
import dev.mayfly.config.ConfigurationException;
import dev.mayfly.config.Setting;
import dev.mayfly.config.Settings;
import dev.mayfly.server.HostInfo;
import dev.mayfly.server.RemoteStoreException;
import dev.mayfly.server.SharedStore;
import dev.mayfly.store.Board;
import dev.mayfly.store.StoreException;
import dev.mayfly.store.cassandra.CassandraSettings;
import dev.mayfly.store.cassandra.CassandraStores;
import dev.mayfly.store.cassandra.CellLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Maps the settings of Cassandra to a shared store. The only class that names classes of the module
 * {@code store-cassandra}: programs that embed a server need not have that module.
 */
public final class CassandraPlan {
  private static final int PERCENT = 100;

  /** Share of the heap for memtables and cached records. */
  private static final int HEAP_SHARE = 40;

  /** Cells of a server that are in use at a time, as the division of memory assumes. */
  private static final int BUSY_CELLS = 4;

  private static final long MIN_CELL_BYTES = 32L << 20;
  private static final Pattern POINT = Pattern.compile("[^:\\s]+(:\\d{1,5})?|[0-9A-Fa-f:]+");

  private static final List<Setting> OTHERS =
      List.of(
          Settings.CASSANDRA_KEYSPACE,
          Settings.CASSANDRA_DATACENTER,
          Settings.CASSANDRA_USER,
          Settings.CASSANDRA_PASSWORD,
          Settings.CASSANDRA_PASSWORD_FILE,
          Settings.CASSANDRA_CONFIG,
          Settings.PEER_PORT,
          Settings.PEER_HOST,
          Settings.PLACEMENT,
          Settings.TOPOLOGY,
          Settings.MAX_CLOCK_SKEW,
          Settings.LEASE_SECONDS);

  /** Settings of a server that has its data for itself. */
  private static final List<Setting> EXCLUDED =
      List.of(
          Settings.DATA, Settings.IN_MEMORY, Settings.EMULATOR, Settings.SEED, Settings.TEST_CLOCK);

  private CassandraPlan() {}

  /**
   * Returns the store that the configuration names; empty if it names none.
   *
   * @throws ConfigurationException when settings are invalid or contradict each other
   */
  public static Optional<SharedStore> of(Configuration configuration) {
    if (configuration.text(Settings.CASSANDRA).isEmpty()) {
      OTHERS.stream()
          .filter(configuration::isSet)
          .findFirst()
          .ifPresent(
              setting -> {
                throw new ConfigurationException(
                    setting.name() + " is set, but cassandra is not: set both, or neither.");
              });
      return Optional.empty();
    }
    for (Setting other : EXCLUDED) {
      if (configuration.isSet(other) && !configuration.text(other).equals("false")) {
        throw new ConfigurationException(
            "Both cassandra and " + other.name() + " are set: use only one of them.");
      }
    }
    CassandraSettings settings = settings(configuration);
    String description =
        "Cassandra at "
            + String.join(", ", settings.contactPoints())
            + ", keyspace "
            + settings.keyspace();
    return Optional.of(
        new SharedStore(
            () -> open(settings), description, new ClusterPlan(configuration).membership()));
  }

  private static CassandraSettings settings(Configuration configuration) {
    List<String> points =
        Arrays.stream(configuration.text(Settings.CASSANDRA).split(",", -1))
            .map(String::strip)
            .toList();
    for (String point : points) {
      if (!POINT.matcher(point).matches()) {
        throw new ConfigurationException(
            "cassandra contains '" + point + "', which is neither HOST nor HOST:PORT.");
      }
    }
    CassandraSettings settings;
    try {
      settings =
          CassandraSettings.of(points)
              .withKeyspace(configuration.text(Settings.CASSANDRA_KEYSPACE))
              .withDatacenter(configuration.text(Settings.CASSANDRA_DATACENTER))
              .withLimits(CellLimits.within(cellBytes(configuration)));
    } catch (IllegalArgumentException invalid) {
      throw new ConfigurationException(
          "cassandra-keyspace: " + invalid.getMessage() + ".", invalid);
    }
    String file = configuration.text(Settings.CASSANDRA_CONFIG);
    if (!file.isEmpty()) {
      if (!Files.isReadable(Path.of(file))) {
        throw new ConfigurationException(
            "cassandra-config: there is no readable file " + file + ".");
      }
      settings = settings.withDriverFile(Path.of(file));
    }
    return login(configuration).map(settings::withLogin).orElse(settings);
  }

  /** A server with one cell gives it all the memory; others are expected to have a few in use. */
  private static long cellBytes(Configuration configuration) {
    long total = Runtime.getRuntime().maxMemory() / PERCENT * HEAP_SHARE;
    boolean single = configuration.text(Settings.PLACEMENT).equals("single");
    return Math.max(single ? total : total / BUSY_CELLS, MIN_CELL_BYTES);
  }

  private static Optional<CassandraSettings.Login> login(Configuration configuration) {
    String user = configuration.text(Settings.CASSANDRA_USER);
    String password = configuration.text(Settings.CASSANDRA_PASSWORD);
    String file = configuration.text(Settings.CASSANDRA_PASSWORD_FILE);
    if (!password.isEmpty() && !file.isEmpty()) {
      throw new ConfigurationException(
          "Both cassandra-password and cassandra-password-file are set: use only one of them.");
    }
    boolean hasPassword = !password.isEmpty() || !file.isEmpty();
    if (user.isEmpty() == hasPassword) {
      throw new ConfigurationException(
          user.isEmpty()
              ? "A password for Cassandra is set, but cassandra-user is not."
              : "cassandra-user is set, but no password: set MAYFLY_CASSANDRA_PASSWORD or"
                  + " cassandra-password-file.");
    }
    return user.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new CassandraSettings.Login(user, file.isEmpty() ? password : firstLine(file)));
  }

  private static String firstLine(String file) {
    try {
      return Files.readString(Path.of(file)).lines().findFirst().orElse("");
    } catch (IOException unreadable) {
      throw new ConfigurationException(
          "cassandra-password-file: there is no readable file " + file + ".", unreadable);
    }
  }

  private static SharedStore.Opened open(CassandraSettings settings) {
    try {
      return new Opened(
          CassandraStores.open(
              settings, HostInfo.process(), System::nanoTime, CassandraPlan::micros));
    } catch (StoreException failure) {
      throw new RemoteStoreException(failure);
    }
  }

  /** The tables of a keyspace, with a connection. */
  private record Opened(CassandraStores stores) implements SharedStore.Opened {
    @Override
    public Board board() {
      return stores.board();
    }

    @Override
    public void close() {
      stores.close();
    }
  }

  private static long micros() {
    return TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
  }
}
