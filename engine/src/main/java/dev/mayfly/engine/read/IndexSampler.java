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

/** Short looks into the indexes of a collection as they are now. */
public final class IndexSampler implements IndexStatistics {
  /** So many documents are sorted sooner than a long way in order is gone. */
  private static final int BRIEF = 1_000;

  /** At so many places of an index entries are looked at, so many of them. */
  private static final int PLACES = 8;

  private static final int ENTRIES = 32;

  /** A leap and a read take about as long as so many records of a scan. */
  private static final int LEAP = 8;

  private final List<ShardOwner> owners;

  public IndexSampler(List<ShardOwner> owners) {
    this.owners = owners;
  }

  @Override
  public boolean brief(IndexState index, IndexMatch match) {
    int left = BRIEF;
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
  public boolean repetitive(IndexState index, IndexMatch match) {
    return brief(index, match)
        || owners.stream().allMatch(owner -> repetitive(owner.shard(), index, match));
  }

  private static boolean repetitive(Reader shard, IndexState index, IndexMatch match) {
    Range all = Range.prefix(Layout.indexPrefix(index.id()));
    byte[] first = end(shard, all, Direction.UP);
    byte[] last = end(shard, all, Direction.DOWN);
    if (first == null || last == null) {
      return true;
    }
    SkipScan skipScan = new SkipScan(index, match);
    int entries = 0;
    int values = 0;
    for (Range piece : RangeSplitter.of(all, first, last, PLACES)) {
      byte[] before = {};
      try (Scan scan = shard.scan(Space.ENTRIES, piece, Direction.UP)) {
        for (int i = 0; i < ENTRIES && scan.next(); i++) {
          byte[] entry = scan.key();
          values += i > 0 && skipScan.same(entry, before) ? 0 : 1;
          entries++;
          before = entry;
        }
      }
    }
    return values * LEAP <= entries;
  }

  private static byte @Nullable [] end(Reader shard, Range range, Direction direction) {
    try (Scan scan = shard.scan(Space.ENTRIES, range, direction)) {
      return scan.next() ? scan.key() : null;
    }
  }
}
