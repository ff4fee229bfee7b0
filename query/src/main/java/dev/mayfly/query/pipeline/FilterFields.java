package dev.mayfly.query.pipeline;

import dev.mayfly.query.Filter;
import dev.mayfly.value.FieldPath;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Which top-level fields a filter looks at. */
final class FilterFields {
  private FilterFields() {}

  /** Their names; empty when it may look at any. */
  static Optional<Set<String>> of(Filter filter) {
    return switch (filter) {
      case Filter.All _, Filter.None _ -> Optional.of(Set.of());
      case Filter.And(List<Filter> members) -> all(members);
      case Filter.Or(List<Filter> members) -> all(members);
      case Filter.Not(Filter member) -> of(member);
      case Filter.Compare(FieldPath path, _, _) -> first(path);
      case Filter.In(FieldPath path, _) -> first(path);
      case Filter.Exists(FieldPath path, _) -> first(path);
      case Filter.OfType(FieldPath path, _) -> first(path);
      case Filter.Prefix(FieldPath path, _) -> first(path);
      case Filter.Size(FieldPath path, _) -> first(path);
      case Filter.ElementMatch(FieldPath path, _) -> first(path);
      // What is not a condition on a path may look at anything.
      default -> Optional.empty();
    };
  }

  private static Optional<Set<String>> first(FieldPath path) {
    return path.length() == 0 ? Optional.empty() : Optional.of(Set.of(path.step(0)));
  }

  private static Optional<Set<String>> all(List<Filter> members) {
    Set<String> names = new HashSet<>();
    for (Filter member : members) {
      Optional<Set<String>> some = of(member);
      if (some.isEmpty()) {
        return some;
      }
      names.addAll(some.get());
    }
    return Optional.of(names);
  }
}
