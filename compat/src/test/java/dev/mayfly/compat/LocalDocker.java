package dev.mayfly.compat;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * The part of Docker's HTTP API that Testcontainers uses, with local processes in place of
 * containers: the entry point of the image is a program, and each exposed port is a free port of
 * this machine, or the one that the client has chosen. Programs that run "in the container" find
 * their programs in one directory; files that are copied into it are ignored.
 */
final class LocalDocker implements AutoCloseable {
  private static final int STDOUT = 1;
  private static final int HEADER = 8;
  private static final int COSMOS_PORT = 8081;
  private static final String SHELL_CHECK = "CMD-SHELL";

  private final Path entryPoint;
  private final Map<String, String> environment;
  private final Map<Integer, String> portVariables;
  private final HttpServer server;
  private final Map<String, Container> containers = new ConcurrentHashMap<>();
  private final Map<String, Execution> executions = new ConcurrentHashMap<>();
  private final AtomicInteger ids = new AtomicInteger();

  /** A container: what it shall run, its ports, and its process once it is started. */
  private static final class Container {
    final List<String> command;
    final List<String> variables;
    final Map<Integer, Integer> ports = new LinkedHashMap<>();
    final StringBuilder log = new StringBuilder();
    final List<String> healthCheck;
    volatile @Nullable Process process;
    volatile boolean healthy;

    Process running() {
      return Objects.requireNonNull(process);
    }

    Container(List<String> command, List<String> variables, List<String> healthCheck) {
      this.command = command;
      this.variables = variables;
      this.healthCheck = healthCheck;
    }
  }

  /** A program that is run beside the server. */
  private static final class Execution {
    final Container container;
    final List<String> command;
    volatile int exit;

    Execution(Container container, List<String> command) {
      this.container = container;
      this.command = command;
    }
  }

  /**
   * Opens the API on a free port.
   *
   * @param entryPoint program that is the entry point of every image
   * @param environment variables of all programs
   * @param portVariables variable by port of the container: gets the port of this machine
   */
  LocalDocker(Path entryPoint, Map<String, String> environment, Map<Integer, String> portVariables)
      throws IOException {
    this.entryPoint = entryPoint;
    this.environment = environment;
    this.portVariables = portVariables;
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::handle);
    server.start();
  }

  /** The value of {@code DOCKER_HOST}. */
  String host() {
    return "tcp://127.0.0.1:" + server.getAddress().getPort();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath().replaceFirst("^/v1\\.\\d+", "");
      String[] parts = path.substring(1).split("/");
      switch (parts[0]) {
        case "_ping" -> reply(exchange, 200, "OK");
        case "version" -> reply(exchange, 200, "{\"ApiVersion\": \"1.44\", \"Version\": \"25.0\"}");
        case "info" ->
            reply(
                exchange,
                200,
                "{\"ServerVersion\": \"25.0\", \"OperatingSystem\": \"local\","
                    + " \"OSType\": \"linux\", \"MemTotal\": 8000000000}");
        case "images" ->
            reply(
                exchange,
                200,
                path.endsWith("/json") && parts.length > 2
                    ? "{\"Id\": \"local\", \"Created\": \"2026-01-01T00:00:00Z\"}"
                    : "[]");
        case "containers" -> containers(exchange, parts);
        case "exec" -> executions(exchange, parts);
        case "networks", "volumes" -> reply(exchange, 200, "{}");
        default -> reply(exchange, 404, "{\"message\": \"unknown path " + path + "\"}");
      }
    }
  }

  private void containers(HttpExchange exchange, String[] parts) throws IOException {
    if (parts[1].equals("json")) {
      reply(exchange, 200, "[]");
      return;
    }
    if (parts[1].equals("prune")) {
      reply(exchange, 200, "{}");
      return;
    }
    if (parts[1].equals("create")) {
      String id = "container" + ids.incrementAndGet();
      containers.put(id, created(body(exchange)));
      reply(exchange, 201, "{\"Id\": \"" + id + "\", \"Warnings\": []}");
      return;
    }
    Container container = Objects.requireNonNull(containers.get(parts[1]));
    String action = exchange.getRequestMethod() + (parts.length > 2 ? " " + parts[2] : "");
    switch (action) {
      case "POST start" -> {
        start(container);
        reply(exchange, 204, "");
      }
      case "GET json" -> reply(exchange, 200, describe(parts[1], container).toJson());
      case "GET logs" -> follow(exchange, container);
      case "POST exec" -> {
        String id = "exec" + ids.incrementAndGet();
        List<String> command = strings(body(exchange), "Cmd");
        executions.put(id, new Execution(container, outside(command, container)));
        reply(exchange, 201, "{\"Id\": \"" + id + "\"}");
      }
      case "PUT archive" -> {
        exchange.getRequestBody().readAllBytes();
        reply(exchange, 200, "");
      }
      case "POST kill", "POST stop", "DELETE" -> {
        stop(container);
        reply(exchange, 204, "");
      }
      default -> reply(exchange, 404, "{\"message\": \"unknown action " + action + "\"}");
    }
  }

  /**
   * Replaces ports of the container in a command: some search for them in the list of the system.
   */
  private static List<String> outside(List<String> command, Container container) {
    List<String> replaced = command;
    for (Map.Entry<Integer, Integer> port : container.ports.entrySet()) {
      replaced =
          replaced.stream()
              .map(
                  text ->
                      text.replace(port.getKey().toString(), port.getValue().toString())
                          .replace(hex(port.getKey()), hex(port.getValue())))
              .toList();
    }
    return replaced;
  }

  private static String hex(int port) {
    return ":" + HexFormat.of().toHexDigits((short) port);
  }

  private static BsonDocument body(HttpExchange exchange) throws IOException {
    return BsonDocument.parse(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
  }

  /** A part of a request; empty if it is missing or null. */
  private static BsonDocument part(BsonDocument body, String name) {
    return body.get(name) instanceof BsonDocument part ? part : new BsonDocument();
  }

  private static List<String> strings(BsonDocument body, String name) {
    List<String> texts = new ArrayList<>();
    if (body.get(name) instanceof BsonArray values) {
      values.forEach(value -> texts.add(((BsonString) value).getValue()));
    }
    return texts;
  }

  private static Container created(BsonDocument body) throws IOException {
    Container container =
        new Container(
            strings(body, "Cmd"), strings(body, "Env"), strings(part(body, "Healthcheck"), "Test"));
    BsonDocument chosen = part(part(body, "HostConfig"), "PortBindings");
    for (String port : part(body, "ExposedPorts").keySet()) {
      container.ports.put(
          Integer.valueOf(port.substring(0, port.indexOf('/'))),
          chosen.get(port) instanceof BsonArray bindings ? hostPort(bindings) : freePort());
    }
    return container;
  }

  /** The port of this machine that the client has chosen, or a free one. */
  private static int hostPort(BsonArray bindings) throws IOException {
    String port =
        bindings.getFirst().asDocument().get("HostPort") instanceof BsonString text
            ? text.getValue()
            : "";
    return port.isEmpty() || port.equals("0") ? freePort() : Integer.parseInt(port);
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      return free.getLocalPort();
    }
  }

  private void start(Container container) throws IOException {
    List<String> command = new ArrayList<>(List.of(entryPoint.toAbsolutePath().toString()));
    command.addAll(container.command);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    prepare(builder, container);
    container.process = builder.start();
    Runtime.getRuntime()
        .addShutdownHook(Thread.ofPlatform().unstarted(container.running()::destroyForcibly));
    Thread.ofVirtual().start(() -> collect(container));
    if (!container.healthCheck.isEmpty()) {
      Thread.ofVirtual().start(() -> checkHealth(container));
    }
  }

  /** Runs the health check of a container until it succeeds, as Docker does at intervals. */
  private void checkHealth(Container container) {
    List<String> check = outside(container.healthCheck, container);
    if (!check.getFirst().equals(SHELL_CHECK)) {
      throw new IllegalArgumentException("unknown health check " + check);
    }
    try {
      while (!container.healthy && container.running().isAlive()) {
        ProcessBuilder builder =
            new ProcessBuilder("/bin/sh", "-c", check.getLast()).redirectErrorStream(true);
        prepare(builder, container);
        Process process = builder.start();
        process.getInputStream().readAllBytes();
        container.healthy = process.waitFor() == 0;
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void prepare(ProcessBuilder builder, Container container) {
    builder.environment().putAll(environment);
    for (String variable : container.variables) {
      int equals = variable.indexOf('=');
      builder.environment().put(variable.substring(0, equals), variable.substring(equals + 1));
    }
    // a client that names a port by itself, as the entry point allows, exposes another one
    boolean named = container.variables.stream().anyMatch(each -> each.startsWith("PORT="));
    portVariables.forEach(
        (inside, variable) -> {
          if (container.ports.containsKey(inside) || !named || inside != COSMOS_PORT) {
            builder
                .environment()
                .put(variable, String.valueOf(container.ports.getOrDefault(inside, 0)));
          }
        });
  }

  private static void collect(Container container) {
    try (InputStream output = container.running().getInputStream()) {
      byte[] buffer = new byte[4096];
      for (int read = output.read(buffer); read >= 0; read = output.read(buffer)) {
        synchronized (container.log) {
          container.log.append(new String(buffer, 0, read, UTF_8));
          container.log.notifyAll();
        }
      }
    } catch (IOException ended) {
      // the process was stopped
    }
  }

  /** Sends the log and, if the client follows it, what is added until the process ends. */
  private static void follow(HttpExchange exchange, Container container) throws IOException {
    exchange.getResponseHeaders().add("content-type", "application/vnd.docker.multiplexed-stream");
    exchange.sendResponseHeaders(200, 0);
    boolean follows = String.valueOf(exchange.getRequestURI().getQuery()).contains("follow=true");
    int sent = 0;
    OutputStream out = exchange.getResponseBody();
    while (true) {
      String text;
      synchronized (container.log) {
        try {
          while (follows && container.log.length() == sent && container.running().isAlive()) {
            container.log.wait(100);
          }
        } catch (InterruptedException stopped) {
          Thread.currentThread().interrupt();
          return;
        }
        text = container.log.substring(sent);
        sent = container.log.length();
      }
      if (text.isEmpty()) {
        return;
      }
      frame(out, text.getBytes(UTF_8));
    }
  }

  private static void frame(OutputStream out, byte[] bytes) throws IOException {
    out.write(ByteBuffer.allocate(HEADER).put((byte) STDOUT).putInt(4, bytes.length).array());
    out.write(bytes);
    out.flush();
  }

  private void executions(HttpExchange exchange, String[] parts) throws IOException {
    Execution execution = Objects.requireNonNull(executions.get(parts[1]));
    if (parts[2].equals("json")) {
      reply(exchange, 200, "{\"Running\": false, \"ExitCode\": " + execution.exit + "}");
      return;
    }
    exchange.getRequestBody().readAllBytes();
    ProcessBuilder builder = new ProcessBuilder(execution.command).redirectErrorStream(true);
    prepare(builder, execution.container);
    Process process = builder.start();
    byte[] output = process.getInputStream().readAllBytes();
    try {
      execution.exit = process.waitFor();
    } catch (InterruptedException stopped) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    exchange.getResponseHeaders().add("content-type", "application/vnd.docker.multiplexed-stream");
    exchange.sendResponseHeaders(200, 0);
    frame(exchange.getResponseBody(), output);
  }

  private static Document describe(String id, Container container) {
    Process process = container.process;
    boolean running = process != null && process.isAlive();
    Document ports = new Document();
    container.ports.forEach(
        (inside, outside) ->
            ports.append(
                inside + "/tcp",
                List.of(
                    new Document("HostIp", "0.0.0.0")
                        .append("HostPort", String.valueOf(outside)))));
    return new Document("Id", id)
        .append("Name", "/" + id)
        .append("Created", "2026-01-01T00:00:00Z")
        .append("Config", new Document("Env", container.variables).append("Image", "mayfly"))
        .append(
            "State",
            new Document("Running", running)
                .append("Status", running ? "running" : "exited")
                .append("ExitCode", running ? 0 : 1)
                .append(
                    "Health", new Document("Status", container.healthy ? "healthy" : "starting"))
                .append("StartedAt", "2026-01-01T00:00:00Z")
                .append("FinishedAt", "0001-01-01T00:00:00Z"))
        .append("NetworkSettings", new Document("Ports", ports).append("Networks", new Document()));
  }

  private static void stop(Container container) {
    Process process = container.process;
    if (process == null) {
      return;
    }
    process.destroy();
    try {
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException stopped) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private static void reply(HttpExchange exchange, int status, String text) throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    exchange.getResponseHeaders().add("content-type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    if (bytes.length > 0) {
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    containers.values().forEach(LocalDocker::stop);
    server.stop(0);
  }
}
