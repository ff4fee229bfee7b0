package dev.mayfly.query;

import dev.mayfly.value.Document;
import java.util.List;
import java.util.function.Predicate;

/**
 * Predicate on a whole document that is computed, such as {@code $expr}.
 *
 * <p>Immutable, and equal to another with the same meaning.
 */
public interface DocumentPredicate {
  /** Returns an evaluator, which may keep state: for one thread at a time. */
  Predicate<Document> predicate();

  /** Returns necessary conditions on single fields, as far as known: an index can serve them. */
  default List<IndexablePredicate> demands() {
    return List.of();
  }
}
