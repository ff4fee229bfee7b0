package dev.mayfly;

import dev.mayfly.admin.Desk;
import dev.mayfly.admin.Doorkeeper;
import dev.mayfly.admin.Front;
import dev.mayfly.cosmos.CosmosDoor;
import dev.mayfly.cosmos.CosmosSettings;
import dev.mayfly.cosmos.http.HttpSettings;
import dev.mayfly.cosmos.http.SelfSigned;
import dev.mayfly.expiry.Clock;
import dev.mayfly.metrics.Metrics;
import dev.mayfly.mongo.MongoDoor;
import dev.mayfly.mongo.MongoSettings;
import dev.mayfly.mongo.WorkSettings;
import dev.mayfly.mongo.auth.Login;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** Mayfly as a server of its own: an instance and its doors, opened and closed together. */
public final class Server implements AutoCloseable {
  private static final String CERTIFICATE = "cosmos-certificate.p12";

  private final Mayfly mayfly;
  private final MongoDoor mongo;
  private final Optional<CosmosDoor> cosmos;

  private Server(Mayfly mayfly, MongoDoor mongo, Optional<CosmosDoor> cosmos) {
    this.mayfly = mayfly;
    this.mongo = mongo;
    this.cosmos = cosmos;
  }

  /**
   * Opens an instance and its doors: clients can connect when this returns.
   *
   * @throws DoorException when the address of a door cannot be had; nothing is left open then
   * @throws dev.mayfly.store.StoreException as {@link Mayfly#open} does
   */
  public static Server open(ServerSettings settings) {
    Mayfly mayfly = instance(settings);
    try {
      MongoDoor mongo = mongo(mayfly, settings);
      return new Server(mayfly, mongo, cosmos(mayfly, mongo, settings));
    } catch (RuntimeException failure) {
      mayfly.close();
      throw failure;
    }
  }

  private static Mayfly instance(ServerSettings settings) {
    Clock clock = settings.clock().<Clock>map(hand -> hand).orElse(System::currentTimeMillis);
    return settings
        .data()
        .map(directory -> Mayfly.open(directory, clock, settings.instance()))
        .orElseGet(() -> Mayfly.inMemory(clock, settings.instance()));
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

  private static Optional<CosmosDoor> cosmos(
      Mayfly mayfly, MongoDoor mongo, ServerSettings settings) {
    try {
      return settings.cosmos().map(door -> cosmos(mayfly, mongo, settings, door));
    } catch (RuntimeException failure) {
      mongo.close();
      throw failure;
    }
  }

  private static CosmosDoor cosmos(
      Mayfly mayfly, MongoDoor mongo, ServerSettings settings, CosmosSettings door) {
    HttpSettings http = door.http();
    CosmosSettings secure =
        http.tls().isPresent() ? door : door.withTls(ownCertificate(settings.data()));
    Desk desk = new Desk(mayfly.engine(), settings.clock(), mongo.users(), mayfly::backup);
    boolean open = settings.mongo().security().login() != Login.ALWAYS;
    Doorkeeper doorkeeper = new Doorkeeper(door.key(), open);
    Metrics metrics = metrics(mayfly, mongo);
    int slow = settings.mongo().work().slowMillis();
    try {
      return CosmosDoor.open(
          mayfly.engine(),
          secure,
          behind ->
              new Front(behind, desk, doorkeeper, metrics, System::nanoTime, slow, () -> true));
    } catch (UncheckedIOException failure) {
      throw new DoorException(DoorException.Door.COSMOS, http.host(), http.port(), failure);
    }
  }

  private static Metrics metrics(Mayfly mayfly, MongoDoor mongo) {
    Metrics metrics = new Metrics(mayfly.engine(), mayfly::stats);
    metrics.connections("mongo", mongo::connections);
    mongo.observe((kind, done, nanos) -> metrics.operation("mongo", kind, done, nanos));
    return metrics;
  }

  /** Clients of Cosmos DB expect TLS: without a certificate we make one and keep it. */
  private static SSLContext ownCertificate(Optional<Path> data) {
    long now = System.currentTimeMillis();
    return data.map(directory -> SelfSigned.in(directory.resolve(CERTIFICATE), now))
        .orElseGet(() -> SelfSigned.fresh(now));
  }

  private static WorkSettings work(ServerSettings settings) {
    WorkSettings work = settings.mongo().work().withSpillDirectory(settings.spillDirectory());
    return settings.clock().map(work::withClock).orElse(work);
  }

  public Mayfly mayfly() {
    return mayfly;
  }

  public MongoDoor mongo() {
    return mongo;
  }

  /** The door of Azure Cosmos DB, if it is open. */
  public Optional<CosmosDoor> cosmos() {
    return cosmos;
  }

  /** Lets what is in progress finish, then closes the instance. Closing again does nothing. */
  @Override
  public void close() {
    try (mayfly;
        mongo) {
      cosmos.ifPresent(CosmosDoor::close);
    }
  }
}
