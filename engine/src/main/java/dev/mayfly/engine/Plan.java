package dev.mayfly.engine;

import dev.mayfly.engine.index.IndexMatch;
import dev.mayfly.store.Range;

/** How a query finds its documents. */
sealed interface Plan {
  /** One document by its key. */
  record Point(PrimaryKey key) implements Plan {}

  /** Stretches of an index. */
  record Index(IndexState index, IndexMatch match) implements Plan {}

  /** All records, or those of one partition key. */
  record Records(Range range) implements Plan {}

  /** A line for people. */
  default String describe() {
    return switch (this) {
      case Point _ -> "point read";
      case Index(IndexState index, IndexMatch match) ->
          "index "
              + index.spec().name()
              + ", "
              + match.bounds().ranges().size()
              + " range(s), "
              + match.direction();
      case Records _ -> "record scan";
    };
  }

  /** Whether documents come in the order the query wants. */
  default boolean ordered() {
    return this instanceof Point
        || (this instanceof Index(_, IndexMatch match)
            && match.direction() != IndexMatch.Direction.UNORDERED);
  }
}
