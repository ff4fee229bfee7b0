package dev.mayfly.query.pipeline;

import java.util.Set;

/**
 * Which top-level fields a stage leaves as they are, whatever the document.
 *
 * @param names fields that are touched, or when {@code named}, the only ones that are not
 */
public record Untouched(Set<String> names, boolean named) {
  public Untouched {
    names = Set.copyOf(names);
  }

  /** Every field but these stays as it is. */
  public static Untouched allBut(Set<String> names) {
    return new Untouched(names, false);
  }

  /** These fields stay as they are. */
  public static Untouched only(Set<String> names) {
    return new Untouched(names, true);
  }

  /** True when all of these stay as they are. */
  boolean containsAll(Set<String> fields) {
    return named ? names.containsAll(fields) : fields.stream().noneMatch(names::contains);
  }
}
