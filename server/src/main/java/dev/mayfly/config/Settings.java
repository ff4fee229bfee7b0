package dev.mayfly.config;

import static dev.mayfly.config.Kind.DIRECTORY;
import static dev.mayfly.config.Kind.FILE;
import static dev.mayfly.config.Kind.PORT;
import static dev.mayfly.config.Kind.SWITCH;
import static dev.mayfly.config.Kind.TEXT;

import java.util.List;
import java.util.Optional;

/** Table of all settings. Help texts and docs/configuration.md are generated from it. */
public final class Settings {
  private static final long MIN_MEMORY = 256 << 20;

  public static final Setting DATA =
      new Setting("data", DIRECTORY, "mayfly-data", "Directory that holds all data");
  public static final Setting IN_MEMORY =
      new Setting(
          "in-memory",
          SWITCH,
          "false",
          "Keep data in memory only; it is lost when the server stops");
  public static final Setting CASSANDRA =
      new Setting(
          "cassandra",
          TEXT,
          "",
          "Keep data in this Cassandra cluster, not in a directory: HOST or HOST:PORT of some of"
              + " its nodes, separated by commas");
  public static final Setting CASSANDRA_KEYSPACE =
      new Setting(
          "cassandra-keyspace",
          TEXT,
          "mayfly",
          "Keyspace in Cassandra; created if it does not exist");
  public static final Setting CASSANDRA_DATACENTER =
      new Setting(
          "cassandra-datacenter",
          TEXT,
          "",
          "Data center of Cassandra to use; default is that of the nodes in cassandra");
  public static final Setting CASSANDRA_USER =
      new Setting("cassandra-user", TEXT, "", "User of Cassandra, if it requires a login");
  public static final Setting CASSANDRA_PASSWORD =
      new Setting("cassandra-password", new Kind.Secret(), "", "Password of the user of Cassandra");
  public static final Setting CASSANDRA_PASSWORD_FILE =
      new Setting(
          "cassandra-password-file",
          FILE,
          "",
          "File with the password of the user of Cassandra, in its first line");
  public static final Setting CASSANDRA_CONFIG =
      new Setting(
          "cassandra-config",
          FILE,
          "",
          "Configuration file of the DataStax Java driver, for TLS and everything else");
  public static final Setting PEER_PORT =
      new Setting(
          "peer-port",
          PORT,
          "0",
          "Port for the other servers on the same Cassandra keyspace; 0 for a free port");
  public static final Setting PEER_HOST =
      new Setting(
          "peer-host",
          TEXT,
          "",
          "Host name or address of this machine for the other servers; default is"
              + " advertised-host, or else bind, or the name of the machine");
  public static final Setting PLACEMENT =
      new Setting(
          "placement",
          new Kind.Choice(List.of("database", "single")),
          "database",
          "How databases are divided among the servers on a Cassandra keyspace: each database can"
              + " have another server, or all have the same one");
  public static final Setting TOPOLOGY =
      new Setting(
          "topology",
          new Kind.Choice(List.of("sharded", "replicaset")),
          "sharded",
          "How the servers on a Cassandra keyspace present themselves to MongoDB drivers: as"
              + " routers of a sharded cluster, or as a replica set named by set-name");
  public static final Setting MAX_CLOCK_SKEW =
      new Setting(
          "max-clock-skew",
          new Kind.WholeNumber(10, 60_000),
          "500",
          "Milliseconds that the clock of a server on a Cassandra keyspace may differ from the"
              + " others before it hands its data over to them");
  public static final Setting LEASE_SECONDS =
      new Setting(
          "lease-seconds",
          new Kind.WholeNumber(2, 60),
          "4",
          "How long a server on a Cassandra keyspace serves its data after its last sign of life;"
              + " the same for all servers");
  public static final Setting EMULATOR =
      new Setting(
          "emulator",
          SWITCH,
          "false",
          "For tests: accept the emulator's public key, and MongoDB clients without login, at"
              + " every bind address; in memory unless data is set");
  public static final Setting SEED =
      new Setting(
          "seed",
          DIRECTORY,
          "",
          "Directory with definitions and documents, applied to a server without collections");
  public static final Setting BIND =
      new Setting("bind", TEXT, "127.0.0.1", "Address to listen on; 0.0.0.0 for all addresses");
  public static final Setting MONGO_PORT =
      new Setting("mongo-port", PORT, "27017", "Port for MongoDB clients; 0 for a free port");
  public static final Setting COSMOS_PORT =
      new Setting(
          "cosmos-port",
          new Kind.NumberOrOff(0, 0xFFFF),
          "8081",
          "Port for Cosmos DB clients, with and without TLS; 0 for a free port");
  public static final Setting ADMIN_PORT =
      new Setting(
          "admin-port",
          new Kind.NumberOrOff(0, 0xFFFF),
          "off",
          "Separate port for the admin API and metrics; by default they use the port"
              + " for Cosmos DB");
  public static final Setting HEALTH_PORT =
      new Setting(
          "health-port",
          new Kind.NumberOrOff(0, 0xFFFF),
          "off",
          "Separate port for health checks at /ready, /alive and /status; with emulator the"
              + " default is 8080, if it is free");
  public static final Setting CONSOLE =
      new Setting(
          "console",
          new Kind.Choice(List.of("local", "on", "off")),
          "local",
          "Which browsers the web console serves: those on this machine, all (from other"
              + " machines with https), or none");
  public static final Setting CONSOLE_ACCESS =
      new Setting(
          "console-access",
          new Kind.Choice(List.of("full", "read")),
          "full",
          "What the console may do: everything that the roles of its user allow, or only read");
  public static final Setting CONSOLE_LABEL =
      new Setting(
          "console-label",
          TEXT,
          "",
          "Text of a bar on every page of the console, perhaps with a colour, such as"
              + " 'production red'");
  public static final Setting COSMOS_KEY =
      new Setting(
          "cosmos-key",
          new Kind.Secret(),
          "",
          "Key for Cosmos DB clients, in base64; default is the emulator's key, or with"
              + " auth always a random key (stored in the data directory; printed with"
              + " in-memory)");
  public static final Setting COSMOS_ORDER =
      new Setting(
          "cosmos-order",
          new Kind.Choice(List.of("strict", "lenient")),
          "strict",
          "ORDER BY without the required index: strict rejects it, lenient sorts in memory");
  public static final Setting AUTH =
      new Setting(
          "auth",
          new Kind.Choice(List.of("never", "remote", "always")),
          "remote",
          "Which MongoDB clients must log in: none, those from other machines, or all");
  public static final Setting TLS =
      new Setting(
          "tls",
          FILE,
          "",
          "PKCS12 file with key and certificate for TLS; by default Cosmos DB clients"
              + " get an automatic certificate");
  public static final Setting TLS_CERTIFICATE =
      new Setting(
          "tls-certificate",
          FILE,
          "",
          "PEM file with the certificate for TLS, followed by those that issued it; needs tls-key."
              + " Changed files are read again");
  public static final Setting TLS_KEY =
      new Setting(
          "tls-key",
          FILE,
          "",
          "PEM file with the private key of tls-certificate; may be encrypted");
  public static final Setting TLS_AUTHORITY =
      new Setting(
          "tls-authority",
          DIRECTORY,
          "",
          "Directory of the certificate authority that signs automatic certificates; default is the"
              + " data directory, or a new authority at each start with in-memory");
  public static final Setting TLS_NAMES =
      new Setting(
          "tls-names",
          TEXT,
          "",
          "Host names and addresses for automatic certificates, separated by commas; they always"
              + " contain localhost, 127.0.0.1, ::1, the name of the machine and advertised-host");
  public static final Setting TLS_PASSWORD =
      new Setting("tls-password", new Kind.Secret(), "", "Password of the TLS file or key");
  public static final Setting TLS_REQUIRED =
      new Setting(
          "tls-required",
          new Kind.Choice(List.of("never", "remote", "always")),
          "never",
          "Which MongoDB clients must use TLS: none, those from other machines, or all");
  public static final Setting MEMORY =
      new Setting(
          "memory",
          new Kind.Size(MIN_MEMORY),
          "",
          "Memory limit of the whole process; default 1g, or 3/4 of the memory of a"
              + " smaller machine");
  public static final Setting MAX_DISK =
      new Setting(
          "max-disk",
          new Kind.Size(0),
          "0",
          "Reject writes when data uses this much disk space; 0 for no limit");
  public static final Setting MIN_FREE_DISK =
      new Setting(
          "min-free-disk",
          new Kind.Size(0),
          "128m",
          "Reject writes when less disk space is free; the sweep needs it to free space");
  public static final Setting DROP_IN_COMPACTION =
      new Setting(
          "drop-in-compaction",
          SWITCH,
          "true",
          "Drop expired documents during compaction; otherwise delete them one by one");
  public static final Setting DURABILITY =
      new Setting(
          "durability",
          new Kind.Choice(List.of("logged", "synced")),
          "synced",
          "Default durability: synced replies after an fsync, logged after a write to"
              + " the log, which is flushed every 100 ms (a power failure loses the writes"
              + " since then)");
  public static final Setting MAX_CONNECTIONS =
      new Setting(
          "max-connections",
          new Kind.WholeNumber(1, 1_000_000),
          "5000",
          "Maximum number of connections of MongoDB clients; further ones are rejected");
  public static final Setting REQUEST_MEMORY =
      new Setting(
          "request-memory",
          new Kind.WholeNumber(1, 75),
          "25",
          "Percentage of the heap for requests and replies in flight; clients wait when"
              + " it is used up");
  public static final Setting HANDSHAKE_SECONDS =
      new Setting(
          "handshake-seconds",
          new Kind.WholeNumber(1, 3600),
          "30",
          "Time limit for the TLS handshake, the first message and the login of a client");
  public static final Setting MAX_CURSORS =
      new Setting(
          "max-cursors",
          new Kind.WholeNumber(1, 1_000_000),
          "10000",
          "Maximum number of open cursors of MongoDB clients");
  public static final Setting SET_NAME =
      new Setting(
          "set-name", TEXT, "mayfly", "Name of the replica set, as reported to MongoDB drivers");
  public static final Setting ADVERTISED_HOST =
      new Setting(
          "advertised-host",
          TEXT,
          "",
          "HOST:PORT reported to MongoDB drivers; default is the address that they used");
  public static final Setting SHUTDOWN_SECONDS =
      new Setting(
          "shutdown-seconds",
          new Kind.WholeNumber(0, 3600),
          "10",
          "Time that requests in progress have to finish when the server stops");
  public static final Setting LOG_FORMAT =
      new Setting(
          "log-format",
          new Kind.Choice(List.of("text", "json")),
          "text",
          "Format of the log on standard error: text, or one JSON object per line");
  public static final Setting LOG_LEVEL =
      new Setting(
          "log-level",
          new Kind.Choice(List.of("error", "warn", "info", "debug", "trace")),
          "info",
          "Lowest level that is logged");
  public static final Setting SLOW_MILLIS =
      new Setting(
          "slow-millis",
          new Kind.NumberOrOff(0, Integer.MAX_VALUE),
          "100",
          "Log operations that take at least this many milliseconds; 0 for all");
  public static final Setting CLOCK_LEAP_SECONDS =
      new Setting(
          "clock-leap-seconds",
          new Kind.WholeNumber(0, Integer.MAX_VALUE),
          "300",
          "After a clock step larger than this, remove nothing until the new time is"
              + " confirmed; 0 trusts every clock");
  public static final Setting CLOCK_CONFIRM_SECONDS =
      new Setting(
          "clock-confirm-seconds",
          new Kind.WholeNumber(0, Integer.MAX_VALUE),
          "600",
          "Time after which a clock that was set forward is confirmed automatically, or"
              + " a hundredth of the step if that is longer");
  public static final Setting ON_EXPIRE_DIRECTORY =
      new Setting(
          "on-expire-directory",
          TEXT,
          "",
          "Directory below which collections may write files of expired documents; without it none"
              + " may");
  public static final Setting ON_EXPIRE_HOSTS =
      new Setting(
          "on-expire-hosts",
          TEXT,
          "",
          "Hosts to which collections may send expired documents, as host or host:port, separated"
              + " by commas; without it none");
  public static final Setting ON_EXPIRE_SECRET =
      new Setting(
          "on-expire-secret",
          new Kind.Secret(),
          "",
          "Key of the signatures of requests with expired documents; without it they are not"
              + " signed");
  public static final Setting ON_EXPIRE_LIMIT =
      new Setting(
          "on-expire-limit",
          new Kind.Size(0),
          "10g",
          "Expired documents that a collection keeps until they are delivered; beyond it the"
              + " oldest are discarded; 0 for no limit");
  public static final Setting TEST_CLOCK =
      new Setting(
          "test-clock",
          new Kind.Choice(List.of("true", "offset", "false")),
          "false",
          "For tests only: let clients move the clock forward. true stops it between the moves,"
              + " offset lets it go on");
  public static final Setting TEST_COMMANDS =
      new Setting(
          "test-commands",
          SWITCH,
          "false",
          "Let MongoDB clients make commands fail with configureFailPoint; for tests only");
  public static final Setting STOP_WITH_INPUT =
      new Setting(
          "stop-with-input",
          SWITCH,
          "false",
          "Stop when standard input is closed: so the server ends with the program that started"
              + " it");

  /** All settings, in the order of the help text. */
  public static final List<Setting> ALL =
      List.of(
          DATA,
          IN_MEMORY,
          CASSANDRA,
          CASSANDRA_KEYSPACE,
          CASSANDRA_DATACENTER,
          CASSANDRA_USER,
          CASSANDRA_PASSWORD,
          CASSANDRA_PASSWORD_FILE,
          CASSANDRA_CONFIG,
          PEER_PORT,
          PEER_HOST,
          PLACEMENT,
          TOPOLOGY,
          MAX_CLOCK_SKEW,
          LEASE_SECONDS,
          EMULATOR,
          SEED,
          BIND,
          MONGO_PORT,
          COSMOS_PORT,
          ADMIN_PORT,
          HEALTH_PORT,
          CONSOLE,
          CONSOLE_ACCESS,
          CONSOLE_LABEL,
          COSMOS_KEY,
          COSMOS_ORDER,
          AUTH,
          TLS,
          TLS_CERTIFICATE,
          TLS_KEY,
          TLS_PASSWORD,
          TLS_AUTHORITY,
          TLS_NAMES,
          TLS_REQUIRED,
          MEMORY,
          MAX_DISK,
          MIN_FREE_DISK,
          DROP_IN_COMPACTION,
          DURABILITY,
          MAX_CONNECTIONS,
          REQUEST_MEMORY,
          HANDSHAKE_SECONDS,
          MAX_CURSORS,
          SET_NAME,
          ADVERTISED_HOST,
          SHUTDOWN_SECONDS,
          LOG_FORMAT,
          LOG_LEVEL,
          SLOW_MILLIS,
          CLOCK_LEAP_SECONDS,
          CLOCK_CONFIRM_SECONDS,
          ON_EXPIRE_DIRECTORY,
          ON_EXPIRE_HOSTS,
          ON_EXPIRE_SECRET,
          ON_EXPIRE_LIMIT,
          TEST_CLOCK,
          TEST_COMMANDS,
          STOP_WITH_INPUT);

  private Settings() {}

  /** Finds a setting by name. */
  public static Optional<Setting> find(String name) {
    return ALL.stream().filter(setting -> setting.name().equals(name)).findFirst();
  }
}
