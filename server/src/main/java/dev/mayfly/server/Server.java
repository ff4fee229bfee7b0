package dev.mayfly.server;

import dev.mayfly.Mayfly;
import dev.mayfly.cluster.Cells;
import dev.mayfly.cluster.SharedCells;
import dev.mayfly.cluster.SharedCellsSettings;
import dev.mayfly.console.ConsoleSettings;
import dev.mayfly.cosmos.CosmosDoor;
import dev.mayfly.cosmos.CosmosSettings;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Engine;
import dev.mayfly.expiry.Clock;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.http.HttpServer;
import dev.mayfly.http.HttpSettings;
import dev.mayfly.mongo.CommandSettings;
import dev.mayfly.mongo.MongoDoor;
import dev.mayfly.mongo.MongoSettings;
import dev.mayfly.mongo.auth.Users;
import dev.mayfly.mongo.command.Identity;
import dev.mayfly.store.StoreException;
import dev.mayfly.value.Value;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

/** A server: its data and its doors, opened and closed together. */
public final class Server implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Server.class.getName());

  private final ServedData data;
  private final MongoDoor mongo;
  private final Optional<CosmosDoor> cosmos;
  private final Optional<HttpServer> admin;
  private final Optional<HttpServer> health;
  private final AdminServices adminServices;
  private final String key;
  private final ConsoleSettings.Reach console;
  private final boolean rootAdded;

  private Server(
      ServedData data,
      MongoDoor mongo,
      Optional<CosmosDoor> cosmos,
      Optional<HttpServer> admin,
      Optional<HttpServer> health,
      AdminServices adminServices,
      String key,
      ConsoleSettings.Reach console,
      boolean rootAdded) {
    this.data = data;
    this.mongo = mongo;
    this.cosmos = cosmos;
    this.admin = admin;
    this.health = health;
    this.adminServices = adminServices;
    this.key = key;
    this.console = console;
    this.rootAdded = rootAdded;
  }

  /**
   * Opens an instance and its doors: clients can connect when this returns.
   *
   * @throws DoorException when a door cannot listen on its address; nothing is left open
   * @throws ModeException when the data directory belongs to a server in another mode
   * @throws dev.mayfly.store.StoreException as {@link Mayfly#open} does
   */
  public static Server open(ServerSettings configured) {
    boolean emulator = configured.emulator().isPresent();
    configured.data().ifPresent(directory -> EmulatorMark.check(directory, emulator));
    OwnCertificate certificate = OwnCertificate.of(configured);
    ServedData data = data(configured);
    try {
      if (emulator) {
        configured.data().ifPresent(EmulatorMark::write);
      }
      // after opening the store, because it may reject the directory
      ServerSettings settings = OwnKey.resolve(configured);
      return open(data, mongo(data, settings), certificate, settings);
    } catch (RuntimeException failure) {
      data.close();
      throw failure;
    }
  }

  private static Server open(
      ServedData data, MongoDoor mongo, OwnCertificate certificate, ServerSettings settings) {
    try {
      return open(
          data,
          mongo,
          certificate,
          settings,
          new AdminServices(data, mongo, settings, key(settings)));
    } catch (RuntimeException failure) {
      mongo.close();
      throw failure;
    }
  }

  private static Server open(
      ServedData data,
      MongoDoor mongo,
      OwnCertificate certificate,
      ServerSettings settings,
      AdminServices adminServices) {
    try {
      Optional<CosmosDoor> cosmos =
          settings
              .cosmos()
              .map(door -> cosmos(data, adminServices, certificate, cosmos(door, settings)));
      Optional<HttpServer> admin = admin(adminServices, cosmos, settings);
      Optional<HttpServer> health = health(adminServices, cosmos, admin, settings);
      Server server =
          new Server(
              data,
              mongo,
              cosmos,
              admin,
              health,
              adminServices,
              key(settings),
              settings.console().reach(),
              addRoot(mongo.users(), settings));
      server
          .consoleUrl()
          .ifPresent(
              url ->
                  mongo.browserHint(
                      "This port is for MongoDB drivers. The console for browsers is at " + url));
      announce(server, settings);
      seed(server, settings);
      adminServices.started();
      return server;
    } catch (RuntimeException failure) {
      adminServices.close();
      throw failure;
    }
  }

  /** Publishes where clients reach this server of a cluster. */
  private static void announce(Server server, ServerSettings settings) {
    if (server.data instanceof ServedData.Shared(SharedCells cells, _)) {
      SharedStore.Membership membership = settings.shared().orElseThrow().cluster();
      String advertised = membership.advertised();
      String host =
          advertised.isEmpty() ? membership.peerHost() : SharedStore.withoutPort(advertised);
      String mongo =
          host.length() < advertised.length()
              ? advertised
              : host + ":" + server.mongo.address().getPort();
      cells.announce(mongo, server.cosmos.map(door -> "https://" + host + ":" + door.port() + "/"));
    }
  }

  /** Applies the seed to an empty server. */
  private static void seed(Server server, ServerSettings settings) {
    try {
      settings
          .seed()
          .ifPresent(
              directory -> {
                int applied = server.adminServices.seed(directory);
                LOG.log(
                    System.Logger.Level.INFO,
                    applied < 0
                        ? "the seed is not applied, because the server has collections"
                        : "applied the seed: " + applied + " collections from " + directory);
              });
    } catch (RuntimeException failure) {
      server.cosmos.ifPresent(CosmosDoor::close);
      server.admin.ifPresent(HttpServer::close);
      server.health.ifPresent(HttpServer::close);
      throw failure;
    }
  }

  /** Adds the first user of an emulator; returns whether it did. */
  private static boolean addRoot(Users users, ServerSettings settings) {
    Optional<EmulatorSettings.RootUser> root =
        settings.emulator().flatMap(EmulatorSettings::root).filter(_ -> users.isEmpty());
    root.ifPresent(
        user ->
            users.add(
                new Identity("admin", user.name()),
                user.password(),
                Value.array(List.of(Value.of("root")))));
    return root.isPresent();
  }

  private static String key(ServerSettings settings) {
    return settings
        .cosmos()
        .map(CosmosSettings::key)
        .or(() -> settings.admin().map(AdminSettings::key))
        .orElse("");
  }

  private static ServedData data(ServerSettings settings) {
    return settings
        .shared()
        .<ServedData>map(store -> shared(store, settings))
        .orElseGet(() -> new ServedData.Own(instance(settings)));
  }

  private static Mayfly instance(ServerSettings settings) {
    Clock clock = settings.clock().<Clock>map(manual -> manual).orElse(System::currentTimeMillis);
    Mayfly mayfly =
        settings
            .data()
            .map(directory -> Mayfly.open(directory, clock, settings.instance()))
            .orElseGet(() -> Mayfly.inMemory(clock, settings.instance()));
    if (settings.testClock().isPresent()) {
      settings.clock().ifPresent(manual -> catchUp(manual, mayfly.engine()));
    }
    return mayfly;
  }

  private static ServedData.Shared shared(SharedStore shared, ServerSettings settings) {
    SharedStore.Membership membership = shared.cluster();
    SharedStore.Opened store = shared.opener().open();
    try {
      SharedCellsSettings cells =
          new SharedCellsSettings(
              UUID.randomUUID(),
              HostInfo.process(),
              Mayfly.VERSION,
              membership.peerBind(),
              membership.peerHost(),
              membership.peerPort(),
              membership.placement(),
              membership.lease(),
              membership.maxClockSkew(),
              SharedCellsSettings.BALANCE_INTERVAL,
              settings.instance().engine(settings.spillDirectory().resolve("sorting")));
      return new ServedData.Shared(
          SharedCells.open(store.board(), store.stores(), cells, System::currentTimeMillis), store);
    } catch (IllegalArgumentException | StoreException failure) {
      store.close();
      throw new RemoteStoreException(failure);
    } catch (RuntimeException failure) {
      store.close();
      throw failure;
    }
  }

  /** Advances a test clock to the last stored time, so that expired documents stay expired. */
  private static void catchUp(ManualClock clock, Engine engine) {
    long lag = engine.keptTime().orElse(clock.now()) - clock.now();
    if (lag > 0) {
      clock.advance(Duration.ofMillis(lag));
    }
  }

  private static MongoDoor mongo(ServedData data, ServerSettings settings) {
    MongoSettings door = settings.mongo().withWork(work(settings));
    try {
      return MongoDoor.open(data.cells(), System::currentTimeMillis, door);
    } catch (UncheckedIOException failure) {
      throw new DoorException(
          DoorException.Door.MONGO, door.address().host(), door.address().port(), failure);
    }
  }

  private static CosmosSettings cosmos(CosmosSettings door, ServerSettings settings) {
    CosmosSettings stored =
        settings.data().isPresent() ? door : door.withDurability(Durability.LOGGED);
    return settings.testClock().map(stored::withTestClock).orElse(stored);
  }

  private static CosmosDoor cosmos(
      ServedData data,
      AdminServices adminServices,
      OwnCertificate certificate,
      CosmosSettings door) {
    HttpSettings http = door.http();
    CosmosSettings secure =
        http.tls().isPresent() ? door : door.withTls(certificate.get().context());
    try {
      CosmosDoor opened =
          CosmosDoor.open(
              data.cells(),
              System::nanoTime,
              secure,
              handler ->
                  new CertificateHandler(
                      adminServices.beforeCosmos(handler, door.key(), door.wall()),
                      () -> certificate.get().pem()));
      adminServices.cosmosConnections(opened::connections);
      adminServices.cosmosPort(opened.port());
      return opened;
    } catch (UncheckedIOException failure) {
      throw new DoorException(DoorException.Door.COSMOS, http.host(), http.port(), failure);
    }
  }

  private static Optional<HttpServer> admin(
      AdminServices adminServices, Optional<CosmosDoor> cosmos, ServerSettings settings) {
    try {
      return settings.admin().map(door -> admin(adminServices, door));
    } catch (RuntimeException failure) {
      cosmos.ifPresent(CosmosDoor::close);
      throw failure;
    }
  }

  private static HttpServer admin(AdminServices adminServices, AdminSettings door) {
    HttpSettings http = door.http();
    try {
      return HttpServer.open(
          http, adminServices.before(new NotFoundHandler(), door.key(), door.wall()));
    } catch (UncheckedIOException failure) {
      throw new DoorException(DoorException.Door.ADMIN, http.host(), http.port(), failure);
    }
  }

  private static Optional<HttpServer> health(
      AdminServices adminServices,
      Optional<CosmosDoor> cosmos,
      Optional<HttpServer> admin,
      ServerSettings settings) {
    try {
      return settings.health().flatMap(port -> health(adminServices, port));
    } catch (RuntimeException failure) {
      admin.ifPresent(HttpServer::close);
      cosmos.ifPresent(CosmosDoor::close);
      throw failure;
    }
  }

  private static Optional<HttpServer> health(AdminServices adminServices, HealthSettings port) {
    HttpSettings http = port.http();
    try {
      return Optional.of(HttpServer.open(http, new HealthHandler(adminServices::readiness)));
    } catch (UncheckedIOException failure) {
      if (port.required()) {
        throw new DoorException(DoorException.Door.HEALTH, http.host(), http.port(), failure);
      }
      LOG.log(
          System.Logger.Level.WARNING,
          "port "
              + http.port()
              + " is not available, so there are no health checks at /ready and /alive: set"
              + " --health-port");
      return Optional.empty();
    }
  }

  private static CommandSettings work(ServerSettings settings) {
    CommandSettings work = settings.mongo().work().withSpillDirectory(settings.spillDirectory());
    if (settings.data().isEmpty()) {
      // in memory there is no fsync to wait for
      work = work.withDurability(Durability.LOGGED);
    }
    return settings.clock().map(work::withClock).orElse(work);
  }

  /**
   * Returns the instance of a server that is alone.
   *
   * @throws IllegalStateException if it is a server of a cluster
   */
  public Mayfly mayfly() {
    if (data instanceof ServedData.Own(Mayfly mayfly, _)) {
      return mayfly;
    }
    throw new IllegalStateException("a server of a cluster has no instance of its own");
  }

  /** Returns the cells of the cluster; of a server that is alone, its only one. */
  public Cells cells() {
    return data.cells();
  }

  public MongoDoor mongo() {
    return mongo;
  }

  /** The Cosmos door, if it is enabled. */
  public Optional<CosmosDoor> cosmos() {
    return cosmos;
  }

  /** Port of the health checks; empty if they have none. */
  public OptionalInt healthPort() {
    return health.isPresent() ? OptionalInt.of(health.get().port()) : OptionalInt.empty();
  }

  /** Whether the start has added the first user of an emulator. */
  public boolean rootAdded() {
    return rootAdded;
  }

  /**
   * Key for Cosmos DB clients and the admin API, configured or created at the start; empty if
   * neither is enabled. Secret.
   */
  public String key() {
    return key;
  }

  /** URL of the admin API, without TLS; empty if it is not served. */
  public Optional<String> operatorUrl() {
    // one port serves both TLS and plain HTTP
    return admin
        .map(server -> "http://" + server.host() + ":" + server.port() + "/")
        .or(() -> cosmos.map(door -> door.endpoint().replace("https://", "http://")));
  }

  /** URL of the web console for a browser on this machine; empty if it is not served. */
  public Optional<String> consoleUrl() {
    return console == ConsoleSettings.Reach.OFF
        ? Optional.empty()
        : operatorUrl().map(url -> url.replace("//0.0.0.0:", "//127.0.0.1:") + "_console/");
  }

  /**
   * Waits for requests in progress, then closes the data. A server of a cluster answers what others
   * relay until it has handed its cells over. The port of the admin API is closed last, so that
   * readiness checks get a reply. Idempotent.
   */
  @Override
  public void close() {
    adminServices.drain();
    try (data) {
      try {
        mongo.close();
      } finally {
        cosmos.ifPresent(CosmosDoor::close);
        admin.ifPresent(HttpServer::close);
        health.ifPresent(HttpServer::close);
        adminServices.close();
      }
    }
  }
}
