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

/** Query plan: how a query finds its documents. Immutable. */
public sealed interface Plan {
  /** One document by its key. */
  record Point(PrimaryKey key) implements Plan {}

  /** Ranges of an index. */
  record Index(IndexState index, IndexMatch match) implements Plan {}

  /** Ranges of the records, which are stored in the order of their ids. */
  record Ids(IndexMatch match) implements Plan {}

  /**
   * Union of several plans, in sequence; each document is returned once.
   *
   * @param branches one plan for each member of an {@code $or}
   */
  record Union(List<Branch> branches) implements Plan {
    public Union {
      branches = List.copyOf(branches);
    }
  }

  /**
   * One plan of a union.
   *
   * @param way an index or the ids
   * @param filter the condition that documents of this branch must meet
   */
  record Branch(Plan way, Filter filter) {}

  /** All records, or those of one partition key. */
  record Records(Range range, Direction direction) implements Plan {}

  /**
   * The records of a range after a key.
   *
   * @param first the shard of the key: earlier shards are skipped, later ones are read from the
   *     start
   */
  record After(Range range, PrimaryKey key, ShardOwner first) implements Plan {
    /** Returns the range to read in a shard. */
    Range of(ShardOwner owner) {
      if (owner != first) {
        return range;
      }
      // the next possible key: the same with a zero appended
      byte[] next = Arrays.copyOf(key.bytes(), key.bytes().length + 1);
      byte[] from = range.from();
      byte[] start = from == null || Arrays.compareUnsigned(from, next) < 0 ? next : from;
      byte[] to = range.to();
      return to == null ? Range.from(start) : Range.of(start, to);
    }
  }

  /**
   * The documents of a capped collection in insertion order.
   *
   * @param after only documents that arrived after this number
   */
  record Arrivals(Direction direction, long after) implements Plan {}

  /** Returns a description in one line. */
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
      case Records _, After _ -> "record scan";
      case Arrivals _ -> "arrivals";
    };
  }

  /** Returns whether the plan yields documents in the order of the query. */
  default boolean ordered() {
    return switch (this) {
      case Point _ -> true;
      case Index(_, IndexMatch match) -> match.direction() != IndexMatch.Direction.UNORDERED;
      case Ids(IndexMatch match) -> match.direction() != IndexMatch.Direction.UNORDERED;
      case Union _, Records _, After _, Arrivals _ -> false;
    };
  }
}
