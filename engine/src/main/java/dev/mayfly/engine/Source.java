package dev.mayfly.engine;

import dev.mayfly.engine.index.IndexMatch;
import dev.mayfly.engine.index.KeyRange;
import dev.mayfly.expiry.Cutoffs;
import dev.mayfly.expiry.Header;
import dev.mayfly.expiry.Schedule;
import dev.mayfly.expiry.Verdict;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Snapshot;
import dev.mayfly.store.Space;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The live records of one shard that a plan leads to, in the order of the plan. Whether they match
 * the query is for the cursor to ask.
 */
final class Source implements AutoCloseable {
  private final Schedule schedule;
  private final Cutoffs cutoffs;
  private final Swept swept;
  private final Snapshot snapshot;
  private final Walk walk;
  private long looks;

  /** A way through a shard: gives candidate records, null at the end. */
  private interface Walk extends AutoCloseable {
    byte @Nullable [] next();

    /** The key of the record that came last. */
    byte[] primaryKey();

    @Override
    void close();
  }

  Source(ShardOwner owner, Plan plan, long now) {
    this.schedule = owner.schedule();
    this.cutoffs = schedule.at(now);
    this.swept = owner.swept();
    this.snapshot = owner.shard().snapshot();
    this.walk =
        switch (plan) {
          case Plan.Point(PrimaryKey key) -> new PointWalk(key);
          case Plan.Records(Range range) -> new RecordWalk(range);
          case Plan.Index(IndexState index, IndexMatch match) ->
              new IndexWalk(index, match, owner.arrays(index));
        };
  }

  Schedule schedule() {
    return schedule;
  }

  /** How many entries and records have been looked at. */
  long looks() {
    return looks;
  }

  /** The next live record, or null when there is none. */
  byte @Nullable [] next() {
    for (byte[] record = walk.next(); record != null; record = walk.next()) {
      looks++;
      if (!cutoffs.expired(record) && !sweptInPart(record)) {
        return record;
      }
    }
    return null;
  }

  /** The key is only fetched when some place is swept in part, which is seldom. */
  private boolean sweptInPart(byte[] record) {
    return swept.hasParts() && swept.inPart(record, walk.primaryKey());
  }

  @Override
  public void close() {
    walk.close();
    snapshot.close();
  }

  private final class PointWalk implements Walk {
    private final PrimaryKey key;
    private boolean done;

    PointWalk(PrimaryKey key) {
      this.key = key;
    }

    @Override
    public byte @Nullable [] next() {
      if (done) {
        return null;
      }
      done = true;
      return snapshot.read(Space.RECORDS, key.bytes());
    }

    @Override
    public byte[] primaryKey() {
      return key.bytes();
    }

    @Override
    public void close() {}
  }

  private final class RecordWalk implements Walk {
    private final Scan scan;

    RecordWalk(Range range) {
      scan = snapshot.scan(Space.RECORDS, range, Direction.UP);
    }

    @Override
    public byte @Nullable [] next() {
      return scan.next() ? scan.value() : null;
    }

    @Override
    public byte[] primaryKey() {
      return scan.key();
    }

    @Override
    public void close() {
      scan.close();
    }
  }

  /** Walks ranges of an index and fetches the records; skips entries that have lost theirs. */
  private final class IndexWalk implements Walk {
    private final IndexState index;
    private final Direction direction;
    private final Iterator<KeyRange> ranges;
    private final boolean severalPerDocument;
    private final Set<Bytes> seen = new HashSet<>();
    private @Nullable Scan scan;
    private byte[] primaryKey = {};

    IndexWalk(IndexState index, IndexMatch match, long arrays) {
      this.index = index;
      boolean backward = match.direction() == IndexMatch.Direction.BACKWARD;
      this.direction = backward ? Direction.DOWN : Direction.UP;
      List<KeyRange> bounds = match.bounds().ranges();
      this.ranges = (backward ? bounds.reversed() : bounds).iterator();
      this.severalPerDocument =
          arrays != 0 || index.spec().parts().stream().anyMatch(part -> part.wildcard());
    }

    @Override
    public byte @Nullable [] next() {
      while (true) {
        Scan open = scan;
        if (open == null) {
          if (!ranges.hasNext()) {
            return null;
          }
          scan = snapshot.scan(Space.ENTRIES, within(ranges.next()), direction);
        } else if (!open.next()) {
          open.close();
          scan = null;
        } else {
          byte[] record = fetch(open.key(), open.value());
          if (record != null) {
            return record;
          }
        }
      }
    }

    private Range within(KeyRange range) {
      byte[] prefix = Layout.indexPrefix(index.id());
      return Range.of(joined(prefix, range.from()), joined(prefix, range.to()));
    }

    private byte @Nullable [] fetch(byte[] key, byte[] value) {
      looks++;
      if (cutoffs.judge(value, 0) == Verdict.EXPIRED) {
        return null;
      }
      primaryKey = Entries.primaryKey(index.spec().unique(), key, value);
      if (severalPerDocument && seen.contains(new Bytes(primaryKey))) {
        return null;
      }
      byte[] record = snapshot.read(Space.RECORDS, primaryKey);
      if (record == null || Header.born(record, 0) != Header.born(value, 0)) {
        return null;
      }
      if (severalPerDocument) {
        seen.add(new Bytes(primaryKey));
      }
      return record;
    }

    @Override
    public byte[] primaryKey() {
      return primaryKey;
    }

    @Override
    public void close() {
      if (scan != null) {
        scan.close();
      }
    }
  }

  private static byte[] joined(byte[] prefix, byte[] rest) {
    byte[] both = Arrays.copyOf(prefix, prefix.length + rest.length);
    System.arraycopy(rest, 0, both, prefix.length, rest.length);
    return both;
  }
}
