package dev.mayfly.engine.read;

import dev.mayfly.engine.Change;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.FeedReader;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.storage.ByteCursor;
import dev.mayfly.engine.storage.FeedFormat;
import dev.mayfly.engine.storage.FeedTimes;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Space;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Reader of the change feed of one shard. Stateless. Safe for many threads. */
public final class ShardFeedReader implements FeedReader {

  /** Number of values before the time in the stored totals of trimmed changes. */
  private static final int TRIMMED_TOTALS = 4;

  private final ShardOwner owner;

  public ShardFeedReader(ShardOwner owner) {
    this.owner = owner;
  }

  @Override
  public List<Change> read(long after, int most) {
    checkKept(after);
    CollectionSpec spec = owner.compiled().spec();
    List<Change> changes = new ArrayList<>();
    // before the scan: every change up to the end is committed then
    Range range = Range.of(Layout.feed(start(after)), Layout.feed(end() + 1));
    try (Scan scan = owner.shard().scan(Space.QUEUES, range, Direction.UP)) {
      while (changes.size() < most && scan.next()) {
        changes.addAll(FeedFormat.read(spec, Layout.position(scan.key()), scan.value(), after));
      }
    }
    checkKept(after);
    return changes;
  }

  /**
   * Returns the position of the entry that contains a position. It may be lower, because a group of
   * expiries has several positions.
   */
  private long start(long after) {
    Range below = Range.of(Layout.feedPrefix(), Layout.feed(after + 1));
    try (Scan scan = owner.shard().scan(Space.QUEUES, below, Direction.DOWN)) {
      return scan.next() ? Layout.position(scan.key()) : after;
    }
  }

  private void checkKept(long after) {
    if (after < owner.trimmedTo()) {
      throw new EngineException(
          Reason.TRIMMED,
          "changes up to position " + owner.trimmedTo() + " were trimmed",
          owner.trimmedTo());
    }
  }

  @Override
  public boolean await(long after, Duration most) throws InterruptedException {
    return owner.awaitChange(after, most.toNanos());
  }

  @Override
  public long end() {
    return owner.lastPosition();
  }

  @Override
  public boolean keptSince(long instant) {
    byte[] trimmed = owner.shard().read(Space.META, Layout.totals());
    return trimmed == null || timeOf(trimmed) < instant;
  }

  @Override
  public long before(long instant) {
    long bound = instant - DISORDER_MILLIS;
    long low = oldest();
    for (FeedTimes.Back back : owner.feedTimes().backs()) {
      if (back.position() > low + 1) {
        long found = bisect(low, back.position() - 1, bound);
        if (any(found + 1, back.position())) {
          return found;
        }
        low = back.position() - 1;
      }
    }
    long end = end();
    return timeOfLast() < bound ? end : bisect(low, end, bound);
  }

  /** Returns the position of the last change in a range whose time is below a bound. */
  private long bisect(long from, long to, long bound) {
    long low = from;
    long high = to;
    while (low < high) {
      long middle = low + (high - low + 1) / 2;
      Range range = Range.of(Layout.feed(middle), Layout.feed(high + 1));
      try (Scan scan = owner.shard().scan(Space.QUEUES, range, Direction.UP)) {
        if (scan.next() && FeedFormat.time(scan.value()) < bound) {
          low = Layout.position(scan.key());
        } else {
          high = middle - 1;
        }
      }
    }
    return low;
  }

  private boolean any(long from, long to) {
    Range range = Range.of(Layout.feed(from), Layout.feed(to));
    try (Scan scan = owner.shard().scan(Space.QUEUES, range, Direction.UP)) {
      return scan.next();
    }
  }

  private long timeOfLast() {
    Range all = Range.prefix(Layout.feedPrefix());
    try (Scan scan = owner.shard().scan(Space.QUEUES, all, Direction.DOWN)) {
      return scan.next() ? FeedFormat.time(scan.value()) : Long.MIN_VALUE;
    }
  }

  /** Returns the time of the last trimmed change. */
  private long timeOf(byte[] trimmed) {
    ByteCursor cursor = new ByteCursor(trimmed, 0);
    for (int before = 0; before < TRIMMED_TOTALS; before++) {
      cursor.varint();
    }
    return cursor.atEnd() ? timeOfFirst() : cursor.varint();
  }

  /**
   * Returns the time of the first kept change, as an upper bound: earlier versions did not store
   * the time of trimmed changes.
   */
  private long timeOfFirst() {
    Range all = Range.prefix(Layout.feedPrefix());
    try (Scan scan = owner.shard().scan(Space.QUEUES, all, Direction.UP)) {
      return scan.next() ? FeedFormat.time(scan.value()) : Long.MAX_VALUE;
    }
  }

  @Override
  public long oldest() {
    return owner.trimmedTo();
  }
}
