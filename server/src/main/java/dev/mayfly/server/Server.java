package dev.mayfly.server;

import dev.mayfly.Mayfly;
import dev.mayfly.StoppedClock;
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
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;

/** A server: an instance of Mayfly and its doors, opened and closed together. */
public final class Server implements AutoCloseable {
  private final Mayfly mayfly;
  private final MongoDoor mongo;
  private final Optional<CosmosDoor> cosmos;
  private final Optional<HttpServer> admin;
  private final AdminServices adminServices;
  private final String key;
  private final ConsoleSettings.Reach console;

  private Server(
      Mayfly mayfly,
      MongoDoor mongo,
      Optional<CosmosDoor> cosmos,
      Optional<HttpServer> admin,
      AdminServices adminServices,
      String key,
      ConsoleSettings.Reach console) {
    this.mayfly = mayfly;
    this.mongo = mongo;
    this.cosmos = cosmos;
    this.admin = admin;
    this.adminServices = adminServices;
    this.key = key;
    this.console = console;
  }

  /**
   * Opens an instance and its doors: clients can connect when this returns.
   *
   * @throws DoorException when a door cannot listen on its address; nothing is left open
   * @throws dev.mayfly.store.StoreException as {@link Mayfly#open} does
   */
  public static Server open(ServerSettings configured) {
    OwnCertificate certificate = OwnCertificate.of(configured);
    Mayfly mayfly = instance(configured);
    try {
      // after opening the store, because it may reject the directory
      ServerSettings settings = OwnKey.resolve(configured);
      return open(mayfly, mongo(mayfly, settings), certificate, settings);
    } catch (RuntimeException failure) {
      mayfly.close();
      throw failure;
    }
  }

  private static Server open(
      Mayfly mayfly, MongoDoor mongo, OwnCertificate certificate, ServerSettings settings) {
    try {
      return open(
          mayfly,
          mongo,
          certificate,
          settings,
          new AdminServices(mayfly, mongo, settings, key(settings)));
    } catch (RuntimeException failure) {
      mongo.close();
      throw failure;
    }
  }

  private static Server open(
      Mayfly mayfly,
      MongoDoor mongo,
      OwnCertificate certificate,
      ServerSettings settings,
      AdminServices adminServices) {
    try {
      Optional<CosmosDoor> cosmos =
          settings
              .cosmos()
              .map(door -> cosmos(mayfly, adminServices, certificate, cosmos(door, settings)));
      Optional<HttpServer> admin = admin(adminServices, cosmos, settings);
      Server server =
          new Server(
              mayfly,
              mongo,
              cosmos,
              admin,
              adminServices,
              key(settings),
              settings.console().reach());
      server
          .consoleUrl()
          .ifPresent(
              url ->
                  mongo.browserHint(
                      "This port is for MongoDB drivers. The console for browsers is at " + url));
      return server;
    } catch (RuntimeException failure) {
      adminServices.close();
      throw failure;
    }
  }

  private static String key(ServerSettings settings) {
    return settings
        .cosmos()
        .map(CosmosSettings::key)
        .or(() -> settings.admin().map(AdminSettings::key))
        .orElse("");
  }

  private static Mayfly instance(ServerSettings settings) {
    Clock clock = settings.clock().<Clock>map(manual -> manual).orElse(System::currentTimeMillis);
    Mayfly mayfly =
        settings
            .data()
            .map(directory -> Mayfly.open(directory, clock, settings.instance()))
            .orElseGet(() -> Mayfly.inMemory(clock, settings.instance()));
    if (settings.data().flatMap(StoppedClock::in).isEmpty()) {
      settings.clock().ifPresent(manual -> catchUp(manual, mayfly.engine()));
    }
    return mayfly;
  }

  /** Advances a test clock to the last stored time, so that expired documents stay expired. */
  private static void catchUp(ManualClock clock, Engine engine) {
    long lag = engine.keptTime().orElse(clock.now()) - clock.now();
    if (lag > 0) {
      clock.advance(Duration.ofMillis(lag));
    }
  }

  private static MongoDoor mongo(Mayfly mayfly, ServerSettings settings) {
    MongoSettings door = settings.mongo().withWork(work(settings));
    try {
      return MongoDoor.open(mayfly.engine(), door);
    } catch (UncheckedIOException failure) {
      throw new DoorException(
          DoorException.Door.MONGO, door.address().host(), door.address().port(), failure);
    }
  }

  private static CosmosSettings cosmos(CosmosSettings door, ServerSettings settings) {
    return settings.data().isPresent() ? door : door.withDurability(Durability.LOGGED);
  }

  private static CosmosDoor cosmos(
      Mayfly mayfly, AdminServices adminServices, OwnCertificate certificate, CosmosSettings door) {
    HttpSettings http = door.http();
    CosmosSettings secure = http.tls().isPresent() ? door : door.withTls(certificate.get());
    try {
      CosmosDoor opened =
          CosmosDoor.open(
              mayfly.engine(),
              secure,
              door0 -> adminServices.beforeCosmos(door0, door.key(), door.wall()));
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

  private static CommandSettings work(ServerSettings settings) {
    CommandSettings work = settings.mongo().work().withSpillDirectory(settings.spillDirectory());
    if (settings.data().isEmpty()) {
      // in memory there is no fsync to wait for
      work = work.withDurability(Durability.LOGGED);
    }
    return settings.clock().map(work::withClock).orElse(work);
  }

  public Mayfly mayfly() {
    return mayfly;
  }

  public MongoDoor mongo() {
    return mongo;
  }

  /** The Cosmos door, if it is enabled. */
  public Optional<CosmosDoor> cosmos() {
    return cosmos;
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
   * Waits for requests in progress, then closes the instance. The port of the admin API is closed
   * last, so that readiness checks get a reply. Idempotent.
   */
  @Override
  public void close() {
    adminServices.drain();
    try (mayfly) {
      try {
        mongo.close();
      } finally {
        cosmos.ifPresent(CosmosDoor::close);
        admin.ifPresent(HttpServer::close);
        adminServices.close();
      }
    }
  }
}
