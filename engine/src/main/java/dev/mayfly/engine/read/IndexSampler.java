package dev.mayfly.engine.read;

import dev.mayfly.engine.catalog.IndexState;
import dev.mayfly.engine.index.IndexMatch;
import dev.mayfly.engine.shard.IndexEntryKeys;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Reader;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Space;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Index statistics that sample the indexes of a collection with every call. Safe for many threads.
 */
public final class IndexSampler implements IndexStatistics {
  /** Number of entries up to which a scan with a sort is preferred to a long scan in order. */
  private static final int SHORT_SCAN = 1_000;

  /** Number of places in an index at which entries are sampled, and of entries at each. */
  private static final int SAMPLES = 8;

  private static final int ENTRIES_PER_SAMPLE = 32;

  /** Cost of a seek and a record read, in records of a scan. */
  private static final int SEEK_COST = 8;

  private final List<ShardOwner> owners;

  public IndexSampler(List<ShardOwner> owners) {
    this.owners = owners;
  }

  @Override
  public boolean isShort(IndexState index, IndexMatch match) {
    int left = SHORT_SCAN;
    for (ShardOwner owner : owners) {
      for (Range range :
          IndexEntryKeys.ranges(Layout.indexPrefix(index.id()), match.bounds().ranges())) {
        try (Scan entries = owner.shard().scan(Space.ENTRIES, range, Direction.UP)) {
          while (left > 0 && entries.next()) {
            left--;
          }
        }
      }
    }
    return left > 0;
  }

  @Override
  public boolean favorsSkipScan(IndexState index, IndexMatch match) {
    return isShort(index, match)
        || owners.stream().allMatch(owner -> favorsSkipScan(owner.shard(), index, match));
  }

  private static boolean favorsSkipScan(Reader shard, IndexState index, IndexMatch match) {
    Range all = Range.prefix(Layout.indexPrefix(index.id()));
    byte[] first = end(shard, all, Direction.UP);
    byte[] last = end(shard, all, Direction.DOWN);
    if (first == null || last == null) {
      return true;
    }
    SkipScan skipScan = new SkipScan(index, match);
    int entries = 0;
    int values = 0;
    for (Range piece : RangeSplitter.of(all, first, last, SAMPLES)) {
      byte[] before = {};
      try (Scan scan = shard.scan(Space.ENTRIES, piece, Direction.UP)) {
        for (int i = 0; i < ENTRIES_PER_SAMPLE && scan.next(); i++) {
          byte[] entry = scan.key();
          values += i > 0 && skipScan.same(entry, before) ? 0 : 1;
          entries++;
          before = entry;
        }
      }
    }
    return values * SEEK_COST <= entries;
  }

  private static byte @Nullable [] end(Reader shard, Range range, Direction direction) {
    try (Scan scan = shard.scan(Space.ENTRIES, range, direction)) {
      return scan.next() ? scan.key() : null;
    }
  }
}
