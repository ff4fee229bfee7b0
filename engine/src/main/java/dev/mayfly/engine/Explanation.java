package dev.mayfly.engine;

import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.ValueRange;
import dev.mayfly.engine.read.Planner;
import dev.mayfly.value.FieldPath;
import java.util.List;

/**
 * How a query finds its documents, and what that has taken so far.
 *
 * @param sorts whether the documents found are sorted before the first is given
 * @param keysExamined entries of an index that were looked at
 * @param documentsExamined documents that were looked at
 * @param documentsMatched those of them that pass the filter
 */
public record Explanation(
    Access access,
    boolean sorts,
    long keysExamined,
    long documentsExamined,
    long documentsMatched) {

  /** The way to the documents. */
  public sealed interface Access {
    /** One document by its id. */
    record Point() implements Access {}

    /**
     * Stretches of an index; that of the id is called as {@link Planner#ID_INDEX} says.
     *
     * @param backward whether it is read from its high end
     * @param multikey whether a document may have several entries in it
     * @param bounds what is read of each part, in ascending order; empty when the query itself says
     *     which keys
     * @param paths what an index of many paths is asked about
     * @param leaping whether it goes from value to value, and passes over entries in between
     */
    record Index(
        IndexSpec index,
        boolean backward,
        boolean multikey,
        List<List<ValueRange>> bounds,
        List<FieldPath> paths,
        boolean leaping)
        implements Access {
      public Index {
        bounds = List.copyOf(bounds);
        paths = List.copyOf(paths);
      }
    }

    /** Stretches of several indexes, one after the other, each document once. */
    record Union(List<Index> members) implements Access {
      public Union {
        members = List.copyOf(members);
      }
    }

    /**
     * All documents in their natural order.
     *
     * @param backward whether against that order
     */
    record Scan(boolean backward) implements Access {}
  }
}
