package dev.mayfly.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Benchmark of the MongoDB door with the official driver, on RocksDB. Compares it with the
 * in-memory mongo-java-server, with a server that does nothing and, if it is installed, with
 * PostgreSQL, in alternating rounds. With {@code build=FILE} it compares this build with another
 * one instead, given by its {@code mayfly.jar}.
 *
 * <p>Arguments: {@code rounds=N} measured (default 3), {@code seconds=N} per round (default 2),
 * {@code warm=N} seconds of warm-up per operation (default 5), {@code documents=N} to read from
 * (default 100,000), {@code threads=N} for this number of clients instead of 1, 8 and 32; {@code
 * only} with names of operations; {@code without} with names of servers.
 */
final class MongoBench implements AutoCloseable {
  private static final List<Integer> CLIENTS = List.of(1, 8, 32);
  private static final int WARMING_CLIENTS = 8;

  private final List<String> names = new ArrayList<>();
  private final List<DoorServer> servers = new ArrayList<>();
  private final Arguments arguments;
  private final DoorOrders orders;
  private final int rounds;
  private final double seconds;

  private MongoBench(Arguments arguments) {
    this.arguments = arguments;
    this.orders = new DoorOrders((int) arguments.number("documents", 100_000));
    this.rounds = (int) arguments.number("rounds", 3);
    this.seconds = arguments.number("seconds", 2);
  }

  static void run(Arguments arguments) throws Exception {
    try (MongoBench bench = new MongoBench(arguments)) {
      bench.start();
      bench.warmUp();
      bench.table();
    }
  }

  private void start() throws Exception {
    add("mayfly", new MongoServer(ServerProcess.mayfly(), MongoServer.Ability.ALL, orders));
    Optional<String> build = arguments.text("build");
    if (build.isPresent()) {
      ServerProcess process = ServerProcess.build(build.get());
      add("build", new MongoServer(process, MongoServer.Ability.ALL, orders));
      return;
    }
    if (wanted("memory")) {
      ServerProcess process = ServerProcess.of(MemoryServer.class);
      add("memory", new MongoServer(process, MongoServer.Ability.IN_MEMORY, orders));
    }
    if (wanted("echo")) {
      ServerProcess process = ServerProcess.of(EchoServer.class);
      add("echo", new MongoServer(process, MongoServer.Ability.ECHO, orders));
    }
    if (wanted("postgres")) {
      addPostgres();
    }
  }

  private boolean wanted(String server) {
    return !arguments.has("without") || !arguments.has(server);
  }

  private void addPostgres() throws Exception {
    Optional<PostgresProcess> process = PostgresProcess.start();
    if (process.isPresent()) {
      add("postgres", new PostgresServer(process.get(), orders));
    } else {
      System.err.println("no PostgreSQL in /usr/lib/postgresql: without postgres");
    }
  }

  private void add(String name, DoorServer server) throws Exception {
    names.add(name);
    servers.add(server);
    server.load();
  }

  private void table() throws Exception {
    Contest contest = new Contest(names, rounds);
    contest.head("1 KB");
    long single = arguments.number("threads", 0);
    for (DoorOperation operation : operations()) {
      for (int clients : single == 0 ? CLIENTS : List.of((int) single)) {
        contest.line(
            operation.label(),
            clients,
            server -> round(operation, clients, seconds, servers.get(server)));
      }
    }
  }

  private List<DoorOperation> operations() {
    return Stream.of(DoorOperation.values())
        .filter(operation -> !arguments.has("only") || arguments.has(operation.label()))
        .toList();
  }

  /** Warms up the JIT compilers of all processes. */
  private void warmUp() throws Exception {
    double warming = arguments.number("warm", 5);
    for (DoorOperation operation : operations()) {
      for (DoorServer server : servers) {
        round(operation, WARMING_CLIENTS, warming, server);
      }
    }
  }

  private static Contest.Round round(
      DoorOperation operation, int clients, double length, DoorServer server) throws Exception {
    Optional<Load.Work> work = server.work(operation);
    if (work.isEmpty()) {
      return Contest.Round.NONE;
    }
    Duration before = server.processorTime();
    double allocated = server.allocatedBytes();
    Load.Done done = Load.seconds(clients, length, work.get());
    Duration used = server.processorTime().minus(before);
    allocated = server.allocatedBytes() - allocated;
    if (operation.inserts()) {
      server.dropInserted();
    }
    return new Contest.Round(
        done.perSecond(),
        used.toNanos() / 1000.0 / done.operations(),
        allocated / done.operations());
  }

  @Override
  public void close() throws IOException {
    for (DoorServer server : servers) {
      server.close();
    }
  }
}
