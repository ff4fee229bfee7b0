package dev.mayfly.mongo.read;

import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.pipeline.Target;
import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.List;

/** Translates find, count and distinct on a view to pipeline stages. */
final class ViewStages {
  private final List<Document> stages = new ArrayList<>();

  private ViewStages() {}

  /** Adds a stage unless its argument is empty. */
  private ViewStages with(String stage, Document argument) {
    if (!argument.isEmpty()) {
      stages.add(Document.writer().put(stage, argument).build());
    }
    return this;
  }

  /** Adds a stage unless its argument is 0. */
  private ViewStages with(String stage, long argument) {
    if (argument != 0) {
      stages.add(Document.writer().put(stage, argument).build());
    }
    return this;
  }

  /** The stages that are equivalent to a request. */
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

  /** The view of a request. */
  static Target target(Request request) {
    return new Target(request.namespace().database(), request.namespace().collection());
  }
}
