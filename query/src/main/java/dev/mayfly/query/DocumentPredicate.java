package dev.mayfly.query;

import dev.mayfly.value.Document;
import java.util.List;
import java.util.function.Predicate;

/**
 * A condition that is computed from a whole document instead of being a tree of comparisons.
 *
 * <p>Immutable, and equal to another when it asks the same; what does the asking may keep state.
 */
public interface DocumentPredicate {
  /** Something that asks, for one thread at a time. */
  Predicate<Document> predicate();

  /** What it demands of single fields, as far as that is known: an index may serve it. */
  default List<IndexablePredicate> demands() {
    return List.of();
  }
}
