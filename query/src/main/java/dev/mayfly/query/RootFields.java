package dev.mayfly.query;

import dev.mayfly.value.FieldPath;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Set of the top-level fields that are read.
 *
 * @param names of the fields; empty if {@code all} are read
 */
public record RootFields(Set<String> names, boolean all) {
  /** No field. */
  public static final RootFields NONE = new RootFields(Set.of(), false);

  /** Any field. */
  public static final RootFields ALL = new RootFields(Set.of(), true);

  public RootFields {
    names = Set.copyOf(names);
  }

  /** Returns the first step of a path. */
  public static RootFields of(FieldPath path) {
    return path.length() == 0 ? ALL : new RootFields(Set.of(path.step(0)), false);
  }

  /** Returns the fields that a filter reads. */
  public static RootFields of(Filter filter) {
    return switch (filter) {
      // A random choice must keep its position, too: elsewhere it would choose among other
      // documents.
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

  /** Returns the fields that an order reads. */
  public static RootFields ofKeys(List<Sort> keys) {
    return keys.stream().map(key -> of(key.path())).reduce(NONE, RootFields::and);
  }

  /** Returns the union. */
  public RootFields and(RootFields others) {
    if (all || others.all) {
      return ALL;
    }
    Set<String> both = new HashSet<>(names);
    both.addAll(others.names);
    return new RootFields(both, false);
  }
}
