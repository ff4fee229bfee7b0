package dev.mayfly.engine.index;

import dev.mayfly.query.Filter;
import dev.mayfly.query.Intervals;
import dev.mayfly.query.Mode;
import dev.mayfly.value.FieldPath;
import java.util.List;
import java.util.Optional;

/**
 * Implication between filters: whether every document that matches one filter matches another.
 *
 * <p>The result may be false although the implication holds; a partial index is then not used.
 * Immutable.
 */
final class Implication {
  private final Mode mode;

  Implication(Mode mode) {
    this.mode = mode;
  }

  boolean holds(Filter given, Filter wanted) {
    if (given.equals(wanted)) {
      return true;
    }
    return switch (wanted) {
      case Filter.All _ -> true;
      case Filter.And(List<Filter> members) ->
          members.stream().allMatch(member -> holds(given, member));
      case Filter.Or(List<Filter> members)
          when members.stream().anyMatch(member -> holds(given, member)) ->
          true;
      case Filter _ ->
          given.conjuncts().stream().anyMatch(part -> partImplies(part, wanted))
              || meets(given, wanted);
    };
  }

  private boolean partImplies(Filter part, Filter wanted) {
    return switch (part) {
      case Filter.None _ -> true;
      case Filter.Or(List<Filter> members) ->
          members.stream().allMatch(member -> holds(member, wanted));
      case Filter _ -> part.equals(wanted) || meets(part, wanted);
    };
  }

  /** Returns whether every value that can meet one condition meets the other. */
  private boolean meets(Filter given, Filter wanted) {
    Optional<FieldPath> path = path(wanted);
    if (path.isEmpty()) {
      return false;
    }
    Intervals enough = intervals(wanted, path.get());
    return enough.exact() && enough.covers(intervals(given, path.get()));
  }

  private Intervals intervals(Filter filter, FieldPath path) {
    return Intervals.of(filter, path, mode, mode.order(), mode == Mode.MATCH);
  }

  private static Optional<FieldPath> path(Filter filter) {
    return switch (filter) {
      case Filter.Compare(FieldPath path, _, _) -> Optional.of(path);
      case Filter.In(FieldPath path, _) -> Optional.of(path);
      case Filter.Exists(FieldPath path, _) -> Optional.of(path);
      case Filter.OfType(FieldPath path, _) -> Optional.of(path);
      case Filter.Prefix(FieldPath path, _) -> Optional.of(path);
      case Filter.Regex(FieldPath path, _) -> Optional.of(path);
      case Filter.Not(Filter member) -> path(member);
      case Filter _ -> Optional.empty();
    };
  }
}
