package dev.mayfly.mql.pipeline;

import dev.mayfly.mql.rows.Rows;
import dev.mayfly.query.Query;
import java.util.ArrayList;
import java.util.List;

/**
 * Aggregation pipeline: a list of stages.
 *
 * <p>Immutable. May be run many times and by many threads, each with its own {@link Environment}.
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

  /**
   * Returns the results of this pipeline over a collection or view, computed on demand.
   *
   * <p>A pipeline that {@linkplain #writes writes} has no results, and writes on the first {@code
   * next}.
   */
  public Rows run(Target target, Environment environment) {
    return new Execution(target.database(), environment).run(target, this);
  }

  /**
   * Returns the query that {@link #run} would send to the collection, for explain.
   *
   * <p>Only for a pipeline that does not {@linkplain #bringsDocuments bring} its documents along.
   */
  public Query query(Target target, Environment environment) {
    return new Execution(target.database(), environment).head(target, this);
  }

  /** Returns the results of this pipeline over given rows, in a database. */
  public Rows over(Rows input, String database, Environment environment) {
    return new Execution(database, environment).over(input, this);
  }
}
