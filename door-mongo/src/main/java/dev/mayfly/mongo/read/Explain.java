package dev.mayfly.mongo.read;

import dev.mayfly.engine.Explanation;
import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.access.Documents;
import dev.mayfly.mongo.access.Found;
import dev.mayfly.mongo.access.Targets;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.CommandException;
import dev.mayfly.mongo.command.ErrorCode;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.language.Variables;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** {@code explain}: how a command would find its documents, and what that takes. */
public final class Explain implements Command {
  private static final Set<String> FIELDS = Set.of("verbosity");
  private static final Set<String> VERBOSITIES =
      Set.of("queryPlanner", "executionStats", "allPlansExecution");

  private final Targets targets;
  private final Document serverInfo;

  public Explain(Targets targets, Document serverInfo) {
    this.targets = targets;
    this.serverInfo = serverInfo;
  }

  /** What is explained: a query on a collection, as far as a command is one. */
  private record Subject(Namespace namespace, Document filter, Document sort, Request request) {}

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(FIELDS);
    String verbosity = request.text("verbosity", "allPlansExecution");
    if (!VERBOSITIES.contains(verbosity)) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "Enumeration value '"
              + verbosity
              + "' for field 'explain.verbosity' is not a valid value.");
    }
    explain(inner(request), !verbosity.equals("queryPlanner"), reply);
  }

  private static Request inner(Request request) {
    if (request.target().type() != Type.OBJECT) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH,
          "BSON field 'explain.explain' is the wrong type, expected type 'object'");
    }
    Document command = request.target().asDocument();
    if (command.field("$db").isMissing()) {
      DocumentWriter withDatabase = Document.writer();
      Fields fields = command.fields();
      while (fields.next()) {
        withDatabase.put(fields);
      }
      command = withDatabase.put("$db", request.database()).build();
    }
    return new Request(request.client(), request.operation(), command, Map.of());
  }

  /** Explains a command that finds documents. */
  void explain(Request request, boolean execute, DocumentWriter reply) {
    Subject subject = subject(request);
    Optional<Documents> documents = targets.existing(request, subject.namespace());
    if (documents.isEmpty()) {
      reply.put("explainVersion", "1");
      reply
          .startDocument("queryPlanner")
          .put("namespace", subject.namespace().toString())
          .put("parsedQuery", subject.filter())
          .startDocument("winningPlan")
          .put("stage", "EOF")
          .end()
          .startArray("rejectedPlans")
          .end()
          .end();
    } else {
      explain(subject, documents.get(), execute, reply);
    }
    reply.put("command", request.body()).put("serverInfo", serverInfo);
  }

  private void explain(
      Subject subject, Documents documents, boolean execute, DocumentWriter reply) {
    Query query = query(subject, documents);
    Execution executed = new Execution(documents.explain(query), 0, 0);
    if (execute) {
      executed = execute(subject.request(), documents, query);
    }
    PlanForm form = new PlanForm(query, executed.explanation(), subject.filter(), subject.sort());
    Document stages = form.stages();
    reply.put("explainVersion", "1");
    reply
        .startDocument("queryPlanner")
        .put("namespace", subject.namespace().toString())
        .put("parsedQuery", subject.filter())
        .put("indexFilterSet", false)
        .put("winningPlan", stages)
        .startArray("rejectedPlans")
        .end()
        .end();
    if (execute) {
      reply
          .startDocument("executionStats")
          .put("executionSuccess", true)
          .put("nReturned", (int) executed.returned())
          .put("executionTimeMillis", (int) (executed.nanos() / 1_000_000))
          .put("totalKeysExamined", (int) executed.explanation().keysExamined())
          .put("totalDocsExamined", (int) executed.explanation().documentsExamined())
          .put("executionStages", stages)
          .end();
    }
  }

  /** What running a query has shown. */
  private record Execution(Explanation explanation, long returned, long nanos) {}

  private static Execution execute(Request request, Documents documents, Query query) {
    long started = request.operation().runningNanos();
    long returned = 0;
    try (Found found = documents.query(query)) {
      while (found.next()) {
        returned++;
        request.check();
      }
      return new Execution(found.explain(), returned, request.operation().runningNanos() - started);
    }
  }

  private Query query(Subject subject, Documents documents) {
    Request request = subject.request();
    return switch (request.name()) {
      case "find" -> Find.query(request, documents, targets.now());
      case "count", "distinct" -> Queries.of(request, "query", documents, targets.now());
      default -> {
        Variables variables = Variables.none(targets.now());
        yield Queries.of(request, subject.filter(), subject.sort(), documents, variables);
      }
    };
  }

  private static Subject subject(Request request) {
    return switch (request.name()) {
      case "find" ->
          new Subject(
              request.namespace(), request.document("filter"), request.document("sort"), request);
      case "count", "distinct" ->
          new Subject(request.namespace(), request.document("query"), Document.EMPTY, request);
      case "findAndModify", "findandmodify" ->
          new Subject(
              request.namespace(), request.document("query"), request.document("sort"), request);
      case "update" -> statement(request, "updates");
      case "delete" -> statement(request, "deletes");
      case "aggregate" -> pipeline(request);
      default ->
          throw new CommandException(
              ErrorCode.COMMAND_NOT_FOUND,
              "Explain failed due to unknown command: " + request.name());
    };
  }

  private static Subject statement(Request request, String field) {
    Value filter = request.documents(field).getFirst().field("q");
    return new Subject(
        request.namespace(),
        filter.isDocument() ? filter.asDocument() : Document.EMPTY,
        Document.EMPTY,
        request);
  }

  /** The part of a pipeline that the engine does: what it filters and sorts by first. */
  private static Subject pipeline(Request request) {
    Document filter = Document.EMPTY;
    Document sort = Document.EMPTY;
    for (Document stage : request.documents("pipeline")) {
      Value match = stage.field("$match");
      Value order = stage.field("$sort");
      if (match.isDocument() && filter.isEmpty() && sort.isEmpty()) {
        filter = match.asDocument();
      } else if (order.isDocument() && sort.isEmpty()) {
        sort = order.asDocument();
        break;
      } else {
        break;
      }
    }
    return new Subject(request.namespace(), filter, sort, request);
  }
}
