package dev.mayfly.engine.sweep;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.Change;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.IndexingMode;
import dev.mayfly.engine.catalog.CompiledCollection;
import dev.mayfly.engine.catalog.IndexState;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.read.ShardFeedReader;
import dev.mayfly.engine.shard.DeadRuns;
import dev.mayfly.engine.shard.IndexEntryKeys;
import dev.mayfly.engine.shard.IndexEntryValues;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.storage.ByteBuilder;
import dev.mayfly.engine.storage.ByteCursor;
import dev.mayfly.engine.storage.FeedFormat;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.engine.storage.PrimaryKey;
import dev.mayfly.expiry.Cutoffs;
import dev.mayfly.expiry.Verdict;
import dev.mayfly.store.Batch;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Space;
import java.util.List;
import java.util.Optional;

/** The quiet work on a shard beside the sweep: trimming the feed and following lazy indexes. */
public final class ShardUpkeep {
  /** A feed is not shortened below this. */
  public static final long SHORTEST_FEED_BYTES = 1 << 20;

  private final ShardOwner owner;
  private final IndexEntryKeys keys = new IndexEntryKeys();

  /** Changes that begin below this offset of the feed go for want of room. */
  private long shortenedTo;

  public ShardUpkeep(ShardOwner owner) {
    this.owner = owner;
  }

  /** Has the older half of a long feed trimmed, whatever its age: the disk is full. */
  public void shorten() {
    long bytes = owner.feedBytes();
    long kept = Math.max(bytes / 2, Math.min(bytes, SHORTEST_FEED_BYTES));
    shortenedTo = owner.documentCounts().totals().offset() - kept;
  }

  /** Gives back the space of what was trimmed at once, as far as the store can. */
  public void eraseTrimmed() {
    if (owner.trimmedTo() > 0) {
      byte[] end = Layout.feed(owner.trimmedTo() + 1);
      owner.shard().erase(Space.QUEUES, Range.of(Layout.feedPrefix(), end));
    }
  }

  /** Trims changes that are too old or too many; true while there is more to trim. */
  public boolean trim(long now, int budget) {
    CollectionSpec.FeedSpec feed = owner.compiled().spec().feed();
    long oldest = now - feed.retentionMillis();
    long lowestOffset =
        Math.max(owner.documentCounts().totals().offset() - feed.maxBytes(), shortenedTo);
    long keep = follows() ? followed() : Long.MAX_VALUE;
    long upTo = -1;
    long time = 0;
    boolean more = false;
    Range kept = Range.of(oldest(), Layout.feed(Long.MAX_VALUE));
    try (Scan scan = owner.shard().scan(Space.QUEUES, kept, Direction.UP)) {
      for (int seen = 0; scan.next(); seen++) {
        long offset = FeedFormat.totals(scan.value()).offset();
        long stamped = FeedFormat.time(scan.value());
        long made = owner.feedTimes().madeBy(Layout.position(scan.key()), stamped);
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

  /** Where the feed begins: what was trimmed before is not deleted again. */
  private byte[] oldest() {
    return owner.trimmedTo() == 0 ? Layout.feedPrefix() : Layout.feed(owner.trimmedTo() + 1);
  }

  /** Removes all changes, unread; see {@link LocalCollection#cutFeed}. */
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
      // side by side: a store pays for range deletes that cover each other with every read
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
      owner.commitTrimmed(batch, position);
    } finally {
      owner.lock().unlock();
    }
  }

  /** Whether there are indexes that follow behind the writes. */
  private boolean follows() {
    return owner.compiled().spec().indexing() == IndexingMode.LAZY;
  }

  private long followed() {
    byte[] stored = owner.shard().read(Space.META, Layout.followed());
    return stored == null ? owner.trimmedTo() : new ByteCursor(stored, 0).varint();
  }

  /** How many positions the lazy indexes are behind; 0 when there are none. */
  long behind() {
    return follows() ? Math.max(owner.lastPosition() - followed(), 0) : 0;
  }

  /** Lets lazy indexes follow some changes; true while they are behind. */
  public boolean follow(int budget) {
    if (!follows() || behind() == 0) {
      return false;
    }
    owner.lock().lock();
    try {
      long from = Math.max(followed(), owner.trimmedTo());
      List<Change> changes = new ShardFeedReader(owner).read(from, budget);
      Batch batch = new Batch();
      for (Change change : changes) {
        index(batch, change.key());
      }
      long upTo = changes.isEmpty() ? owner.lastPosition() : changes.getLast().position();
      batch.put(Space.META, Layout.followed(), new ByteBuilder().varint(upTo).bytes());
      owner.commitEntries(batch, owner.compiled(), keys.arrays(owner.compiled()));
      return upTo < owner.lastPosition();
    } finally {
      owner.lock().unlock();
    }
  }

  /** Writes the entries of a document as it is now; writers have removed those it had. */
  private void index(Batch batch, DocumentKey documentKey) {
    CompiledCollection compiled = owner.compiled();
    PrimaryKey key = PrimaryKey.of(compiled.spec(), documentKey);
    byte[] record = owner.record(key.bytes());
    if (record == null || owner.sweptLanes().covers(record, key.bytes())) {
      return;
    }
    byte[] header = ShardBuild.entryHeader(compiled, record);
    List<List<byte[]>> all = keys.of(compiled, key, record);
    for (int i = 0; i < all.size(); i++) {
      IndexState index = compiled.state().indexes().get(i);
      for (byte[] entryKey : all.get(i)) {
        if (!index.spec().unique()) {
          batch.put(
              Space.ENTRIES, entryKey, IndexEntryValues.value(index, key, header, header.length));
        }
      }
    }
  }

  /**
   * Clears some of a run of dead entries that readers have walked over, if there is one; true while
   * there is more of it.
   */
  public boolean clearDead(int budget) {
    Optional<DeadRuns.Run> reported = owner.deadRuns().take();
    if (reported.isEmpty()) {
      return false;
    }
    DeadRuns.Run run = reported.get();
    owner.lock().lock();
    try {
      owner.deadRuns().watch(run.space());
    } finally {
      owner.lock().unlock();
    }
    return clearDead(run, budget);
  }

  private boolean clearDead(DeadRuns.Run run, int budget) {
    Cutoffs swept = owner.sweptLanes().cutoffs();
    byte[] first = run.from().array();
    byte[] last = first;
    int seen = 0;
    boolean up = run.direction() == Direction.UP;
    Range way = up ? Range.from(first) : Range.to(Layout.after(first));
    try (Scan scan = owner.shard().scan(run.space(), way, run.direction())) {
      while (seen < budget && scan.next() && swept.judge(scan.value(), 0) == Verdict.EXPIRED) {
        last = scan.key();
        seen++;
      }
    }
    Range dead = up ? Range.of(first, Layout.after(last)) : Range.of(last, Layout.after(first));
    boolean cleared = delete(run.space(), dead, seen);
    boolean more = cleared && seen == budget;
    if (more) {
      owner.deadRuns().again(new DeadRuns.Run(run.space(), new ByteKey(last), run.direction()));
    }
    return more;
  }

  /** Deletes a range of dead entries if that is worth it and nothing was put there meanwhile. */
  private boolean delete(Space space, Range dead, int count) {
    owner.lock().lock();
    try {
      boolean untouched =
          owner.deadRuns().untouched(dead) && !owner.inDoubt() && count >= DeadRuns.REPORTED / 2;
      if (untouched) {
        owner.shard().commit(new Batch().deleteRange(space, dead));
      }
      return untouched;
    } finally {
      owner.lock().unlock();
    }
  }

  /** Clears what is stored of indexes that the collection no longer has. */
  public void clear(int index) {
    owner.lock().lock();
    try {
      byte[] from = Layout.indexPrefix(index);
      Batch batch = new Batch().deleteRange(Space.ENTRIES, Range.prefix(from));
      batch.delete(Space.META, Layout.arrays(index));
      batch.delete(Space.META, ShardBuild.Target.index(index).progressKey());
      owner.shard().commit(batch);
    } finally {
      owner.lock().unlock();
    }
  }

  /** Clears a lane that writes no longer keep up. */
  public void clearLane(int lane) {
    owner.lock().lock();
    try {
      owner.clearLane(lane);
    } finally {
      owner.lock().unlock();
    }
  }

  /** Clears a lane that the collection no longer has, unless its number has another one by now. */
  public void clearLaneWithMarks(int lane) {
    owner.lock().lock();
    try {
      if (!owner.compiled().state().hasLane(lane)) {
        owner.clearLaneWithMarks(lane);
      }
    } finally {
      owner.lock().unlock();
    }
  }
}
