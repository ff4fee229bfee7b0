package dev.mayfly.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Benchmark of the Cosmos door over plain HTTP, on RocksDB. Compares it with an idle HTTP server
 * and, if Node is installed, with the npm package {@code @vercel/cosmosdb-server}, in alternating
 * rounds. With {@code build=FILE} it compares this build with another one instead of the package,
 * given by its {@code mayfly.jar}; with {@code synced}, with this build whose writes wait for the
 * disk.
 *
 * <p>Arguments: {@code rounds=N}, {@code seconds=N}, {@code warm=N}, {@code items=N} (default
 * 10,000), {@code threads=N} for this number of connections instead of 1, 8 and 32; {@code only}
 * with names of operations; {@code nonpm} to omit the npm package.
 */
final class CosmosBench implements AutoCloseable {
  private static final List<Integer> CLIENTS = List.of(1, 8, 32);
  private static final int WARMING_CLIENTS = 8;
  private static final int PARTITIONS = 100;
  private static final String ITEMS = "dbs/bench/colls/items";
  private static final int MAYFLY = 0;
  private static final int IDLE = 1;
  private static final int OK = 200;
  private static final int CREATED = 201;

  /**
   * Measured operations, in this order. Creates come last, because a faster server then has more
   * items. The idle server sends the same reply to every request.
   */
  private enum Operation {
    READ("read", true),
    PARTITION("by key", false),
    ORDERED("order by", false),
    CREATE("create", true);

    private final String label;
    private final boolean idle;

    Operation(String label, boolean idle) {
      this.label = label;
      this.idle = idle;
    }
  }

  /** A connection and its signer. */
  private record Client(HttpClientThread http, Signer signer) {
    static Client of(URI server) {
      try {
        return new Client(new HttpClientThread(server), new Signer());
      } catch (IOException unreachable) {
        throw new UncheckedIOException(unreachable);
      }
    }

    void send(int expected, byte[] request) throws IOException {
      int status = http.send(request);
      if (status != expected) {
        throw new IllegalStateException(status + ": " + http.body());
      }
    }
  }

  private final List<ServerProcess> servers = new ArrayList<>();
  private final List<String> names = new ArrayList<>(List.of("mayfly", "idle"));
  private final int items;
  private final int rounds;
  private final double seconds;
  private final AtomicLong created = new AtomicLong();

  private CosmosBench(Arguments arguments) {
    this.items = (int) arguments.number("items", 10_000);
    this.rounds = (int) arguments.number("rounds", 3);
    this.seconds = arguments.number("seconds", 2);
  }

  static void run(Arguments arguments) throws Exception {
    try (CosmosBench bench = new CosmosBench(arguments)) {
      bench.start(arguments);
      bench.table(arguments);
    }
  }

  private void start(Arguments arguments) throws Exception {
    servers.add(ServerProcess.cosmos());
    servers.add(ServerProcess.idleHttp());
    Optional<String> build = arguments.text("build");
    if (build.isPresent()) {
      servers.add(ServerProcess.cosmos(build.get()));
      names.add("build");
    } else if (arguments.has("synced")) {
      servers.add(ServerProcess.syncedCosmos());
      names.add("synced");
    } else if (!arguments.has("nonpm")) {
      addNpm();
    }
    for (int server = 0; server < servers.size(); server++) {
      if (server != IDLE) {
        load(servers.get(server).address());
      }
    }
  }

  private void addNpm() throws Exception {
    ServerProcess.npm(
            "@vercel/cosmosdb-server@1.0.1", "cosmosdb-server", "--no-ssl", "--host", "127.0.0.1")
        .ifPresent(
            vercel -> {
              servers.add(vercel);
              names.add("vercel");
            });
  }

  private void load(URI server) throws Exception {
    Client client = Client.of(server);
    try (HttpClientThread _ = client.http()) {
      client.send(CREATED, post(client.signer(), "dbs", "", "dbs", "{\"id\":\"bench\"}", ""));
      String container =
          "{\"id\":\"items\",\"partitionKey\":"
              + "{\"paths\":[\"/key\"],\"kind\":\"Hash\",\"version\":2}}";
      client.send(
          CREATED, post(client.signer(), "dbs/bench/colls", "dbs/bench", "colls", container, ""));
      for (int i = 0; i < items; i++) {
        client.send(CREATED, create(client.signer(), "i" + i, i));
      }
    }
  }

  private void table(Arguments arguments) throws Exception {
    List<Operation> expected =
        Stream.of(Operation.values())
            .filter(one -> !arguments.has("only") || arguments.has(one.label))
            .toList();
    double warming = arguments.number("warm", 5);
    Contest contest = new Contest(names, rounds);
    contest.head("1 KB items");
    long single = arguments.number("threads", 0);
    for (Operation operation : expected) {
      for (int server = 0; server < servers.size(); server++) {
        round(operation, WARMING_CLIENTS, warming, server);
      }
      for (int clients : single == 0 ? CLIENTS : List.of((int) single)) {
        contest.line(
            operation.label, clients, server -> round(operation, clients, seconds, server));
      }
    }
  }

  private Contest.Round round(Operation operation, int clients, double length, int server)
      throws Exception {
    ServerProcess process = servers.get(server);
    if (server == IDLE && !operation.idle) {
      return Contest.Round.NONE;
    }
    int expected = server != IDLE && operation == Operation.CREATE ? CREATED : OK;
    Queue<Client> idle = new ConcurrentLinkedQueue<>();
    for (int i = 0; i < clients; i++) {
      idle.add(Client.of(process.address()));
    }
    double allocated = server == MAYFLY ? process.allocatedBytes() : Double.NaN;
    Duration before = process.processorTime();
    Load.Done done =
        Load.seconds(
            clients,
            length,
            random -> {
              Client client = idle.remove();
              client.send(expected, request(client.signer(), operation, random));
              idle.add(client);
            });
    Duration used = process.processorTime().minus(before);
    for (Client client : idle) {
      client.http().close();
    }
    allocated = server == MAYFLY ? process.allocatedBytes() - allocated : Double.NaN;
    return new Contest.Round(
        done.perSecond(),
        used.toNanos() / 1000.0 / done.operations(),
        allocated / done.operations());
  }

  private byte[] request(Signer signer, Operation operation, Random random) {
    return switch (operation) {
      case READ -> read(signer, random.nextInt(items));
      case CREATE -> create(signer, "c" + created.incrementAndGet(), random.nextInt(items));
      case PARTITION -> byKey(signer, random.nextInt(items));
      case ORDERED ->
          query(
              signer,
              "SELECT TOP 20 * FROM c WHERE c.n >= @n ORDER BY c.n",
              "[{\"name\":\"@n\",\"value\":" + random.nextInt(items) + "}]",
              "x-ms-documentdb-query-enablecrosspartition: true\r\n");
    };
  }

  private static String key(int number) {
    return "k" + number % PARTITIONS;
  }

  private static byte[] byKey(Signer signer, int number) {
    return query(
        signer,
        "SELECT TOP 20 * FROM c WHERE c.key = @k",
        "[{\"name\":\"@k\",\"value\":\"" + key(number) + "\"}]",
        partition(number));
  }

  private static byte[] read(Signer signer, int number) {
    String path = ITEMS + "/docs/i" + number;
    return head(signer, "GET", path, path, "docs", partition(number), 0)
        .getBytes(StandardCharsets.UTF_8);
  }

  private static String partition(int number) {
    return "x-ms-documentdb-partitionkey: [\"" + key(number) + "\"]\r\n";
  }

  private static byte[] create(Signer signer, String id, int number) {
    String body =
        "{\"id\":\""
            + id
            + "\",\"key\":\""
            + key(number)
            + "\",\"n\":"
            + number
            + ",\"note\":\""
            + Workload.note()
            + "\"}";
    return post(signer, ITEMS + "/docs", ITEMS, "docs", body, partition(number));
  }

  private static byte[] query(Signer signer, String sql, String parameters, String scope) {
    String body = "{\"query\":\"" + sql + "\",\"parameters\":" + parameters + "}";
    String marks = "x-ms-documentdb-isquery: true\r\nContent-Type: application/query+json\r\n";
    return post(signer, ITEMS + "/docs", ITEMS, "docs", body, scope + marks);
  }

  private static byte[] post(
      Signer signer, String path, String link, String type, String body, String more) {
    int length = body.getBytes(StandardCharsets.UTF_8).length;
    return (head(signer, "POST", path, link, type, more, length) + body)
        .getBytes(StandardCharsets.UTF_8);
  }

  private static String head(
      Signer signer,
      String method,
      String path,
      String link,
      String type,
      String more,
      int length) {
    return method
        + " /"
        + path
        + " HTTP/1.1\r\nHost: localhost\r\nx-ms-version: 2020-07-15\r\nx-ms-date: "
        + signer.date()
        + "\r\nauthorization: "
        + signer.sign(method, type, link)
        + "\r\n"
        + more
        + (length > 0 ? "Content-Length: " + length + "\r\n" : "")
        + "\r\n";
  }

  @Override
  public void close() throws IOException {
    for (ServerProcess server : servers) {
      server.close();
    }
  }
}
