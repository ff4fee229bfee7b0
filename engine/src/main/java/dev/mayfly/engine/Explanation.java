package dev.mayfly.engine;

import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.ValueRange;
import dev.mayfly.engine.read.Planner;
import dev.mayfly.value.FieldPath;
import java.util.List;

/**
 * Plan of a query, and what it has examined so far.
 *
 * @param sorts whether the query sorts documents before it returns the first
 * @param keysExamined index entries read
 * @param documentsExamined documents read
 * @param documentsMatched documents that passed the filter
 */
public record Explanation(
    Access access,
    boolean sorts,
    long keysExamined,
    long documentsExamined,
    long documentsMatched) {

  /** Access path to the documents. */
  public sealed interface Access {
    /** One document by its id. */
    record Point() implements Access {}

    /**
     * Index scan; the index of the id has the name {@link Planner#ID_INDEX}.
     *
     * @param backward whether the scan is in descending key order
     * @param multikey whether a document may have several entries in it
     * @param bounds the bounds of each part, in ascending order; empty if the query gives the keys
     *     itself
     * @param paths the paths that a wildcard index is scanned for
     * @param skipScan whether it is a skip scan, from one value to the next
     */
    record Index(
        IndexSpec index,
        boolean backward,
        boolean multikey,
        List<List<ValueRange>> bounds,
        List<FieldPath> paths,
        boolean skipScan)
        implements Access {
      public Index {
        bounds = List.copyOf(bounds);
        paths = List.copyOf(paths);
      }
    }

    /** Scans of several indexes in sequence; returns each document once. */
    record Union(List<Index> members) implements Access {
      public Union {
        members = List.copyOf(members);
      }
    }

    /**
     * Collection scan in natural order.
     *
     * @param backward whether in reverse
     */
    record Scan(boolean backward) implements Access {}
  }
}
