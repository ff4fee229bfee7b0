package dev.mayfly.compat;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.azure.cosmos.CosmosClientBuilder;
import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.bson.Document;

/** A Mayfly server in a separate process, on free ports. */
final class ServerProcess implements AutoCloseable {
  private static final String MONGO = "mongodb://";
  private static final String COSMOS = "AccountEndpoint=";
  private static final String SECRET = Base64.getEncoder().encodeToString(new byte[64]);
  private static final long TIMEOUT_SECONDS = 60;
  private static final int EXIT_AFTER_SIGTERM = 143;

  private final Process process;
  private final Addresses addresses;

  /** Addresses of the server, as printed. */
  private record Addresses(String mongo, String cosmos) {}

  private ServerProcess(Process process, Addresses addresses) {
    this.process = process;
    this.addresses = addresses;
  }

  static ServerProcess inMemory(String... options) {
    return start(List.of("--in-memory"), List.of(options), Map.of());
  }

  static ServerProcess emulator(String... options) {
    return start(List.of("--emulator", "--health-port", "off"), List.of(options), Map.of());
  }

  static ServerProcess on(Path data, String... options) {
    return start(List.of("--data", data.toString()), List.of(options), Map.of());
  }

  /** In memory, with TLS and the certificate of a file. */
  static ServerProcess secured(Path certificate, String password, String... options) {
    return start(
        List.of("--in-memory", "--tls", certificate.toString()),
        List.of(options),
        Map.of("MAYFLY_TLS_PASSWORD", password, "MAYFLY_COSMOS_KEY", SECRET));
  }

  private static ServerProcess start(
      List<String> where, List<String> options, Map<String, String> environment) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.mayfly.cli.Main",
                "serve",
                "--mongo-port",
                "0",
                "--cosmos-port",
                "0"));
    command.addAll(where);
    command.addAll(options);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    return launched(builder, TIMEOUT_SECONDS);
  }

  /** Starts a command and waits until the server is ready. */
  static ServerProcess launched(ProcessBuilder builder, long timeoutSeconds) {
    try {
      Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
      // Aborted tests must not leave a server running.
      Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(process::destroyForcibly));
      return new ServerProcess(process, ready(process, timeoutSeconds));
    } catch (IOException failure) {
      throw new UncheckedIOException("the server could not be started", failure);
    }
  }

  /** Waits for the line with the addresses of the server; kills the process if it does not come. */
  private static Addresses ready(Process process, long timeoutSeconds) {
    BufferedReader lines = process.inputReader(UTF_8);
    FutureTask<Addresses> first =
        new FutureTask<>(() -> new Addresses(address(lines, MONGO), address(lines, COSMOS)));
    Thread.ofVirtual().start(first);
    try {
      return first.get(timeoutSeconds, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException failure) {
      throw new IllegalStateException("the server did not report that it is ready", failure);
    } finally {
      if (!first.isDone() || first.state() != FutureTask.State.SUCCESS) {
        process.destroyForcibly();
      }
    }
  }

  private static String address(BufferedReader lines, String mark) throws IOException {
    String line = lines.readLine();
    while (line != null && !line.contains(mark)) {
      line = lines.readLine();
    }
    if (line == null) {
      throw new IOException("the server exited before it was ready");
    }
    return line.substring(line.indexOf(mark));
  }

  /** Connection string for MongoDB drivers. */
  String uri() {
    return addresses.mongo();
  }

  /** Endpoint for Cosmos DB clients, with TLS. */
  String cosmosEndpoint() {
    return part("AccountEndpoint=");
  }

  String cosmosKey() {
    return part("AccountKey=");
  }

  private String part(String name) {
    int start = addresses.cosmos().indexOf(name) + name.length();
    return addresses.cosmos().substring(start, addresses.cosmos().indexOf(';', start));
  }

  /** Makes Cosmos DB clients accept self-signed certificates. */
  static void acceptSelfSignedCertificates() {
    System.setProperty("COSMOS.EMULATOR_SERVER_CERTIFICATE_VALIDATION_DISABLED", "true");
  }

  /** Builder of a Cosmos DB client, with TLS and the server's self-signed certificate. */
  CosmosClientBuilder cosmosClientBuilder() {
    acceptSelfSignedCertificates();
    return new CosmosClientBuilder().endpoint(cosmosEndpoint()).key(cosmosKey()).gatewayMode();
  }

  int port() {
    String address = new ConnectionString(uri()).getHosts().getFirst();
    return Integer.parseInt(address.substring(address.indexOf(':') + 1));
  }

  /** A MongoDB client. */
  MongoClient client() {
    return MongoClients.create(settings().build());
  }

  /** Settings of a MongoDB client: the address, and a short server selection timeout. */
  MongoClientSettings.Builder settings() {
    return MongoClientSettings.builder()
        .applyConnectionString(new ConnectionString(uri()))
        .applyToClusterSettings(
            cluster -> cluster.serverSelectionTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS));
  }

  /** Advances the clock of a server with {@code --test-clock}. */
  static void advance(MongoClient client, long millis) {
    client
        .getDatabase("admin")
        .runCommand(new Document("mayflyClock", 1).append("advanceMillis", millis));
  }

  /** Kills the process: nothing is closed or flushed. */
  void kill() {
    process.destroyForcibly();
    await();
  }

  /** Stops the process by a signal, and checks that it ends cleanly and in time. */
  @Override
  public void close() {
    if (!process.isAlive()) {
      return;
    }
    process.destroy();
    int exit = await();
    if (exit != EXIT_AFTER_SIGTERM) {
      throw new IllegalStateException("the server exited with code " + exit);
    }
  }

  private int await() {
    try {
      if (process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        return process.exitValue();
      }
      throw new IllegalStateException("the server did not exit in time");
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(
          "interrupted while waiting for the server to exit", interrupted);
    } finally {
      process.destroyForcibly();
    }
  }
}
