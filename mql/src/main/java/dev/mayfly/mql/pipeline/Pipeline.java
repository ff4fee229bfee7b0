package dev.mayfly.mql.pipeline;

import java.util.ArrayList;
import java.util.List;

/**
 * Aggregation pipeline: a list of stages.
 *
 * <p>Immutable. May be run many times and by many threads, each with its own environment.
 */
public record Pipeline(List<Stage> stages) {
  /** The pipeline that leaves all documents unchanged. */
  public static final Pipeline EMPTY = new Pipeline(List.of());

  public Pipeline {
    stages = List.copyOf(stages);
  }

  /** Returns the pipeline of these stages. */
  public static Pipeline of(Stage... stages) {
    return new Pipeline(List.of(stages));
  }

  /** Returns the other pipeline followed by this one, as over a view. */
  public Pipeline prepend(Pipeline first) {
    if (first.stages.isEmpty()) {
      return this;
    }
    List<Stage> all = new ArrayList<>(first.stages);
    all.addAll(stages);
    return new Pipeline(all);
  }

  /** Returns this pipeline with a stage inserted after its source stage, or at its start. */
  Pipeline afterSource(Stage stage) {
    List<Stage> all = new ArrayList<>(stages);
    all.add(bringsDocuments() ? 1 : 0, stage);
    return new Pipeline(all);
  }

  /** Returns whether the documents come from a source other than a collection. */
  public boolean bringsDocuments() {
    return !stages.isEmpty()
        && (stages.getFirst() instanceof Stage.Source
            || stages.getFirst() instanceof Stage.Documents);
  }

  /** Returns whether the pipeline ends in {@code $out} or {@code $merge}. */
  public boolean writes() {
    return !stages.isEmpty()
        && (stages.getLast() instanceof Stage.Out || stages.getLast() instanceof Stage.Merge);
  }
}
