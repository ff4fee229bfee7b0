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
 * The ways over a view that is to be made: from it over other views to collections, by what it is
 * on and by every collection that its stages look at, and to it from views that are there already.
 *
 * <p>Good for one check by one thread.
 */
final class ViewPaths {
  private final Namespaces namespaces;
  private final Namespace start;
  private final View view;
  private final Document collation;
  private final long now;
  private final Deque<Namespace> way = new ArrayDeque<>();

  /** How many views lie on the longest way on from a name that was visited. */
  private final Map<Namespace, Integer> heights = new HashMap<>();

  /** How many views lie on the longest way from a name to the view; none when there is no way. */
  private final Map<Namespace, OptionalInt> above = new HashMap<>();

  /**
   * @param collation how the texts of the view compare
   */
  ViewPaths(Namespaces namespaces, Namespace start, View view, Document collation, long now) {
    this.namespaces = namespaces;
    this.start = start;
    this.view = view;
    this.collation = collation;
    this.now = now;
  }

  /**
   * Follows all of them.
   *
   * @throws CommandException when one leads back to the view, is too long, or leads over a view
   *     whose texts compare otherwise
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
    // what leads in circles leads nowhere
    above.put(at, OptionalInt.empty());
    Options options = namespaces.find(at).map(Found::options).orElse(Options.NONE);
    OptionalInt found = OptionalInt.empty();
    if (options.view().exists()) {
      found =
          shownByStored(at, options.view()).stream()
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
   * As {@link #shownBy}; a view that an older server took and this one does not is in nobody's way.
   */
  private Set<Namespace> shownByStored(Namespace at, View stored) {
    try {
      return shownBy(at, stored);
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
    way.addLast(at);
    int height = 1;
    for (Namespace shown : shownBy(at, visited)) {
      height = Math.max(height, 1 + height(shown));
    }
    // what was stored by two requests at once may lead in circles: the way ends that as well
    if (height > Views.MAX_DEPTH || way.size() > Views.MAX_DEPTH) {
      throw Views.tooDeep();
    }
    way.removeLast();
    return height;
  }

  private Set<Namespace> shownBy(Namespace at, View visited) {
    Set<Namespace> shown = new LinkedHashSet<>();
    shown.add(new Namespace(at.database(), visited.on()));
    Variables variables = Variables.none(now);
    addShown(
        PipelineParser.parse(visited.stages(), variables, Collation.SIMPLE), at.database(), shown);
    return shown;
  }

  private static void addShown(Pipeline pipeline, String database, Set<Namespace> shown) {
    for (Stage stage : pipeline.stages()) {
      switch (stage) {
        case Stage.Lookup lookup -> {
          add(lookup.from(), database, shown);
          addShown(lookup.pipeline(), database, shown);
        }
        case Stage.Union union -> {
          add(union.from(), database, shown);
          addShown(union.pipeline(), database, shown);
        }
        case Stage.Graph graph -> add(graph.from(), database, shown);
        case Stage.Facet facet ->
            facet.branches().forEach(branch -> addShown(branch.pipeline(), database, shown));
        default -> {}
      }
    }
  }

  /** A pipeline that brings its own documents looks at no collection. */
  private static void add(Target target, String database, Set<Namespace> shown) {
    if (!target.collection().isEmpty()) {
      shown.add(
          new Namespace(
              target.database().isEmpty() ? database : target.database(), target.collection()));
    }
  }

  private CommandException cycle() {
    String names = way.stream().map(Namespace::toString).collect(Collectors.joining(" => "));
    return new CommandException(
        new ErrorCode(5, "GraphContainsCycle"), "View cycle detected: " + names + " => " + start);
  }
}
