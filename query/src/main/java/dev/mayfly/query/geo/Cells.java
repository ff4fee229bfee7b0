package dev.mayfly.query.geo;

import com.google.common.geometry.S2CellId;
import com.google.common.geometry.S2Region;
import com.google.common.geometry.S2RegionCoverer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * S2 cells of regions, for index keys and for index bounds.
 *
 * <p>A point has the key of its leaf cell; a line or polygon has a key for each of a few cells that
 * cover it. A key matches a query if its cell is inside a cell of the query, which is a range of
 * ids, or around one, which is one of few ids.
 */
final class Cells {
  /** Maximum number of keys of one geometry. */
  private static final int MOST_KEYS = 20;

  /** Maximum number of cells of a query; each may add the cells around it. */
  private static final int MOST_QUERY_CELLS = 16;

  /** Cells of some ten square metres: smaller ones cost more keys than they save reads. */
  private static final int FINEST_LEVEL = 22;

  /** Keys are cells of every other level, which halves the number of cells around a query. */
  private static final int LEVEL_STEP = 2;

  private static final S2RegionCoverer KEYS =
      S2RegionCoverer.builder()
          .setMaxCells(MOST_KEYS)
          .setMaxLevel(FINEST_LEVEL)
          .setLevelMod(LEVEL_STEP)
          .build();

  private static final S2RegionCoverer QUERY =
      S2RegionCoverer.builder().setMaxCells(MOST_QUERY_CELLS).setMaxLevel(FINEST_LEVEL).build();

  private Cells() {}

  /** Returns the cells that a region is indexed under. */
  static List<Long> keys(S2Region region) {
    ArrayList<S2CellId> covering = new ArrayList<>();
    KEYS.getCovering(region, covering);
    return covering.stream().map(S2CellId::id).toList();
  }

  /** Returns the key ranges of everything that may intersect a region. */
  static List<CellRange> ranges(S2Region region) {
    ArrayList<S2CellId> covering = new ArrayList<>();
    QUERY.getCovering(region, covering);
    List<CellRange> ranges = new ArrayList<>();
    Set<Long> around = new TreeSet<>();
    for (S2CellId cell : covering) {
      ranges.add(new CellRange(cell.rangeMin().id(), cell.rangeMax().id()));
      for (int level = cell.level() - 1; level >= 0; level--) {
        if (level % LEVEL_STEP == 0) {
          around.add(cell.parent(level).id());
        }
      }
    }
    around.forEach(cell -> ranges.add(new CellRange(cell, cell)));
    return ranges;
  }
}
