package dev.mayfly.cosmos.container;

import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.engine.IndexingMode;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.index.Scope;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Indexing policy of a container.
 *
 * @param scopes included and excluded paths; the most precise one decides
 * @param composites composite indexes
 * @param spatialPaths paths of spatial indexes
 * @param form the policy in JSON
 */
public record IndexingPolicy(
    IndexingMode mode,
    List<Scope> scopes,
    List<List<Part>> composites,
    List<FieldPath> spatialPaths,
    Document form) {
  /** Name of the wildcard index of all included paths. */
  public static final String WILDCARD = "paths";

  /** Name of the index of {@code _ts}, which every policy has. */
  private static final String WRITTEN = "written";

  /** Name of the index of ids, for policies that do not include them. */
  private static final String IDS = "ids";

  private static final FieldPath ID = FieldPath.of("id");
  private static final FieldPath ROOT = FieldPath.of(List.of());
  private static final String EVERYTHING = "/*";

  /** Path that Cosmos DB excludes and reports in every policy unless it is set otherwise. */
  private static final String ETAG = "/\"_etag\"/?";

  private static final int MAX_COMPOSITE_PARTS = 8;
  private static final Value SPATIAL = Value.of("Spatial");
  private static final String SPATIAL_INDEXES = "spatialIndexes";

  /** Properties that are returned unchanged. */
  private static final List<String> ECHOED =
      List.of("compositeIndexes", SPATIAL_INDEXES, "vectorIndexes", "fullTextIndexes");

  public IndexingPolicy {
    scopes = List.copyOf(scopes);
    composites = List.copyOf(composites);
    spatialPaths = List.copyOf(spatialPaths);
  }

  /**
   * Parses the policy of a container; without one, all paths are indexed.
   *
   * @throws CosmosException 400
   */
  public static IndexingPolicy of(Value value) {
    Document policy = Elements.object(value, "indexingPolicy");
    IndexingMode mode = mode(policy.field("indexingMode"));
    boolean automatic = automatic(policy.field("automatic"), mode);
    List<Value> included = Elements.of(policy, "includedPaths");
    List<Value> excluded = Elements.of(policy, "excludedPaths");
    if (mode == IndexingMode.NONE) {
      return new IndexingPolicy(
          mode, List.of(), List.of(), List.of(), form(mode, automatic, policy));
    }
    boolean standard = included.isEmpty() && excluded.isEmpty();
    List<Scope> scopes = new ArrayList<>();
    addScopes(included, true, scopes);
    addScopes(excluded, false, scopes);
    if (included.isEmpty() && scopes.stream().noneMatch(IndexingPolicy::isRoot)) {
      scopes.add(Scope.include(ROOT));
    }
    checkScopes(scopes);
    Document form =
        standard ? standardForm(mode, automatic, policy) : form(mode, automatic, policy);
    List<List<Part>> composites = composites(policy);
    return new IndexingPolicy(mode, scopes, composites, spatialPaths(policy), form);
  }

  private static List<FieldPath> spatialPaths(Document policy) {
    List<FieldPath> spatialPaths = new ArrayList<>();
    for (Value index : Elements.of(policy, SPATIAL_INDEXES)) {
      Document form = Elements.object(index, SPATIAL_INDEXES);
      Elements.of(form, "types").forEach(IndexingPolicy::checkGeometry);
      addSpatial(form.field("path"), spatialPaths);
    }
    // API version of 2016: an included path has kinds of indexes
    for (Value path : Elements.of(policy, "includedPaths")) {
      Document form = path.asDocument();
      boolean isSpatial =
          Elements.of(form, "indexes").stream()
              .anyMatch(index -> Elements.object(index, "indexes").field("kind").equals(SPATIAL));
      if (isSpatial) {
        addSpatial(form.field("path"), spatialPaths);
      }
    }
    return spatialPaths.stream().distinct().toList();
  }

  private static void checkGeometry(Value type) {
    String word = text(type);
    if (!SpatialPolicies.isType(word)) {
      throw CosmosException.wrong("The spatial type '" + word + "' is invalid.");
    }
  }

  /** Spatial paths into arrays and wildcards have no index. */
  private static void addSpatial(Value text, List<FieldPath> spatialPaths) {
    if (text.type() != Type.STRING) {
      throw CosmosException.wrong("A spatial index must be an object with a 'path'.");
    }
    List<String> steps = new ArrayList<>(PathSyntax.steps(text.asString()));
    if (steps.getLast().equals("*") || steps.getLast().equals("?")) {
      steps.removeLast();
    }
    if (!steps.isEmpty() && !steps.contains(Scope.ELEMENTS)) {
      spatialPaths.add(FieldPath.of(steps));
    }
  }

  private static IndexingMode mode(Value value) {
    String word = Elements.absent(value) ? "consistent" : text(value);
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "consistent" -> IndexingMode.CONSISTENT;
      case "lazy" -> IndexingMode.LAZY;
      case "none" -> IndexingMode.NONE;
      default -> throw CosmosException.wrong("The indexing mode '" + word + "' is invalid.");
    };
  }

  private static String text(Value value) {
    return value.type() == Type.STRING ? value.asString() : value.toString();
  }

  private static boolean automatic(Value value, IndexingMode mode) {
    if (Elements.absent(value)) {
      return mode != IndexingMode.NONE;
    }
    if (value.type() != Type.BOOLEAN) {
      throw CosmosException.wrong("'automatic' must be true or false.");
    }
    if (value.asBoolean() && mode == IndexingMode.NONE) {
      throw CosmosException.wrong(
          "Indexing mode value cannot be 'none' when automatic indexing is specified as 'true'.");
    }
    return value.asBoolean();
  }

  private static void addScopes(List<Value> paths, boolean included, List<Scope> scopes) {
    for (Value element : paths) {
      Value path = element.isDocument() ? element.asDocument().field("path") : Value.MISSING;
      if (path.type() != Type.STRING) {
        throw CosmosException.wrong("An indexing path must be an object with a 'path'.");
      }
      scopes.add(scope(path.asString(), included));
    }
  }

  private static Scope scope(String text, boolean included) {
    List<String> steps = text.equals("/") ? List.of("*") : PathSyntax.steps(text);
    FieldPath path = FieldPath.of(steps.subList(0, steps.size() - 1));
    return switch (steps.getLast()) {
      case "*" -> new Scope(path, Scope.Reach.SUBTREE, included);
      case "?" -> new Scope(path, Scope.Reach.LEAF, included);
      default -> {
        throw CosmosException.wrong("The indexing path '" + text + "' must end with '/?' or '/*'.");
      }
    };
  }

  private static boolean isRoot(Scope scope) {
    return scope.path().length() == 0;
  }

  private static void checkScopes(List<Scope> scopes) {
    if (scopes.stream().noneMatch(IndexingPolicy::isRoot)) {
      throw CosmosException.wrong(
          "The special mandatory indexing path \"/\" is not provided in any of the path type sets."
              + " Please provide this path in one of the sets.");
    }
    Set<Scope> seen = new HashSet<>();
    for (Scope scope : scopes) {
      if (!seen.add(new Scope(scope.path(), scope.reach(), true))) {
        throw CosmosException.wrong(
            "The indexing path '/"
                + scope.path()
                + "' is specified more than once in the included and excluded paths.");
      }
    }
  }

  private static List<List<Part>> composites(Document policy) {
    List<List<Part>> all = new ArrayList<>();
    for (Value list : Elements.of(policy, "compositeIndexes")) {
      all.add(composite(list));
    }
    return all;
  }

  private static List<Part> composite(Value list) {
    List<Part> parts = new ArrayList<>();
    Fields elements = list.isArray() ? list.asDocument().fields() : Document.EMPTY.fields();
    while (elements.next()) {
      Document part =
          elements.type() == Type.OBJECT ? elements.value().asDocument() : Document.EMPTY;
      Value path = part.field("path");
      if (path.type() != Type.STRING) {
        throw CosmosException.wrong("A composite index path must be an object with a 'path'.");
      }
      FieldPath at = PathSyntax.path(path.asString());
      parts.add(descending(part.field("order")) ? Part.descending(at) : Part.ascending(at));
    }
    boolean repeated = parts.stream().map(Part::path).distinct().count() < parts.size();
    if (parts.size() < 2 || parts.size() > MAX_COMPOSITE_PARTS || repeated) {
      throw CosmosException.wrong("A composite index must have between 2 and 8 different paths.");
    }
    return parts;
  }

  private static boolean descending(Value order) {
    String word = Elements.absent(order) ? "ascending" : text(order);
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "ascending" -> false;
      case "descending" -> true;
      default ->
          throw CosmosException.wrong("The order '" + word + "' of a composite index is invalid.");
    };
  }

  private static DocumentWriter head(IndexingMode mode, boolean automatic) {
    return Document.writer()
        .put("indexingMode", mode.name().toLowerCase(Locale.ROOT))
        .put("automatic", automatic);
  }

  private static Document standardForm(IndexingMode mode, boolean automatic, Document policy) {
    DocumentWriter writer = head(mode, automatic);
    writer.startArray("includedPaths").startDocument().put("path", EVERYTHING).end().end();
    writer.startArray("excludedPaths").startDocument().put("path", ETAG).end().end();
    return echo(writer, policy);
  }

  private static Document form(IndexingMode mode, boolean automatic, Document policy) {
    boolean indexed = mode != IndexingMode.NONE;
    List<Value> included = indexed ? Elements.of(policy, "includedPaths") : List.of();
    List<Value> excluded = new ArrayList<>();
    if (indexed) {
      excluded.addAll(Elements.of(policy, "excludedPaths"));
      if (!names(included, ETAG) && !names(excluded, ETAG)) {
        excluded.add(Value.of(Document.writer().put("path", ETAG).build()));
      }
    }
    DocumentWriter writer = head(mode, automatic);
    writer.put("includedPaths", Value.array(included));
    writer.put("excludedPaths", Value.array(excluded));
    return echo(writer, policy);
  }

  /** Whether paths contain a path, with or without quotes. */
  private static boolean names(List<Value> paths, String path) {
    List<String> steps = PathSyntax.steps(path);
    return paths.stream()
        .map(one -> one.asDocument().field("path").asString())
        .anyMatch(one -> PathSyntax.steps(one).equals(steps));
  }

  private static Document echo(DocumentWriter writer, Document policy) {
    for (String name : ECHOED) {
      Value value = policy.field(name);
      if (value.isArray() && !value.asDocument().isEmpty()) {
        writer.put(
            name, name.equals(SPATIAL_INDEXES) ? SpatialPolicies.withAllTypes(value) : value);
      }
    }
    return writer.build();
  }

  /** Whether items are indexed without an indexing directive. */
  public boolean automatic() {
    return form.field("automatic").equals(Value.TRUE);
  }

  /** Returns the indexes for the engine. */
  public List<IndexSpec> indexes() {
    List<IndexSpec> specs = new ArrayList<>();
    wildcard().ifPresent(specs::add);
    for (List<Part> composite : composites) {
      specs.add(IndexSpec.explicit(name(composite), composite.toArray(Part[]::new)));
    }
    if (mode != IndexingMode.NONE) {
      specs.add(IndexSpec.explicit(WRITTEN, Part.ascending(IndexSpec.WRITTEN)));
      if (!includes(ID)) {
        specs.add(IndexSpec.explicit(IDS, Part.ascending(ID)));
      }
    }
    for (FieldPath path : spatialPaths) {
      specs.add(IndexSpec.explicit("places " + path, Part.sphere(path)));
    }
    return specs.stream().distinct().toList();
  }

  /** Returns the wildcard index; empty if no path is included. */
  private Optional<IndexSpec> wildcard() {
    if (scopes.stream().noneMatch(Scope::included)) {
      return Optional.empty();
    }
    Scope[] narrowing = scopes.stream().filter(scope -> !all(scope)).toArray(Scope[]::new);
    return Optional.of(IndexSpec.explicit(WILDCARD, Part.wildcard(ROOT)).withScopes(narrowing));
  }

  /** A scope that includes all paths is redundant: paths without a scope are indexed. */
  private static boolean all(Scope scope) {
    return isRoot(scope) && scope.included();
  }

  private static String name(List<Part> composite) {
    StringBuilder name = new StringBuilder("composite");
    for (Part part : composite) {
      name.append(part.descending() ? " -" : " +").append(part.path());
    }
    return name.toString();
  }

  /** Whether the value at a path is indexed. */
  public boolean includes(FieldPath path) {
    Optional<Scope> decides = Optional.empty();
    for (Scope scope : scopes) {
      boolean covers =
          scope.reach() == Scope.Reach.LEAF
              ? path.equals(scope.path())
              : path.startsWith(scope.path());
      if (covers && decides.filter(best -> precision(best) >= precision(scope)).isEmpty()) {
        decides = Optional.of(scope);
      }
    }
    return decides.map(Scope::included).orElse(false);
  }

  private static int precision(Scope scope) {
    return 2 * scope.path().length() + (scope.reach() == Scope.Reach.LEAF ? 1 : 0);
  }
}
