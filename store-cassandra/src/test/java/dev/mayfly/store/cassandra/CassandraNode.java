package dev.mayfly.store.cassandra;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A real Cassandra node in a child process, on a loopback address. Needs a JDK 17: Cassandra 5.0
 * does not run on later ones.
 */
public final class CassandraNode implements AutoCloseable {
  private static final long POLL_NANOS = 100_000_000;
  private static final int START_POLLS = 1800;
  private static final long[] TOKENS = {
    Long.MIN_VALUE, -3_074_457_345_618_258_603L, 3_074_457_345_618_258_602L
  };

  private final Process process;
  private final Path directory;
  private final String host;

  private CassandraNode(Process process, Path directory, String host) {
    this.process = process;
    this.directory = directory;
    this.host = host;
  }

  /**
   * Starts nodes for people, and stops them with this process: the program of {@code
   * tools/cassandra-trial}.
   *
   * @param arguments number of nodes, directory for their data, directory of the jars, port
   */
  static void main(String[] arguments) throws IOException, InterruptedException {
    if (jdk().isEmpty()) {
      System.err.println(
          "cassandra-trial: Cassandra 5 needs a JDK 17: install one, or set JAVA17_HOME");
      System.exit(1);
    }
    int count = Integer.parseInt(arguments[0]);
    Path directory = Path.of(arguments[1]).toAbsolutePath();
    Files.createDirectories(directory);
    System.out.println("cassandra-trial: starting " + count + " nodes; this takes up to a minute");
    List<CassandraNode> nodes =
        start(
            count,
            directory,
            Path.of(arguments[2]).toAbsolutePath(),
            Integer.parseInt(arguments[3]));
    List<String> points = nodes.stream().map(node -> node.host() + ":" + arguments[3]).toList();
    System.out.println("cassandra-trial: ready; data and logs are in " + directory);
    for (CassandraNode node : nodes) {
      System.out.println("  " + node.host() + "  process " + node.pid());
    }
    System.out.println("  ./mayfly serve --cassandra " + String.join(",", points));
    System.out.println("Ctrl-C stops the nodes.");
    for (CassandraNode node : nodes) {
      node.process.waitFor();
    }
  }

  /** Returns the home of a JDK 17; empty if none is installed. */
  public static Optional<Path> jdk() {
    List<Path> homes = new ArrayList<>();
    Optional.ofNullable(System.getenv("JAVA17_HOME")).map(Path::of).ifPresent(homes::add);
    Path installed = Path.of("/usr/lib/jvm");
    if (Files.isDirectory(installed)) {
      try (Stream<Path> all = Files.list(installed)) {
        homes.addAll(all.sorted().toList());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return homes.stream().filter(CassandraNode::isJava17).findFirst();
  }

  private static boolean isJava17(Path home) {
    Path release = home.resolve("release");
    try {
      return Files.isExecutable(home.resolve("bin/java"))
          && Files.isRegularFile(release)
          && Files.readString(release).contains("JAVA_VERSION=\"17.");
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Starts the nodes of a cluster, on 127.0.0.1 and the addresses after it, and waits until they
   * accept clients.
   *
   * @param libraries a directory with the jars of Cassandra
   */
  public static List<CassandraNode> start(int count, Path directory, Path libraries, int port)
      throws IOException {
    List<CassandraNode> nodes = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        nodes.add(start(i, count, directory.resolve("node" + (i + 1)), libraries, port));
      }
      for (CassandraNode node : nodes) {
        node.awaitReady();
      }
      return nodes;
    } catch (IOException | RuntimeException | Error failure) {
      nodes.forEach(CassandraNode::close);
      throw failure;
    }
  }

  private static CassandraNode start(int index, int count, Path home, Path libraries, int port)
      throws IOException {
    String host = "127.0.0." + (index + 1);
    Files.createDirectories(home);
    Files.writeString(home.resolve("cassandra.yaml"), yaml(index, count, home, host, port));
    Files.writeString(home.resolve("logback.xml"), logback(home));
    List<String> command = new ArrayList<>();
    command.add(jdk().orElseThrow().resolve("bin/java").toString());
    command.addAll(
        List.of(
            "-Xms448M",
            "-Xmx448M",
            "-XX:MaxDirectMemorySize=256M",
            "-XX:+UseSerialGC",
            "-Djdk.attach.allowAttachSelf=true",
            "-Dio.netty.tryReflectionSetAccessible=true",
            "-Dcassandra.config=" + home.resolve("cassandra.yaml").toUri(),
            "-Dcassandra.storagedir=" + home,
            "-Dcassandra.logdir=" + home,
            "-Dcassandra.ring_delay_ms=2000",
            "-Dcassandra.skip_wait_for_gossip_to_settle=0",
            "-Dcassandra.superuser_setup_delay_ms=0",
            "-Dcassandra-foreground=yes",
            "-Dlogback.configurationFile=" + home.resolve("logback.xml")));
    for (String exported :
        List.of(
            "java.base/jdk.internal.misc",
            "java.base/java.lang.ref",
            "java.management.rmi/com.sun.jmx.remote.internal.rmi",
            "java.rmi/sun.rmi.registry",
            "java.rmi/sun.rmi.server",
            "java.sql/java.sql",
            "jdk.unsupported/sun.misc",
            "jdk.attach/sun.tools.attach")) {
      command.add("--add-exports=" + exported + "=ALL-UNNAMED");
    }
    for (String opened :
        List.of(
            "java.base/java.lang.module",
            "java.base/jdk.internal.loader",
            "java.base/jdk.internal.ref",
            "java.base/jdk.internal.reflect",
            "java.base/jdk.internal.math",
            "java.base/jdk.internal.module",
            "java.base/jdk.internal.util.jar",
            "java.base/sun.nio.ch",
            "java.base/java.io",
            "java.base/java.nio",
            "java.base/java.lang",
            "java.base/java.lang.reflect",
            "java.base/java.util",
            "java.base/java.util.concurrent",
            "java.base/java.util.concurrent.atomic",
            "jdk.management/com.sun.management.internal")) {
      command.add("--add-opens=" + opened + "=ALL-UNNAMED");
    }
    command.addAll(
        List.of("-cp", libraries + "/*", "org.apache.cassandra.service.CassandraDaemon"));
    Process process =
        new ProcessBuilder(command)
            .directory(home.toFile())
            .redirectErrorStream(true)
            .redirectOutput(home.resolve("out.txt").toFile())
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    return new CassandraNode(process, home, host);
  }

  private static String yaml(int index, int count, Path home, String host, int port) {
    StringBuilder seeds = new StringBuilder();
    for (int i = 1; i <= count; i++) {
      seeds.append(i == 1 ? "" : ",").append("127.0.0.").append(i).append(":").append(port + 1);
    }
    return """
        cluster_name: 'mayfly trial'
        num_tokens: 1
        initial_token: %d
        auto_bootstrap: false
        partitioner: org.apache.cassandra.dht.Murmur3Partitioner
        endpoint_snitch: SimpleSnitch
        seed_provider:
          - class_name: org.apache.cassandra.locator.SimpleSeedProvider
            parameters:
              - seeds: "%s"
        listen_address: %s
        rpc_address: %s
        native_transport_port: %d
        storage_port: %d
        authenticator: AllowAllAuthenticator
        authorizer: AllowAllAuthorizer
        data_file_directories: ['%s/data']
        commitlog_directory: '%s/commitlog'
        hints_directory: '%s/hints'
        saved_caches_directory: '%s/caches'
        cdc_raw_directory: '%s/cdc'
        commitlog_sync: periodic
        commitlog_sync_period: 10000ms
        memtable_allocation_type: heap_buffers
        disk_failure_policy: die
        paxos_variant: v2
        storage_compatibility_mode: NONE
        read_request_timeout: 10000ms
        range_request_timeout: 10000ms
        write_request_timeout: 10000ms
        cas_contention_timeout: 10000ms
        truncate_request_timeout: 60000ms
        request_timeout: 10000ms
        """
        .formatted(TOKENS[index], seeds, host, host, port, port + 1, home, home, home, home, home);
  }

  private static String logback(Path home) {
    return String.format(
        Locale.ROOT,
        """
        <configuration>
          <appender name="FILE" class="ch.qos.logback.core.FileAppender">
            <file>%s/system.log</file>
            <encoder><pattern>%%d %%-5level [%%thread] %%msg%%n%%ex</pattern></encoder>
          </appender>
          <root level="INFO"><appender-ref ref="FILE"/></root>
        </configuration>
        """,
        home);
  }

  private void awaitReady() throws IOException {
    Path log = directory.resolve("system.log");
    for (int i = 0; i < START_POLLS && process.isAlive(); i++) {
      if (Files.exists(log)
          && Files.readString(log, StandardCharsets.UTF_8)
              .contains("Starting listening for CQL clients")) {
        return;
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    throw new IOException(
        "Cassandra did not start: " + Files.readString(directory.resolve("out.txt")));
  }

  public String host() {
    return host;
  }

  public long pid() {
    return process.pid();
  }

  /** Kills the node. */
  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
