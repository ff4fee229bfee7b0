package dev.mayfly.engine.index;

import dev.mayfly.query.Filter;
import dev.mayfly.query.Intervals;
import dev.mayfly.query.Sort;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Match of a query and an index: the bounds to scan, and whether the results are in order.
 * Immutable.
 *
 * <p>Every document that matches the filter has a key in the bounds. Unless the bounds are exact,
 * the filter must be checked on the documents. A document may have several keys in the bounds of a
 * multikey index.
 *
 * @param direction the scan direction for the order of the query, or {@link Direction#UNORDERED} if
 *     the results must be sorted
 * @param paths the paths that a wildcard index is scanned for; empty for other indexes
 * @param distinctParts for a skip scan, the number of leading parts of the distinct value; 0 if all
 *     documents are needed
 */
public record IndexMatch(
    IndexSpec spec, Bounds bounds, Direction direction, List<FieldPath> paths, int distinctParts) {
  private static final FieldPath NO_PATH = FieldPath.of(List.of());

  public IndexMatch {
    paths = List.copyOf(paths);
  }

  private IndexMatch(IndexSpec spec, Bounds bounds, Direction direction, List<FieldPath> paths) {
    this(spec, bounds, direction, paths, 0);
  }

  /** Direction of a scan. */
  public enum Direction {
    FORWARD,
    BACKWARD,
    UNORDERED
  }

  /**
   * Returns the match of a query and an index; empty if the index may lack matching documents.
   *
   * @param order the order of the query; if empty, the direction is forward
   * @param multikeyParts a bit for each part with an array in any document, as {@link
   *     IndexKeys#extract} returns; -1 if unknown
   */
  public static Optional<IndexMatch> of(
      IndexSpec spec, Filter filter, List<Sort> order, long multikeyParts) {
    return implied(spec, filter)
        ? best(spec, filter, order, multikeyParts, columns -> isComplete(spec, columns))
        : Optional.empty();
  }

  /**
   * As {@link #of}, for a query that does not need documents without a value at any path of a
   * sparse index.
   */
  public static Optional<IndexMatch> ofPresent(
      IndexSpec spec, Filter filter, List<Sort> order, long multikeyParts) {
    return implied(spec, filter)
        ? best(
            spec,
            filter,
            order,
            multikeyParts,
            columns -> spec.sparse() || isComplete(spec, columns))
        : Optional.empty();
  }

  /**
   * Returns this narrowed to entries with some bytes after their values. Has no effect if the
   * bounds are not {@linkplain Bounds#whole whole}.
   */
  public IndexMatch followedBy(byte[] bytes) {
    return new IndexMatch(spec, bounds.followedBy(bytes), direction, paths);
  }

  /** Returns this for a query that needs one document for each value of some leading parts. */
  public IndexMatch withDistinctParts(int parts) {
    return new IndexMatch(spec, bounds, direction, paths, parts);
  }

  /** Returns this without an order. */
  public IndexMatch unordered() {
    return new IndexMatch(spec, bounds, Direction.UNORDERED, paths);
  }

  /** The paths of the first part, or the paths that a wildcard is scanned for. */
  public List<FieldPath> leading() {
    return paths.isEmpty() ? List.of(spec.parts().getFirst().path()) : paths;
  }

  /**
   * As {@link #of}, for a hinted index: a sparse, partial or spherical index may lack matching
   * documents, which are then not found. A wildcard index must contain all of them.
   */
  public static Optional<IndexMatch> hinted(
      IndexSpec spec, Filter filter, List<Sort> order, long multikeyParts) {
    boolean wildcard = spec.parts().stream().anyMatch(Part::manyPaths);
    return best(
        spec, filter, order, multikeyParts, columns -> !wildcard || isComplete(spec, columns));
  }

  /**
   * Returns the match for the range of a {@code min} and {@code max}, without bounds of the filter;
   * empty if the index has other parts than plain values. Documents that are not in the index are
   * not found.
   *
   * @param from a value for each part, inclusive; empty to start at the first key
   * @param below a value for each part, exclusive; empty to end at the last key
   */
  public static Optional<IndexMatch> between(
      IndexSpec spec,
      Filter filter,
      List<Sort> order,
      long multikeyParts,
      List<Value> from,
      List<Value> below) {
    if (spec.hidden() || spec.parts().stream().anyMatch(part -> !part.plain())) {
      return Optional.empty();
    }
    List<Column> columns = columns(spec, Filter.all(), NO_PATH, multikeyParts);
    KeyRange range = KeyRange.between(spec, from, below);
    return Optional.of(
        new IndexMatch(
            spec,
            new Bounds(List.of(range), false, 1, false),
            new SortService(spec, columns).direction(order),
            List.of()));
  }

  /** Returns whether all documents that match the filter match the partial filter of the index. */
  private static boolean implied(IndexSpec spec, Filter filter) {
    return new Implication(spec.traversal().mode()).holds(filter, spec.partial());
  }

  private static Optional<IndexMatch> best(
      IndexSpec spec,
      Filter filter,
      List<Sort> order,
      long multikeyParts,
      Predicate<List<Column>> isUsable) {
    if (spec.hidden()) {
      return Optional.empty();
    }
    Stream<IndexMatch> single =
        candidates(spec, filter, order)
            .map(path -> columns(spec, filter, path, multikeyParts))
            .filter(isUsable)
            .map(columns -> match(spec, filter, order, columns));
    return Stream.concat(single, alternatives(spec, filter, order))
        .min(Comparator.comparingInt(IndexMatch::cost));
  }

  /**
   * Returns the values of the first key of a document that a scan meets, by the paths of the parts;
   * empty if the document has no key in the bounds, or for a wildcard index.
   */
  public Document keyOf(Document document) {
    if (spec.parts().stream().anyMatch(Part::manyPaths)) {
      return Document.EMPTY;
    }
    IndexKeys keys = new IndexKeys(spec);
    List<byte[]> met = new ArrayList<>();
    keys.extract(
        document,
        (buffer, length) -> {
          byte[] key = Arrays.copyOf(buffer, length);
          if (bounds.ranges().stream().anyMatch(range -> range.contains(key))) {
            met.add(key);
          }
        });
    if (met.isEmpty()) {
      return Document.EMPTY;
    }
    return keys.values(document, direction == Direction.BACKWARD ? met.getLast() : met.getFirst());
  }

  /**
   * Returns the match of a wildcard index for an {@code $or} whose members all have bounds: the
   * union of their ranges.
   */
  private static Stream<IndexMatch> alternatives(IndexSpec spec, Filter filter, List<Sort> order) {
    if (spec.traversal() == Traversal.IMPLICIT || !isAllPaths(spec)) {
      return Stream.of();
    }
    return filter.conjuncts().stream()
        .filter(Filter.Or.class::isInstance)
        .map(either -> alternatives(spec, ((Filter.Or) either).members(), order))
        .flatMap(Optional::stream);
  }

  private static boolean isAllPaths(IndexSpec spec) {
    return spec.parts().size() == 1 && spec.parts().getFirst().manyPaths();
  }

  private static Optional<IndexMatch> alternatives(
      IndexSpec spec, List<Filter> members, List<Sort> order) {
    List<KeyRange> ranges = new ArrayList<>();
    List<FieldPath> paths = new ArrayList<>();
    boolean whole = true;
    for (Filter member : members) {
      Optional<IndexMatch> match = of(spec, member, List.of(), 0);
      if (match.isEmpty() || match.get().bounds.parts() == 0) {
        return Optional.empty();
      }
      ranges.addAll(match.get().bounds.ranges());
      paths.addAll(match.get().paths);
      whole &= match.get().bounds.whole();
    }
    List<KeyRange> merged = KeyRange.merged(ranges);
    Direction direction = order.isEmpty() ? Direction.FORWARD : Direction.UNORDERED;
    return merged.size() > Bounds.MAX_RANGES
        ? Optional.empty()
        : Optional.of(
            new IndexMatch(
                spec,
                new Bounds(merged, false, 1, whole),
                direction,
                paths.stream().distinct().toList()));
  }

  /**
   * Returns the index restricted to the keys of which a document may have several in the bounds;
   * empty if it has at most one. For explicit indexes only; other indexes use their multikey parts.
   */
  public Optional<IndexSpec> repeatedKeys() {
    boolean oneKey = bounds.whole() && bounds.ranges().size() == 1;
    if (spec.traversal() == Traversal.IMPLICIT || oneKey) {
      return Optional.empty();
    }
    if (spec.derived()) {
      return Optional.of(spec);
    }
    boolean one = paths.size() == 1 && Scope.isPlain(paths.getFirst());
    return paths.isEmpty() || one ? Optional.empty() : Optional.of(spec.below(shared(paths)));
  }

  private static FieldPath shared(List<FieldPath> paths) {
    FieldPath first = paths.getFirst();
    List<String> steps = new ArrayList<>();
    for (int i = 0; i < first.length(); i++) {
      FieldPath longer = FieldPath.of(steps).child(first.step(i));
      if (!paths.stream().allMatch(path -> path.startsWith(longer))) {
        break;
      }
      steps.add(first.step(i));
    }
    return FieldPath.of(steps);
  }

  /**
   * Returns the bounds of each part for explain output, in ascending order; empty if a wildcard is
   * scanned for several paths.
   */
  public List<List<ValueRange>> values(Filter filter, List<Sort> order, long multikeyParts) {
    if (paths.size() > 1) {
      return List.of();
    }
    return candidates(spec, filter, order)
        .map(path -> columns(spec, filter, path, multikeyParts))
        .min(Comparator.comparingInt(columns -> match(spec, filter, order, columns).cost()))
        .orElse(List.of())
        .stream()
        .map(IndexMatch::values)
        .toList();
  }

  private static List<ValueRange> values(Column column) {
    Intervals intervals = column.intervals();
    return intervals.isAll()
        ? List.of(ValueRange.ALL)
        : ValueRange.joined(
            intervals.members().stream()
                .map(interval -> ValueRange.of(interval, column.spec().order()))
                .toList());
  }

  private static IndexMatch match(
      IndexSpec spec, Filter filter, List<Sort> order, List<Column> columns) {
    Bounds bounds = Bounds.of(spec, columns, unmet(spec, filter));
    Direction direction = new SortService(spec, columns).direction(order);
    List<FieldPath> paths =
        columns.stream().filter(column -> column.part().manyPaths()).map(Column::path).toList();
    return new IndexMatch(spec, bounds, direction, paths);
  }

  /** Returns the conjuncts that the partial filter of the index does not imply. */
  private static BitSet unmet(IndexSpec spec, Filter filter) {
    Implication implication = new Implication(spec.traversal().mode());
    List<Filter> conjuncts = filter.conjuncts();
    BitSet unmet = new BitSet();
    for (int i = 0; i < conjuncts.size(); i++) {
      unmet.set(i, !implication.holds(spec.partial(), conjuncts.get(i)));
    }
    return unmet;
  }

  private static List<Column> columns(
      IndexSpec spec, Filter filter, FieldPath wildcardPath, long multikeyParts) {
    List<Filter> conjuncts = filter.conjuncts();
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < spec.parts().size(); i++) {
      Part part = spec.parts().get(i);
      FieldPath path = part.manyPaths() ? wildcardPath : part.path();
      boolean metArray = (multikeyParts >>> i & 1) != 0;
      boolean multikey = part.kind().multikey(spec.traversal(), path, metArray);
      Column column = Column.of(spec, part, path, multikey, conjuncts);
      columns.add(sharesArray(column, columns) ? column.unbounded() : column);
    }
    return columns;
  }

  /**
   * Returns whether an earlier part with bounds may lead through the same array. Then different
   * elements may meet the two conditions, and no single key would.
   */
  private static boolean sharesArray(Column column, List<Column> before) {
    return column.multikey()
        && before.stream()
            .anyMatch(
                other ->
                    other.multikey()
                        && !other.intervals().isAll()
                        && other.path().step(0).equals(column.path().step(0)));
  }

  /** Returns whether every document that meets the conditions has a key. */
  private static boolean isComplete(IndexSpec spec, List<Column> columns) {
    if (spec.derived()) {
      return columns.stream().anyMatch(IndexMatch::isDerivedFrom);
    }
    if (spec.sparse() && columns.stream().allMatch(column -> column.admits(Type.MISSING))) {
      return false;
    }
    return columns.stream()
        .filter(column -> column.part().manyPaths())
        .allMatch(IndexMatch::isHeld);
  }

  /** Returns whether only documents with a derived component can match. */
  private static boolean isDerivedFrom(Column column) {
    return column.part().derived() && !column.intervals().isAll();
  }

  private static boolean isHeld(Column column) {
    return switch (column.spec().traversal()) {
      case IMPLICIT -> !column.admits(Type.MISSING) && !column.admits(Type.OBJECT);
      case EXPLICIT -> !column.admits(Type.MISSING) || column.spec().holdsAbsence(column.path());
    };
  }

  /** Returns the paths that a wildcard can be scanned for; one empty path for other indexes. */
  private static Stream<FieldPath> candidates(IndexSpec spec, Filter filter, List<Sort> order) {
    Optional<Part> wildcard = spec.parts().stream().filter(Part::manyPaths).findFirst();
    if (wildcard.isEmpty()) {
      return Stream.of(NO_PATH);
    }
    boolean explicit = spec.traversal() == Traversal.EXPLICIT;
    Stream<FieldPath> asked =
        Stream.concat(paths(filter, explicit), order.stream().map(Sort::path));
    return asked
        .distinct()
        .filter(path -> explicit ? isNamed(path) : Scope.isPlain(path))
        .filter(path -> !(explicit && path.equals(IndexSpec.WRITTEN)))
        .filter(path -> path.startsWith(wildcard.get().path()))
        .filter(spec::holds);
  }

  /** Returns whether no step is an array index. */
  private static boolean isNamed(FieldPath path) {
    for (int i = 0; i < path.length(); i++) {
      if (path.index(i) >= 0) {
        return false;
      }
    }
    return path.length() > 0;
  }

  /**
   * Returns all paths in a filter, from the root, including those inside of {@code $elemMatch}.
   *
   * @param explicit whether array elements are a step, {@link Scope#ELEMENTS}
   */
  public static Stream<FieldPath> paths(Filter filter, boolean explicit) {
    return switch (filter) {
      case Filter.And(List<Filter> members) ->
          members.stream().flatMap(member -> paths(member, explicit));
      case Filter.Or(List<Filter> members) ->
          members.stream().flatMap(member -> paths(member, explicit));
      case Filter.Not(Filter member) -> paths(member, explicit);
      case Filter.ElementMatch(FieldPath path, Filter member) -> {
        FieldPath element = explicit ? path.child(Scope.ELEMENTS) : path;
        yield Stream.concat(
            paths(member, explicit).map(rest -> joined(element, rest)), Stream.of(path));
      }
      case Filter leaf -> leaf.paths();
    };
  }

  private static FieldPath joined(FieldPath path, FieldPath rest) {
    FieldPath joined = path;
    for (int i = 0; i < rest.length(); i++) {
      joined = joined.child(rest.step(i));
    }
    return joined;
  }

  /**
   * Returns a cost for comparison: lower with more bounded parts, then with the order of the query,
   * then with exact values.
   */
  private int cost() {
    int sorted = direction == Direction.UNORDERED ? 0 : 2;
    return -4 * bounds.parts() - sorted - (bounds.whole() ? 1 : 0);
  }
}
