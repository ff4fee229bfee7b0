package dev.mayfly.mongo.read;

import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.pipeline.Target;
import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.List;

/** Commands on views as the stages that do the same. */
final class ViewStages {
  private final List<Document> stages = new ArrayList<>();

  private ViewStages() {}

  /** A stage with an object, unless that is empty. */
  private ViewStages with(String stage, Document argument) {
    if (!argument.isEmpty()) {
      stages.add(Document.writer().put(stage, argument).build());
    }
    return this;
  }

  /** A stage with a number, unless that is 0. */
  private ViewStages with(String stage, long argument) {
    if (argument != 0) {
      stages.add(Document.writer().put(stage, argument).build());
    }
    return this;
  }

  /** The stages that do what a request about a view asks for. */
  static List<Document> of(Request request) {
    boolean find = request.name().equals("find");
    return new ViewStages()
        .with("$match", request.document(find ? "filter" : "query"))
        .with("$sort", request.document("sort"))
        .with("$skip", request.count("skip", 0))
        .with("$limit", CountCommand.limit(request))
        .with("$project", find ? request.document("projection") : Document.EMPTY)
        .stages();
  }

  private List<Document> stages() {
    return List.copyOf(stages);
  }

  /** The view that a request is about. */
  static Target target(Request request) {
    return new Target(request.namespace().database(), request.namespace().collection());
  }
}
