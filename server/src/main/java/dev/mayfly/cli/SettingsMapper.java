package dev.mayfly.cli;

import dev.mayfly.Mayfly;
import dev.mayfly.MayflySettings;
import dev.mayfly.StoppedClock;
import dev.mayfly.admin.console.ServerFacts;
import dev.mayfly.cli.cassandra.CassandraPlan;
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
import dev.mayfly.engine.archive.ArchiveSettings;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.http.HttpSettings;
import dev.mayfly.http.tls.TlsCertificate;
import dev.mayfly.mongo.ClusterTopology;
import dev.mayfly.mongo.CommandSettings;
import dev.mayfly.mongo.MongoSettings;
import dev.mayfly.mongo.PlaintextPolicy;
import dev.mayfly.mongo.auth.Login;
import dev.mayfly.net.ByteBudget;
import dev.mayfly.server.AdminSettings;
import dev.mayfly.server.EmulatorSettings;
import dev.mayfly.server.EmulatorSettings.RootUser;
import dev.mayfly.server.HealthSettings;
import dev.mayfly.server.HostInfo;
import dev.mayfly.server.ServerSettings;
import dev.mayfly.server.TlsSettings;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Maps a configuration to the settings of a server. */
final class SettingsMapper {
  private static final int PERCENT = 100;

  /** For development of the console: a directory whose files win over those of the jar. */
  private static final String CONSOLE_FILES = "mayfly.console.files";

  /** A host name, perhaps with a wildcard as its first part; not digits and dots alone. */
  private static final Pattern NAME =
      Pattern.compile("(?=.*[A-Za-z])(\\*\\.)?[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9])?");

  /** Port of the health checks of the Cosmos DB emulator. */
  private static final int EMULATOR_HEALTH_PORT = 8080;

  private final Configuration configuration;

  /** Certificate from files; read once, for all doors. */
  private final Optional<TlsCertificate> certificate;

  /** First user of an emulator. */
  private final Optional<RootUser> root;

  /** Memory for requests and replies in flight, shared by all doors. */
  private final ByteBudget requestMemory;

  SettingsMapper(Configuration configuration, Map<String, String> environment) {
    this.configuration = configuration;
    this.certificate = certificate(configuration);
    this.root =
        configuration.on(Settings.EMULATOR) ? InitVariables.root(environment) : Optional.empty();
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
    ServerSettings settings =
        new ServerSettings(
            data(),
            instance(),
            manualClock(),
            mongo(arguments),
            cosmos(),
            admin(),
            console(),
            tls(),
            Optional.empty(),
            seed(),
            CassandraPlan.of(configuration),
            health(),
            inEffect());
    return emulator() ? settings.withEmulator(new EmulatorSettings(root)) : settings;
  }

  private Optional<ManualClock> manualClock() {
    return switch (configuration.text(Settings.TEST_CLOCK)) {
      case "true" -> Optional.of(new ManualClock(System.currentTimeMillis()));
      case "offset" -> Optional.of(Mayfly.offsetClock());
      default -> data().flatMap(StoppedClock::in);
    };
  }

  private Optional<Path> seed() {
    String directory = configuration.text(Settings.SEED);
    return directory.isEmpty() ? Optional.empty() : Optional.of(Path.of(directory));
  }

  private boolean emulator() {
    return configuration.on(Settings.EMULATOR);
  }

  /** Whether data is kept in memory only, as an emulator does unless it has a directory. */
  private boolean inMemory() {
    return configuration.on(Settings.IN_MEMORY)
        || (emulator() && !configuration.isSet(Settings.DATA));
  }

  /** The data directory; empty for a server in memory or on Cassandra. */
  Optional<Path> data() {
    return inMemory() || !configuration.text(Settings.CASSANDRA).isEmpty()
        ? Optional.empty()
        : Optional.of(Path.of(configuration.text(Settings.DATA)));
  }

  private void check() {
    if (configuration.on(Settings.IN_MEMORY) && configuration.isSet(Settings.DATA)) {
      throw new ConfigurationException("Both data and in-memory are set: use only one of them.");
    }
    String bind = configuration.text(Settings.BIND);
    if (emulator()) {
      checkEmulator();
      return;
    }
    checkKey();
    checkClusterKey();
    if (!loopback(bind)) {
      checkRemoteAccess(bind);
    }
  }

  /** Rejects settings of an emulator that contradict each other. */
  private void checkEmulator() {
    var _ = loopback(configuration.text(Settings.BIND));
    if (root.isPresent() && configuration.isSet(Settings.AUTH) && login() != Login.ALWAYS) {
      throw new ConfigurationException(
          InitVariables.USERNAME
              + " is set, so all MongoDB clients must log in, but --auth is "
              + configuration.text(Settings.AUTH)
              + ": remove one of them.");
    }
    if (root.isEmpty() && login() != Login.NEVER && inMemory()) {
      throw new ConfigurationException(
          "--auth "
              + configuration.text(Settings.AUTH)
              + " with --emulator needs a user to log in as: set "
              + InitVariables.USERNAME
              + " and "
              + InitVariables.PASSWORD
              + ", or --data to a directory with users.");
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

  /** Rejects a random key on Cassandra: each start, and each server, would have another one. */
  private void checkClusterKey() {
    boolean clustered = !configuration.text(Settings.CASSANDRA).isEmpty();
    if (clustered && http() && key().isEmpty()) {
      throw new ConfigurationException(
          "--auth always on Cassandra needs a key that all servers share: set MAYFLY_COSMOS_KEY (64"
              + " random bytes in base64, for example from openssl rand -base64 64), or disable"
              + " Cosmos DB with --cosmos-port off.");
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
    boolean wellKnown = emulator() || login() != Login.ALWAYS;
    return configured.isEmpty() && wellKnown ? MasterKey.WELL_KNOWN : configured;
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
        .withClock(clock())
        .withArchive(archive());
  }

  private ArchiveSettings archive() {
    ArchiveSettings settings =
        ArchiveSettings.STANDARD
            .withHosts(list(Settings.ON_EXPIRE_HOSTS))
            .withSecret(configuration.text(Settings.ON_EXPIRE_SECRET))
            .withLimitBytes(configuration.bytes(Settings.ON_EXPIRE_LIMIT));
    String directory = configuration.text(Settings.ON_EXPIRE_DIRECTORY);
    return directory.isEmpty() ? settings : settings.withDirectory(Path.of(directory));
  }

  /** The parts of a text that commas separate. */
  private List<String> list(Setting setting) {
    return Arrays.stream(configuration.text(setting).split(",", -1))
        .map(String::strip)
        .filter(part -> !part.isEmpty())
        .toList();
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
            .withTopology(
                configuration.text(Settings.TOPOLOGY).equals("replicaset")
                    ? ClusterTopology.REPLICA_SET
                    : ClusterTopology.SHARDED)
            .withMaxConnections(configuration.number(Settings.MAX_CONNECTIONS))
            .withShutdownMillis(shutdownMillis())
            .withMemory(requestMemory)
            .withHandshakeMillis(handshake().toMillis())
            .withLogin(login())
            .withPlaintextPolicy(plaintextPolicy())
            .withWork(work())
            .withHost(HostInfo.describe(arguments, data));
    return certificate.map(TlsCertificate::context).map(settings::withTls).orElse(settings);
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

  private Optional<HealthSettings> health() {
    boolean standard = emulator() && !configuration.isSet(Settings.HEALTH_PORT);
    if (!standard && configuration.off(Settings.HEALTH_PORT)) {
      return Optional.empty();
    }
    int port = standard ? EMULATOR_HEALTH_PORT : configuration.number(Settings.HEALTH_PORT);
    return Optional.of(
        new HealthSettings(
            HttpSettings.standard()
                .withAddress(configuration.text(Settings.BIND), port)
                .withName("health"),
            !standard));
  }

  /** An emulator serves its console to all browsers, as the emulators do. */
  private String consoleReach() {
    return emulator() && !configuration.isSet(Settings.CONSOLE)
        ? "on"
        : configuration.text(Settings.CONSOLE);
  }

  private ConsoleSettings console() {
    ConsoleSettings.Reach reach =
        switch (consoleReach()) {
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
    return certificate.map(TlsCertificate::context).map(settings::withTls).orElse(settings);
  }

  private Duration handshake() {
    return Duration.ofSeconds(configuration.number(Settings.HANDSHAKE_SECONDS));
  }

  private static Optional<TlsCertificate> certificate(Configuration configuration) {
    String store = configuration.text(Settings.TLS);
    String certificate = configuration.text(Settings.TLS_CERTIFICATE);
    String key = configuration.text(Settings.TLS_KEY);
    String password = configuration.text(Settings.TLS_PASSWORD);
    if (certificate.isEmpty() != key.isEmpty()) {
      throw new ConfigurationException(
          "Only one of tls-certificate and tls-key is set: set both, or neither.");
    }
    if (!store.isEmpty() && !certificate.isEmpty()) {
      throw new ConfigurationException(
          "Both tls and tls-certificate are set: use only one of them.");
    }
    try {
      if (!store.isEmpty()) {
        return Optional.of(
            TlsCertificate.inPkcs12(Path.of(store), password, System::currentTimeMillis));
      }
      return certificate.isEmpty()
          ? Optional.empty()
          : Optional.of(
              TlsCertificate.inPem(
                  Path.of(certificate), Path.of(key), password, System::currentTimeMillis));
    } catch (IllegalArgumentException unusable) {
      throw new ConfigurationException(
          "The TLS certificate cannot be used: " + unusable.getMessage() + ".", unusable);
    }
  }

  private TlsSettings tls() {
    String authority = configuration.text(Settings.TLS_AUTHORITY);
    return new TlsSettings(
        certificate,
        authority.isEmpty() ? Optional.empty() : Optional.of(Path.of(authority)),
        tlsNames());
  }

  /** Names that users have given: each a host name, perhaps with a wildcard, or an address. */
  private List<String> tlsNames() {
    List<String> names = list(Settings.TLS_NAMES);
    for (String name : names) {
      if (!NAME.matcher(name).matches() && !isAddress(name)) {
        throw new ConfigurationException(
            "tls-names contains '" + name + "', which is neither a host name nor an address.");
      }
    }
    return names;
  }

  private static boolean isAddress(String text) {
    try {
      InetAddress.ofLiteral(text);
      return true;
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  private Set<String> certificateNames() {
    return certificate.map(TlsCertificate::names).orElse(Set.copyOf(tlsNames()));
  }

  private long shutdownMillis() {
    return TimeUnit.SECONDS.toMillis(configuration.number(Settings.SHUTDOWN_SECONDS));
  }

  private Login login() {
    if (emulator() && !configuration.isSet(Settings.AUTH)) {
      return root.isPresent() ? Login.ALWAYS : Login.NEVER;
    }
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
    if (plaintextPolicy != PlaintextPolicy.ALL && certificate.isEmpty()) {
      throw new ConfigurationException(
          "tls-required needs a certificate: set tls, or tls-certificate and tls-key.");
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
        false,
        Optional.empty());
  }

  private int slowMillis() {
    return configuration.off(Settings.SLOW_MILLIS)
        ? Integer.MAX_VALUE
        : configuration.number(Settings.SLOW_MILLIS);
  }
}
