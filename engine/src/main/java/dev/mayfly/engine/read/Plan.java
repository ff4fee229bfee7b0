package dev.mayfly.engine.read;

import dev.mayfly.engine.catalog.IndexState;
import dev.mayfly.engine.index.IndexMatch;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.storage.PrimaryKey;
import dev.mayfly.query.Filter;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** How a query finds its documents. */
public sealed interface Plan {
  /** One document by its key. */
  record Point(PrimaryKey key) implements Plan {}

  /** Stretches of an index. */
  record Index(IndexState index, IndexMatch match) implements Plan {}

  /** Stretches of the records, which lie in the order of their ids. */
  record Ids(IndexMatch match) implements Plan {}

  /**
   * What several ways lead to, one after the other, each document once.
   *
   * @param branches a way for each of the conditions of which one has to hold
   */
  record Union(List<Branch> branches) implements Plan {
    public Union {
      branches = List.copyOf(branches);
    }
  }

  /**
   * One of the ways of a union.
   *
   * @param way an index or the ids
   * @param filter what all documents pass that are looked for on this way
   */
  record Branch(Plan way, Filter filter) {}

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
      case Union(List<Branch> branches) ->
          branches.stream()
              .map(branch -> branch.way().describe())
              .collect(Collectors.joining("; ", "union of ", ""));
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
      case Union _, Records _, Behind _, Arrivals _ -> false;
    };
  }
}
