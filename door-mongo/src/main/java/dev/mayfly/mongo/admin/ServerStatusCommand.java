package dev.mayfly.mongo.admin;

import dev.mayfly.engine.SweepStats;
import dev.mayfly.engine.Usage;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.command.RunningOperation;
import dev.mayfly.mongo.cursor.Cursors;
import dev.mayfly.mongo.topology.Topology;
import dev.mayfly.mql.expression.Truthiness;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** {@code serverStatus}: counters and gauges for monitoring tools. */
public final class ServerStatusCommand implements Command {
  private static final long MEBIBYTE = 1 << 20;

  private final Host host;
  private final Topology topology;
  private final Clients clients;
  private final Totals totals;
  private final Supplier<List<EngineStatus>> engines;
  private final LongSupplier ticker;
  private final long startedNanos;

  /**
   * @param engines returns the engines of the server
   */
  public ServerStatusCommand(
      Host host,
      Topology topology,
      Monitoring server,
      Supplier<List<EngineStatus>> engines,
      LongSupplier ticker) {
    this.host = host;
    this.topology = topology;
    this.clients = server.clients();
    this.totals = server.totals();
    this.engines = engines;
    this.ticker = ticker;
    this.startedNanos = ticker.getAsLong();
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    long upNanos = ticker.getAsLong() - startedNanos;
    reply
        .put("host", host.hostname())
        .put("version", BuildInfoCommand.VERSION)
        .put("process", topology.isSharded() ? "mongos" : "mongod")
        .put("pid", host.pid())
        .put("uptime", (double) TimeUnit.NANOSECONDS.toSeconds(upNanos))
        .put("uptimeMillis", TimeUnit.NANOSECONDS.toMillis(upNanos))
        .put("uptimeEstimate", TimeUnit.NANOSECONDS.toSeconds(upNanos))
        .put("localTime", Value.date(request.now()));
    section("asserts", this::asserts, request, reply);
    section("batchedDeletes", this::batchedDeletes, request, reply);
    section("connections", this::connections, request, reply);
    section("globalLock", to -> globalLock(upNanos, to), request, reply);
    section("indexStats", to -> IndexCensus.write(census(), request.now(), to), request, reply);
    section("mem", ServerStatusCommand::memory, request, reply);
    section("network", totals::writeNetwork, request, reply);
    section("opLatencies", totals::writeLatency, request, reply);
    section("opcounters", totals::writeCounters, request, reply);
    section("repl", to -> replication(request, to), request, reply);
    section("storageEngine", this::storage, request, reply);
    section("metrics", this::metrics, request, reply);
    section("mayfly", this::mayfly, request, reply);
  }

  private List<IndexCensus> census() {
    return engines.get().stream().map(EngineStatus::indexes).toList();
  }

  /** Writes a section unless the request excludes it with a false value. */
  private static void section(
      String name, Consumer<DocumentWriter> section, Request request, DocumentWriter reply) {
    Value requested = request.field(name);
    if (requested.isMissing() || Truthiness.truthy(requested)) {
      section.accept(reply);
    }
  }

  /** Only user assertions, that is failed commands, are counted. */
  private void asserts(DocumentWriter reply) {
    reply
        .startDocument("asserts")
        .put("regular", 0)
        .put("warning", 0)
        .put("msg", 0)
        .put("user", (int) totals.failures())
        .put("rollovers", 0)
        .end();
  }

  /** Active clients. The only lock for which clients queue is that of {@code fsync}. */
  private void globalLock(long upNanos, DocumentWriter reply) {
    List<Request> running =
        clients.all().stream()
            .flatMap(client -> client.running().stream())
            .map(RunningOperation::request)
            .toList();
    int readers = (int) running.stream().filter(one -> Kind.of(one).reads()).count();
    int writers = (int) running.stream().filter(one -> Kind.of(one).writes()).count();
    int queued = EngineStatus.locked(engines.get()) ? writers : 0;
    reply.startDocument("globalLock").put("totalTime", TimeUnit.NANOSECONDS.toMicros(upNanos));
    writeClients("currentQueue", queued, 0, queued, reply);
    writeClients("activeClients", running.size() - queued, readers, writers - queued, reply);
    reply.end();
  }

  private static void writeClients(
      String name, int total, int readers, int writers, DocumentWriter reply) {
    reply
        .startDocument(name)
        .put("total", total)
        .put("readers", readers)
        .put("writers", writers)
        .end();
  }

  private void connections(DocumentWriter reply) {
    int active =
        (int) clients.all().stream().filter(client -> client.running().isPresent()).count();
    reply
        .startDocument("connections")
        .put("current", clients.current())
        .put("available", clients.available())
        .put("totalCreated", clients.accepted())
        .put("rejected", clients.rejected())
        .put("active", active)
        .end();
  }

  private static void memory(DocumentWriter reply) {
    ProcessMemory memory = ProcessMemory.now();
    reply
        .startDocument("mem")
        .put("bits", 64)
        .put("resident", (int) (memory.resident() / MEBIBYTE))
        .put("virtual", (int) (memory.virtual() / MEBIBYTE))
        .put("supported", true)
        .end();
  }

  private void replication(Request request, DocumentWriter reply) {
    if (topology.isSharded()) {
      return;
    }
    String me = topology.host(request.client());
    reply
        .startDocument("repl")
        .put("setName", topology.setName())
        .put("setVersion", 1)
        .put("isWritablePrimary", true)
        .put("secondary", false)
        .put("primary", me)
        .put("me", me)
        .end();
  }

  private void storage(DocumentWriter reply) {
    reply
        .startDocument("storageEngine")
        .put("name", "mayfly")
        .put("supportsCommittedReads", true)
        .put("supportsSnapshotReadConcern", true)
        .put("readOnly", false)
        .put("persistent", !host.dataPath().isEmpty())
        .end();
  }

  /**
   * A batch is a slice of the sweep. Nothing else deletes in batches, and no document is fetched
   * again.
   */
  private void batchedDeletes(DocumentWriter reply) {
    SweepStats sweep = EngineStatus.sweeps(engines.get());
    reply
        .startDocument("batchedDeletes")
        .put("batches", sweep.batches())
        .put("docs", sweep.documents())
        .put("stagedSizeBytes", sweep.bytes())
        .put("timeInBatchMillis", TimeUnit.NANOSECONDS.toMillis(sweep.sweepNanos()))
        .put("refetchesDueToYield", 0L)
        .end();
  }

  private void metrics(DocumentWriter reply) {
    reply.startDocument("metrics").startDocument("commands").put("failed", totals.failures()).end();
    List<EngineStatus> all = engines.get();
    Cursors.writeCounts(all.stream().map(EngineStatus::cursors).toList(), reply);
    SweepStats sweep = EngineStatus.sweeps(all);
    reply
        .startDocument("ttl")
        .put("collSubpassesIncreasedPriority", 0L)
        .put("deletedDocuments", sweep.documents())
        .put("passes", EngineStatus.passes(all))
        .put("subPasses", sweep.passes())
        .end()
        .end();
  }

  /** Figures of the sweep that MongoDB does not have. */
  private void mayfly(DocumentWriter reply) {
    List<EngineStatus> all = engines.get();
    SweepStats sweep = EngineStatus.sweeps(all);
    Usage backlog = EngineStatus.backlog(all);
    reply
        .startDocument("mayfly")
        .put("version", host.version())
        .startDocument("ttl")
        .put("enabled", EngineStatus.ttlEnabled(all))
        .put("lagMillis", sweep.lagMillis())
        .put("backlogDocuments", backlog.documents())
        .put("backlogBytes", backlog.bytes())
        .put("sweptDocuments", sweep.documents())
        .put("sweptBytes", sweep.bytes())
        .put("sweepMicros", TimeUnit.NANOSECONDS.toMicros(sweep.sweepNanos()))
        .put("nextDue", nextDue(sweep))
        .end()
        .end();
  }

  private static Value nextDue(SweepStats sweep) {
    boolean never = sweep.nextDue() == Long.MAX_VALUE;
    return never ? Value.NULL : Value.date(sweep.nextDue());
  }
}
