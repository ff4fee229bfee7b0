package dev.mayfly.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A server in a separate process, so that its CPU time can be measured.
 *
 * <p>Its address is in the first line of output that contains {@code mongodb://}. Closing it
 * deletes its directory.
 */
final class ServerProcess implements AutoCloseable {
  private static final String SCHEME = "mongodb://";
  private static final String MAYFLY = "dev.mayfly.cli.Main";
  private static final long STOP_SECONDS = 30;

  private final Process process;
  private final Path directory;
  private final String connectionString;
  private @Nullable AllocatedBytes memory;

  private ServerProcess(Process process, Path directory, String connectionString) {
    this.process = process;
    this.directory = directory;
    this.connectionString = connectionString;
  }

  /**
   * Durability of writes. Default is {@code logged}, because the benchmark compares servers, not
   * disks. The system property {@code durability} overrides it.
   */
  private static List<String> durability() {
    return List.of("--durability", System.getProperty("durability", "logged"));
  }

  /** Starts Mayfly on RocksDB, with default settings except durability. */
  static ServerProcess mayfly(String... more) throws IOException {
    return mayfly(System.getProperty("java.class.path"), List.of(more));
  }

  /** The same from the {@code mayfly.jar} of another build. */
  static ServerProcess build(String jar) throws IOException {
    return mayfly(jar, List.of());
  }

  private static ServerProcess mayfly(String classpath, List<String> more) throws IOException {
    Path directory = Files.createTempDirectory("mayfly-bench");
    List<String> arguments = new ArrayList<>();
    arguments.add("serve");
    arguments.addAll(List.of("--data", directory.resolve("data").toString()));
    arguments.addAll(List.of("--mongo-port", "0", "--cosmos-port", "off"));
    arguments.addAll(more.contains("--durability") ? List.of() : durability());
    arguments.addAll(more);
    return start(classpath, MAYFLY, directory, arguments, SCHEME);
  }

  /** Starts a server of this module. */
  static ServerProcess of(Class<?> main) throws IOException {
    return start(main.getName(), Files.createTempDirectory("mayfly-bench"), List.of());
  }

  /** Starts Mayfly on RocksDB, with the Cosmos door. */
  static ServerProcess cosmos() throws IOException {
    return cosmos(System.getProperty("java.class.path"));
  }

  /** The same with writes that wait for the disk, which is the default of a server. */
  static ServerProcess syncedCosmos() throws IOException {
    return cosmos(System.getProperty("java.class.path"), List.of("--durability", "synced"));
  }

  /** The same from the {@code mayfly.jar} of another build. */
  static ServerProcess cosmos(String classpath) throws IOException {
    return cosmos(classpath, durability());
  }

  private static ServerProcess cosmos(String classpath, List<String> durability)
      throws IOException {
    Path directory = Files.createTempDirectory("mayfly-bench");
    String data = directory.resolve("data").toString();
    List<String> arguments =
        new ArrayList<>(
            List.of("serve", "--data", data, "--mongo-port", "0", "--cosmos-port", "0"));
    arguments.addAll(durability);
    return start(classpath, MAYFLY, directory, arguments, "AccountEndpoint=");
  }

  /** Starts the idle HTTP server. */
  static ServerProcess idleHttp() throws IOException {
    Path directory = Files.createTempDirectory("mayfly-bench");
    return start(IdleHttpServer.class.getName(), directory, List.of(), "http:");
  }

  /** Installs and starts a server from npm; empty if Node is not installed. */
  static Optional<ServerProcess> npm(String name, String program, String... options)
      throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("mayfly-bench");
    Process install;
    try {
      install =
          new ProcessBuilder("npm", "install", "--no-save", "--no-audit", "--no-fund", name)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
    } catch (IOException missing) {
      System.err.println("Node is not installed: skipping " + name);
      return Optional.empty();
    }
    if (install.waitFor() != 0) {
      throw new IOException(name + " could not be installed");
    }
    int port = freePort();
    List<String> command = new ArrayList<>();
    command.add(directory.resolve("node_modules/.bin/" + program).toString());
    command.addAll(List.of(options));
    command.addAll(List.of("--port", Integer.toString(port)));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(process::destroy));
    address(process, "Ready");
    return Optional.of(new ServerProcess(process, directory, "http://127.0.0.1:" + port + "/"));
  }

  /** A port of the loopback interface that nobody uses now. */
  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static ServerProcess start(String main, Path directory, List<String> arguments)
      throws IOException {
    return start(main, directory, arguments, SCHEME);
  }

  private static ServerProcess start(
      String main, Path directory, List<String> arguments, String mark) throws IOException {
    return start(System.getProperty("java.class.path"), main, directory, arguments, mark);
  }

  private static ServerProcess start(
      String classpath, String main, Path directory, List<String> arguments, String mark)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(heap(main), "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of(System.getProperty("server.options", "").split(" ", -1)));
    command.removeIf(String::isEmpty);
    command.addAll(List.of("-classpath", classpath, main));
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(process::destroy));
    return new ServerProcess(process, directory, address(process, mark));
  }

  /** Mayfly gets the heap that its launcher gives it: a larger one leaves nothing for RocksDB. */
  private static String heap(String main) {
    return main.equals(MAYFLY) ? "-Xmx384m" : "-Xmx1g";
  }

  private static String address(Process process, String mark) throws IOException {
    BufferedReader out = process.inputReader();
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      int start = line.indexOf(mark);
      if (start >= 0) {
        return line.substring(start);
      }
    }
    throw new IOException("the server ended before it was ready");
  }

  String connectionString() {
    return connectionString;
  }

  /** URL of an HTTP server, without TLS. */
  URI address() {
    int start = connectionString.indexOf("http");
    int end = connectionString.indexOf(';');
    String endpoint = connectionString.substring(start, end < 0 ? connectionString.length() : end);
    return URI.create(endpoint.replace("https:", "http:"));
  }

  /** CPU time of all its threads so far. */
  Duration processorTime() {
    Optional<Duration> used = process.info().totalCpuDuration();
    return used.orElse(Duration.ZERO);
  }

  /**
   * Bytes that all threads of the server, which is a Java program, have allocated on the heap so
   * far. The first call starts the server's JMX agent.
   */
  double allocatedBytes() {
    if (memory == null) {
      memory = AllocatedBytes.of(process.pid());
    }
    return memory.bytes();
  }

  @Override
  public void close() throws IOException {
    if (memory != null) {
      memory.close();
    }
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    Scratch.delete(directory);
  }
}
