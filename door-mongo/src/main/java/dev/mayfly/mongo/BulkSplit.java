package dev.mayfly.mongo;

import dev.mayfly.mongo.command.ErrorLabels;
import dev.mayfly.mongo.command.Failures;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.wire.Compressor;
import dev.mayfly.mongo.wire.Message;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A {@code bulkWrite} over databases in several cells: runs the operations of each cell there. If
 * it is ordered, operations run in their order, up to the first error; otherwise once per cell. For
 * one thread, used once.
 */
final class BulkSplit {
  private static final Set<String> REPLACED = Set.of("ops", "nsInfo", "cursor", "stmtIds");
  private static final List<String> COUNTS =
      List.of("nErrors", "nInserted", "nMatched", "nModified", "nUpserted", "nDeleted");

  private final Request request;
  private final List<Document> operations;
  private final List<Document> namespaces;
  private final boolean ordered;
  private final InCell inCell;
  private final Map<String, Integer> counts = new LinkedHashMap<>();
  private final List<Document> results = new ArrayList<>();
  private Value concernError = Value.MISSING;

  /** Runs a part of the request in a cell. */
  interface InCell {
    /** Writes the reply. Returns whether the command succeeded. */
    boolean run(int cell, Request part, Message.Call call, DocumentWriter reply);

    /** Writes the next batch of the results of a part. */
    boolean more(Request getMore, Message.Call call, DocumentWriter reply);
  }

  /** Operations that run together: their indexes in the request. */
  private record Part(int cell, List<Integer> indexes) {}

  BulkSplit(Request request, InCell inCell) {
    this.request = request;
    this.operations = request.documents("ops");
    this.namespaces = request.documents("nsInfo");
    this.ordered = request.flag("ordered", true);
    this.inCell = inCell;
    COUNTS.forEach(count -> counts.put(count, 0));
  }

  /**
   * Runs all parts and writes the joined results. Returns whether the command succeeded.
   *
   * @param cells the cell of each database
   */
  boolean run(Map<String, Integer> cells, DocumentWriter reply) {
    for (Part part : parts(cells)) {
      Document made = run(part);
      if (made.field("ok").asDouble() == 1) {
        add(part, made);
      } else if (ErrorLabels.isRetryableWrite(request.body())) {
        // the driver repeats all of it, and what is done already is not done again
        reply.putAll(made);
        return false;
      } else {
        addFailure(part, made);
      }
      if (ordered && counts.getOrDefault("nErrors", 0) > 0) {
        break;
      }
    }
    write(reply);
    return true;
  }

  private List<Part> parts(Map<String, Integer> cells) {
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < operations.size(); i++) {
      int cell = cells.getOrDefault(database(operations.get(i)), 0);
      Part part = ordered ? last(parts, cell) : of(parts, cell);
      part.indexes().add(i);
    }
    return parts;
  }

  private static Part last(List<Part> parts, int cell) {
    if (parts.isEmpty() || parts.getLast().cell() != cell) {
      parts.add(new Part(cell, new ArrayList<>()));
    }
    return parts.getLast();
  }

  private static Part of(List<Part> parts, int cell) {
    for (Part part : parts) {
      if (part.cell() == cell) {
        return part;
      }
    }
    parts.add(new Part(cell, new ArrayList<>()));
    return parts.getLast();
  }

  /** An operation with an invalid namespace goes anywhere: the command rejects it. */
  private String database(Document operation) {
    Fields fields = operation.fields();
    int index = fields.next() && fields.value().isNumber() ? (int) fields.value().asDouble() : -1;
    Value name =
        index < 0 || index >= namespaces.size() ? Value.MISSING : namespaces.get(index).field("ns");
    return name.type() == Type.STRING ? name.asString().split("\\.", 2)[0] : "";
  }

  private Document run(Part part) {
    DocumentWriter body = Document.writer();
    Fields fields = request.body().fields();
    while (fields.next()) {
      if (!REPLACED.contains(fields.name())) {
        body.put(fields);
      }
    }
    // receipts of a retryable write are those of the whole request
    body.put("stmtIds", Value.array(part.indexes().stream().map(Value::of).toList()));
    Map<String, List<Document>> sequences =
        Map.of("ops", part.indexes().stream().map(operations::get).toList(), "nsInfo", namespaces);
    Request own = new Request(request.client(), request.operation(), body.build(), sequences);
    DocumentWriter reply = Document.writer();
    try {
      boolean _ = inCell.run(part.cell(), own, call(own), reply);
      return reply.build();
    } catch (RuntimeException failure) {
      if (ErrorLabels.isRetryableWrite(request.body())) {
        throw failure;
      }
      var refusal = Failures.translate(failure);
      return Document.writer()
          .put("ok", 0.0)
          .put("errmsg", refusal.message())
          .put("code", refusal.code().number())
          .build();
    }
  }

  private static Message.Call call(Request part) {
    return new Message.Call(0, Compressor.NOOP, false, false, part.body(), part.sequences());
  }

  private void add(Part part, Document made) {
    counts.replaceAll((count, sum) -> sum + made.field(count).asInt());
    concernError = concernError.isMissing() ? made.field("writeConcernError") : concernError;
    Document cursor = made.field("cursor").asDocument();
    addResults(part, cursor.field("firstBatch"));
    while (cursor.field("id").asLong() != 0) {
      cursor = more(cursor).field("cursor").asDocument();
      addResults(part, cursor.field("nextBatch"));
    }
  }

  private Document more(Document cursor) {
    DocumentWriter body = Document.writer();
    body.put("getMore", cursor.field("id").asLong())
        .put("collection", "$cmd.bulkWrite")
        .put("$db", "admin");
    request.session().ifPresent(lsid -> body.put("lsid", lsid));
    Request getMore = new Request(request.client(), request.operation(), body.build(), Map.of());
    DocumentWriter reply = Document.writer();
    boolean _ = inCell.more(getMore, call(getMore), reply);
    return reply.build();
  }

  private void addResults(Part part, Value batch) {
    Fields elements = batch.asDocument().fields();
    while (elements.next()) {
      DocumentWriter result = Document.writer();
      Fields fields = elements.value().asDocument().fields();
      while (fields.next()) {
        if (fields.name().equals("idx")) {
          result.put("idx", part.indexes().get(fields.value().asInt()));
        } else {
          result.put(fields);
        }
      }
      results.add(result.build());
    }
  }

  /** The whole part has failed: so has each of its operations, or the first one of an ordered. */
  private void addFailure(Part part, Document made) {
    List<Integer> failed = ordered ? List.of(part.indexes().getFirst()) : part.indexes();
    for (int index : failed) {
      results.add(
          Document.writer()
              .put("ok", 0.0)
              .put("idx", index)
              .put("code", made.field("code"))
              .put("errmsg", made.field("errmsg"))
              .put("n", 0)
              .build());
    }
    counts.merge("nErrors", failed.size(), Integer::sum);
  }

  private void write(DocumentWriter reply) {
    results.sort(Comparator.comparingInt(result -> result.field("idx").asInt()));
    reply
        .startDocument("cursor")
        .put("id", 0L)
        .put("firstBatch", Value.array(results.stream().map(Value::of).toList()))
        .put("ns", "admin.$cmd.bulkWrite")
        .end();
    counts.forEach(reply::put);
    reply.put("writeConcernError", concernError);
  }
}
