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
    if (looksAnywhere(filter)) {
      return Optional.empty();
    }
    Set<String> names = new HashSet<>();
    for (FieldPath path : filter.paths().toList()) {
      names.add(path.step(0));
    }
    return Optional.of(names);
  }

  /** A random choice must stay where it is, too: elsewhere it would choose among others. */
  private static boolean looksAnywhere(Filter filter) {
    return switch (filter) {
      case Filter.Expr _, Filter.Conforms _, Filter.Sampled _ -> true;
      case Filter.And(List<Filter> members) ->
          members.stream().anyMatch(FilterFields::looksAnywhere);
      case Filter.Or(List<Filter> members) ->
          members.stream().anyMatch(FilterFields::looksAnywhere);
      case Filter.Not(Filter member) -> looksAnywhere(member);
      case Filter leaf -> leaf.paths().anyMatch(path -> path.length() == 0);
    };
  }
}
