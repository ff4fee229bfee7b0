package dev.mayfly.mongo.collection;

import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.collection.Namespaces.Found;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.parser.Variables;
import dev.mayfly.mql.parser.pipeline.PipelineParser;
import dev.mayfly.mql.pipeline.Pipeline;
import dev.mayfly.mql.pipeline.Stage;
import dev.mayfly.mql.pipeline.Target;
import dev.mayfly.query.Collation;
import dev.mayfly.value.Document;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Checks the graph of views for a view to be created or changed: no cycle, limited depth, one
 * collation. An edge leads from a view to its {@code viewOn} and to each collection that its stages
 * read.
 *
 * <p>Used for one check by one thread.
 */
final class ViewPaths {
  private final Namespaces namespaces;
  private final Namespace start;
  private final View view;
  private final Document collation;
  private final long now;
  private final Deque<Namespace> path = new ArrayDeque<>();

  /** The number of views on the longest path that starts at a name. */
  private final Map<Namespace, Integer> heights = new HashMap<>();

  /**
   * The number of views on the longest path from a name to the new view; empty if there is no path.
   */
  private final Map<Namespace, OptionalInt> above = new HashMap<>();

  /**
   * @param collation the collation of the view
   */
  ViewPaths(Namespaces namespaces, Namespace start, View view, Document collation, long now) {
    this.namespaces = namespaces;
    this.start = start;
    this.view = view;
    this.collation = collation;
    this.now = now;
  }

  /**
   * Follows all paths from and to the view.
   *
   * @throws CommandException if there is a cycle, if a path is too long, or if a view on a path has
   *     a different collation
   */
  void check() {
    int height = visit(start, view);
    for (Namespace other : namespaces.all()) {
      if (height + above(other).orElse(0) > Views.MAX_DEPTH) {
        throw Views.tooDeep();
      }
    }
  }

  private OptionalInt above(Namespace at) {
    if (at.equals(start)) {
      return OptionalInt.of(0);
    }
    OptionalInt known = above.get(at);
    if (known != null) {
      return known;
    }
    // a name that is visited again on a cycle adds no path
    above.put(at, OptionalInt.empty());
    Options options = namespaces.find(at).map(Found::options).orElse(Options.NONE);
    OptionalInt found = OptionalInt.empty();
    if (options.view().exists()) {
      found =
          readByStored(at, options.view()).stream()
              .map(this::above)
              .flatMapToInt(OptionalInt::stream)
              .map(steps -> steps + 1)
              .max();
    }
    if (found.isPresent()) {
      requireSameCollation(at, options);
    }
    above.put(at, found);
    return found;
  }

  /**
   * As {@link #readBy}. If the pipeline of the stored view is no longer valid, only its {@code
   * viewOn} counts.
   */
  private Set<Namespace> readByStored(Namespace at, View stored) {
    try {
      return readBy(at, stored);
    } catch (CommandException _) {
      return Set.of(new Namespace(at.database(), stored.on()));
    }
  }

  private void requireSameCollation(Namespace at, Options options) {
    if (!options.collation().equals(collation)) {
      throw new CommandException(
          ErrorCode.OPTION_NOT_SUPPORTED_ON_VIEW,
          "View " + start + " has conflicting collation with view " + at);
    }
  }

  private int height(Namespace at) {
    if (at.equals(start)) {
      throw cycle();
    }
    Integer known = heights.get(at);
    if (known != null) {
      return known;
    }
    Options options = namespaces.find(at).map(Found::options).orElse(Options.NONE);
    int height = options.view().exists() ? visit(at, options) : 0;
    heights.put(at, height);
    return height;
  }

  private int visit(Namespace at, Options options) {
    requireSameCollation(at, options);
    return visit(at, options.view());
  }

  private int visit(Namespace at, View visited) {
    path.addLast(at);
    int height = 1;
    for (Namespace read : readBy(at, visited)) {
      height = Math.max(height, 1 + height(read));
    }
    // two concurrent requests may have stored a cycle, which the length of the path ends
    if (height > Views.MAX_DEPTH || path.size() > Views.MAX_DEPTH) {
      throw Views.tooDeep();
    }
    path.removeLast();
    return height;
  }

  private Set<Namespace> readBy(Namespace at, View visited) {
    Set<Namespace> names = new LinkedHashSet<>();
    names.add(new Namespace(at.database(), visited.on()));
    Variables variables = Variables.none(now);
    addRead(
        PipelineParser.parse(visited.stages(), variables, Collation.SIMPLE), at.database(), names);
    return names;
  }

  private static void addRead(Pipeline pipeline, String database, Set<Namespace> names) {
    for (Stage stage : pipeline.stages()) {
      switch (stage) {
        case Stage.Lookup lookup -> {
          add(lookup.from(), database, names);
          addRead(lookup.pipeline(), database, names);
        }
        case Stage.Union union -> {
          add(union.from(), database, names);
          addRead(union.pipeline(), database, names);
        }
        case Stage.Graph graph -> add(graph.from(), database, names);
        case Stage.Facet facet ->
            facet.branches().forEach(branch -> addRead(branch.pipeline(), database, names));
        default -> {}
      }
    }
  }

  /** A pipeline that starts with {@code $documents} reads no collection. */
  private static void add(Target target, String database, Set<Namespace> names) {
    if (!target.collection().isEmpty()) {
      names.add(
          new Namespace(
              target.database().isEmpty() ? database : target.database(), target.collection()));
    }
  }

  private CommandException cycle() {
    String names = path.stream().map(Namespace::toString).collect(Collectors.joining(" => "));
    return new CommandException(
        new ErrorCode(5, "GraphContainsCycle"), "View cycle detected: " + names + " => " + start);
  }
}
