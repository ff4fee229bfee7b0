package dev.mayfly.mql.pipeline;

import java.util.Set;

/**
 * Which top-level fields a stage leaves as they are, whatever the document.
 *
 * @param names fields that are touched, or when {@code named}, the only ones that are not
 */
public record PreservedFields(Set<String> names, boolean named) {
  public PreservedFields {
    names = Set.copyOf(names);
  }

  /** Every field but these stays as it is. */
  public static PreservedFields allBut(Set<String> names) {
    return new PreservedFields(names, false);
  }

  /** These fields stay as they are. */
  public static PreservedFields only(Set<String> names) {
    return new PreservedFields(names, true);
  }

  /** True when all of these stay as they are. */
  boolean containsAll(Set<String> fields) {
    return named ? names.containsAll(fields) : fields.stream().noneMatch(names::contains);
  }
}
