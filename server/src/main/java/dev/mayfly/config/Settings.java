package dev.mayfly.config;

import static dev.mayfly.config.Kind.DIRECTORY;
import static dev.mayfly.config.Kind.FILE;
import static dev.mayfly.config.Kind.PORT;
import static dev.mayfly.config.Kind.SWITCH;
import static dev.mayfly.config.Kind.TEXT;

import java.util.List;
import java.util.Optional;

/** The table of all settings: what the file, the environment and the command line can say. */
public final class Settings {
  private static final long LEAST_MEMORY = 256 << 20;

  public static final Setting DATA =
      new Setting("data", DIRECTORY, "mayfly-data", "Directory that holds all data");
  public static final Setting IN_MEMORY =
      new Setting("in-memory", SWITCH, "false", "Keep data in memory only: gone when it stops");
  public static final Setting BIND =
      new Setting(
          "bind", TEXT, "127.0.0.1", "Address to listen at; 0.0.0.0 for all of this machine");
  public static final Setting MONGO_PORT =
      new Setting("mongo-port", PORT, "27017", "Port for MongoDB clients; 0 takes a free one");
  public static final Setting COSMOS_PORT =
      new Setting(
          "cosmos-port",
          new Kind.NumberOrOff(0, 0xFFFF),
          "8081",
          "Port for clients of Azure Cosmos DB, with and without TLS; 0 takes a free one");
  public static final Setting ADMIN_PORT =
      new Setting(
          "admin-port",
          new Kind.NumberOrOff(0, 0xFFFF),
          "off",
          "Port for operators and metrics alone, who are else at that for Azure Cosmos DB");
  public static final Setting COSMOS_KEY =
      new Setting(
          "cosmos-key",
          new Kind.Secret(),
          "",
          "Key of clients of Azure Cosmos DB, in base64; else the emulator's, or with auth always"
              + " a random one: in the data directory, or printed if data is kept in memory");
  public static final Setting COSMOS_ORDER =
      new Setting(
          "cosmos-order",
          new Kind.Choice(List.of("strict", "lenient")),
          "strict",
          "What becomes of an ORDER BY without the index it needs: it is refused, or sorted");
  public static final Setting AUTH =
      new Setting(
          "auth",
          new Kind.Choice(List.of("never", "remote", "always")),
          "remote",
          "Which MongoDB clients have to log in: none, those from other machines, or all");
  public static final Setting TLS =
      new Setting(
          "tls",
          FILE,
          "",
          "PKCS12 file with the key and certificate for TLS; else Cosmos DB has one of its own");
  public static final Setting TLS_PASSWORD =
      new Setting("tls-password", new Kind.Secret(), "", "Password of the TLS file");
  public static final Setting TLS_REQUIRED =
      new Setting(
          "tls-required",
          new Kind.Choice(List.of("never", "remote", "always")),
          "never",
          "Which MongoDB clients have to use TLS: none, those from other machines, or all");
  public static final Setting MEMORY =
      new Setting(
          "memory",
          new Kind.Size(LEAST_MEMORY),
          "",
          "Memory of the process, heap and all; else 1g, or 3/4 of the machine where it has less");
  public static final Setting MAX_DISK =
      new Setting(
          "max-disk",
          new Kind.Size(0),
          "0",
          "Refuse writes when data takes this much of the disk; 0 for no limit");
  public static final Setting MIN_FREE_DISK =
      new Setting(
          "min-free-disk",
          new Kind.Size(0),
          "128m",
          "Refuse writes when the disk has less left, which sweeping needs to make room again");
  public static final Setting DROP_IN_COMPACTION =
      new Setting(
          "drop-in-compaction",
          SWITCH,
          "true",
          "Drop the expired while files are compacted; else delete them one by one");
  public static final Setting DURABILITY =
      new Setting(
          "durability",
          new Kind.Choice(List.of("logged", "synced")),
          "synced",
          "When a write that does not say is answered: flushed to the disk, or in the log, which is"
              + " flushed every 100 ms: loss of power then costs the last of them");
  public static final Setting MAX_CONNECTIONS =
      new Setting(
          "max-connections",
          new Kind.WholeNumber(1, 1_000_000),
          "5000",
          "Connections of MongoDB clients at a time; further ones are refused");
  public static final Setting REQUEST_MEMORY =
      new Setting(
          "request-memory",
          new Kind.WholeNumber(1, 75),
          "25",
          "Percent of the heap for requests and replies in flight; clients wait when it is used"
              + " up");
  public static final Setting HANDSHAKE_SECONDS =
      new Setting(
          "handshake-seconds",
          new Kind.WholeNumber(1, 3600),
          "30",
          "How long a client may take for TLS, its first message and its login");
  public static final Setting MAX_CURSORS =
      new Setting(
          "max-cursors",
          new Kind.WholeNumber(1, 1_000_000),
          "10000",
          "Cursors of MongoDB clients that may be open at a time");
  public static final Setting SET_NAME =
      new Setting("set-name", TEXT, "mayfly", "Replica set that drivers are told to be part of");
  public static final Setting ADVERTISED_HOST =
      new Setting(
          "advertised-host",
          TEXT,
          "",
          "HOST:PORT that MongoDB drivers are told to use; else the one they came by");
  public static final Setting SHUTDOWN_SECONDS =
      new Setting(
          "shutdown-seconds",
          new Kind.WholeNumber(0, 3600),
          "10",
          "How long requests in progress may take to finish when it stops");
  public static final Setting LOG_FORMAT =
      new Setting(
          "log-format",
          new Kind.Choice(List.of("text", "json")),
          "text",
          "Lines for people or, one object a line, for programs; written to standard error");
  public static final Setting LOG_LEVEL =
      new Setting(
          "log-level",
          new Kind.Choice(List.of("error", "warn", "info", "debug", "trace")),
          "info",
          "The least that is logged");
  public static final Setting SLOW_MILLIS =
      new Setting(
          "slow-millis",
          new Kind.NumberOrOff(0, Integer.MAX_VALUE),
          "100",
          "Log operations that take as many milliseconds; 0 for all");
  public static final Setting CLOCK_LEAP_SECONDS =
      new Setting(
          "clock-leap-seconds",
          new Kind.WholeNumber(0, Integer.MAX_VALUE),
          "300",
          "Remove nothing by a clock that is set by more than this until it is confirmed; 0 to"
              + " believe every clock");
  public static final Setting CLOCK_CONFIRM_SECONDS =
      new Setting(
          "clock-confirm-seconds",
          new Kind.WholeNumber(0, Integer.MAX_VALUE),
          "600",
          "How long after it was set ahead a clock is confirmed by itself, or a hundredth of how"
              + " far it was set if that is longer");
  public static final Setting TEST_CLOCK =
      new Setting(
          "test-clock", SWITCH, "false", "Stop the clock until a client moves it: for tests only");
  public static final Setting TEST_COMMANDS =
      new Setting(
          "test-commands",
          SWITCH,
          "false",
          "Let MongoDB clients have commands fail, by configureFailPoint: for tests only");

  /** All of them, in the order in which they are explained. */
  public static final List<Setting> ALL =
      List.of(
          DATA,
          IN_MEMORY,
          BIND,
          MONGO_PORT,
          COSMOS_PORT,
          ADMIN_PORT,
          COSMOS_KEY,
          COSMOS_ORDER,
          AUTH,
          TLS,
          TLS_PASSWORD,
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
          TEST_CLOCK,
          TEST_COMMANDS);

  private Settings() {}

  /** The setting of that name. */
  public static Optional<Setting> find(String name) {
    return ALL.stream().filter(setting -> setting.name().equals(name)).findFirst();
  }
}
