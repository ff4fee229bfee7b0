package dev.mayfly.mongo.admin;

import dev.mayfly.mongo.command.Client;
import dev.mayfly.mongo.command.Identity;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.command.RunningOperation;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * Running operations: the requests being processed, as {@code currentOp} lists and {@code killOp}
 * stops them. One per server, thread-safe.
 */
public final class Operations {
  private static final int MICROS = 1_000;
  private static final long SECOND = 1_000_000_000;

  /** On several servers the higher ten bits of an id are the slot. */
  private static final int COUNTER_BITS = 21;

  private final Clients clients;
  private final String hostname;
  private final AtomicInteger opids = new AtomicInteger();
  private volatile int first;
  private volatile int mask = Integer.MAX_VALUE;

  public Operations(Clients clients, String hostname) {
    this.clients = clients;
    this.hostname = hostname;
  }

  /** Makes the ids of further operations those of one server of several, by its slot. */
  public void slot(int slot) {
    mask = (1 << COUNTER_BITS) - 1;
    first = slot << COUNTER_BITS;
  }

  /** Returns the slot of the server that runs an operation, if it is one of several. */
  public static int slotOf(int opid) {
    return opid >>> COUNTER_BITS;
  }

  /** Registers a request as running until {@link Client#running} is set to another. */
  public void begin(Request request) {
    int opid = first | (opids.incrementAndGet() & mask);
    request.client().running(new RunningOperation(opid, request));
  }

  /** Stops the operation with this id, if it is running, at its next interrupt check. */
  void kill(int opid) {
    for (Client client : clients.all()) {
      if (client
          .running()
          .filter(runningOperation -> runningOperation.opid() == opid)
          .isPresent()) {
        stop(client, ErrorCode.INTERRUPTED);
      }
    }
  }

  /** Stops the running requests that satisfy a condition. */
  public void stopAll(Predicate<Request> which, ErrorCode reason) {
    for (Client client : clients.all()) {
      if (client
          .running()
          .filter(runningOperation -> which.test(runningOperation.request()))
          .isPresent()) {
        stop(client, reason);
      }
    }
  }

  private static void stop(Client client, ErrorCode reason) {
    client
        .running()
        .ifPresent(runningOperation -> runningOperation.request().operation().stop(reason));
  }

  /**
   * Returns one document for each operation, and one for the sweep of each engine that lags, as in
   * {@code currentOp} and {@code $currentOp}.
   *
   * @param whose the clients to include
   * @param idle whether idle connections are included
   */
  public List<Document> rows(
      Predicate<Client> whose, boolean idle, List<EngineMonitoring> engines, long now) {
    List<Document> rows = new ArrayList<>();
    for (Client client : clients.all()) {
      if (whose.test(client) && (idle || client.running().isPresent())) {
        rows.add(row(client, now));
      }
    }
    for (EngineMonitoring engine : engines) {
      long lagMillis = engine.ttl().stats().lagMillis();
      if (lagMillis > 0 && engine.ttl().enabled()) {
        rows.add(sweep(lagMillis, now));
      }
    }
    return rows;
  }

  private Document row(Client client, long now) {
    DocumentWriter row =
        Document.writer()
            .put("type", "op")
            .put("host", hostname)
            .put("desc", "conn" + client.connection())
            .put("connectionId", client.connection())
            .put("client", client.remote())
            .put("appName", client.application())
            .put("clientMetadata", client.metadata())
            .put("active", client.running().isPresent())
            .put("currentOpTime", Instant.ofEpochMilli(now).toString());
    client.identity().ifPresent(identity -> user(identity, row));
    client.running().ifPresent(runningOperation -> activity(runningOperation, row));
    return row.build();
  }

  private static void user(Identity identity, DocumentWriter row) {
    row.startArray("effectiveUsers")
        .startDocument()
        .put("user", identity.user())
        .put("db", identity.database())
        .end()
        .end();
  }

  private void activity(RunningOperation runningOperation, DocumentWriter row) {
    Request request = runningOperation.request();
    long nanos = request.operation().runningNanos();
    request.session().ifPresent(lsid -> row.put("lsid", lsid));
    row.put("threaded", true)
        .put("opid", runningOperation.opid())
        .put("secs_running", nanos / SECOND)
        .put("microsecs_running", nanos / MICROS)
        .put("op", Kind.of(request).opName())
        .put("ns", Kind.namespace(request))
        .put("command", Secrets.redacted(request))
        .put("numYields", 0)
        .put("waitingForLock", request.operation().isWaitingForLock());
  }

  /** The row of the sweep, under the name of MongoDB's TTL monitor. */
  private Document sweep(long lagMillis, long now) {
    return Document.writer()
        .put("type", "op")
        .put("host", hostname)
        .put("desc", "TTLMonitor")
        .put("client", "TTLMonitor")
        .put("active", true)
        .put("currentOpTime", Instant.ofEpochMilli(now).toString())
        .put("opid", 0)
        .put("secs_running", lagMillis / 1000)
        .put("op", "remove")
        .put("ns", "")
        .put("command", Document.EMPTY)
        .build();
  }
}
