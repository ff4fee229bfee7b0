package dev.mayfly.testkit;

import dev.mayfly.Mayfly;
import dev.mayfly.MayflySettings;
import dev.mayfly.cosmos.CosmosDoor;
import dev.mayfly.cosmos.auth.MasterKey;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Engine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.mongo.MongoSettings;
import dev.mayfly.server.Server;
import dev.mayfly.server.ServerSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * JUnit extension: an instance of Mayfly in memory, on a clock that only the test moves.
 *
 * <pre>{@code
 * @RegisterExtension final MayflyExtension mayfly = MayflyExtension.inMemory();
 *
 * @Test
 * void aSessionIsGoneAfterHalfAnHour() {
 *   Collection sessions = mayfly.create("sessions", CollectionSpec.mongo().withDefaultTtl(1800));
 *   sessions.insert(Document.writer().put("_id", "s-1").build());
 *   mayfly.advance(Duration.ofMinutes(30));
 *   assertThat(sessions.read(DocumentKey.of("s-1"))).isEmpty();
 * }
 * }</pre>
 *
 * <p>In an instance field, every test gets its own instance; in a static field, all tests of the
 * class share one. Test methods can have parameters of type {@link Mayfly}, {@link Engine} and
 * {@link ManualClock}.
 *
 * <p>{@link #withDoors} starts a server: drivers and SDKs connect to {@link #mongo} and {@link
 * #cosmos}, and documents expire by the clock of the test.
 *
 * <p>There are no background threads: {@link #advance} and {@link #settle} sweep, build and trim
 * before they return.
 */
public final class MayflyExtension
    implements BeforeAllCallback,
        BeforeEachCallback,
        AfterEachCallback,
        AfterAllCallback,
        ParameterResolver {
  /** The database in which {@link #create(String, CollectionSpec)} creates collections. */
  public static final String DATABASE = "test";

  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  private final long start;
  private final boolean doors;
  private final boolean running;
  private @Nullable Instance instance;
  private int openClasses;

  /** State of a test or a class. */
  private record Instance(Mayfly mayfly, ManualClock clock, Optional<Server> server) {
    void close() {
      server.ifPresentOrElse(Server::close, mayfly::close);
    }
  }

  private MayflyExtension(long start, boolean doors, boolean running) {
    this.start = start;
    this.doors = doors;
    this.running = running;
  }

  /** An instance whose clock always starts at the same instant, a whole second. */
  public static MayflyExtension inMemory() {
    return inMemory(START);
  }

  /** An instance whose clock starts at an instant. */
  public static MayflyExtension inMemory(Instant start) {
    return new MayflyExtension(start.toEpochMilli(), false, false);
  }

  /** Returns the same extension with a server for both protocols, on free ports of localhost. */
  public MayflyExtension withDoors() {
    return new MayflyExtension(start, true, running);
  }

  /**
   * Returns the same extension with a clock that starts at the time of the system and goes on with
   * it, also after {@link #advance}: for programs that write dates of their own clock, or wait.
   */
  public MayflyExtension withOffsetClock() {
    return new MayflyExtension(start, doors, true);
  }

  public Mayfly mayfly() {
    return opened().mayfly();
  }

  public Engine engine() {
    return mayfly().engine();
  }

  /** The clock; use {@link #advance} to move it. */
  public ManualClock clock() {
    return opened().clock();
  }

  /** Connection string for MongoDB drivers. */
  public String mongo() {
    return server().mongo().connectionString();
  }

  /** Endpoint for Cosmos DB SDKs, plain HTTP. */
  public String cosmos() {
    CosmosDoor door = server().cosmos().orElseThrow();
    return "http://127.0.0.1:" + door.port() + "/";
  }

  /** Key for Cosmos DB SDKs: the emulator's key. */
  public String cosmosKey() {
    return MasterKey.WELL_KNOWN;
  }

  private Server server() {
    return opened()
        .server()
        .orElseThrow(
            () -> new IllegalStateException("no server: register the extension withDoors()"));
  }

  /** Creates a collection in {@link #DATABASE}. */
  public Collection create(String collection, CollectionSpec spec) {
    return mayfly().create(DATABASE, collection, spec);
  }

  /**
   * Moves the clock forward and runs background work: when this returns, expired documents are
   * swept and their expiries are in the feed.
   */
  public void advance(Duration by) {
    clock().advance(by);
    settle();
  }

  /** Runs all background work that is due: sweep, builds, lazy indexes, trimming. */
  public void settle() {
    engine().workUntilIdle();
  }

  private Instance opened() {
    Instance open = instance;
    if (open == null) {
      throw new IllegalStateException("there is no instance outside a test");
    }
    return open;
  }

  /** Called for the class of a static field, and for every nested class. */
  @Override
  public void beforeAll(ExtensionContext context) {
    if (openClasses++ == 0) {
      open();
    }
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    if (openClasses == 0) {
      open();
    }
  }

  @Override
  public void afterEach(ExtensionContext context) {
    if (openClasses == 0) {
      close();
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    if (--openClasses == 0) {
      close();
    }
  }

  private void open() {
    ManualClock clock = running ? Mayfly.offsetClock() : new ManualClock(start);
    MayflySettings settings = MayflySettings.standard().withBackground(false);
    if (doors) {
      Server server = Server.open(quiet().withInstance(settings).withClock(clock));
      instance = new Instance(server.mayfly(), clock, Optional.of(server));
    } else {
      instance = new Instance(Mayfly.inMemory(clock, settings), clock, Optional.empty());
    }
  }

  /** Disables the slow request log: the first requests of a cold JVM are always slow. */
  private static ServerSettings quiet() {
    ServerSettings settings = ServerSettings.inMemory();
    MongoSettings mongo = settings.mongo();
    return settings.withMongo(
        mongo.withWork(mongo.work().withSlowMillis(Integer.MAX_VALUE).withTestCommands()));
  }

  private void close() {
    Instance open = opened();
    instance = null;
    open.close();
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return instance != null
        && (type == Mayfly.class || type == Engine.class || type == ManualClock.class);
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    if (type == Mayfly.class) {
      return mayfly();
    }
    return type == Engine.class ? engine() : clock();
  }
}
