package dev.mayfly.engine.shard;

import dev.mayfly.engine.Change;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.storage.ByteBuilder;
import dev.mayfly.engine.storage.ByteCursor;
import dev.mayfly.engine.storage.FeedFormat;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.store.Batch;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Reader;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Space;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Totals of a shard as they are stored: a checkpoint at a position, and the changes of the feed
 * entries after it.
 *
 * @param totals the stored documents, and the size of the feed
 * @param trimmedTo the last position that was trimmed; 0 if none was
 * @param lastPosition the position of the newest change
 * @param lastTime the time of the newest change; {@link Long#MIN_VALUE} if the feed is empty
 * @param entries the number of feed entries since the checkpoint
 */
record StoredTotals(
    FeedFormat.Totals totals, long trimmedTo, long lastPosition, long lastTime, int entries) {

  /** Totals at a position. */
  private record Checkpoint(long position, FeedFormat.Totals totals) {
    /** The offset is missing in data of earlier versions, which wrote it after a repair only. */
    static Checkpoint decode(byte[] stored, long knownOffset) {
      ByteCursor cursor = new ByteCursor(stored, 0);
      long position = cursor.varint();
      Usage counted = new Usage(cursor.varint(), cursor.varint());
      long offset = cursor.atEnd() ? knownOffset : cursor.varint();
      return new Checkpoint(position, new FeedFormat.Totals(counted, offset));
    }
  }

  /** Adds to a batch the totals as of a position. */
  static void put(Batch to, long position, FeedFormat.Totals totals) {
    to.put(
        Space.META,
        Layout.checkpoint(),
        new ByteBuilder()
            .varint(position)
            .varint(totals.stored().documents())
            .varint(totals.stored().bytes())
            .varint(totals.offset())
            .bytes());
  }

  /** Reads the totals of a shard. Nothing writes to it meanwhile. */
  static StoredTotals read(Reader shard, CollectionSpec spec) {
    Checkpoint start = trimmed(shard);
    long trimmedTo = start.position();
    byte[] stored = shard.read(Space.META, Layout.checkpoint());
    @Nullable Checkpoint checkpoint =
        stored == null ? null : Checkpoint.decode(stored, start.totals().offset());
    Usage base = checkpoint == null ? start.totals().stored() : checkpoint.totals().stored();
    long offset = checkpoint == null ? start.totals().offset() : checkpoint.totals().offset();
    long lastPosition = checkpoint == null ? trimmedTo : Math.max(trimmedTo, checkpoint.position());
    long lastTime = Long.MIN_VALUE;
    Usage since = Usage.NONE;
    int entries = 0;
    boolean newest = true;
    try (Scan feed = shard.scan(Space.QUEUES, Range.prefix(Layout.feedPrefix()), Direction.DOWN)) {
      while (feed.next()) {
        byte[] entry = feed.value();
        long position = Layout.position(feed.key());
        if (newest) {
          List<Change> changes = FeedFormat.read(spec, position, entry, Long.MIN_VALUE);
          lastPosition = Math.max(lastPosition, changes.getLast().position());
          lastTime = changes.getLast().time();
          offset = FeedFormat.offset(entry) + entry.length;
          newest = false;
        }
        if (checkpoint != null && position <= checkpoint.position()) {
          break;
        }
        if (FeedFormat.hasTotals(entry)) {
          base = FeedFormat.totals(entry);
          break;
        }
        since = since.plus(FeedFormat.change(entry));
        entries++;
      }
    }
    FeedFormat.Totals totals = new FeedFormat.Totals(base.plus(since), offset);
    return new StoredTotals(totals, trimmedTo, lastPosition, lastTime, entries);
  }

  /** The totals that the last trim has stored, and the last position it has removed. */
  private static Checkpoint trimmed(Reader shard) {
    byte[] stored = shard.read(Space.META, Layout.totals());
    return stored == null
        ? new Checkpoint(0, FeedFormat.Totals.NONE)
        : Checkpoint.decode(stored, 0);
  }
}
