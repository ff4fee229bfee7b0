package dev.mayfly.mongo.topology;

import dev.mayfly.mongo.auth.Logins;
import dev.mayfly.mongo.command.ClusterTime;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * {@code hello}, and {@code isMaster} as it was called: what a driver must know before all else.
 *
 * <p>A driver that names the topology it knows of is answered when there is another one, or when
 * the time is over for which it wants to wait.
 */
public final class HelloCommand implements Command {
  /** MongoDB 8.0. */
  static final int MAX_WIRE_VERSION = 25;

  private static final int MAX_DOCUMENT_BYTES = 16 << 20;
  private static final int MAX_MESSAGE_BYTES = 48_000_000;
  private static final int MAX_WRITES = 100_000;
  private static final int SESSION_MINUTES = 30;
  private static final int SET_VERSION = 1;
  private static final long TERM = 1;

  /** What a primary of the first term calls its election. */
  private static final Value ELECTION =
      Value.objectId(new byte[] {0x7F, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 1});

  private final LongSupplier clock;
  private final Topology topology;
  private final Logins logins;
  private final List<String> compressors;

  public HelloCommand(
      LongSupplier clock, Topology topology, Logins logins, List<String> compressors) {
    this.clock = clock;
    this.topology = topology;
    this.logins = logins;
    this.compressors = List.copyOf(compressors);
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    introduce(request);
    await(request);
    // after the wait, which can last seconds: not the instant at which the request came
    long now = clock.getAsLong();
    if (request.flag("helloOk", false)) {
      reply.put("helloOk", true);
    }
    reply
        .startDocument("topologyVersion")
        .put("processId", topology.processId())
        .put("counter", topology.version())
        .end();
    member(request, now, reply);
    limits(reply);
    reply
        .put("localTime", Value.date(now))
        .put("logicalSessionTimeoutMinutes", SESSION_MINUTES)
        .put("connectionId", (int) request.client().connection())
        .put("minWireVersion", 0)
        .put("maxWireVersion", MAX_WIRE_VERSION)
        .put("readOnly", false);
    compression(request, reply);
    logins.hello(request.client(), request.body(), reply);
  }

  private static void introduce(Request request) {
    Document metadata = request.document("client");
    if (!metadata.isEmpty()) {
      request.client().metadata(metadata);
    }
  }

  private void await(Request request) {
    Document known = request.document("topologyVersion");
    if (known.isEmpty() == request.has("maxAwaitTimeMS")) {
      throw new CommandException(
          ErrorCode.location(31368),
          "A request with a 'topologyVersion' must include 'maxAwaitTimeMS' and the other way"
              + " round");
    }
    Value counter = known.field("counter");
    if (known.isEmpty() || !known.field("processId").equals(topology.processId())) {
      return;
    }
    if (counter.type() != Type.INT64 || counter.asLong() > topology.version()) {
      throw new CommandException(
          ErrorCode.location(31382), "Received a topology version that is yet to come: " + known);
    }
    long millis = request.count("maxAwaitTimeMS", 0);
    request.operation().waits(() -> topology.awaitOther(counter.asLong(), millis));
  }

  private void member(Request request, long now, DocumentWriter reply) {
    String host = topology.host(request.client());
    reply.startArray("hosts").add(Value.of(host)).end();
    reply
        .put("setName", topology.setName())
        .put("setVersion", SET_VERSION)
        .put(request.name().equals("hello") ? "isWritablePrimary" : "ismaster", true)
        .put("secondary", false)
        .put("primary", host)
        .put("me", host)
        .put("electionId", ELECTION);
    Document time = Document.writer().put("ts", ClusterTime.of(now)).put("t", TERM).build();
    reply
        .startDocument("lastWrite")
        .put("opTime", time)
        .put("lastWriteDate", Value.date(now))
        .put("majorityOpTime", time)
        .put("majorityWriteDate", Value.date(now))
        .end();
  }

  private static void limits(DocumentWriter reply) {
    reply
        .put("maxBsonObjectSize", MAX_DOCUMENT_BYTES)
        .put("maxMessageSizeBytes", MAX_MESSAGE_BYTES)
        .put("maxWriteBatchSize", MAX_WRITES);
  }

  /** Those of the driver's compressors that we have too, in the driver's order. */
  private void compression(Request request, DocumentWriter reply) {
    Value offered = request.field("compression");
    if (!offered.isArray()) {
      return;
    }
    reply.startArray("compression");
    Fields names = offered.asDocument().fields();
    while (names.next()) {
      if (names.type() == Type.STRING && compressors.contains(names.value().asString())) {
        reply.add(names.value());
      }
    }
    reply.end();
  }
}
