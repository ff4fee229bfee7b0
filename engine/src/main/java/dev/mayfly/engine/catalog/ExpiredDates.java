package dev.mayfly.engine.catalog;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Dialect;
import dev.mayfly.engine.IndexingMode;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.expiry.Cutoffs;
import dev.mayfly.expiry.TimeFormat;
import dev.mayfly.query.Filter;
import dev.mayfly.value.FieldPath;
import java.util.Optional;

/**
 * Dates in an index, or in the ids, that only expired documents have: every entry with one of them
 * leads to a document that the rules expire, so that a scan may start after them. Watermarks are
 * left out, because they expire some documents at a place and not others.
 *
 * @param from the lowest of these dates, in epoch milliseconds
 * @param to the highest one; below {@code from} if there is none
 */
public record ExpiredDates(long from, long to) {
  /** No date shows that its document is expired. */
  public static final ExpiredDates NONE = new ExpiredDates(0, -1);

  /** The first date by which an id expires: earlier ones never do. */
  private static final long FIRST_ID = 0;

  public boolean isEmpty() {
    return to < from;
  }

  /**
   * Returns the dates at the first part of an index that only expired documents have.
   *
   * <p>A document has no entry with a date that is earlier than its earliest one, and expires by
   * the earliest. A number in the path may mean an element or a field, so such paths are left out.
   */
  public static ExpiredDates of(CollectionState state, IndexSpec index, Cutoffs cutoffs) {
    Part first = index.parts().getFirst();
    boolean byPartition = index.unique() && !state.spec().partitionKey().isEmpty();
    boolean lazy = state.spec().indexing() == IndexingMode.LAZY;
    if (!first.plain() || numbered(first.path()) || byPartition || lazy) {
      return NONE;
    }
    ExpiredDates expired = NONE;
    for (LaneState lane : state.lanes()) {
      long cutoff = cutoffs.of(lane.number());
      if (cutoff == Long.MIN_VALUE || lane.sliding()) {
        continue;
      }
      boolean dated =
          switch (lane.kind()) {
            case INDEX -> lane.format() == TimeFormat.DATE && expires(state, lane, index);
            case INHERITED, OWN, PROPERTY, PROPERTY_OWN, ID -> false;
          };
      if (dated && cutoff > expired.to()) {
        expired = new ExpiredDates(Long.MIN_VALUE, cutoff);
      }
    }
    return expired;
  }

  /** Returns whether a document expires by each date that it has at the first part of an index. */
  private static boolean expires(CollectionState state, LaneState lane, IndexSpec index) {
    Optional<IndexState> rule = state.index(lane.source());
    if (rule.isEmpty()) {
      return false;
    }
    IndexSpec dates = rule.get().spec();
    return dates.parts().size() == 1
        && dates.parts().getFirst().path().equals(index.parts().getFirst().path())
        && (dates.partial().equals(Filter.all()) || dates.name().equals(index.name()));
  }

  private static boolean numbered(FieldPath path) {
    for (int step = 0; step < path.length(); step++) {
      if (path.index(step) >= 0) {
        return true;
      }
    }
    return false;
  }

  /** Returns the dates that only ids of expired documents are, if records lie in id order. */
  public static ExpiredDates ofIds(CollectionState state, Cutoffs cutoffs) {
    CollectionSpec spec = state.spec();
    if (spec.dialect() != Dialect.MONGO || !spec.partitionKey().isEmpty()) {
      return NONE;
    }
    for (LaneState lane : state.lanes()) {
      long cutoff = cutoffs.of(lane.number());
      boolean dated =
          lane.kind() == LaneState.Kind.ID && lane.format() == TimeFormat.DATE && !lane.sliding();
      if (dated && cutoff >= FIRST_ID) {
        return new ExpiredDates(FIRST_ID, cutoff);
      }
    }
    return NONE;
  }
}
