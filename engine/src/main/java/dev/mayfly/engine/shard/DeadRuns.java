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
 * Runs of dead entries that readers have walked over in a shard. Until a compaction drops them each
 * reader pays for them anew: a queue of documents that live briefly, polled for its first one,
 * would pay for all that have expired. A run that was reported is cleared by one range delete. Safe
 * for many threads.
 */
public final class DeadRuns {
  /** How many dead entries in a row are reported. */
  public static final int REPORTED = 256;

  /** How many puts are kept in mind while a run is looked at. */
  private static final int MOST_PUTS = 10_000;

  private final AtomicReference<@Nullable Run> reported = new AtomicReference<>();

  /** Guarded by the shard's lock; seldom there. */
  private @Nullable Watch watch;

  /** Where a run begins, and in which direction it was walked. */
  public record Run(Space space, ByteKey from, Direction direction) {}

  /** Counts the dead entries in a row that one reader walks over; for one thread. */
  public final class Reader {
    private final Space space;
    private final Direction direction;
    private byte @Nullable [] from;
    private int count;

    private Reader(Space space, Direction direction) {
      this.space = space;
      this.direction = direction;
    }

    /** Whether the key of the next dead entry is to be given to {@link #dead}. */
    public boolean wantsKey() {
      return count == 0;
    }

    /**
     * Notes a dead entry.
     *
     * @param key of the entry; may be left out unless it is wanted
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

  /** Whether a run was reported. */
  public boolean any() {
    return reported.get() != null;
  }

  /** The run that was reported, which then no longer is. */
  public Optional<Run> take() {
    return Optional.ofNullable(reported.getAndSet(null));
  }

  /** Reports a run that was looked at in part. */
  public void again(Run rest) {
    reported.compareAndSet(null, rest);
  }

  /** What is put into a space while a run is looked at without the lock. */
  private static final class Watch implements Batch.Visitor {
    private final Space space;
    private final List<byte[]> puts = new ArrayList<>();

    Watch(Space space) {
      this.space = space;
    }

    @Override
    public void put(Space into, byte[] buffer, int key, int keyLength, int value, int length) {
      if (into == space && puts.size() <= MOST_PUTS) {
        puts.add(Arrays.copyOfRange(buffer, key, key + keyLength));
      }
    }

    @Override
    public void delete(Space from, byte[] buffer, int key, int keyLength) {}

    @Override
    public void deleteRange(
        Space from, byte[] buffer, int low, int lowLength, int high, int highLength) {}
  }

  /** Begins to keep in mind what is put into a space. The caller holds the shard's lock. */
  public void watch(Space space) {
    watch = new Watch(space);
  }

  /** Notes a batch that was committed. The caller holds the shard's lock. */
  void committed(Batch batch) {
    if (watch != null) {
      batch.replay(watch);
    }
  }

  /** Ends a watch: it is not known what was put. The caller holds the shard's lock. */
  void unwatch() {
    watch = null;
  }

  /** Ends a watch: true when nothing was put into a range. The caller holds the shard's lock. */
  public boolean untouched(Range range) {
    Watch ended = watch;
    watch = null;
    return ended != null
        && ended.puts.size() <= MOST_PUTS
        && ended.puts.stream().noneMatch(range::contains);
  }
}
