package dev.mayfly.mql.pipeline;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Names that a pipeline reads, resolved before it runs: each is a collection, or a view over one.
 * Includes the names in {@code $lookup}, {@code $graphLookup} and {@code $unionWith}, in nested
 * pipelines and in the pipelines of views. Immutable.
 *
 * <pre>{@code
 * Pipeline pipeline = PipelineParser.parse(stages, variables, collation);
 * ResolvedNames names = ResolvedNames.of(target, pipeline, name -> follow(name));
 * }</pre>
 */
public final class ResolvedNames {
  /** All names are collections. */
  public static final ResolvedNames NO_VIEWS = new ResolvedNames(Map.of());

  private final Map<Target, Origin> origins;

  /** A collection, and the pipeline of the view over it; empty if the name is a collection. */
  public record Origin(Target collection, Pipeline view) {}

  /** Resolves a name to a collection, or to a view over one. */
  @FunctionalInterface
  public interface Resolver {
    Origin resolve(Target name);
  }

  private ResolvedNames(Map<Target, Origin> origins) {
    this.origins = Map.copyOf(origins);
  }

  /** Resolves the names of a pipeline over a collection or view. */
  public static ResolvedNames of(Target target, Pipeline pipeline, Resolver resolver) {
    Search search = new Search(target.database(), resolver);
    search.add(target, pipeline);
    return new ResolvedNames(search.found);
  }

  /** Resolves the names of pipelines over given rows, in a database. */
  public static ResolvedNames joined(String database, List<Pipeline> pipelines, Resolver resolver) {
    Search search = new Search(database, resolver);
    pipelines.forEach(search::addJoined);
    return new ResolvedNames(search.found);
  }

  /** Returns the collection or view of a name. */
  Origin origin(Target name) {
    Origin known = origins.get(name);
    return known == null ? new Origin(name, Pipeline.EMPTY) : known;
  }

  /** Collects names, each once. */
  private static final class Search {
    private final String database;
    private final Resolver resolver;
    private final Map<Target, Origin> found = new HashMap<>();

    Search(String database, Resolver resolver) {
      this.database = database;
      this.resolver = resolver;
    }

    void add(Target from, Pipeline pipeline) {
      if (!pipeline.bringsDocuments()) {
        add(from);
      }
      addJoined(pipeline);
    }

    private void add(Target name) {
      Target full = name.in(database);
      if (!found.containsKey(full)) {
        Origin origin = resolver.resolve(full);
        found.put(full, origin);
        addJoined(origin.view());
      }
    }

    void addJoined(Pipeline pipeline) {
      for (Stage stage : pipeline.stages()) {
        switch (stage) {
          case Stage.Lookup lookup -> add(lookup.from(), lookup.pipeline());
          case Stage.Graph graph -> add(graph.from());
          case Stage.Union(Target from, Pipeline inner) -> add(from, inner);
          case Stage.Facet(List<Stage.Branch> branches) ->
              branches.forEach(branch -> addJoined(branch.pipeline()));
          case Stage _ -> {}
        }
      }
    }
  }
}
