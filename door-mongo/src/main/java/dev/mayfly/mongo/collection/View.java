package dev.mayfly.mongo.collection;

import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * Definition of a view.
 *
 * @param on {@code viewOn}: a collection or view of the same database; empty for {@link #NONE}
 * @param pipeline an array of stages
 */
public record View(String on, Value pipeline) {
  /** Not a view. */
  public static final View NONE = new View("", Value.array(Document.EMPTY));

  public boolean exists() {
    return !on.isEmpty();
  }

  public List<Document> stages() {
    List<Document> stages = new ArrayList<>();
    Fields elements = pipeline.asDocument().fields();
    while (elements.next()) {
      stages.add(elements.value().asDocument());
    }
    return stages;
  }
}
