package dev.mayfly.engine;

import dev.mayfly.engine.index.IndexMatch;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import java.util.Arrays;

/** How a query finds its documents. */
sealed interface Plan {
  /** One document by its key. */
  record Point(PrimaryKey key) implements Plan {}

  /** Stretches of an index. */
  record Index(IndexState index, IndexMatch match) implements Plan {}

  /** Stretches of the records, which lie in the order of their ids. */
  record Ids(IndexMatch match) implements Plan {}

  /** All records, or those of one partition key. */
  record Records(Range range, Direction direction) implements Plan {}

  /**
   * The records of a range that lie behind a key.
   *
   * @param first the shard that the key belongs to: those before it are done, those after it begin
   */
  record Behind(Range range, PrimaryKey key, ShardOwner first) implements Plan {
    /** What is to be read of a shard. */
    Range of(ShardOwner owner) {
      if (owner != first) {
        return range;
      }
      // nothing lies between a key and the same key with a zero behind it
      byte[] next = Arrays.copyOf(key.bytes(), key.bytes().length + 1);
      byte[] from = range.from();
      byte[] start = from == null || Arrays.compareUnsigned(from, next) < 0 ? next : from;
      byte[] to = range.to();
      return to == null ? Range.from(start) : Range.of(start, to);
    }
  }

  /**
   * The documents of a capped collection as they arrived.
   *
   * @param after only those that arrived after it
   */
  record Arrivals(Direction direction, long after) implements Plan {}

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
      case Ids(IndexMatch match) ->
          "ids, " + match.bounds().ranges().size() + " range(s), " + match.direction();
      case Records _, Behind _ -> "record scan";
      case Arrivals _ -> "arrivals";
    };
  }

  /** Whether documents come in the order the query wants. */
  default boolean ordered() {
    return switch (this) {
      case Point _ -> true;
      case Index(_, IndexMatch match) -> match.direction() != IndexMatch.Direction.UNORDERED;
      case Ids(IndexMatch match) -> match.direction() != IndexMatch.Direction.UNORDERED;
      case Records _, Behind _, Arrivals _ -> false;
    };
  }
}
