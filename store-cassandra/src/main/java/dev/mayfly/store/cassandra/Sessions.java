package dev.mayfly.store.cassandra;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.auth.AuthenticationException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Opens sessions of the driver: connects, and creates keyspace and tables that do not exist. What
 * can go wrong here is a mistake in the settings more often than not, so every failure names the
 * setting to look at.
 */
final class Sessions {
  private static final System.Logger LOG = System.getLogger(Sessions.class.getName());

  /** Copies of a keyspace that is created, if the data center has as many nodes. */
  private static final int COPIES = 3;

  private Sessions() {}

  /**
   * Connects to a keyspace.
   *
   * @throws StoreException UNAVAILABLE if no node answers, or if Cassandra refuses the user
   */
  static CqlSession open(CassandraSettings settings) {
    CqlSession session = connect(settings);
    try {
      createKeyspace(session, settings);
      session.execute(SimpleStatement.newInstance("USE " + settings.keyspace()));
      createTables(session, settings);
      return session;
    } catch (UnauthorizedException refused) {
      session.close();
      throw new StoreException(
          Reason.UNAVAILABLE,
          user(settings)
              + " lacks rights in Cassandra for keyspace "
              + settings.keyspace()
              + " ("
              + refused.getMessage()
              + "): grant it CREATE, SELECT and MODIFY there, or CREATE ON ALL KEYSPACES if the"
              + " keyspace does not exist yet",
          refused);
    } catch (NoNodeAvailableException none) {
      Set<String> known = datacenters(session).keySet();
      session.close();
      throw new StoreException(
          Reason.UNAVAILABLE,
          "no Cassandra node of data center '"
              + settings.datacenter()
              + "' is available; the cluster has "
              + String.join(", ", known)
              + ": check cassandra-datacenter",
          none);
    } catch (DriverException failure) {
      session.close();
      throw Tables.unavailable(failure);
    }
  }

  /** Returns the number of nodes of each data center. */
  private static SortedMap<String, Integer> datacenters(CqlSession session) {
    SortedMap<String, Integer> nodes = new TreeMap<>();
    for (Node node : session.getMetadata().getNodes().values()) {
      if (node.getDatacenter() != null) {
        nodes.merge(node.getDatacenter(), 1, Integer::sum);
      }
    }
    return nodes;
  }

  private static String user(CassandraSettings settings) {
    return settings
        .login()
        .map(login -> "user '" + login.user() + "'")
        .orElse("a user without a name (cassandra-user is not set)");
  }

  private static CqlSession connect(CassandraSettings settings) {
    try {
      return builder(settings).build();
    } catch (AllNodesFailedException failure) {
      throw unreachable(settings, failure);
    } catch (DriverException | IllegalArgumentException | IllegalStateException failure) {
      throw new StoreException(
          Reason.UNAVAILABLE,
          "cannot connect to Cassandra at "
              + String.join(", ", settings.contactPoints())
              + ": "
              + failure.getMessage(),
          failure);
    }
  }

  private static StoreException unreachable(
      CassandraSettings settings, AllNodesFailedException failure) {
    boolean refused =
        failure.getAllErrors().values().stream()
            .flatMap(List::stream)
            .anyMatch(AuthenticationException.class::isInstance);
    String points = String.join(", ", settings.contactPoints());
    if (refused) {
      return new StoreException(
          Reason.UNAVAILABLE,
          settings.login().isEmpty()
              ? "Cassandra at "
                  + points
                  + " requires a login: set cassandra-user and"
                  + " cassandra-password"
              : "Cassandra at "
                  + points
                  + " rejects "
                  + user(settings)
                  + ": check cassandra-user and cassandra-password",
          failure);
    }
    return new StoreException(
        Reason.UNAVAILABLE,
        "no Cassandra node answers at "
            + points
            + ": check the addresses, that the cluster runs, and that this machine may connect to"
            + " it",
        failure);
  }

  private static CqlSessionBuilder builder(CassandraSettings settings) {
    ProgrammaticDriverConfigLoaderBuilder options =
        DriverConfigLoader.programmaticBuilder()
            .withString(DefaultDriverOption.PROTOCOL_VERSION, "V4")
            .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, settings.timeout())
            .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, settings.timeout())
            .withString(DefaultDriverOption.REQUEST_CONSISTENCY, Tables.QUORUM.name())
            .withString(DefaultDriverOption.REQUEST_SERIAL_CONSISTENCY, Tables.SERIAL.name())
            .withBoolean(DefaultDriverOption.REQUEST_DEFAULT_IDEMPOTENCE, true)
            // results are pages by key already
            .withInt(DefaultDriverOption.REQUEST_PAGE_SIZE, 100_000)
            .withBoolean(DefaultDriverOption.METADATA_SCHEMA_ENABLED, false)
            // of scans that meet deletes: leaves are renewed before these are many
            .withBoolean(DefaultDriverOption.REQUEST_LOG_WARNINGS, false)
            // the keyspace is created by the session that uses it
            .withBoolean(DefaultDriverOption.REQUEST_WARN_IF_SET_KEYSPACE, false);
    if (settings.datacenter().isEmpty()) {
      options =
          options.withString(
              DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, "DcInferringLoadBalancingPolicy");
    } else {
      options =
          options.withString(
              DefaultDriverOption.LOAD_BALANCING_LOCAL_DATACENTER, settings.datacenter());
    }
    DriverConfigLoader fixed = options.build();
    DriverConfigLoader loader =
        settings
            .driverFile()
            .map(file -> DriverConfigLoader.compose(fixed, DriverConfigLoader.fromPath(file)))
            .orElse(fixed);
    CqlSessionBuilder builder = CqlSession.builder().withConfigLoader(loader);
    settings.contactPoints().forEach(point -> builder.addContactPoint(address(point)));
    settings
        .login()
        .ifPresent(login -> builder.withAuthCredentials(login.user(), login.password()));
    return builder;
  }

  private static InetSocketAddress address(String point) {
    int colon = point.lastIndexOf(':');
    boolean hasPort = colon > 0 && point.indexOf(':') == colon;
    return hasPort
        ? new InetSocketAddress(
            point.substring(0, colon), Integer.parseInt(point.substring(colon + 1)))
        : new InetSocketAddress(point, CassandraSettings.PORT);
  }

  /** Creates the keyspace only if it does not exist: that needs rights that a user may not have. */
  private static void createKeyspace(CqlSession session, CassandraSettings settings) {
    SimpleStatement known =
        SimpleStatement.newInstance(
            "SELECT keyspace_name FROM system_schema.keyspaces WHERE keyspace_name = ?",
            settings.keyspace());
    if (session.execute(known).one() != null) {
      return;
    }
    SortedMap<String, Integer> nodes = datacenters(session);
    String datacenter = settings.datacenter().isEmpty() ? nodes.firstKey() : settings.datacenter();
    int copies = Math.clamp(nodes.getOrDefault(datacenter, 1), 1, COPIES);
    session.execute(
        SimpleStatement.newInstance(
            "CREATE KEYSPACE IF NOT EXISTS "
                + settings.keyspace()
                + " WITH replication = {'class': 'NetworkTopologyStrategy', '"
                + datacenter
                + "': "
                + copies
                + "}"));
    LOG.log(
        System.Logger.Level.INFO,
        "created keyspace "
            + settings.keyspace()
            + " in "
            + datacenter
            + " with "
            + copies
            + (copies == 1 ? " copy" : " copies"));
  }

  private static void createTables(CqlSession session, CassandraSettings settings) {
    for (Map.Entry<String, String> table : Tables.SCHEMA.entrySet()) {
      SimpleStatement known =
          SimpleStatement.newInstance(
              "SELECT table_name FROM system_schema.tables"
                  + " WHERE keyspace_name = ? AND table_name = ?",
              settings.keyspace(),
              table.getKey());
      if (session.execute(known).one() == null) {
        session.execute(SimpleStatement.newInstance(table.getValue()));
      }
    }
    for (Tables.AddedColumn added : Tables.ADDED_COLUMNS) {
      SimpleStatement known =
          SimpleStatement.newInstance(
              "SELECT column_name FROM system_schema.columns"
                  + " WHERE keyspace_name = ? AND table_name = ? AND column_name = ?",
              settings.keyspace(),
              added.table(),
              added.column());
      if (session.execute(known).one() == null) {
        session.execute(
            SimpleStatement.newInstance(
                "ALTER TABLE "
                    + added.table()
                    + " ADD IF NOT EXISTS "
                    + added.column()
                    + " "
                    + added.type()));
      }
    }
  }
}
