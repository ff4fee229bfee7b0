package dev.mayfly.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A PostgreSQL server on a temporary directory, reachable through the loopback interface only.
 *
 * <p>It runs with its defaults, except for the memory for its cache and the distance of checkpoints
 * that its manual recommends for write loads. PostgreSQL refuses to run as root, so root starts it
 * as user {@code postgres}. Closing it stops it and deletes its directory.
 */
final class PostgresProcess implements AutoCloseable {
  static final String USER = "bench";

  private static final Path INSTALLED = Path.of("/usr/lib/postgresql");
  private static final String SYSTEM_USER = "postgres";
  private static final long PATIENCE_SECONDS = 30;

  private final Process process;
  private final Path directory;
  private final int port;

  private PostgresProcess(Process process, Path directory, int port) {
    this.process = process;
    this.directory = directory;
    this.port = port;
  }

  /** Starts the newest version that is installed; empty if there is none. */
  static Optional<PostgresProcess> start() throws IOException, InterruptedException {
    Optional<Path> programs = programs();
    return programs.isPresent() ? Optional.of(start(programs.get())) : Optional.empty();
  }

  private static Optional<Path> programs() throws IOException {
    if (!Files.isDirectory(INSTALLED)) {
      return Optional.empty();
    }
    try (Stream<Path> versions = Files.list(INSTALLED)) {
      return versions
          .map(version -> version.resolve("bin"))
          .filter(programs -> Files.isExecutable(programs.resolve("initdb")))
          .max(Comparator.naturalOrder());
    }
  }

  private static PostgresProcess start(Path programs) throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("mayfly-bench");
    if (isRoot()) {
      Files.setOwner(
          directory,
          directory
              .getFileSystem()
              .getUserPrincipalLookupService()
              .lookupPrincipalByName(SYSTEM_USER));
    }
    Path data = directory.resolve("data");
    Process creation =
        run(
            List.of(
                programs.resolve("initdb").toString(),
                "--pgdata=" + data,
                "--username=" + USER,
                "--auth=trust",
                "--encoding=UTF8",
                "--locale=C"));
    if (creation.waitFor() != 0) {
      throw new IOException("initdb failed");
    }
    int port = ServerProcess.freePort();
    Process process = run(server(programs, data, port));
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(process::destroy));
    return new PostgresProcess(process, directory, port);
  }

  private static List<String> server(Path programs, Path data, int port) {
    List<String> command = new ArrayList<>();
    command.add(programs.resolve("postgres").toString());
    command.addAll(List.of("-D", data.toString(), "-p", Integer.toString(port)));
    for (String setting :
        List.of(
            "listen_addresses=127.0.0.1",
            "unix_socket_directories=",
            "max_connections=200",
            "shared_buffers=1GB",
            "max_wal_size=4GB")) {
      command.addAll(List.of("-c", setting));
    }
    return command;
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  private static Process run(List<String> command) throws IOException {
    List<String> whole = new ArrayList<>();
    if (isRoot()) {
      whole.addAll(
          List.of("setpriv", "--reuid=" + SYSTEM_USER, "--regid=" + SYSTEM_USER, "--clear-groups"));
    }
    whole.addAll(command);
    return new ProcessBuilder(whole)
        .directory(Path.of("/").toFile())
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Address for its JDBC driver. */
  String url() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
  }

  /** CPU time of the server and of the processes that serve its connections. */
  Duration processorTime() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants())
        .map(one -> one.info().totalCpuDuration().orElse(Duration.ZERO))
        .reduce(Duration.ZERO, Duration::plus);
  }

  @Override
  public void close() throws IOException {
    process.destroy();
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
    Scratch.delete(directory);
  }
}
