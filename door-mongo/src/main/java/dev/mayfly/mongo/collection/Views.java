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

/** Follows views to the collections that they show. */
public final class Views {
  /** How many views may lie between a name and the collection that it shows. */
  static final int MAX_DEPTH = 20;

  private final Namespaces namespaces;

  Views(Namespaces namespaces) {
    this.namespaces = namespaces;
  }

  /**
   * Where documents come from, and what becomes of them on the way.
   *
   * @param namespace a collection, which may not exist
   * @param stages of the views on the way, those next to the collection first
   */
  public record Source(Namespace namespace, List<Document> stages) {
    public Source {
      stages = List.copyOf(stages);
    }
  }

  /**
   * What a name stands for.
   *
   * @throws CommandException when views lead too far
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
   * Checks that a view can be: that it means something, writes nothing, shows documents of a
   * collection and not itself.
   *
   * @param collation how its texts compare
   * @throws CommandException when it cannot
   */
  public void check(Namespace namespace, View view, Document collation, long now) {
    refuseStages(namespace, view.stages());
    Variables variables = Variables.none(now);
    PipelineParser.parse(view.stages(), variables, CollationParser.parse(collation));
    new ViewPaths(namespaces, namespace, view, collation, now).check();
  }

  private static void refuseStages(Namespace namespace, List<Document> stages) {
    for (int i = 0; i < stages.size(); i++) {
      Fields stage = stages.get(i).fields();
      if (stage.next()) {
        refuseStage(namespace, stage.name(), i);
      }
    }
  }

  private static void refuseStage(Namespace namespace, String stage, int at) {
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
