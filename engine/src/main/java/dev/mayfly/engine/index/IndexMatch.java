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
 * How one index can answer a query: what to scan, and whether the results come in order.
 *
 * <p>Every document that passes the filter has a key in the bounds; unless they are exact, the
 * filter must be asked again. A document may have several keys in the bounds of an index that met
 * arrays.
 *
 * @param direction the way to scan for the wanted order, or {@link Direction#UNORDERED} when the
 *     results must be sorted
 * @param paths what a wildcard is asked about; empty for other indexes
 * @param telling how many leading parts of a key tell apart what is needed: of documents that share
 *     them one will do; 0 when all are needed
 */
public record IndexMatch(
    IndexSpec spec, Bounds bounds, Direction direction, List<FieldPath> paths, int telling) {
  private static final FieldPath NOWHERE = FieldPath.of(List.of());

  public IndexMatch {
    paths = List.copyOf(paths);
  }

  private IndexMatch(IndexSpec spec, Bounds bounds, Direction direction, List<FieldPath> paths) {
    this(spec, bounds, direction, paths, 0);
  }

  /** The way through an index that gives the wanted order. */
  public enum Direction {
    FORWARD,
    BACKWARD,
    UNORDERED
  }

  /**
   * How the index answers the query; empty when it does not hold all documents that pass.
   *
   * @param order the wanted order; when empty, any will do and is called forward
   * @param multikeyParts a bit for each part that met an array in any document, as {@link
   *     IndexKeys#extract} says; -1 when that is not known
   */
  public static Optional<IndexMatch> of(
      IndexSpec spec, Filter filter, List<Sort> order, long multikeyParts) {
    return implied(spec, filter)
        ? best(spec, filter, order, multikeyParts, columns -> isComplete(spec, columns))
        : Optional.empty();
  }

  /** As {@link #of}, when documents without a value at any path of a sparse index do not count. */
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
   * The same with entries alone that have these bytes behind their values; they may be others as
   * well, where values are not {@linkplain Bounds#whole whole}.
   */
  public IndexMatch followedBy(byte[] bytes) {
    return new IndexMatch(spec, bounds.followedBy(bytes), direction, paths);
  }

  /** The same for a query to which documents that share so many leading parts are as one. */
  public IndexMatch tellingBy(int parts) {
    return new IndexMatch(spec, bounds, direction, paths, parts);
  }

  /** The same for a query whose order this index does not give. */
  public IndexMatch unordered() {
    return new IndexMatch(spec, bounds, Direction.UNORDERED, paths);
  }

  /** The paths by whose values the scan is narrowed before all others. */
  public List<FieldPath> leading() {
    return paths.isEmpty() ? List.of(spec.parts().getFirst().path()) : paths;
  }

  /**
   * As {@link #of}, for a query that is about the documents in this index alone: one that is
   * sparse, partial or of places may lack some that pass. A wildcard, which has no keys of its own
   * for a document, must hold them all.
   */
  public static Optional<IndexMatch> insisted(
      IndexSpec spec, Filter filter, List<Sort> order, long multikeyParts) {
    boolean wildcard = spec.parts().stream().anyMatch(Part::manyPaths);
    return best(
        spec, filter, order, multikeyParts, columns -> !wildcard || isComplete(spec, columns));
  }

  /**
   * A stretch of the index as it lies, whatever the filter could narrow; empty when the index is
   * none of plain values. Documents that are not in the index are not found.
   *
   * @param from a value for each part; empty to begin with the first key
   * @param below a value for each part; empty to end with the last key
   */
  public static Optional<IndexMatch> stretch(
      IndexSpec spec,
      Filter filter,
      List<Sort> order,
      long multikeyParts,
      List<Value> from,
      List<Value> below) {
    if (spec.hidden() || spec.parts().stream().anyMatch(part -> !part.plain())) {
      return Optional.empty();
    }
    List<Column> columns = columns(spec, Filter.all(), NOWHERE, multikeyParts);
    KeyRange range = KeyRange.between(spec, from, below);
    return Optional.of(
        new IndexMatch(
            spec,
            new Bounds(List.of(range), false, 1, false),
            new SortService(spec, columns).direction(order),
            List.of()));
  }

  /** True when all documents that pass the filter pass that of the index. */
  private static boolean implied(IndexSpec spec, Filter filter) {
    return new Implication(spec.traversal().mode()).holds(filter, spec.partial());
  }

  private static Optional<IndexMatch> best(
      IndexSpec spec,
      Filter filter,
      List<Sort> order,
      long multikeyParts,
      Predicate<List<Column>> holdsEnough) {
    if (spec.hidden()) {
      return Optional.empty();
    }
    Stream<IndexMatch> single =
        candidates(spec, filter, order)
            .map(path -> columns(spec, filter, path, multikeyParts))
            .filter(holdsEnough)
            .map(columns -> match(spec, filter, order, columns));
    return Stream.concat(single, alternatives(spec, filter, order))
        .min(Comparator.comparingInt(IndexMatch::cost));
  }

  /**
   * The values, by the paths of the parts, of the key by which a scan comes upon a document; empty
   * when the document has no key in the bounds, or the index is no list of paths.
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
   * Where any of several conditions will do, each of which narrows an index of all paths: the
   * stretches of them all.
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
   * The index of those keys alone of which a document may have several in the bounds; empty when it
   * has one at most. For explicit indexes: of others, the parts that met arrays tell.
   */
  public Optional<IndexSpec> several() {
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
   * The values that each part of the index reads for the query, in ascending order whatever the
   * direction of the part, for people; nothing where a wildcard is asked about several paths.
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

  /** The conjuncts that do not already follow from being in the index. */
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
   * True when another bounded part may lead through the same array: different elements may then
   * meet the conditions on the two, and no single key would.
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

  /** True when every document that the columns describe has a key. */
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

  /** Returns whether only documents with a derived component here pass. */
  private static boolean isDerivedFrom(Column column) {
    return column.part().derived() && !column.intervals().isAll();
  }

  private static boolean isHeld(Column column) {
    return switch (column.spec().traversal()) {
      case IMPLICIT -> !column.admits(Type.MISSING) && !column.admits(Type.OBJECT);
      case EXPLICIT -> !column.admits(Type.MISSING) || column.spec().holdsAbsence(column.path());
    };
  }

  /** The paths to ask a wildcard about; a single one, without meaning, when there is none. */
  private static Stream<FieldPath> candidates(IndexSpec spec, Filter filter, List<Sort> order) {
    Optional<Part> wildcard = spec.parts().stream().filter(Part::manyPaths).findFirst();
    if (wildcard.isEmpty()) {
      return Stream.of(NOWHERE);
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

  /** True when no step is a place in an array. */
  private static boolean isNamed(FieldPath path) {
    for (int i = 0; i < path.length(); i++) {
      if (path.index(i) >= 0) {
        return false;
      }
    }
    return path.length() > 0;
  }

  /**
   * The paths that an index might be asked about: those that leaves name, and those of leaves about
   * elements from the root on.
   *
   * @param explicit whether elements are a step of their own, {@link Scope#ELEMENTS}
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

  /** Smaller for what narrows the scan more, then for what need not be sorted, then for points. */
  private int cost() {
    int sorted = direction == Direction.UNORDERED ? 0 : 2;
    return -4 * bounds.parts() - sorted - (bounds.whole() ? 1 : 0);
  }
}
