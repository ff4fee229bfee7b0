package dev.mayfly.engine;

import java.util.ArrayList;
import java.util.List;

/**
 * Result of a consistency check of a collection.
 *
 * @param records number of records, live or still to be swept
 * @param entries number of index entries
 * @param laneEntries number of lane entries
 * @param wrong number of errors found
 * @param repaired number of errors corrected
 * @param examples descriptions of the first errors
 */
public record CheckReport(
    long records,
    long entries,
    long laneEntries,
    long wrong,
    long repaired,
    List<String> examples) {
  /** Nothing was checked. */
  public static final CheckReport NONE = new CheckReport(0, 0, 0, 0, 0, List.of());

  private static final int MAX_EXAMPLES = 20;

  public CheckReport {
    examples = List.copyOf(examples);
  }

  /** Returns the sum of both. */
  public CheckReport plus(CheckReport other) {
    List<String> all = new ArrayList<>(examples);
    all.addAll(other.examples);
    return new CheckReport(
        records + other.records,
        entries + other.entries,
        laneEntries + other.laneEntries,
        wrong + other.wrong,
        repaired + other.repaired,
        all.subList(0, Math.min(all.size(), MAX_EXAMPLES)));
  }
}
