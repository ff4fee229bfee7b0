package dev.mayfly.cli;

import dev.mayfly.config.Configuration;
import dev.mayfly.config.Settings;
import dev.mayfly.mongo.MongoSettings;
import dev.mayfly.server.Server;
import dev.mayfly.server.ServerSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/** Command {@code serve}: runs a server until the process receives a signal. */
@Command(
    name = Serve.NAME,
    description = {
      "Run a server until it is stopped.",
      "Every option can also be set in mayfly.yaml (mongo-port: 0) or in the"
          + " environment (MAYFLY_MONGO_PORT=0). Options override the environment, the"
          + " environment overrides the file.",
    },
    abbreviateSynopsis = true,
    sortOptions = false)
final class Serve implements Callable<Integer> {
  static final String NAME = "serve";

  private static final System.Logger LOG = System.getLogger(Serve.class.getName());

  private final OutputOptions output;
  private final Map<String, String> environment;
  private final CommandSpec spec;

  private Serve(OutputOptions output, Map<String, String> environment) {
    this.output = output;
    this.environment = environment;
    this.spec = CommandSpec.forAnnotatedObject(this);
  }

  static CommandLine line(OutputOptions output, Map<String, String> environment) {
    Serve serve = new Serve(output, environment);
    SettingOptions.add(serve.spec, Settings.ALL);
    return new CommandLine(serve.spec);
  }

  @Override
  public Integer call() throws InterruptedException, IOException {
    CommandLine line = spec.commandLine();
    Configuration configuration = SettingOptions.configuration(line.getParseResult(), environment);
    Logging.configure(configuration);
    SettingsMapper plan = new SettingsMapper(configuration, environment);
    plan.memory().warning().ifPresent(warning -> LOG.log(System.Logger.Level.WARNING, warning));
    IdleMemory.configure();
    CountDownLatch ended = new CountDownLatch(1);
    ServerSettings settings = withShutdown(plan.settings(arguments(line)), ended);
    Server server = Server.open(settings);
    Thread stop = Thread.ofPlatform().name("stop").unstarted(() -> stop(server, settings));
    Runtime.getRuntime().addShutdownHook(stop);
    writeAddress(server, settings);
    print(line.getOut(), new Ready(server, settings));
    if (configuration.on(Settings.STOP_WITH_INPUT)) {
      Thread.ofPlatform().daemon().name("stop-with-input").start(() -> awaitEndOfInput(ended));
    }
    ended.await();
    return 0;
  }

  /** Lets the command {@code shutdown} of a client end the process. */
  private static ServerSettings withShutdown(ServerSettings settings, CountDownLatch ended) {
    MongoSettings mongo = settings.mongo();
    return settings.withMongo(mongo.withWork(mongo.work().withStop(ended::countDown)));
  }

  /** Waits until standard input is closed, as it is when the program that started this one ends. */
  private static void awaitEndOfInput(CountDownLatch ended) {
    try {
      System.in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException failure) {
      LOG.log(System.Logger.Level.WARNING, "standard input cannot be read, so this stops", failure);
    }
    ended.countDown();
  }

  private void print(PrintWriter out, Ready ready) {
    out.println(output.json() ? ready.json() : ready.text());
    out.print(ready.waitLines());
    out.flush();
  }

  /** Arguments as reported by {@code getCmdLineOpts}, without secrets. */
  private static List<String> arguments(CommandLine line) {
    return line.getParseResult().matchedOptions().stream()
        .filter(option -> !option.paramLabel().equals("SECRET"))
        .map(option -> option.longestName() + "=" + option.getValue())
        .toList();
  }

  /** Writes the address of the server to the data directory, for commands with {@code --data}. */
  private static void writeAddress(Server server, ServerSettings settings) throws IOException {
    Optional<String> url = server.operatorUrl();
    if (settings.data().isPresent() && url.isPresent()) {
      // commands on this machine use plain HTTP
      Target.writeAddress(settings.data().get(), url.get().replace("//0.0.0.0:", "//127.0.0.1:"));
    }
  }

  private static void stop(Server server, ServerSettings settings) {
    ForcedStop.install();
    LOG.log(System.Logger.Level.INFO, "stopping: waiting for requests in progress");
    settings.data().ifPresent(Target::removeAddress);
    server.close();
    LOG.log(System.Logger.Level.INFO, "stopped");
  }
}
