package dev.mayfly.cli;

import dev.mayfly.MayflySettings;
import dev.mayfly.StoppedClock;
import dev.mayfly.admin.console.ServerFacts;
import dev.mayfly.config.Configuration;
import dev.mayfly.config.ConfigurationException;
import dev.mayfly.config.Kind;
import dev.mayfly.config.Setting;
import dev.mayfly.config.Settings;
import dev.mayfly.console.ConsoleSettings;
import dev.mayfly.cosmos.CosmosSettings;
import dev.mayfly.cosmos.auth.MasterKey;
import dev.mayfly.engine.ClockLimits;
import dev.mayfly.engine.Durability;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.http.HttpSettings;
import dev.mayfly.mongo.CommandSettings;
import dev.mayfly.mongo.MongoSettings;
import dev.mayfly.mongo.PlaintextPolicy;
import dev.mayfly.mongo.auth.Login;
import dev.mayfly.net.ByteBudget;
import dev.mayfly.server.AdminSettings;
import dev.mayfly.server.Certificate;
import dev.mayfly.server.HostInfo;
import dev.mayfly.server.ServerSettings;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;

/** Maps a configuration to the settings of a server. */
final class SettingsMapper {
  private static final int PERCENT = 100;

  /** For development of the console: a directory whose files win over those of the jar. */
  private static final String CONSOLE_FILES = "mayfly.console.files";

  private final Configuration configuration;

  /** Memory for requests and replies in flight, shared by all doors. */
  private final ByteBudget requestMemory;

  SettingsMapper(Configuration configuration) {
    this.configuration = configuration;
    this.requestMemory =
        new ByteBudget(
            Runtime.getRuntime().maxMemory()
                / PERCENT
                * configuration.number(Settings.REQUEST_MEMORY));
  }

  /**
   * Returns the settings of the server.
   *
   * @param arguments command line as reported to clients, without secrets
   * @throws ConfigurationException when settings contradict each other
   */
  ServerSettings settings(List<String> arguments) {
    check();
    Optional<ManualClock> clock =
        configuration.on(Settings.TEST_CLOCK)
            ? Optional.of(new ManualClock(System.currentTimeMillis()))
            : data().flatMap(StoppedClock::in);
    return new ServerSettings(
        data(), instance(), clock, mongo(arguments), cosmos(), admin(), console(), inEffect());
  }

  /** The data directory; empty for a server in memory. */
  Optional<Path> data() {
    return configuration.on(Settings.IN_MEMORY)
        ? Optional.empty()
        : Optional.of(Path.of(configuration.text(Settings.DATA)));
  }

  private void check() {
    if (configuration.on(Settings.IN_MEMORY) && configuration.isSet(Settings.DATA)) {
      throw new ConfigurationException("Both data and in-memory are set: use only one of them.");
    }
    String bind = configuration.text(Settings.BIND);
    checkKey();
    if (!loopback(bind)) {
      checkRemoteAccess(bind);
    }
  }

  private boolean http() {
    return !configuration.off(Settings.COSMOS_PORT) || !configuration.off(Settings.ADMIN_PORT);
  }

  /** Rejects the emulator's public key if all clients must log in. */
  private void checkKey() {
    if (!http()) {
      return;
    }
    if (login() == Login.ALWAYS && key().equals(MasterKey.WELL_KNOWN)) {
      throw new ConfigurationException(
          "--auth always does not allow the emulator's key, because it is public: omit"
              + " --cosmos-key to get a random key (stored in the data directory; printed"
              + " with --in-memory), or set your own in MAYFLY_COSMOS_KEY.");
    }
  }

  private int keyBytes() {
    return new MasterKey(key()).bytes();
  }

  /** Rejects insecure settings of a server that other machines can reach. */
  private void checkRemoteAccess(String bind) {
    if (configuration.text(Settings.AUTH).equals("never")) {
      throw new ConfigurationException(
          "With --bind "
              + bind
              + " other machines could read and write everything, because --auth is"
              + " never: use --auth remote and add a user first (from this machine, without"
              + " --bind), or bind to 127.0.0.1.");
    }
    if (http() && !key().isEmpty() && keyBytes() < MasterKey.MIN_BYTES) {
      throw new ConfigurationException(
          "With --bind "
              + bind
              + " other machines can try to guess the key, and --cosmos-key has only "
              + keyBytes()
              + " bytes: use at least "
              + MasterKey.MIN_BYTES
              + ", for example from openssl rand -base64 64.");
    }
    if (http() && key().equals(MasterKey.WELL_KNOWN)) {
      throw new ConfigurationException(
          "With --bind "
              + bind
              + " other machines could read and write everything, because the"
              + " emulator's key is public: set your own in MAYFLY_COSMOS_KEY (64 random"
              + " bytes in base64, for example from openssl rand -base64 64), disable Cosmos"
              + " DB with --cosmos-port off, or bind to 127.0.0.1.");
    }
  }

  /** The key; empty if the server shall create a random one. */
  private String key() {
    String configured = configuration.text(Settings.COSMOS_KEY);
    try {
      Base64.getDecoder().decode(configured);
    } catch (IllegalArgumentException notBase64) {
      throw new ConfigurationException(
          "cosmos-key is not base64: create a key with openssl rand -base64 64.", notBase64);
    }
    return configured.isEmpty() && login() != Login.ALWAYS ? MasterKey.WELL_KNOWN : configured;
  }

  static boolean loopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException unknown) {
      throw new ConfigurationException(
          "--bind is not an address of this machine: " + host + ".", unknown);
    }
  }

  private MayflySettings instance() {
    return MayflySettings.standard()
        .withMemoryBytes(memory().storeBytes())
        .withMaxDiskBytes(configuration.bytes(Settings.MAX_DISK))
        .withMinFreeBytes(configuration.bytes(Settings.MIN_FREE_DISK))
        .withDropInCompaction(configuration.on(Settings.DROP_IN_COMPACTION))
        .withClock(clock());
  }

  /** The division of the memory. */
  MemoryPlan memory() {
    long total =
        configuration.isSet(Settings.MEMORY)
            ? configuration.bytes(Settings.MEMORY)
            : MemoryPlan.standard(HostInfo.memoryBytes());
    return new MemoryPlan(total, Runtime.getRuntime().maxMemory());
  }

  private ClockLimits clock() {
    return new ClockLimits(
        TimeUnit.SECONDS.toMillis(configuration.number(Settings.CLOCK_LEAP_SECONDS)),
        TimeUnit.SECONDS.toMillis(configuration.number(Settings.CLOCK_CONFIRM_SECONDS)));
  }

  private MongoSettings mongo(List<String> arguments) {
    String data = data().map(Path::toString).orElse("");
    MongoSettings settings =
        MongoSettings.standard(System::nanoTime)
            .withAddress(
                configuration.text(Settings.BIND), configuration.number(Settings.MONGO_PORT))
            .withSetName(configuration.text(Settings.SET_NAME))
            .withAdvertisedHost(configuration.text(Settings.ADVERTISED_HOST))
            .withMaxConnections(configuration.number(Settings.MAX_CONNECTIONS))
            .withShutdownMillis(shutdownMillis())
            .withMemory(requestMemory)
            .withHandshakeMillis(handshake().toMillis())
            .withLogin(login())
            .withPlaintextPolicy(plaintextPolicy())
            .withWork(work())
            .withHost(HostInfo.describe(arguments, data));
    return certificate().map(settings::withTls).orElse(settings);
  }

  private Optional<CosmosSettings> cosmos() {
    if (configuration.off(Settings.COSMOS_PORT)) {
      return Optional.empty();
    }
    return Optional.of(
        CosmosSettings.standard(System::currentTimeMillis)
            .withHttp(http(Settings.COSMOS_PORT))
            .withDurability(durability())
            .withLenientOrder(configuration.text(Settings.COSMOS_ORDER).equals("lenient"))
            .withAdvertisedHost(configuration.text(Settings.ADVERTISED_HOST))
            .withKey(key()));
  }

  private Optional<AdminSettings> admin() {
    if (configuration.off(Settings.ADMIN_PORT)) {
      return Optional.empty();
    }
    HttpSettings http = http(Settings.ADMIN_PORT).withName("admin");
    return Optional.of(new AdminSettings(http, key(), System::currentTimeMillis));
  }

  private ConsoleSettings console() {
    ConsoleSettings.Reach reach =
        switch (configuration.text(Settings.CONSOLE)) {
          case "on" -> ConsoleSettings.Reach.ON;
          case "off" -> ConsoleSettings.Reach.OFF;
          default -> ConsoleSettings.Reach.LOCAL;
        };
    return new ConsoleSettings(
        reach,
        configuration.text(Settings.CONSOLE_ACCESS).equals("read"),
        configuration.text(Settings.CONSOLE_LABEL),
        certificateNames(),
        Optional.ofNullable(System.getProperty(CONSOLE_FILES)).map(Path::of));
  }

  private List<ServerFacts.SettingInEffect> inEffect() {
    return Settings.ALL.stream()
        .map(
            setting ->
                new ServerFacts.SettingInEffect(
                    setting.name(),
                    setting.kind() instanceof Kind.Secret ? secret(setting) : shown(setting),
                    configuration.source(setting),
                    setting.text()))
        .toList();
  }

  private String secret(Setting setting) {
    return configuration.isSet(setting) ? "set" : "not set";
  }

  private String shown(Setting setting) {
    return configuration.text(setting);
  }

  private HttpSettings http(Setting port) {
    HttpSettings.Timeouts standard = HttpSettings.Timeouts.STANDARD;
    HttpSettings settings =
        HttpSettings.standard()
            .withAddress(configuration.text(Settings.BIND), configuration.number(port))
            .withTimeouts(
                new HttpSettings.Timeouts(
                    handshake(),
                    standard.request(),
                    standard.idle(),
                    Duration.ofMillis(shutdownMillis())))
            .withMemory(requestMemory);
    return certificate().map(settings::withTls).orElse(settings);
  }

  private Duration handshake() {
    return Duration.ofSeconds(configuration.number(Settings.HANDSHAKE_SECONDS));
  }

  private Optional<SSLContext> certificate() {
    String file = configuration.text(Settings.TLS);
    String password = configuration.text(Settings.TLS_PASSWORD);
    return file.isEmpty()
        ? Optional.empty()
        : Optional.of(Certificate.load(Path.of(file), password));
  }

  private Set<String> certificateNames() {
    String file = configuration.text(Settings.TLS);
    return file.isEmpty()
        ? Set.of()
        : Certificate.names(Path.of(file), configuration.text(Settings.TLS_PASSWORD));
  }

  private long shutdownMillis() {
    return TimeUnit.SECONDS.toMillis(configuration.number(Settings.SHUTDOWN_SECONDS));
  }

  private Login login() {
    return switch (configuration.text(Settings.AUTH)) {
      case "never" -> Login.NEVER;
      case "always" -> Login.ALWAYS;
      default -> Login.REMOTE;
    };
  }

  private PlaintextPolicy plaintextPolicy() {
    PlaintextPolicy plaintextPolicy =
        switch (configuration.text(Settings.TLS_REQUIRED)) {
          case "always" -> PlaintextPolicy.NONE;
          case "remote" -> PlaintextPolicy.LOOPBACK;
          default -> PlaintextPolicy.ALL;
        };
    if (plaintextPolicy != PlaintextPolicy.ALL && configuration.text(Settings.TLS).isEmpty()) {
      throw new ConfigurationException("tls-required needs a certificate: set tls to its file.");
    }
    return plaintextPolicy;
  }

  private Durability durability() {
    return configuration.text(Settings.DURABILITY).equals("synced")
        ? Durability.SYNCED
        : Durability.LOGGED;
  }

  private CommandSettings work() {
    return new CommandSettings(
        durability(),
        configuration.number(Settings.MAX_CURSORS),
        Optional.empty(),
        Optional.empty(),
        slowMillis(),
        configuration.on(Settings.TEST_COMMANDS),
        Optional.empty());
  }

  private int slowMillis() {
    return configuration.off(Settings.SLOW_MILLIS)
        ? Integer.MAX_VALUE
        : configuration.number(Settings.SLOW_MILLIS);
  }
}
