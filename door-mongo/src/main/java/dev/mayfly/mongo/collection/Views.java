package dev.mayfly.mongo.collection;

import dev.mayfly.engine.Namespace;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.parser.CollationParser;
import dev.mayfly.mql.parser.Variables;
import dev.mayfly.mql.parser.pipeline.PipelineParser;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import java.util.ArrayList;
import java.util.List;

/** Resolution of views to collections, and validation of view definitions. Thread-safe. */
public final class Views {
  /** The maximum number of views between a name and its collection. */
  static final int MAX_DEPTH = 20;

  private final Namespaces namespaces;

  Views(Namespaces namespaces) {
    this.namespaces = namespaces;
  }

  /**
   * A resolved view.
   *
   * @param namespace the collection, which need not exist
   * @param stages the stages of all views on the path, those next to the collection first
   */
  public record Source(Namespace namespace, List<Document> stages) {
    public Source {
      stages = List.copyOf(stages);
    }
  }

  /**
   * Resolves a name. The name of a collection resolves to itself, without stages.
   *
   * @throws CommandException ViewDepthLimitExceeded
   */
  public Source follow(Namespace namespace) {
    List<Document> stages = new ArrayList<>();
    Namespace at = namespace;
    for (int depth = 0; depth <= MAX_DEPTH; depth++) {
      View view = namespaces.find(at).map(found -> found.options().view()).orElse(View.NONE);
      if (!view.exists()) {
        return new Source(at, stages);
      }
      stages.addAll(0, view.stages());
      at = new Namespace(at.database(), view.on());
    }
    throw tooDeep();
  }

  /**
   * Checks the definition of a view: its pipeline is valid, writes nothing, reads a collection, and
   * does not read the view itself.
   *
   * @param collation the collation of the view
   * @throws CommandException if the definition is invalid
   */
  public void check(Namespace namespace, View view, Document collation, long now) {
    checkStages(namespace, view.stages());
    Variables variables = Variables.none(now);
    PipelineParser.parse(view.stages(), variables, CollationParser.parse(collation));
    new ViewPaths(namespaces, namespace, view, collation, now).check();
  }

  private static void checkStages(Namespace namespace, List<Document> stages) {
    for (int i = 0; i < stages.size(); i++) {
      Fields stage = stages.get(i).fields();
      if (stage.next()) {
        checkStage(namespace, stage.name(), i);
      }
    }
  }

  private static void checkStage(Namespace namespace, String stage, int at) {
    switch (stage) {
      case "$out", "$merge" ->
          throw new CommandException(
              ErrorCode.OPTION_NOT_SUPPORTED_ON_VIEW,
              "The aggregation stage "
                  + stage
                  + " in location "
                  + at
                  + " of the pipeline cannot be used in the view definition of "
                  + namespace
                  + " because it writes to disk");
      case "$changeStream" ->
          throw new CommandException(
              ErrorCode.OPTION_NOT_SUPPORTED_ON_VIEW,
              "$changeStream cannot be used in a view definition");
      case "$currentOp", "$listLocalSessions", "$documents" ->
          throw new CommandException(
              ErrorCode.INVALID_NAMESPACE, "'" + stage + "' cannot be used in a view definition");
      default -> {}
    }
  }

  static CommandException tooDeep() {
    return new CommandException(
        new ErrorCode(165, "ViewDepthLimitExceeded"),
        "View depth limit exceeded; maximum depth is " + MAX_DEPTH);
  }
}
