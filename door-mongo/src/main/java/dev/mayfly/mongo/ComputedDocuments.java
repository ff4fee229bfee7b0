package dev.mayfly.mongo;

import dev.mayfly.cluster.Cells;
import dev.mayfly.cluster.ClusterStatus;
import dev.mayfly.mongo.auth.Guard;
import dev.mayfly.mongo.command.Access;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.topology.ListShardsCommand;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Queries on documents that describe several servers: the stage {@code $currentOp} and the
 * collections {@code config.shards} and {@code config.databases}. They become pipelines that begin
 * with these documents. Thread-safe.
 */
final class ComputedDocuments {
  private static final String CURRENT_OP = "$currentOp";

  /** Options of find and aggregate that a pipeline without a collection has, too. */
  private static final Set<String> KEPT =
      Set.of("$db", "lsid", "comment", "maxTimeMS", "collation", "let", "cursor");

  /** Options of a find, and the stages that they become, in the order of their execution. */
  private static final List<Map.Entry<String, String>> STAGES =
      List.of(
          Map.entry("filter", "$match"),
          Map.entry("sort", "$sort"),
          Map.entry("skip", "$skip"),
          Map.entry("limit", "$limit"),
          Map.entry("projection", "$project"));

  private final Cells cells;
  private final Guard guard;
  private final Broadcast broadcast;

  ComputedDocuments(Cells cells, Guard guard, Broadcast broadcast) {
    this.cells = cells;
    this.guard = guard;
    this.broadcast = broadcast;
  }

  /**
   * Returns the request to run in place of one on computed documents; empty for any other request.
   *
   * @throws CommandException if the user lacks privileges
   */
  Optional<Request> inPlaceOf(Request request) {
    boolean aggregate = request.name().equals("aggregate");
    if (aggregate && request.database().equals("admin") && request.target().isNumber()) {
      return currentOperations(request);
    }
    boolean query = aggregate || request.name().equals("find");
    if (!query || !request.database().equals("config")) {
      return Optional.empty();
    }
    if (request.target().equals(Value.of("shards"))) {
      return Optional.of(
          over(request, cells.members().stream().map(ListShardsCommand::describe).toList()));
    }
    return request.target().equals(Value.of("databases"))
        ? Optional.of(over(request, databases()))
        : Optional.empty();
  }

  private Optional<Request> currentOperations(Request request) {
    List<Document> stages = request.documents("pipeline");
    Value options = stages.isEmpty() ? Value.MISSING : stages.getFirst().field(CURRENT_OP);
    if (!options.isDocument()) {
      return Optional.empty();
    }
    Document body =
        Document.writer()
            .put("currentOp", 1)
            .put("$all", flag(options.asDocument(), "idleConnections"))
            .put("$ownOps", !flag(options.asDocument(), "allUsers"))
            .put("$db", "admin")
            .build();
    Request command = new Request(request.client(), request.operation(), body, Map.of());
    DocumentWriter reply = Document.writer();
    boolean local = flag(options.asDocument(), "localOps");
    if (!broadcast.currentOperations(command, local, reply)) {
      Document failure = reply.build();
      throw new CommandException(
          ErrorCode.of(failure.field("code").asInt()), failure.field("errmsg").asString());
    }
    List<Document> rows = new ArrayList<>();
    Fields elements = reply.build().field("inprog").asDocument().fields();
    while (elements.next()) {
      rows.add(elements.value().asDocument());
    }
    return Optional.of(replaced(request, rows, stages.subList(1, stages.size())));
  }

  private static boolean flag(Document options, String name) {
    return options.field(name).equals(Value.TRUE);
  }

  private List<Document> databases() {
    ClusterStatus status = cells.status();
    Map<UUID, String> names = new HashMap<>();
    status
        .servers()
        .forEach(
            server -> names.put(server.member().id(), ListShardsCommand.name(server.member())));
    List<Document> databases = new ArrayList<>();
    for (ClusterStatus.CellStatus cell : status.cells()) {
      String primary = cell.owner().map(owner -> names.getOrDefault(owner, "")).orElse("");
      for (String database : cell.databases()) {
        databases.add(
            Document.writer()
                .put("_id", database)
                .put("primary", primary)
                .put("partitioned", false)
                .put("cell", cell.number())
                .build());
      }
    }
    return databases;
  }

  private Request over(Request request, List<Document> rows) {
    guard.check(Access.READ, request);
    if (request.name().equals("aggregate")) {
      return replaced(request, rows, request.documents("pipeline"));
    }
    List<Document> stages = new ArrayList<>();
    for (Map.Entry<String, String> option : STAGES) {
      Value value = request.field(option.getKey());
      boolean nothing =
          value.isMissing()
              || (value.isNumber() && value.asDouble() == 0)
              || (value.type() == Type.OBJECT && value.asDocument().isEmpty());
      if (!nothing) {
        stages.add(Document.writer().put(option.getValue(), value).build());
      }
    }
    return replaced(request, rows, stages);
  }

  /** Returns an aggregate over documents; as literals, because the stage evaluates expressions. */
  private static Request replaced(Request request, List<Document> rows, List<Document> stages) {
    List<Value> literals = new ArrayList<>();
    rows.forEach(row -> literals.add(Value.of(Document.writer().put("$literal", row).build())));
    List<Value> pipeline = new ArrayList<>();
    pipeline.add(Value.of(Document.writer().put("$documents", Value.array(literals)).build()));
    stages.forEach(stage -> pipeline.add(Value.of(stage)));
    DocumentWriter body = Document.writer().put("aggregate", 1);
    body.put("pipeline", Value.array(pipeline));
    Fields fields = request.body().fields();
    while (fields.next()) {
      if (KEPT.contains(fields.name())) {
        body.put(fields);
      }
    }
    if (!request.has("cursor")) {
      body.startDocument("cursor").put("batchSize", request.field("batchSize")).end();
    }
    return new Request(request.client(), request.operation(), body.build(), Map.of());
  }
}
