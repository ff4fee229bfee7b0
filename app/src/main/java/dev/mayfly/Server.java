package dev.mayfly;

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
import java.util.Queue;
import java.util.concurrent.CountDownLatch;

/**
 * Mayfly as a server of its own: an instance and its doors, opened and closed together.
 *
 * <p>{@code Server (--data DIR | --in-memory) [--mongo-port PORT] [--bind ADDRESS] [--auth
 * never|remote|always] [--tls FILE]}; the password of the TLS file is in the environment, as {@code
 * MAYFLY_TLS_PASSWORD}.
 */
public final class Server implements AutoCloseable {
  private static final String USAGE =
      "usage: (--data DIR | --in-memory) [--mongo-port PORT] [--bind ADDRESS]"
          + " [--auth never|remote|always] [--tls PKCS12-FILE] [--test-clock]";

  private final Mayfly mayfly;
  private final MongoDoor mongo;

  private Server(Mayfly mayfly, MongoDoor mongo) {
    this.mayfly = mayfly;
    this.mongo = mongo;
  }

  /** Opens the doors of an instance, which is closed with them, or when they cannot be opened. */
  public static Server open(Mayfly mayfly, MongoSettings settings) {
    try {
      return new Server(mayfly, MongoDoor.open(mayfly.engine(), settings));
    } catch (RuntimeException failure) {
      mayfly.close();
      throw failure;
    }
  }

  public Mayfly mayfly() {
    return mayfly;
  }

  public MongoDoor mongo() {
    return mongo;
  }

  /** Lets commands in progress finish, then closes the instance. */
  @Override
  public void close() {
    try {
      mongo.close();
    } finally {
      mayfly.close();
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
    Server server = options.serve(ThisHost.describe(arguments, options.data()));
    CountDownLatch never = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(server::close));
    out.println("Mayfly is ready: " + server.mongo().connectionString());
    never.await();
    return 0;
  }

  /**
   * What the command line says.
   *
   * @param data the directory; empty for an instance in memory
   * @param tls the file with the certificate; empty for none
   * @param testClock whether the clock stands still until a client moves it
   */
  record Options(
      String data, String bind, int mongoPort, Login login, String tls, boolean testClock) {
    private static final int STANDARD_PORT = 27017;

    static Options parse(List<String> arguments) {
      Queue<String> left = new ArrayDeque<>(arguments);
      Options options = new Options("", "127.0.0.1", STANDARD_PORT, Login.FROM_AFAR, "", false);
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
          case "--mongo-port" -> options = options.withMongoPort(value(name, left));
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
      return new Options(directory, bind, mongoPort, login, tls, testClock);
    }

    private Options withBind(String address) {
      return new Options(data, address, mongoPort, login, tls, testClock);
    }

    private Options withTls(String file) {
      return new Options(data, bind, mongoPort, login, file, testClock);
    }

    private Options withLogin(String who) {
      Login changed =
          switch (who) {
            case "never" -> Login.NEVER;
            case "remote" -> Login.FROM_AFAR;
            case "always" -> Login.ALWAYS;
            default -> throw new IllegalArgumentException("--auth cannot be: " + who);
          };
      return new Options(data, bind, mongoPort, changed, tls, testClock);
    }

    private Options withMongoPort(String text) {
      try {
        int port = Integer.parseInt(text);
        if (port >= 0 && port <= 0xFFFF) {
          return new Options(data, bind, port, login, tls, testClock);
        }
      } catch (NumberFormatException noNumber) {
        throw new IllegalArgumentException("--mongo-port is no number: " + text, noNumber);
      }
      throw new IllegalArgumentException("--mongo-port is no port: " + text);
    }

    private Options withTestClock() {
      return new Options(data, bind, mongoPort, login, tls, true);
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
      return Server.open(open(clock), mongo().withWork(work).withAbout(about));
    }

    private Mayfly open(Clock clock) {
      return data.isEmpty()
          ? Mayfly.inMemory(clock)
          : Mayfly.open(Path.of(data), clock, MayflySettings.standard());
    }

    MongoSettings mongo() {
      MongoSettings settings =
          MongoSettings.standard(System::nanoTime).withAddress(bind, mongoPort).withLogin(login);
      if (tls.isEmpty()) {
        return settings;
      }
      String password = System.getenv().getOrDefault("MAYFLY_TLS_PASSWORD", "");
      return settings.withTls(Certificate.load(Path.of(tls), password));
    }
  }
}
