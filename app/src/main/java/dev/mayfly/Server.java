package dev.mayfly;

import dev.mayfly.cosmos.CosmosDoor;
import dev.mayfly.cosmos.CosmosSettings;
import dev.mayfly.cosmos.auth.MasterKey;
import dev.mayfly.cosmos.http.SelfSigned;
import dev.mayfly.expiry.Clock;
import dev.mayfly.expiry.HandClock;
import dev.mayfly.mongo.MongoDoor;
import dev.mayfly.mongo.MongoSettings;
import dev.mayfly.mongo.WorkSettings;
import dev.mayfly.mongo.admin.Host;
import dev.mayfly.mongo.auth.Login;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLContext;

/**
 * Mayfly as a server of its own: an instance and its doors, opened and closed together.
 *
 * <p>{@code Server (--data DIR | --in-memory) [--bind ADDRESS] [--mongo-port PORT] [--auth
 * never|remote|always] [--cosmos-port PORT|off] [--cosmos-key BASE64] [--tls FILE]}; the password
 * of the TLS file is in the environment, as {@code MAYFLY_TLS_PASSWORD}.
 */
public final class Server implements AutoCloseable {
  private static final String USAGE =
      "usage: (--data DIR | --in-memory) [--bind ADDRESS] [--mongo-port PORT]"
          + " [--auth never|remote|always] [--cosmos-port PORT|off] [--cosmos-key BASE64]"
          + " [--tls PKCS12-FILE] [--test-clock]";

  private final Mayfly mayfly;
  private final MongoDoor mongo;
  private final Optional<CosmosDoor> cosmos;

  private Server(Mayfly mayfly, MongoDoor mongo, Optional<CosmosDoor> cosmos) {
    this.mayfly = mayfly;
    this.mongo = mongo;
    this.cosmos = cosmos;
  }

  /** Opens the MongoDB door of an instance, as {@link #open(Mayfly, MongoSettings, Optional)}. */
  public static Server open(Mayfly mayfly, MongoSettings settings) {
    return open(mayfly, settings, Optional.empty());
  }

  /** Opens the doors of an instance, which is closed with them, or when they cannot be opened. */
  public static Server open(Mayfly mayfly, MongoSettings mongo, Optional<CosmosSettings> cosmos) {
    try {
      Optional<CosmosDoor> second =
          cosmos.map(settings -> CosmosDoor.open(mayfly.engine(), settings));
      return new Server(mayfly, openMongo(mayfly, mongo, second), second);
    } catch (RuntimeException failure) {
      mayfly.close();
      throw failure;
    }
  }

  private static MongoDoor openMongo(
      Mayfly mayfly, MongoSettings settings, Optional<CosmosDoor> other) {
    try {
      return MongoDoor.open(mayfly.engine(), settings);
    } catch (RuntimeException failure) {
      other.ifPresent(CosmosDoor::close);
      throw failure;
    }
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

  /** Where clients of all doors find them. */
  private String addresses() {
    String second = cosmos.map(door -> " " + door.endpoint()).orElse("");
    return mongo.connectionString() + second;
  }

  /** Lets what is in progress finish, then closes the instance. */
  @Override
  public void close() {
    try (mayfly;
        mongo) {
      cosmos.ifPresent(CosmosDoor::close);
    }
  }

  /** Serves until the process is told to end. */
  public static void main(String[] arguments) throws InterruptedException {
    System.exit(serve(List.of(arguments), System.out, System.err));
  }

  private static int serve(List<String> arguments, PrintStream out, PrintStream err)
      throws InterruptedException {
    Options options;
    try {
      options = Options.parse(arguments);
    } catch (IllegalArgumentException wrong) {
      err.println(wrong.getMessage());
      err.println(USAGE);
      return 2;
    }
    Server server;
    try {
      server = options.serve(ThisHost.describe(arguments, options.data()));
    } catch (IllegalArgumentException refused) {
      err.println(refused.getMessage());
      return 2;
    }
    CountDownLatch never = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(server::close));
    out.println("Mayfly is ready: " + server.addresses());
    never.await();
    return 0;
  }

  /**
   * What the command line says.
   *
   * @param data the directory; empty for an instance in memory
   * @param tls the file with the certificate; empty for one of our own, for Cosmos DB alone
   * @param testClock whether the clock stands still until a client moves it
   */
  record Options(
      String data,
      String bind,
      int mongoPort,
      Login login,
      Cosmos cosmos,
      String tls,
      boolean testClock) {
    private static final int STANDARD_PORT = 27017;
    private static final String CERTIFICATE = "cosmos-certificate.p12";

    /**
     * The door of Azure Cosmos DB.
     *
     * @param port {@link #CLOSED} when there is none
     */
    record Cosmos(int port, String key) {
      static final int CLOSED = -1;
      static final Cosmos STANDARD = new Cosmos(8081, MasterKey.WELL_KNOWN);
    }

    static Options parse(List<String> arguments) {
      Queue<String> left = new ArrayDeque<>(arguments);
      Options options =
          new Options("", "127.0.0.1", STANDARD_PORT, Login.FROM_AFAR, Cosmos.STANDARD, "", false);
      boolean inMemory = false;
      while (!left.isEmpty()) {
        String name = left.remove();
        switch (name) {
          case "--in-memory" -> inMemory = true;
          case "--test-clock" -> options = options.withTestClock();
          case "--data" -> options = options.withData(value(name, left));
          case "--bind" -> options = options.withBind(value(name, left));
          case "--auth" -> options = options.withLogin(value(name, left));
          case "--tls" -> options = options.withTls(value(name, left));
          case "--mongo-port" -> options = options.withMongoPort(port(name, value(name, left)));
          case "--cosmos-port" -> options = options.withCosmosPort(name, value(name, left));
          case "--cosmos-key" -> options = options.withCosmosKey(value(name, left));
          default -> throw new IllegalArgumentException("no such option: " + name);
        }
      }
      if (inMemory != options.data.isEmpty()) {
        throw new IllegalArgumentException("either --data DIR or --in-memory is needed");
      }
      return options;
    }

    private static String value(String name, Queue<String> left) {
      String value = left.poll();
      if (value == null) {
        throw new IllegalArgumentException(name + " needs a value");
      }
      return value;
    }

    private Options withData(String directory) {
      return new Options(directory, bind, mongoPort, login, cosmos, tls, testClock);
    }

    private Options withBind(String address) {
      return new Options(data, address, mongoPort, login, cosmos, tls, testClock);
    }

    private Options withTls(String file) {
      return new Options(data, bind, mongoPort, login, cosmos, file, testClock);
    }

    private Options withLogin(String who) {
      Login changed =
          switch (who) {
            case "never" -> Login.NEVER;
            case "remote" -> Login.FROM_AFAR;
            case "always" -> Login.ALWAYS;
            default -> throw new IllegalArgumentException("--auth cannot be: " + who);
          };
      return new Options(data, bind, mongoPort, changed, cosmos, tls, testClock);
    }

    private Options withMongoPort(int port) {
      return new Options(data, bind, port, login, cosmos, tls, testClock);
    }

    private Options withCosmosPort(String name, String text) {
      int port = text.equals("off") ? Cosmos.CLOSED : port(name, text);
      return with(new Cosmos(port, cosmos.key()));
    }

    private Options withCosmosKey(String base64) {
      return with(new Cosmos(cosmos.port(), base64));
    }

    private Options with(Cosmos changed) {
      return new Options(data, bind, mongoPort, login, changed, tls, testClock);
    }

    private static int port(String name, String text) {
      try {
        int port = Integer.parseInt(text);
        if (port >= 0 && port <= 0xFFFF) {
          return port;
        }
      } catch (NumberFormatException noNumber) {
        throw new IllegalArgumentException(name + " is no number: " + text, noNumber);
      }
      throw new IllegalArgumentException(name + " is no port: " + text);
    }

    private Options withTestClock() {
      return new Options(data, bind, mongoPort, login, cosmos, tls, true);
    }

    private Server serve(Host about) {
      Path files = data.isEmpty() ? Path.of(System.getProperty("java.io.tmpdir")) : Path.of(data);
      WorkSettings work = WorkSettings.STANDARD.withSpillDirectory(files.resolve("mayfly-spill"));
      Clock clock = System::currentTimeMillis;
      if (testClock) {
        HandClock movable = new HandClock(System.currentTimeMillis());
        work = work.withClock(movable);
        clock = movable;
      }
      MongoSettings mongo = mongo().withWork(work).withAbout(about);
      return Server.open(open(clock), mongo, cosmosSettings());
    }

    private Mayfly open(Clock clock) {
      return data.isEmpty()
          ? Mayfly.inMemory(clock)
          : Mayfly.open(Path.of(data), clock, MayflySettings.standard());
    }

    MongoSettings mongo() {
      MongoSettings settings =
          MongoSettings.standard(System::nanoTime).withAddress(bind, mongoPort).withLogin(login);
      return tls.isEmpty() ? settings : settings.withTls(certificate());
    }

    private SSLContext certificate() {
      String password = System.getenv().getOrDefault("MAYFLY_TLS_PASSWORD", "");
      return Certificate.load(Path.of(tls), password);
    }

    /** Clients of Cosmos DB expect TLS: without a certificate we make one and keep it. */
    private Optional<CosmosSettings> cosmosSettings() {
      if (cosmos.port() == Cosmos.CLOSED) {
        return Optional.empty();
      }
      return Optional.of(
          CosmosSettings.standard(System::currentTimeMillis)
              .withAddress(bind, cosmos.port())
              .withKey(cosmos.key())
              .withTls(tls.isEmpty() ? ownCertificate() : certificate()));
    }

    private SSLContext ownCertificate() {
      long now = System.currentTimeMillis();
      return data.isEmpty()
          ? SelfSigned.fresh(now)
          : SelfSigned.in(Path.of(data).resolve(CERTIFICATE), now);
    }
  }
}
