package dev.mayfly.mongo.read;

import dev.mayfly.engine.Explanation;
import dev.mayfly.mongo.access.Documents;
import dev.mayfly.mongo.access.Found;
import dev.mayfly.mongo.access.Targets;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.CommandException;
import dev.mayfly.mongo.command.ErrorCode;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.language.PipelineParser;
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

  /** How much is told. */
  enum Verbosity {
    PLAN("queryPlanner"),
    STATS("executionStats"),
    ALL_PLANS("allPlansExecution");

    private final String word;

    Verbosity(String word) {
      this.word = word;
    }

    static Verbosity of(String word) {
      for (Verbosity one : values()) {
        if (one.word.equals(word)) {
          return one;
        }
      }
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "Enumeration value '" + word + "' for field 'explain.verbosity' is not a valid value.");
    }

    boolean executes() {
      return this != PLAN;
    }
  }

  private final Targets targets;
  private final Pipelines pipelines;
  private final Document serverInfo;

  public Explain(Targets targets, Pipelines pipelines, Document serverInfo) {
    this.targets = targets;
    this.pipelines = pipelines;
    this.serverInfo = serverInfo;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(FIELDS);
    Verbosity verbosity = Verbosity.of(request.text("verbosity", Verbosity.ALL_PLANS.word));
    explain(inner(request), verbosity, reply);
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
  void explain(Request request, Verbosity verbosity, DocumentWriter reply) {
    Explained asked = Explained.of(request, targets, pipelines);
    reply.put("explainVersion", "1");
    if (asked.left().isEmpty()) {
      plan(asked, request, verbosity, reply);
    } else {
      stages(asked, request, verbosity, reply);
    }
    reply.put("command", request.body()).put("serverInfo", serverInfo);
  }

  private void stages(Explained asked, Request request, Verbosity verbosity, DocumentWriter reply) {
    reply.startArray("stages");
    if (!bringsDocuments(asked)) {
      reply.startDocument().startDocument("$cursor");
      plan(asked, request, verbosity, reply);
      reply.end().end();
    }
    asked.left().forEach(stage -> reply.add(Value.of(stage)));
    reply.end();
  }

  private static boolean bringsDocuments(Explained asked) {
    return PipelineParser.bringsDocuments(asked.left());
  }

  private void plan(Explained asked, Request request, Verbosity verbosity, DocumentWriter reply) {
    Optional<Documents> documents = targets.existing(request, asked.namespace());
    Optional<Query> query = documents.flatMap(asked.query());
    if (query.isEmpty()) {
      nothing(asked, verbosity, reply);
    } else {
      plan(asked, request, documents.get(), query.get(), verbosity, reply);
    }
  }

  private static void nothing(Explained asked, Verbosity verbosity, DocumentWriter reply) {
    Document nowhere = Document.writer().put("stage", "EOF").build();
    reply
        .startDocument("queryPlanner")
        .put("namespace", asked.namespace().toString())
        .put("parsedQuery", asked.filter())
        .put("indexFilterSet", false)
        .put("winningPlan", nowhere)
        .startArray("rejectedPlans")
        .end()
        .end();
    if (verbosity.executes()) {
      stats(new Execution(0, 0, 0, 0), nowhere, verbosity, reply);
    }
  }

  private static void plan(
      Explained asked,
      Request request,
      Documents documents,
      Query query,
      Verbosity verbosity,
      DocumentWriter reply) {
    Executed executed =
        verbosity.executes()
            ? execute(request, documents, query)
            : new Executed(documents.explain(query), 0, 0);
    PlanForm form = new PlanForm(asked, documents.spec(), query, executed.explanation());
    reply
        .startDocument("queryPlanner")
        .put("namespace", asked.namespace().toString())
        .put("parsedQuery", asked.filter())
        .put("indexFilterSet", false)
        .put("winningPlan", form.stages())
        .startArray("rejectedPlans")
        .end()
        .end();
    if (verbosity.executes()) {
      stats(executed.counts(), form.counted(executed.returned()).stages(), verbosity, reply);
    }
  }

  private static void stats(
      Execution execution, Document stages, Verbosity verbosity, DocumentWriter reply) {
    reply
        .startDocument("executionStats")
        .put("executionSuccess", true)
        .put("nReturned", (int) execution.returned())
        .put("executionTimeMillis", (int) execution.millis())
        .put("totalKeysExamined", (int) execution.keys())
        .put("totalDocsExamined", (int) execution.documents())
        .put("executionStages", stages);
    if (verbosity == Verbosity.ALL_PLANS) {
      // one plan is considered, and it won
      reply.startArray("allPlansExecution").end();
    }
    reply.end();
  }

  /** What a query took and gave. */
  private record Execution(long returned, long millis, long keys, long documents) {}

  /** What running a query has shown. */
  private record Executed(Explanation explanation, long returned, long nanos) {
    Execution counts() {
      return new Execution(
          returned, nanos / 1_000_000, explanation.keysExamined(), explanation.documentsExamined());
    }
  }

  private static Executed execute(Request request, Documents documents, Query query) {
    long started = request.operation().runningNanos();
    long returned = 0;
    try (Found found = documents.query(query)) {
      while (found.next()) {
        returned++;
        request.check();
      }
      return new Executed(found.explain(), returned, request.operation().runningNanos() - started);
    }
  }
}
