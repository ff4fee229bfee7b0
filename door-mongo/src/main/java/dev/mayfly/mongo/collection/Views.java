package dev.mayfly.mongo.collection;

import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.command.CommandException;
import dev.mayfly.mongo.command.ErrorCode;
import dev.mayfly.mongo.language.CollationParser;
import dev.mayfly.mongo.language.PipelineParser;
import dev.mayfly.mongo.language.Variables;
import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.List;

/** Follows views to the collections that they show. */
public final class Views {
  private static final int MAX_DEPTH = 20;
  private static final List<String> WRITING = List.of("$out", "$merge");

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
    throw new CommandException(
        new ErrorCode(165, "ViewDepthLimitExceeded"),
        "View depth too deep or view cycle detected; maximum depth is " + MAX_DEPTH);
  }

  /**
   * Checks that a view can be: that it means something, writes nothing and does not show itself.
   *
   * @param collation how its texts compare
   * @throws CommandException when it cannot
   */
  public void check(Namespace namespace, View view, Document collation) {
    for (Document stage : view.stages()) {
      for (String writing : WRITING) {
        if (!stage.field(writing).isMissing()) {
          throw new CommandException(
              ErrorCode.OPTION_NOT_SUPPORTED_ON_VIEW,
              writing + " is not allowed in the definition of a view");
        }
      }
    }
    Variables variables = Variables.none(namespaces.engine().now());
    PipelineParser.parse(view.stages(), variables, CollationParser.parse(collation));
    checkNoCycle(namespace, view);
  }

  private void checkNoCycle(Namespace namespace, View view) {
    Namespace at = new Namespace(namespace.database(), view.on());
    for (int depth = 0; depth <= MAX_DEPTH; depth++) {
      if (at.equals(namespace)) {
        throw new CommandException(
            new ErrorCode(5, "GraphContainsCycle"),
            "View cycle detected: " + namespace + " => " + view.on() + " => " + namespace);
      }
      View next = namespaces.find(at).map(found -> found.options().view()).orElse(View.NONE);
      if (!next.exists()) {
        return;
      }
      at = new Namespace(at.database(), next.on());
    }
    follow(at);
  }
}
