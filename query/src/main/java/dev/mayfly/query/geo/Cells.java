package dev.mayfly.query.geo;

import com.google.common.geometry.S2CellId;
import com.google.common.geometry.S2Region;
import com.google.common.geometry.S2RegionCoverer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Regions as cells, for keys and for the ranges in which to look for keys.
 *
 * <p>A point has the key of the smallest cell that it lies in; a line or an area has a key for each
 * of a few cells that together cover it. A key meets a query when its cell lies in a cell of the
 * query, which is a range of ids, or around one, which is one of few ids.
 */
final class Cells {
  /** As many keys as one geometry has at most. */
  private static final int MOST_KEYS = 20;

  /** As many cells as a query is made of; each may bring the cells around it. */
  private static final int MOST_QUERY_CELLS = 16;

  /** Cells of some ten square metres: what is smaller costs more keys than it saves reads. */
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

  /** The cells that a region is kept under. */
  static List<Long> keys(S2Region region) {
    ArrayList<S2CellId> covering = new ArrayList<>();
    KEYS.getCovering(region, covering);
    return covering.stream().map(S2CellId::id).toList();
  }

  /** Where the keys lie of all that may have to do with a region. */
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
