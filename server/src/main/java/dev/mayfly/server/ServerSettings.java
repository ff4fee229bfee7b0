package dev.mayfly.server;

import dev.mayfly.MayflySettings;
import dev.mayfly.StoppedClock;
import dev.mayfly.admin.console.ServerFacts;
import dev.mayfly.console.ConsoleSettings;
import dev.mayfly.cosmos.CosmosSettings;
import dev.mayfly.expiry.Clock;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.mongo.MongoSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Settings of a server.
 *
 * @param data data directory; empty for a server in memory
 * @param clock manual clock: a test clock that clients move, or the stopped clock of a restored
 *     directory; empty for the system clock
 * @param mongo MongoDB door; the server sets its spill directory and clock
 * @param cosmos Cosmos door; empty for none
 * @param admin separate port for the admin API; empty if the port of the Cosmos door serves it
 * @param console web console, on the same ports as the admin API
 * @param tls certificate of the Cosmos door, unless its settings have one
 * @param emulator mode for tests; empty for a server that protects its data
 * @param seed directory with definitions and documents for an empty server; empty for none
 * @param shared store that this server shares with others, in place of a data directory; empty for
 *     a directory, or in memory
 * @param health separate port for health checks; empty for none
 * @param inEffect settings as the console lists them
 */
public record ServerSettings(
    Optional<Path> data,
    MayflySettings instance,
    Optional<ManualClock> clock,
    MongoSettings mongo,
    Optional<CosmosSettings> cosmos,
    Optional<AdminSettings> admin,
    ConsoleSettings console,
    TlsSettings tls,
    Optional<EmulatorSettings> emulator,
    Optional<Path> seed,
    Optional<SharedStore> shared,
    Optional<HealthSettings> health,
    List<ServerFacts.SettingInEffect> inEffect) {

  public ServerSettings {
    inEffect = List.copyOf(inEffect);
  }

  /** In memory, with the system clock, on free ports of the loopback address. */
  public static ServerSettings inMemory() {
    return new ServerSettings(
        Optional.empty(),
        MayflySettings.standard(),
        Optional.empty(),
        MongoSettings.standard(System::nanoTime).withAddress("127.0.0.1", 0),
        Optional.of(CosmosSettings.standard(System::currentTimeMillis).withAddress("127.0.0.1", 0)),
        Optional.empty(),
        ConsoleSettings.standard(),
        TlsSettings.STANDARD,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        List.of());
  }

  public ServerSettings withData(Path directory) {
    return with(copy -> copy.data = Optional.of(directory));
  }

  public ServerSettings withInstance(MayflySettings changed) {
    return with(copy -> copy.instance = changed);
  }

  public ServerSettings withClock(ManualClock movable) {
    return with(copy -> copy.clock = Optional.of(movable));
  }

  public ServerSettings withMongo(MongoSettings changed) {
    return with(copy -> copy.mongo = changed);
  }

  public ServerSettings withCosmos(CosmosSettings changed) {
    return with(copy -> copy.cosmos = Optional.of(changed));
  }

  public ServerSettings withoutCosmos() {
    return with(copy -> copy.cosmos = Optional.empty());
  }

  public ServerSettings withAdmin(AdminSettings changed) {
    return with(copy -> copy.admin = Optional.of(changed));
  }

  public ServerSettings withConsole(ConsoleSettings changed) {
    return with(copy -> copy.console = changed);
  }

  /** For tests: the doors accept everybody, and the data directory is marked. */
  public ServerSettings withEmulator(EmulatorSettings settings) {
    return with(
        copy -> {
          copy.mongo = mongo.withWork(mongo.work().withEmulator());
          copy.cosmos = cosmos.map(CosmosSettings::withEmulator);
          copy.emulator = Optional.of(settings);
        });
  }

  public ServerSettings withTls(TlsSettings changed) {
    return with(copy -> copy.tls = changed);
  }

  public ServerSettings withSeed(Path directory) {
    return with(copy -> copy.seed = Optional.of(directory));
  }

  /** With the data in a store that it shares with other servers. */
  public ServerSettings withShared(SharedStore store) {
    return with(
        copy -> {
          copy.data = Optional.empty();
          copy.shared = Optional.of(store);
        });
  }

  public ServerSettings withHealth(HealthSettings changed) {
    return with(copy -> copy.health = Optional.of(changed));
  }

  public ServerSettings withInEffect(List<ServerFacts.SettingInEffect> listed) {
    return with(copy -> copy.inEffect = listed);
  }

  /** Where the data is, for users: a directory or a cluster; empty for a server in memory. */
  public String dataDescription() {
    return data.map(path -> path.toAbsolutePath().normalize().toString())
        .or(() -> shared.map(SharedStore::description))
        .orElse("");
  }

  /** The clock, if tests move it: not the stopped clock of a restored directory. */
  Optional<Clock> testClock() {
    return data.flatMap(StoppedClock::in).isPresent() ? Optional.empty() : clock.map(test -> test);
  }

  private ServerSettings with(Consumer<Copy> change) {
    Copy copy = new Copy(this);
    change.accept(copy);
    return copy.settings();
  }

  /** Directory for temporary files of sorts and groups that exceed memory. */
  Path spillDirectory() {
    return data.orElseGet(() -> Path.of(System.getProperty("java.io.tmpdir")))
        .resolve("mayfly-spill");
  }

  /** Copy of settings, to change some of them. */
  private static final class Copy {
    private Optional<Path> data;
    private MayflySettings instance;
    private Optional<ManualClock> clock;
    private MongoSettings mongo;
    private Optional<CosmosSettings> cosmos;
    private Optional<AdminSettings> admin;
    private ConsoleSettings console;
    private TlsSettings tls;
    private Optional<EmulatorSettings> emulator;
    private Optional<Path> seed;
    private Optional<SharedStore> shared;
    private Optional<HealthSettings> health;
    private List<ServerFacts.SettingInEffect> inEffect;

    Copy(ServerSettings original) {
      this.data = original.data;
      this.instance = original.instance;
      this.clock = original.clock;
      this.mongo = original.mongo;
      this.cosmos = original.cosmos;
      this.admin = original.admin;
      this.console = original.console;
      this.tls = original.tls;
      this.emulator = original.emulator;
      this.seed = original.seed;
      this.shared = original.shared;
      this.health = original.health;
      this.inEffect = original.inEffect;
    }

    ServerSettings settings() {
      return new ServerSettings(
          data, instance, clock, mongo, cosmos, admin, console, tls, emulator, seed, shared, health,
          inEffect);
    }
  }
}
