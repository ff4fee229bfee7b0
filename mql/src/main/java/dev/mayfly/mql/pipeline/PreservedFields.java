package dev.mayfly.mql.pipeline;

import java.util.Set;

/**
 * Top-level fields that a stage leaves unchanged in every document.
 *
 * @param names the changed fields or, if {@code named}, the only unchanged ones
 */
public record PreservedFields(Set<String> names, boolean named) {
  public PreservedFields {
    names = Set.copyOf(names);
  }

  /** Every field but these stays unchanged. */
  public static PreservedFields allBut(Set<String> names) {
    return new PreservedFields(names, false);
  }

  /** These fields stay unchanged. */
  public static PreservedFields only(Set<String> names) {
    return new PreservedFields(names, true);
  }

  /** Returns whether all these fields stay unchanged. */
  boolean containsAll(Set<String> fields) {
    return named ? names.containsAll(fields) : fields.stream().noneMatch(names::contains);
  }
}
