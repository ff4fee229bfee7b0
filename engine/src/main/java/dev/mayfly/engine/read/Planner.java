package dev.mayfly.engine.read;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Dialect;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.Explanation;
import dev.mayfly.engine.catalog.CollectionState;
import dev.mayfly.engine.catalog.IndexState;
import dev.mayfly.engine.index.Bounds;
import dev.mayfly.engine.index.IndexMatch;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.storage.PrimaryKey;
import dev.mayfly.query.Distinctness;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Hint;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Operator;
import dev.mayfly.query.Query;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.KeyWriter;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * Query planner: chooses a point read, the index with the tightest bounds, a range of ids, or a
 * scan. Used for one query.
 */
public final class Planner {
  /** The records as an index on the id, with its name in MongoDB. */
  static final IndexSpec ID_INDEX = IndexSpec.implicit("_id_", Part.ascending(Dialect.MONGO.id()));

  private static final long NO_ARRAYS = 0;

  private final CollectionState state;
  private final Query query;
  private final ToLongFunction<IndexState> arrays;
  private final IndexStatistics indexStatistics;

  private Planner(
      CollectionState state,
      Query query,
      ToLongFunction<IndexState> arrays,
      IndexStatistics indexStatistics) {
    this.state = state;
    this.query = query;
    this.arrays = arrays;
    this.indexStatistics = indexStatistics;
  }

  /**
   * As {@link #plan(CollectionState, Query, ToLongFunction, IndexStatistics)}, without statistics.
   */
  static Plan plan(CollectionState state, Query query, ToLongFunction<IndexState> arrays) {
    return plan(state, query, arrays, IndexStatistics.NONE);
  }

  /**
   * Returns the plan of a query.
   *
   * @param arrays returns the multikey parts of an index, as a bit set
   */
  public static Plan plan(
      CollectionState state,
      Query query,
      ToLongFunction<IndexState> arrays,
      IndexStatistics indexStatistics) {
    Planner planner = new Planner(state, query, arrays, indexStatistics);
    return switch (query.need()) {
      case Distinctness.All _ -> planner.plan();
      case Distinctness.OneForEach each -> planner.plan(each);
    };
  }

  private Plan plan() {
    return switch (query.hint()) {
      case Hint.None _ -> unhinted().orElseGet(() -> scan(Direction.UP));
      case Hint.Index(String name) -> hinted(name);
      case Hint.MinMax minMax -> minMax(minMax);
      case Hint.Natural(boolean backward) -> scan(backward ? Direction.DOWN : Direction.UP);
    };
  }

  /** Returns the plan without a hint; empty for a scan. */
  private Optional<Plan> unhinted() {
    return point().or(this::withinPartition).or(this::bestOrUnion);
  }

  /**
   * Returns the plan of a query that needs one document for each distinct value: a skip scan if an
   * index has the values, also instead of a collection scan if that is cheaper.
   */
  private Plan plan(Distinctness.OneForEach each) {
    Optional<Plan> skipScan =
        query.hint() instanceof Hint.None && unhinted().isEmpty()
            ? state.indexes().stream()
                .map(index -> skipScanOf(index, each))
                .flatMap(Optional::stream)
                .findFirst()
            : Optional.empty();
    return skipScan.orElseGet(() -> withSkipScan(plan(), each));
  }

  private Optional<Plan> skipScanOf(IndexState index, Distinctness.OneForEach each) {
    if (!usable(index) || !beginsWith(index.spec(), each.path())) {
      return Optional.empty();
    }
    // documents without a value at the path are not needed: a sparse index is sufficient
    return IndexMatch.ofPresent(
            index.spec(), query.filter(), query.order(), arrays.applyAsLong(index))
        .map(match -> match.withDistinctParts(distinctParts(index, match, each)))
        .filter(match -> match.distinctParts() > 0 && indexStatistics.favorsSkipScan(index, match))
        .map(match -> new Plan.Index(index, match));
  }

  private Plan withSkipScan(Plan plan, Distinctness.OneForEach each) {
    return plan instanceof Plan.Index(IndexState index, IndexMatch match)
        ? new Plan.Index(index, match.withDistinctParts(distinctParts(index, match, each)))
        : plan;
  }

  /**
   * Returns the number of leading parts of an index that make up the distinct value; 0 if a skip
   * scan is not possible. The bounds must be exact, because one document stands for all with the
   * same value. If the part is multikey, the bounds must not exclude any values: a skipped document
   * could be needed for another of its values.
   */
  private int distinctParts(IndexState index, IndexMatch match, Distinctness.OneForEach each) {
    IndexSpec spec = index.spec();
    List<FieldPath> paths = spec.parts().stream().map(Part::path).toList();
    int place = paths.indexOf(each.path());
    boolean plain = spec.parts().stream().allMatch(Part::plain);
    boolean fits = spec.collation().simple() || spec.collation().equals(each.collation());
    boolean several = place >= 0 && (arrays.applyAsLong(index) >>> place & 1) != 0;
    boolean safe =
        plain
            && fits
            && inOrderOfIds()
            && match.direction() == IndexMatch.Direction.FORWARD
            && match.bounds().exact()
            && !(several && match.bounds().parts() > 0);
    return safe ? place + 1 : 0;
  }

  private Optional<Plan> point() {
    Value id = equal(state.spec().dialect().id(), true);
    List<Value> partition = partitionValues();
    if (id.isMissing() || partition.size() < state.spec().partitionKey().size()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new Plan.Point(PrimaryKey.of(state.spec(), new DocumentKey(partition, id))));
    } catch (EngineException notAnId) {
      return Optional.empty();
    }
  }

  /**
   * Returns the plan within the partition of the filter, which is assumed to be a small part of the
   * collection: an index that begins with the partition key, or exact values of another index,
   * whose entries with equal values are ordered by partition; else the records of the partition.
   */
  private Optional<Plan> withinPartition() {
    List<Value> values = partitionValues();
    if (values.isEmpty()) {
      return Optional.empty();
    }
    FieldPath first = state.spec().partitionKey().getFirst();
    Optional<Plan> best =
        state.indexes().stream().anyMatch(index -> beginsWith(index.spec(), first))
            ? best()
            : Optional.empty();
    if (best.isPresent()
        && best.get() instanceof Plan.Index(_, IndexMatch match)
        && beginsWith(match, first)) {
      return best;
    }
    return Optional.of(narrowed(values).orElseGet(() -> scan(Direction.UP)));
  }

  /**
   * Returns whether an index begins with the partition key and further narrows or orders the
   * documents.
   */
  private boolean beginsWith(IndexMatch match, FieldPath path) {
    boolean sorted =
        !query.order().isEmpty() && match.direction() != IndexMatch.Direction.UNORDERED;
    return beginsWith(match.spec(), path)
        && (match.bounds().parts() > 1 || (match.bounds().parts() == 1 && sorted));
  }

  private static boolean beginsWith(IndexSpec spec, FieldPath path) {
    Part first = spec.parts().getFirst();
    return !first.manyPaths() && first.path().equals(path);
  }

  /**
   * Returns an index with exact values, in which the entries of the partition are one range per
   * value.
   */
  private Optional<Plan> narrowed(List<Value> partition) {
    List<FieldPath> keys = state.spec().partitionKey();
    Filter rest =
        Filter.and(
            query.filter().conjuncts().stream()
                .filter(one -> one.paths().noneMatch(keys::contains))
                .toList());
    Plan.Index best = null;
    for (IndexState index : state.indexes()) {
      if (usable(index) && !index.spec().unique()) {
        Optional<IndexMatch> match =
            IndexMatch.of(index.spec(), rest, query.order(), arrays.applyAsLong(index))
                .filter(one -> one.bounds().whole())
                .or(() -> unsorted(index, rest).filter(one -> one.bounds().whole()));
        if (match.isPresent() && (best == null || better(match.get(), best.match()))) {
          best = new Plan.Index(index, match.get().followedBy(prefix(state.spec(), partition)));
        }
      }
    }
    return Optional.ofNullable(best);
  }

  private List<Value> partitionValues() {
    List<Value> values = new ArrayList<>();
    for (FieldPath path : state.spec().partitionKey()) {
      Optional<Value> value = required(path);
      if (value.isEmpty()) {
        break;
      }
      values.add(value.get());
    }
    return values;
  }

  /**
   * Returns the value of a partition key path that the filter requires; in SQL it may be null or
   * missing.
   */
  private Optional<Value> required(FieldPath path) {
    boolean sql = query.mode() == Mode.SQL;
    for (Filter conjunct : query.filter().conjuncts()) {
      boolean missing =
          conjunct.equals(new Filter.Exists(path, false))
              || conjunct.equals(DocumentKey.without(path));
      if (sql && missing) {
        return Optional.of(Value.MISSING);
      }
      if (sql && conjunct.equals(Filter.equal(path, Value.NULL))) {
        return Optional.of(Value.NULL);
      }
    }
    Value value = equal(path, false);
    return value.isMissing() ? Optional.empty() : Optional.of(value);
  }

  /**
   * Returns the value that the filter requires at a path, or missing; only types whose equality is
   * exact.
   */
  private Value equal(FieldPath path, boolean orDocument) {
    for (Filter conjunct : query.filter().conjuncts()) {
      if (conjunct instanceof Filter.Compare(FieldPath at, Operator operator, Value value)
          && operator == Operator.EQ
          && at.equals(path)
          && (scalar(value) || (orDocument && value.isDocument()))) {
        return value;
      }
    }
    return Value.MISSING;
  }

  private static boolean scalar(Value value) {
    return !value.isMissing()
        && !value.isNull()
        && !value.isArray()
        && !value.isDocument()
        && value.type() != Type.UNDEFINED;
  }

  /**
   * Returns the plan with the tightest bounds. If none has bounds and the filter has an {@code
   * $or}, returns a union. A union has no order, so an index in the order of the query is preferred
   * if the query has a limit.
   */
  private Optional<Plan> bestOrUnion() {
    Optional<Plan> best = best();
    boolean first = query.limit() != Query.NO_LIMIT && !query.order().isEmpty();
    return best.isPresent() && (narrows(best.get()) || first) ? best : union().or(() -> best);
  }

  private static boolean narrows(Plan plan) {
    return switch (plan) {
      case Plan.Index(_, IndexMatch match) -> match.bounds().parts() > 0;
      case Plan.Ids(IndexMatch match) -> match.bounds().parts() > 0;
      case Plan.Point _ -> true;
      case Plan.Union _, Plan.Records _, Plan.After _, Plan.Arrivals _ -> false;
    };
  }

  private Optional<Plan> union() {
    if (query.mode() != Mode.MATCH) {
      return Optional.empty();
    }
    List<Filter> conjuncts = query.filter().conjuncts();
    for (int i = 0; i < conjuncts.size(); i++) {
      if (conjuncts.get(i) instanceof Filter.Or(List<Filter> members)) {
        List<Filter> others = new ArrayList<>(conjuncts);
        others.remove(i);
        Optional<Plan> union = union(members, others);
        if (union.isPresent()) {
          return union;
        }
      }
    }
    return Optional.empty();
  }

  /** Returns a union with a plan for each member; empty if there is none for one of them. */
  private Optional<Plan> union(List<Filter> members, List<Filter> others) {
    List<Plan.Branch> branches = new ArrayList<>();
    for (Filter member : members) {
      List<Filter> all = new ArrayList<>(List.of(member));
      all.addAll(others);
      Query alone = Query.of(Filter.and(all), query.mode());
      Optional<Plan> way = new Planner(state, alone, arrays, indexStatistics).best();
      if (way.isEmpty() || !narrows(way.get()) || branches.size() == Bounds.MAX_RANGES) {
        return Optional.empty();
      }
      branches.add(new Plan.Branch(way.get(), alone.filter()));
    }
    return branches.isEmpty() ? Optional.empty() : Optional.of(new Plan.Union(branches));
  }

  /** Returns the plan with the tightest bounds, if it is better than a scan. */
  private Optional<Plan> best() {
    Plan.Index best = null;
    for (IndexState index : state.indexes()) {
      if (usable(index)) {
        Optional<IndexMatch> match =
            IndexMatch.of(index.spec(), query.filter(), query.order(), arrays.applyAsLong(index));
        if (match.isPresent() && (best == null || better(match.get(), best.match()))) {
          best = new Plan.Index(index, match.get());
        }
      }
    }
    Optional<IndexMatch> ids = ids();
    if (ids.isPresent() && (best == null || better(ids.get(), best.match()))) {
      return ids.filter(this::pays).map(Plan.Ids::new);
    }
    return best != null && pays(best.match()) ? Optional.of(orShorter(best)) : Optional.empty();
  }

  /**
   * Returns an index scan in the order of the query, or another one with bounds as tight that is so
   * short that a sort is cheaper.
   */
  private Plan orShorter(Plan.Index ordered) {
    if (query.order().isEmpty() || !ordered.ordered()) {
      return ordered;
    }
    for (IndexState index : state.indexes()) {
      Optional<IndexMatch> other =
          usable(index) ? unsorted(index, query.filter()) : Optional.empty();
      if (other.isPresent()
          && other.get().bounds().parts() >= Math.max(1, ordered.match().bounds().parts())
          && !other.get().leading().equals(ordered.match().leading())
          && indexStatistics.isShort(index, other.get())) {
        return new Plan.Index(index, other.get());
      }
    }
    return ordered;
  }

  /**
   * Returns the match of an index with the tightest bounds, regardless of the order of the query.
   */
  private Optional<IndexMatch> unsorted(IndexState index, Filter filter) {
    return IndexMatch.of(index.spec(), filter, List.of(), arrays.applyAsLong(index))
        .map(match -> query.order().isEmpty() ? match : match.unordered());
  }

  private boolean usable(IndexState index) {
    return index.ready() && !(index.spec().unique() && !state.spec().partitionKey().isEmpty());
  }

  /** Returns the match of the records as an index on the id, if their keys are ids alone. */
  private Optional<IndexMatch> ids() {
    return inOrderOfIds()
        ? IndexMatch.of(ID_INDEX, query.filter(), query.order(), NO_ARRAYS)
        : Optional.empty();
  }

  private boolean inOrderOfIds() {
    return state.spec().dialect() == Dialect.MONGO && state.spec().partitionKey().isEmpty();
  }

  private Plan hinted(String name) {
    Optional<Plan> plan =
        name.equals(ID_INDEX.name())
            ? point().or(() -> ids().map(Plan.Ids::new))
            : state
                .index(name)
                .filter(this::usable)
                .flatMap(
                    index ->
                        IndexMatch.hinted(
                                index.spec(),
                                query.filter(),
                                query.order(),
                                arrays.applyAsLong(index))
                            .map(match -> new Plan.Index(index, match)));
    return plan.orElseThrow(() -> unusableHint(name));
  }

  private Plan minMax(Hint.MinMax hint) {
    Optional<Plan> plan =
        hint.name().equals(ID_INDEX.name()) && inOrderOfIds()
            ? minMax(ID_INDEX, hint, NO_ARRAYS).map(Plan.Ids::new)
            : state
                .index(hint.name())
                .filter(this::usable)
                .flatMap(
                    index ->
                        minMax(index.spec(), hint, arrays.applyAsLong(index))
                            .map(match -> new Plan.Index(index, match)));
    return plan.orElseThrow(() -> unusableHint(hint.name()));
  }

  private static EngineException unusableHint(String index) {
    return new EngineException(
        Reason.BAD_HINT, "the hinted index '" + index + "' cannot be used for the query");
  }

  private Optional<IndexMatch> minMax(IndexSpec spec, Hint.MinMax hint, long met) {
    return IndexMatch.between(spec, query.filter(), query.order(), met, hint.from(), hint.below());
  }

  /** Returns whether an index is better than a scan: it has bounds or gives the order. */
  private boolean pays(IndexMatch match) {
    boolean sorted = match.direction() != IndexMatch.Direction.UNORDERED;
    return match.bounds().parts() > 0 || (!query.order().isEmpty() && sorted);
  }

  private static boolean better(IndexMatch a, IndexMatch b) {
    if (a.bounds().parts() != b.bounds().parts()) {
      return a.bounds().parts() > b.bounds().parts();
    }
    boolean sorted = a.direction() != IndexMatch.Direction.UNORDERED;
    boolean otherSorted = b.direction() != IndexMatch.Direction.UNORDERED;
    return sorted != otherSorted ? sorted : a.bounds().exact() && !b.bounds().exact();
  }

  /**
   * Returns a scan in natural order: insertion order of a capped collection, else storage order.
   */
  private Plan scan(Direction direction) {
    return state.spec().capped()
        ? new Plan.Arrivals(direction, Long.MIN_VALUE)
        : new Plan.Records(range(state.spec(), partitionValues()), direction);
  }

  /**
   * Returns a scan of the records whose partition key begins with some values, in storage order.
   */
  public static Plan.Records records(CollectionSpec spec, List<Value> partition) {
    return new Plan.Records(range(spec, partition), Direction.UP);
  }

  private static Range range(CollectionSpec spec, List<Value> partition) {
    return partition.isEmpty() ? Range.all() : Range.prefix(prefix(spec, partition));
  }

  /** Returns the key prefix of a partition. */
  private static byte[] prefix(CollectionSpec spec, List<Value> partition) {
    KeyWriter prefix = new KeyWriter();
    for (Value value : partition) {
      prefix.append(value, spec.dialect().order());
    }
    return prefix.bytes();
  }

  /** Describes a plan for explain output. */
  public static Explanation.Access explain(
      Plan plan, Query query, ToLongFunction<IndexState> arrays) {
    return switch (plan) {
      case Plan.Point _ -> new Explanation.Access.Point();
      case Plan.Index(IndexState index, IndexMatch match) ->
          explain(match, query, arrays.applyAsLong(index));
      case Plan.Ids(IndexMatch match) -> explain(match, query, NO_ARRAYS);
      case Plan.Union(List<Plan.Branch> branches) ->
          new Explanation.Access.Union(
              branches.stream()
                  .map(
                      branch ->
                          explain(branch.way(), Query.of(branch.filter(), query.mode()), arrays))
                  .map(Explanation.Access.Index.class::cast)
                  .toList());
      case Plan.Records(_, Direction direction) ->
          new Explanation.Access.Scan(direction == Direction.DOWN);
      case Plan.After _ -> new Explanation.Access.Scan(false);
      case Plan.Arrivals(Direction direction, _) ->
          new Explanation.Access.Scan(direction == Direction.DOWN);
    };
  }

  private static Explanation.Access explain(IndexMatch match, Query query, long met) {
    return new Explanation.Access.Index(
        match.spec(),
        match.direction() == IndexMatch.Direction.BACKWARD,
        met != NO_ARRAYS,
        query.hint() instanceof Hint.MinMax
            ? List.of()
            : match.values(query.filter(), query.order(), met),
        match.paths(),
        match.distinctParts() > 0);
  }
}
