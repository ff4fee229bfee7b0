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
 * Gives a test an instance of Mayfly in memory whose clock stands still until the test moves it.
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
 * <p>Registered in a field of the object, it gives every test an instance of its own; in a static
 * field, one to all tests of the class. Test methods may also have parameters of type {@link
 * Mayfly}, {@link Engine} and {@link ManualClock}.
 *
 * <p>{@link #withDoors} opens a whole server around it: drivers and SDKs connect to {@link #mongo}
 * and {@link #cosmos}, and see the clock that the test moves.
 *
 * <p>No thread works behind the test's back: what is due is swept, built and trimmed by {@link
 * #advance} and {@link #settle}, and is done when they return.
 */
public final class MayflyExtension
    implements BeforeAllCallback,
        BeforeEachCallback,
        AfterEachCallback,
        AfterAllCallback,
        ParameterResolver {
  /** The database in which {@link #create(String, CollectionSpec)} makes collections. */
  public static final String DATABASE = "test";

  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  private final long start;
  private final boolean doors;
  private @Nullable Instance instance;
  private int openClasses;

  /** What lives for a test or a class. */
  private record Instance(Mayfly mayfly, ManualClock clock, Optional<Server> server) {
    void close() {
      server.ifPresentOrElse(Server::close, mayfly::close);
    }
  }

  private MayflyExtension(long start, boolean doors) {
    this.start = start;
    this.doors = doors;
  }

  /** An instance whose clock starts at a whole second of the same day every time. */
  public static MayflyExtension inMemory() {
    return inMemory(START);
  }

  /** An instance whose clock starts at an instant. */
  public static MayflyExtension inMemory(Instant start) {
    return new MayflyExtension(start.toEpochMilli(), false);
  }

  /** The same with both doors open, at free ports of this machine. */
  public MayflyExtension withDoors() {
    return new MayflyExtension(start, true);
  }

  public Mayfly mayfly() {
    return opened().mayfly();
  }

  public Engine engine() {
    return mayfly().engine();
  }

  /** The clock; {@link #advance} moves it and does what is due. */
  public ManualClock clock() {
    return opened().clock();
  }

  /** What a MongoDB driver is given to connect. */
  public String mongo() {
    return server().mongo().connectionString();
  }

  /** The endpoint that an SDK of Azure Cosmos DB is given, over plain HTTP. */
  public String cosmos() {
    CosmosDoor door = server().cosmos().orElseThrow();
    return "http://127.0.0.1:" + door.port() + "/";
  }

  /** The key that an SDK of Azure Cosmos DB is given: that of the emulator. */
  public String cosmosKey() {
    return MasterKey.WELL_KNOWN;
  }

  private Server server() {
    return opened()
        .server()
        .orElseThrow(() -> new IllegalStateException("register it withDoors()"));
  }

  /** Creates a collection in {@link #DATABASE}. */
  public Collection create(String collection, CollectionSpec spec) {
    return mayfly().create(DATABASE, collection, spec);
  }

  /**
   * Moves the clock forward and does what has become due: when this returns, expired documents are
   * swept and told to the feed.
   */
  public void advance(Duration by) {
    clock().advance(by);
    settle();
  }

  /** Does all background work that is due now: sweeps, builds, lazy indexes, trimming. */
  public void settle() {
    engine().workUntilIdle();
  }

  private Instance opened() {
    Instance open = instance;
    if (open == null) {
      throw new IllegalStateException("there is an instance during a test only");
    }
    return open;
  }

  /** Called for the class of a static field, and again for every class nested in it. */
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
    ManualClock clock = new ManualClock(start);
    MayflySettings settings = MayflySettings.standard().withBackground(false);
    if (doors) {
      Server server = Server.open(quiet().withInstance(settings).withClock(clock));
      instance = new Instance(server.mayfly(), clock, Optional.of(server));
    } else {
      instance = new Instance(Mayfly.inMemory(clock, settings), clock, Optional.empty());
    }
  }

  /** The first requests of a cold program are slow, which is no news in a test. */
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
