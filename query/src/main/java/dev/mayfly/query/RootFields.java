package dev.mayfly.query;

import dev.mayfly.value.FieldPath;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which top-level fields of a document are looked at.
 *
 * @param names of the fields; none when {@code all} are looked at
 */
public record RootFields(Set<String> names, boolean all) {
  /** No field. */
  public static final RootFields NONE = new RootFields(Set.of(), false);

  /** Any field. */
  public static final RootFields ALL = new RootFields(Set.of(), true);

  public RootFields {
    names = Set.copyOf(names);
  }

  /** Where a path begins. */
  public static RootFields of(FieldPath path) {
    return path.length() == 0 ? ALL : new RootFields(Set.of(path.step(0)), false);
  }

  /** What a filter looks at. */
  public static RootFields of(Filter filter) {
    return switch (filter) {
      // A random choice must stay where it is, too: elsewhere it would choose among others.
      case Filter.Expr _, Filter.Conforms _, Filter.Sampled _ -> ALL;
      case Filter.And(List<Filter> members) -> ofAll(members);
      case Filter.Or(List<Filter> members) -> ofAll(members);
      case Filter.Not(Filter member) -> of(member);
      case Filter leaf -> leaf.paths().map(RootFields::of).reduce(NONE, RootFields::and);
    };
  }

  private static RootFields ofAll(List<Filter> filters) {
    return filters.stream().map(RootFields::of).reduce(NONE, RootFields::and);
  }

  /** What an order looks at. */
  public static RootFields ofKeys(List<Sort> keys) {
    return keys.stream().map(key -> of(key.path())).reduce(NONE, RootFields::and);
  }

  /** These and those. */
  public RootFields and(RootFields others) {
    if (all || others.all) {
      return ALL;
    }
    Set<String> both = new HashSet<>(names);
    both.addAll(others.names);
    return new RootFields(both, false);
  }
}
