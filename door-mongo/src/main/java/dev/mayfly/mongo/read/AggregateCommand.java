package dev.mayfly.mongo.read;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.ReadConcern;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.cursor.Caller;
import dev.mayfly.mongo.cursor.Cursors;
import dev.mayfly.mongo.cursor.OpenCursor;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.pipeline.Target;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Set;

/** {@code aggregate}: runs an aggregation pipeline. */
public final class AggregateCommand implements Command {
  private static final Set<String> FIELDS =
      Set.of(
          "pipeline",
          "cursor",
          "explain",
          "allowDiskUse",
          "hint",
          "collation",
          "let",
          "bypassDocumentValidation",
          "needsMerge",
          "fromMongos",
          "exchange");

  private final Pipelines pipelines;
  private final Cursors cursors;
  private final ExplainCommand explainCommand;

  public AggregateCommand(Pipelines pipelines, Cursors cursors, ExplainCommand explainCommand) {
    this.pipelines = pipelines;
    this.cursors = cursors;
    this.explainCommand = explainCommand;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(FIELDS);
    if (request.flag("explain", false)) {
      explainCommand.explain(request, ExplainCommand.Verbosity.PLAN, reply);
      return;
    }
    if (!request.has("cursor")) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          "The 'cursor' option is required, except for aggregate with the explain argument");
    }
    long batch = OpenCursor.firstBatch(request, OpenCursor.FIRST_BATCH);
    rejectLinearizable(request);
    requireMajority(request);
    Target target = target(request);
    Rows rows = pipelines.rows(request, target, request.documents("pipeline"));
    OpenCursor cursor = new OpenCursor(target.toString(), rows, new Caller(request));
    cursors.begin(request, reply, cursor, batch, false);
  }

  /** Fails if a pipeline with {@code $out} or {@code $merge} has read concern linearizable. */
  private static void rejectLinearizable(Request request) {
    if (writes(request) && ReadConcern.of(request).linearizable()) {
      Fields last = request.documents("pipeline").getLast().fields();
      last.next();
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          last.name() + " cannot be used with a 'linearizable' read concern level");
    }
  }

  /** Fails if a change stream has another read concern than majority. */
  private static void requireMajority(Request request) {
    List<Document> stages = request.documents("pipeline");
    Value level = request.document("readConcern").field("level");
    if (!stages.isEmpty()
        && !stages.getFirst().field("$changeStream").isMissing()
        && level.type() == Type.STRING
        && !level.asString().equals("majority")) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "Aggregation stage $changeStream cannot run with a readConcern other than 'majority'."
              + " Current readConcern: "
              + level.asString());
    }
  }

  /** Whether the pipeline of a request ends in a stage that writes. */
  public static boolean writes(Request request) {
    List<Document> stages = request.documents("pipeline");
    Fields last = stages.isEmpty() ? Document.EMPTY.fields() : stages.getLast().fields();
    return last.next() && (last.named("$out") || last.named("$merge"));
  }

  /**
   * The collection on which the pipeline of a request runs; {@link Pipelines#NO_COLLECTION} without
   * one.
   */
  static Target target(Request request) {
    if (request.target().isNumber()) {
      if (request.target().asDouble() != 1) {
        throw new CommandException(
            ErrorCode.FAILED_TO_PARSE,
            "Invalid command format: the 'aggregate' field must specify a collection name or 1");
      }
      return new Target(request.database(), Pipelines.NO_COLLECTION);
    }
    return new Target(request.database(), request.namespace().collection());
  }
}
