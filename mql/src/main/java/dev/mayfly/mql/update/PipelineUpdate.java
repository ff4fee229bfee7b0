package dev.mayfly.mql.update;

import dev.mayfly.mql.expression.Scope;
import dev.mayfly.query.Intermediate;
import dev.mayfly.value.Document;
import java.util.List;

/** Update by an aggregation pipeline: each step computes a document from the previous one. */
public record PipelineUpdate(List<Step> steps) implements Update {
  /** Transforms a document. */
  @FunctionalInterface
  public interface Step {
    Document apply(Document document, Scope scope);
  }

  public PipelineUpdate {
    steps = List.copyOf(steps);
  }

  @Override
  public Document apply(Document before, Scope scope, UpdateContext context) {
    Document after = before;
    for (Step step : steps) {
      after = step.apply(after, scope.root(after));
    }
    Document kept = Intermediate.storable(IdField.kept(before, after));
    return kept.equals(before) ? before : kept;
  }
}
