package dev.mayfly.mql.pipeline;

import dev.mayfly.mql.rows.Rows;
import dev.mayfly.query.Query;
import java.util.ArrayList;
import java.util.List;

/**
 * Stages that documents go through, one after the other.
 *
 * <p>Immutable; may be run any number of times, by any number of threads, each with its own {@link
 * Environment}.
 */
public record Pipeline(List<Stage> stages) {
  /** Leaves all documents as they are. */
  public static final Pipeline EMPTY = new Pipeline(List.of());

  public Pipeline {
    stages = List.copyOf(stages);
  }

  /** The pipeline of these stages. */
  public static Pipeline of(Stage... stages) {
    return new Pipeline(List.of(stages));
  }

  /** The other pipeline followed by this one, as over a view. */
  public Pipeline prepend(Pipeline first) {
    if (first.stages.isEmpty()) {
      return this;
    }
    List<Stage> all = new ArrayList<>(first.stages);
    all.addAll(stages);
    return new Pipeline(all);
  }

  /** This pipeline with one more stage, the first that sees the documents. */
  Pipeline afterSource(Stage stage) {
    List<Stage> all = new ArrayList<>(stages);
    all.add(bringsDocuments() ? 1 : 0, stage);
    return new Pipeline(all);
  }

  /** True when the documents do not come from a collection. */
  public boolean bringsDocuments() {
    return !stages.isEmpty()
        && (stages.getFirst() instanceof Stage.Source
            || stages.getFirst() instanceof Stage.Documents);
  }

  /** True when the documents end in a collection and not with the caller. */
  public boolean writes() {
    return !stages.isEmpty()
        && (stages.getLast() instanceof Stage.Out || stages.getLast() instanceof Stage.Merge);
  }

  /**
   * The documents that this pipeline makes of a collection or view, made as they are asked for.
   *
   * <p>A pipeline that {@linkplain #writes writes} gives none, and writes when asked for the first.
   */
  public Rows run(Target target, Environment environment) {
    return new Execution(target.database(), environment).run(target, this);
  }

  /**
   * What {@link #run} would ask of the collection itself, for those who explain it.
   *
   * <p>Only for a pipeline that does not {@linkplain #bringsDocuments bring} its documents along.
   */
  public Query query(Target target, Environment environment) {
    Execution execution = new Execution(target.database(), environment);
    return execution.head(environment.collections().resolve(target), this).query();
  }

  /** The documents that this pipeline makes of rows that are there, in a database. */
  public Rows over(Rows input, String database, Environment environment) {
    return new Execution(database, environment).over(input, this);
  }
}
