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
 * {@code hello} and its old name {@code isMaster}: the handshake of drivers.
 *
 * <p>With {@code topologyVersion} (awaitable hello), the reply is sent when the topology has
 * changed, or after {@code maxAwaitTimeMS}.
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

  /** The election id of a primary in term 1. */
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
    storeMetadata(request);
    await(request);
    // read the clock after the wait, which can last seconds
    long now = clock.getAsLong();
    if (request.flag("helloOk", false)) {
      reply.put("helloOk", true);
    }
    reply
        .startDocument("topologyVersion")
        .put("processId", topology.processId())
        .put("counter", topology.version())
        .end();
    writeMember(request, now, reply);
    writeLimits(reply);
    reply
        .put("localTime", Value.date(now))
        .put("logicalSessionTimeoutMinutes", SESSION_MINUTES)
        .put("connectionId", (int) request.client().connection())
        .put("minWireVersion", 0)
        .put("maxWireVersion", MAX_WIRE_VERSION)
        .put("readOnly", false);
    writeCompressors(request, reply);
    logins.hello(request.client(), request.body(), reply);
  }

  private static void storeMetadata(Request request) {
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
    request.operation().waits(() -> topology.awaitChange(counter.asLong(), millis));
  }

  private void writeMember(Request request, long now, DocumentWriter reply) {
    String writable = request.name().equals("hello") ? "isWritablePrimary" : "ismaster";
    String me = topology.host(request.client());
    switch (topology.shape()) {
      case Topology.Sharded _ -> reply.put(writable, true).put("msg", "isdbgrid");
      case Topology.Alone _ -> writeSet(writable, List.of(me), true, me, now, reply);
      case Topology.Members members ->
          writeSet(writable, members.hosts(), members.isPrimary(), me, now, reply);
    }
  }

  /** Writes the fields of a member of a replica set; its primary is the first host. */
  private void writeSet(
      String writable,
      List<String> hosts,
      boolean primary,
      String me,
      long now,
      DocumentWriter reply) {
    reply.startArray("hosts");
    hosts.forEach(host -> reply.add(Value.of(host)));
    reply.end();
    reply
        .put("setName", topology.setName())
        .put("setVersion", SET_VERSION)
        .put(writable, primary)
        .put("secondary", !primary)
        .put("primary", hosts.getFirst())
        .put("me", me);
    if (primary) {
      reply.put("electionId", ELECTION);
    }
    Document time = Document.writer().put("ts", ClusterTime.of(now)).put("t", TERM).build();
    reply
        .startDocument("lastWrite")
        .put("opTime", time)
        .put("lastWriteDate", Value.date(now))
        .put("majorityOpTime", time)
        .put("majorityWriteDate", Value.date(now))
        .end();
  }

  private static void writeLimits(DocumentWriter reply) {
    reply
        .put("maxBsonObjectSize", MAX_DOCUMENT_BYTES)
        .put("maxMessageSizeBytes", MAX_MESSAGE_BYTES)
        .put("maxWriteBatchSize", MAX_WRITES);
  }

  /** Writes the compressors that driver and server have in common, in the order of the driver. */
  private void writeCompressors(Request request, DocumentWriter reply) {
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
