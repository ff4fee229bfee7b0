package dev.mayfly.server;

import dev.mayfly.Mayfly;
import dev.mayfly.admin.AdminApi;
import dev.mayfly.admin.AdminAuth;
import dev.mayfly.admin.AdminHandler;
import dev.mayfly.admin.AdminRequests;
import dev.mayfly.admin.ClusterAdmin;
import dev.mayfly.admin.Readiness;
import dev.mayfly.admin.ServedEngines;
import dev.mayfly.admin.console.Console;
import dev.mayfly.admin.console.ConsoleHandler;
import dev.mayfly.admin.console.History;
import dev.mayfly.admin.console.SlowOperations;
import dev.mayfly.admin.seed.Definitions;
import dev.mayfly.admin.seed.Seed;
import dev.mayfly.console.Assets;
import dev.mayfly.console.ConsoleSettings;
import dev.mayfly.console.Origin;
import dev.mayfly.cosmos.auth.LocalRequests;
import dev.mayfly.cosmos.auth.MasterKey;
import dev.mayfly.cosmos.auth.RequestSigner;
import dev.mayfly.cosmos.auth.Signatures;
import dev.mayfly.engine.Alarm.Severity;
import dev.mayfly.expiry.Clock;
import dev.mayfly.http.Handler;
import dev.mayfly.metrics.Metrics;
import dev.mayfly.mongo.MongoDoor;
import dev.mayfly.mongo.admin.ProcessMemory;
import dev.mayfly.mongo.auth.Login;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/** Admin API, web console, metrics and slow request log of one server. Safe for many threads. */
final class AdminServices {
  private final ServedData data;
  private final ServedEngines engines;
  private final AdminRequests adminApi;
  private final Metrics metrics;
  private final boolean open;
  private final boolean emulator;
  private final Optional<Clock> testClock;
  private final int slowMillis;
  private final String advertised;
  private final SlowOperations slow;
  private final RunningServerFacts facts;
  private final Console console;
  private final Definitions definitions;
  private final Origin origin;
  private final Assets assets;
  private final ScheduledExecutorService sampler =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("mayfly-history").factory());
  private volatile Optional<Definitions.Cosmos> cosmos = Optional.empty();
  private volatile boolean started;
  private volatile boolean draining;

  AdminServices(ServedData data, MongoDoor mongo, ServerSettings settings, String key) {
    this.data = data;
    this.engines = new ServedEngines(data.cells(), System::currentTimeMillis);
    this.metrics = new Metrics();
    Optional<ClusterAdmin> relays =
        switch (data) {
          case ServedData.Own(Mayfly mayfly, _) -> {
            AdminApi own =
                new AdminApi(
                    mayfly.engine(), settings.clock(), mongo.users(), backup(mayfly, settings));
            this.adminApi = own;
            this.definitions = new Definitions(mongo, own, () -> cosmos);
            own.definitions(definitions::list);
            metrics.engine(mayfly.engine(), mayfly::stats);
            yield Optional.empty();
          }
          case ServedData.Shared shared -> {
            ClusterAdmin cluster =
                new ClusterAdmin(shared.cells(), System::nanoTime, mongo.users());
            this.adminApi = cluster;
            this.definitions = new Definitions(mongo, cluster, () -> cosmos);
            cluster.definitions(definitions::list);
            metrics.cluster(shared.cells());
            yield Optional.of(cluster);
          }
        };
    this.open = settings.mongo().security().login() != Login.ALWAYS;
    this.emulator = settings.emulator().isPresent();
    this.testClock = settings.testClock();
    this.advertised = settings.mongo().address().advertised();
    this.slowMillis = settings.mongo().work().slowMillis();
    this.slow = new SlowOperations(System::currentTimeMillis, slowMillis);
    this.facts = new RunningServerFacts(data, engines, mongo, settings, this::readiness);
    History history = new History(System::currentTimeMillis, facts);
    this.console =
        new Console(
            new Console.Parts(
                data.cells(),
                engines,
                relays,
                mongo,
                adminApi,
                facts,
                history,
                slow,
                key,
                open,
                emulator,
                settings.clock(),
                wall(settings),
                System::nanoTime),
            settings.console());
    this.origin = origin(settings);
    this.assets = new Assets(settings.console().directory());
    metrics.readOnly(() -> !data.writable());
    metrics.connections("mongo", mongo::connections);
    metrics.cursors(mongo::cursors);
    metrics.memory(() -> ProcessMemory.now().resident());
    metrics.observe(history);
    mongo.observe((kind, done, nanos) -> metrics.operation("mongo", kind, done, nanos));
    mongo.onSlow(slow::add);
    var _ =
        sampler.scheduleAtFixedRate(
            history::sample, History.STEP_MILLIS, History.STEP_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Copies the data; a backup of an emulator is marked as its directory is. */
  private static Consumer<Path> backup(Mayfly mayfly, ServerSettings settings) {
    return directory -> {
      mayfly.backup(directory);
      settings.data().ifPresent(data -> EmulatorMark.copy(data, directory));
    };
  }

  /** Clock of clients, by which logins end: not a test clock of the engine. */
  private static LongSupplier wall(ServerSettings settings) {
    return settings
        .cosmos()
        .<LongSupplier>map(cosmos -> cosmos.wall()::now)
        .orElse(System::currentTimeMillis);
  }

  /** Names of this server for browsers: its own, the advertised one, and those in certificates. */
  private static Origin origin(ServerSettings settings) {
    boolean all = settings.console().reach() == ConsoleSettings.Reach.ON;
    Set<String> names = new HashSet<>(settings.console().names());
    names.add(settings.mongo().address().advertised());
    return new Origin(names, all);
  }

  /** Adds the number of connections of the Cosmos door. */
  void cosmosConnections(IntSupplier open) {
    metrics.connections("cosmos", open::getAsInt);
    facts.cosmosConnections(open);
  }

  /**
   * Returns a handler that serves the console and the admin API, and passes all other requests to a
   * door.
   *
   * @param key for requests that must be authorized
   * @param wall clock for checking signatures
   */
  Handler before(Handler door, String key, Clock wall) {
    return new ConsoleHandler(admin(door, key, wall), console, origin, assets);
  }

  /** As {@link #before}, for the Cosmos door: the console sends requests to it, too. */
  Handler beforeCosmos(Handler door, String key, Clock wall) {
    AdminHandler admin = admin(door, key, wall);
    RequestSigner signer = new RequestSigner(new MasterKey(key), wall);
    console.cosmos(admin, signer);
    cosmos = Optional.of(new Definitions.Cosmos(door, signer));
    return new ConsoleHandler(admin, console, origin, assets);
  }

  private AdminHandler admin(Handler door, String key, Clock wall) {
    Signatures signatures = new Signatures(new MasterKey(key), wall, testClock);
    AdminAuth adminAuth =
        new AdminAuth(key, signatures, open, new LocalRequests(advertised), emulator);
    return new AdminHandler(
        door,
        adminApi,
        adminAuth,
        metrics,
        System::nanoTime,
        slowMillis,
        slow::add,
        this::readiness,
        data::notServing,
        engines::alarms);
  }

  /** Sets the port of the Cosmos door, for connection strings. */
  void cosmosPort(int port) {
    facts.cosmosPort(port);
  }

  /** Applies a seed if the server is empty; returns the number of collections, or -1. */
  int seed(Path directory) {
    return engines.all().stream().allMatch(Seed::isEmpty)
        ? new Seed(directory, definitions, adminApi).apply()
        : -1;
  }

  /** Reports from now on that the server is ready: its first user and its seed are there. */
  void started() {
    started = true;
  }

  /** Reports from now on that the server is not ready. */
  void drain() {
    draining = true;
  }

  /** Whether the server should receive traffic. */
  Readiness readiness() {
    if (draining) {
      return Readiness.DRAINING;
    }
    if (!started) {
      return Readiness.STARTING;
    }
    if (!data.writable()) {
      return Readiness.READ_ONLY;
    }
    if (data.notServing().isPresent()) {
      return Readiness.NO_LEASE;
    }
    boolean critical =
        engines.all().stream().anyMatch(engine -> engine.alarms().any(Severity.CRITICAL));
    return critical ? Readiness.ALARMED : Readiness.READY;
  }

  /** Ends the logins of the console and closes the metrics. */
  void close() {
    sampler.shutdownNow();
    console.close();
    metrics.close();
  }
}
