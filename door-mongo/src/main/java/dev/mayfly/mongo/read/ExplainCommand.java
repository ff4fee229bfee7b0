package dev.mayfly.mongo.read;

import dev.mayfly.engine.Explanation;
import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.access.CollectionAccess;
import dev.mayfly.mongo.access.CollectionOperations;
import dev.mayfly.mongo.access.FoundRows;
import dev.mayfly.mongo.access.RequestCollections;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.parser.pipeline.PipelineParser;
import dev.mayfly.mql.pipeline.Target;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** {@code explain}: the plan of a command and its execution statistics. */
public final class ExplainCommand implements Command {
  private static final Set<String> FIELDS = Set.of("verbosity");

  /** Stages that write, and the error codes of their explanation. */
  private static final Map<String, Integer> WRITING = Map.of("$out", 51029, "$merge", 51184);

  /** The verbosity. */
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

  private final CollectionAccess access;
  private final Pipelines pipelines;
  private final Document serverInfo;

  public ExplainCommand(CollectionAccess access, Pipelines pipelines, Document serverInfo) {
    this.access = access;
    this.pipelines = pipelines;
    this.serverInfo = serverInfo;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(FIELDS);
    Verbosity verbosity = Verbosity.of(request.text("verbosity", Verbosity.ALL_PLANS.word));
    explain(request.explained(), verbosity, reply);
  }

  /** Explains a command. */
  void explain(Request request, Verbosity verbosity, DocumentWriter reply) {
    ExplainTarget target = ExplainTarget.of(request, access, pipelines);
    if (verbosity.executes()) {
      rejectWrites(target);
    }
    reply.put("explainVersion", "1");
    if (target.left().isEmpty()) {
      plan(target, request, verbosity, reply);
    } else {
      stages(target, request, verbosity, reply);
    }
    reply.put("command", request.body()).put("serverInfo", serverInfo);
  }

  /** Explain must not write, so it cannot execute a pipeline with a stage that writes. */
  private static void rejectWrites(ExplainTarget target) {
    for (Document stage : target.left()) {
      for (Map.Entry<String, Integer> writing : WRITING.entrySet()) {
        if (!stage.field(writing.getKey()).isMissing()) {
          throw new CommandException(
              ErrorCode.location(writing.getValue()),
              writing.getKey() + " can be explained with the verbosity 'queryPlanner' only");
        }
      }
    }
  }

  private void stages(
      ExplainTarget target, Request request, Verbosity verbosity, DocumentWriter reply) {
    reply.startArray("stages");
    if (PipelineParser.bringsDocuments(target.left())) {
      target.left().forEach(stage -> reply.add(Value.of(stage)));
    } else {
      reply.startDocument().startDocument("$cursor");
      List<CountingRows> tallies = plan(target, request, verbosity, reply);
      reply.end();
      tallies.stream().limit(1).forEach(countingRows -> counts(countingRows, reply));
      reply.end();
      for (int i = 0; i < target.left().size(); i++) {
        reply.startDocument();
        reply.putAll(target.left().get(i));
        tallies.stream().skip(i + 1L).limit(1).forEach(countingRows -> counts(countingRows, reply));
        reply.end();
      }
    }
    reply.end();
  }

  private static void counts(CountingRows countingRows, DocumentWriter stage) {
    stage
        .put("nReturned", countingRows.returned())
        .put("executionTimeMillisEstimate", countingRows.millis());
  }

  /**
   * Writes the plan of the query.
   *
   * @return the counts of the query and of each stage after it; empty if it was not executed
   */
  private List<CountingRows> plan(
      ExplainTarget target, Request request, Verbosity verbosity, DocumentWriter reply) {
    Optional<CollectionOperations> documents = access.existing(request, target.namespace());
    Optional<Query> query = documents.flatMap(target.query());
    return query.isEmpty()
        ? nothing(target, request, verbosity, reply)
        : plan(target, request, documents.get(), query.get(), verbosity, reply);
  }

  private List<CountingRows> nothing(
      ExplainTarget target, Request request, Verbosity verbosity, DocumentWriter reply) {
    Document nowhere = Document.writer().put("stage", "EOF").build();
    reply
        .startDocument("queryPlanner")
        .put("namespace", target.namespace().toString())
        .put("parsedQuery", target.filter())
        .put("indexFilterSet", false)
        .put("winningPlan", nowhere)
        .startArray("rejectedPlans")
        .end()
        .end();
    if (!verbosity.executes()) {
      return List.of();
    }
    stats(new Execution(0, 0, 0, 0), nowhere, verbosity, reply);
    return drained(target, request, _ -> Rows.none());
  }

  private List<CountingRows> plan(
      ExplainTarget target,
      Request request,
      CollectionOperations documents,
      Query query,
      Verbosity verbosity,
      DocumentWriter reply) {
    Executed executed =
        verbosity.executes()
            ? execute(target, request, documents, query)
            : new Executed(documents.explain(query), List.of(), 0);
    PlanForm form = new PlanForm(target, documents.spec(), query, executed.explanation());
    reply
        .startDocument("queryPlanner")
        .put("namespace", target.namespace().toString())
        .put("parsedQuery", target.filter())
        .put("indexFilterSet", false)
        .put("winningPlan", form.stages())
        .startArray("rejectedPlans")
        .end()
        .end();
    if (verbosity.executes()) {
      Execution counts = executed.counts();
      long millis = executed.tallies().getFirst().millis();
      Document stages = form.counted(counts.returned(), millis).stages();
      stats(counts, stages, verbosity, reply);
    }
    return executed.tallies();
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
      // only one plan is considered
      reply.startArray("allPlansExecution").end();
    }
    reply.end();
  }

  /** The counters of a query. */
  private record Execution(long returned, long millis, long keys, long documents) {}

  /**
   * The results of running a query.
   *
   * @param tallies the counts of the query and of each stage after it
   */
  private record Executed(Explanation explanation, List<CountingRows> tallies, long nanos) {
    Execution counts() {
      return new Execution(
          tallies.getFirst().returned(),
          nanos / 1_000_000,
          explanation.keysExamined(),
          explanation.documentsExamined());
    }
  }

  private Executed execute(
      ExplainTarget target, Request request, CollectionOperations documents, Query query) {
    long started = request.operation().runningNanos();
    try (FoundRows found = documents.query(query.withoutTouch())) {
      List<CountingRows> tallies = drained(target, request, witness -> witness.sees(found, query));
      return new Executed(found.explain(), tallies, request.operation().runningNanos() - started);
    }
  }

  /** Runs the remaining stages over the documents and counts the results. */
  private List<CountingRows> drained(
      ExplainTarget target, Request request, Function<RequestCollections.Witness, Rows> found) {
    Namespace namespace = target.namespace();
    Target collection = new Target(namespace.database(), namespace.collection());
    List<CountingRows> tallies =
        pipelines.tallies(request, collection, target.stages(), target.taken(), found);
    try (CountingRows last = tallies.getLast()) {
      while (last.next()) {
        request.check();
      }
    }
    return tallies;
  }
}
