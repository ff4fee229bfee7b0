package dev.mayfly.engine.shard;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.store.Batch;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Space;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Runs of consecutive dead entries that scans have met in a shard. Until a compaction drops them,
 * each scan skips them again, like tombstones: a query for the first document of a queue would skip
 * all that have expired. A background task removes a reported run with one range delete. Safe for
 * many threads.
 */
public final class DeadRuns {
  /** A run is reported when it has this number of dead entries. */
  public static final int REPORTED = 256;

  /** Maximum number of puts that a watch records; with more, it has no result. */
  private static final int MAX_PUTS = 10_000;

  private final AtomicReference<@Nullable Run> reported = new AtomicReference<>();

  /** Guarded by the shard's lock; mostly null. */
  private @Nullable Watch watch;

  /** The start of a run, and the direction of the reader. */
  public record Run(Space space, ByteKey from, Direction direction) {}

  /** Counts the consecutive dead entries that one reader meets; for one thread. */
  public final class Reader {
    private final Space space;
    private final Direction direction;
    private byte @Nullable [] from;
    private int count;

    private Reader(Space space, Direction direction) {
      this.space = space;
      this.direction = direction;
    }

    /** Returns whether {@link #dead} needs the key of the next dead entry. */
    public boolean wantsKey() {
      return count == 0;
    }

    /**
     * Counts a dead entry.
     *
     * @param key the key of the entry; may be null unless it is wanted
     */
    public void dead(byte @Nullable [] key) {
      if (count == 0) {
        from = key;
      }
      byte[] first = from;
      if (++count == REPORTED && first != null) {
        reported.compareAndSet(null, new Run(space, new ByteKey(first), direction));
      }
    }

    public void live() {
      count = 0;
    }
  }

  public Reader reader(Space space, Direction direction) {
    return new Reader(space, direction);
  }

  /** Returns whether a run is reported. */
  public boolean any() {
    return reported.get() != null;
  }

  /** Returns the reported run and clears the report. */
  public Optional<Run> take() {
    return Optional.ofNullable(reported.getAndSet(null));
  }

  /** Reports the rest of a run that was cleared in part. */
  public void again(Run rest) {
    reported.compareAndSet(null, rest);
  }

  /** Puts into a space while a run is examined without the lock. */
  private static final class Watch implements Batch.Visitor {
    private final Space space;
    private final List<byte[]> puts = new ArrayList<>();

    Watch(Space space) {
      this.space = space;
    }

    @Override
    public void put(Space into, byte[] buffer, int key, int keyLength, int value, int length) {
      if (into == space && puts.size() <= MAX_PUTS) {
        puts.add(Arrays.copyOfRange(buffer, key, key + keyLength));
      }
    }

    @Override
    public void delete(Space from, byte[] buffer, int key, int keyLength) {}

    @Override
    public void deleteRange(
        Space from, byte[] buffer, int low, int lowLength, int high, int highLength) {}
  }

  /** Starts to record puts into a space. The caller holds the shard's lock. */
  public void watch(Space space) {
    watch = new Watch(space);
  }

  /** Records the puts of a committed batch. The caller holds the shard's lock. */
  void committed(Batch batch) {
    if (watch != null) {
      batch.replay(watch);
    }
  }

  /** Ends a watch without a result. The caller holds the shard's lock. */
  void unwatch() {
    watch = null;
  }

  /**
   * Ends a watch; returns true if nothing was put into a range. The caller holds the shard's lock.
   */
  public boolean untouched(Range range) {
    Watch ended = watch;
    watch = null;
    return ended != null
        && ended.puts.size() <= MAX_PUTS
        && ended.puts.stream().noneMatch(range::contains);
  }
}
