package dev.mayfly.engine.sweep;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.storage.ByteBuilder;
import dev.mayfly.engine.storage.FeedFormat;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.store.Batch;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Space;

/**
 * Trimmer of the change feed of one shard: removes changes that are older than the retention, that
 * exceed the size limit, or, while the disk is full, the older half. Changes that lazy indexes have
 * not read yet stay. Used by one thread at a time.
 */
public final class FeedTrimmer {
  /** Minimum size of a feed when it is shortened, in bytes. */
  public static final long MIN_FEED_BYTES = 1 << 20;

  private final ShardOwner owner;
  private final LazyIndexer lazyIndexer;

  /** Changes below this offset of the feed are removed because the disk is full. */
  private long shortenedTo;

  public FeedTrimmer(ShardOwner owner, LazyIndexer lazyIndexer) {
    this.owner = owner;
    this.lazyIndexer = lazyIndexer;
  }

  /** Makes the next trims remove the older half of a long feed, regardless of its age. */
  public void shorten() {
    long bytes = owner.feedBytes();
    long kept = Math.max(bytes / 2, Math.min(bytes, MIN_FEED_BYTES));
    shortenedTo = owner.documentCounts().totals().offset() - kept;
  }

  /** Reclaims the space of trimmed changes at once, as far as the store can. */
  public void eraseTrimmed() {
    if (owner.trimmedTo() > 0) {
      byte[] end = Layout.feed(owner.trimmedTo() + 1);
      owner.shard().erase(Space.QUEUES, Range.of(Layout.feedPrefix(), end));
    }
  }

  /**
   * Trims changes that are too old or exceed the size limit. Returns whether more remain to be
   * trimmed.
   */
  public boolean trim(long now, int budget) {
    CollectionSpec.FeedSpec feed = owner.compiled().spec().feed();
    long oldest = now - feed.retentionMillis();
    long lowestOffset =
        Math.max(owner.documentCounts().totals().offset() - feed.maxBytes(), shortenedTo);
    long keep = lazyIndexer.indexedTo();
    long upTo = -1;
    long time = 0;
    boolean more = false;
    Range kept = Range.of(oldest(), Layout.feed(Long.MAX_VALUE));
    try (Scan scan = owner.shard().scan(Space.QUEUES, kept, Direction.UP)) {
      for (int seen = 0; scan.next(); seen++) {
        long offset = FeedFormat.offset(scan.value());
        long stamped = FeedFormat.time(scan.value());
        long made = owner.feedTimes().latestTime(Layout.position(scan.key()), stamped);
        boolean stays = (made > oldest && offset >= lowestOffset) || lastOf(scan) > keep;
        if (stays) {
          break;
        }
        if (seen == budget) {
          more = true;
          break;
        }
        upTo = lastOf(scan);
        time = Math.max(time, made);
      }
    }
    if (upTo >= 0) {
      trimTo(upTo, time);
    }
    return more;
  }

  private long lastOf(Scan scan) {
    long first = Layout.position(scan.key());
    return FeedFormat.read(owner.compiled().spec(), first, scan.value(), Long.MIN_VALUE)
        .getLast()
        .position();
  }

  /** Returns the start key of the feed, after trimmed changes. */
  private byte[] oldest() {
    return owner.trimmedTo() == 0 ? Layout.feedPrefix() : Layout.feed(owner.trimmedTo() + 1);
  }

  /** Removes all changes without reading them, because some are damaged. */
  public void cut(long now) {
    owner.lock().lock();
    try {
      if (owner.lastPosition() > owner.trimmedTo()) {
        trimTo(owner.lastPosition(), now);
      }
      owner.shard().erase(Space.QUEUES, Range.prefix(Layout.feedPrefix()));
    } finally {
      owner.lock().unlock();
    }
  }

  private void trimTo(long position, long time) {
    owner.lock().lock();
    try {
      FeedFormat.Totals totals = owner.documentCounts().totals();
      Batch batch = new Batch();
      // adjacent ranges: overlapping range deletes make every read slower
      batch.deleteRange(Space.QUEUES, oldest(), Layout.feed(position + 1));
      batch.put(
          Space.META,
          Layout.totals(),
          new ByteBuilder()
              .varint(position)
              .varint(totals.stored().documents())
              .varint(totals.stored().bytes())
              .varint(totals.offset())
              .varint(time)
              .bytes());
      owner.addCheckpoint(batch);
      owner.commitTrimmed(batch, position);
    } finally {
      owner.lock().unlock();
    }
  }
}
