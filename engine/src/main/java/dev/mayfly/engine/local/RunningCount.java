package dev.mayfly.engine.local;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.Change;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.catalog.CollectionState;
import dev.mayfly.engine.catalog.Rules;
import dev.mayfly.engine.liveness.Liveness;
import dev.mayfly.engine.liveness.SweptLanes;
import dev.mayfly.engine.read.ShardFeedReader;
import dev.mayfly.engine.shard.LaneCounter;
import dev.mayfly.engine.shard.LiveCounter;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.storage.PrimaryKey;
import dev.mayfly.engine.storage.RecordFormat;
import dev.mayfly.expiry.Cutoffs;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.expiry.Schedule;
import dev.mayfly.store.Reader;
import dev.mayfly.store.Snapshot;
import dev.mayfly.store.Space;
import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Count of the documents that a rule change expires or restores, concurrently with writers. It
 * counts all documents on a snapshot of each shard, then repeatedly those that were written since.
 * Writers wait only for the last, short step. Must be closed; used by one thread.
 *
 * <p>Documents that are not written during the count are counted as of its beginning.
 */
final class RunningCount implements AutoCloseable {
  /** Number of changes that are read at a time. */
  private static final int FEED_PAGE = 1000;

  private final List<Part> parts = new ArrayList<>();

  /** Documents to count: live under one schedule and expired under another at an instant. */
  record Difference(CollectionState state, Schedule live, Schedule dead, long now) {
    /**
     * Returns the difference for documents that are live in one state and expired in the next,
     * whether expiry is paused or not.
     *
     * @param next its indexes count as built
     */
    static Difference between(CollectionState state, CollectionState next, long now) {
      CollectionState changed = next.whenBuilt(_ -> true, _ -> false);
      return new Difference(changed, Rules.schedule(state), Rules.schedule(changed), now);
    }

    private Liveness live(SweptLanes sweptLanes) {
      return Liveness.at(live.with(sweptLanes.marks()), sweptLanes, now);
    }

    private Cutoffs dead(SweptLanes sweptLanes) {
      return dead.with(sweptLanes.marks()).at(now);
    }
  }

  /** One shard as of a position of its feed. */
  private static final class Part {
    private final ShardOwner owner;
    private Snapshot snapshot;
    private SweptLanes sweptLanes;
    private long position;
    private final LiveCounter.Between between;
    private Usage counted = Usage.NONE;
    private int caughtUp;

    Part(ShardOwner owner) {
      this.owner = owner;
      owner.sliding().persistDueAt(Deadline.NEVER);
      owner.lock().lock();
      try {
        this.snapshot = owner.shard().snapshot();
        this.sweptLanes = owner.sweptLanes();
        this.position = owner.lastPosition();
        this.between = owner.liveCounter().betweenAsOfNow();
      } finally {
        owner.lock().unlock();
      }
    }

    void count(Difference difference) {
      counted = LaneCounter.total(byLane(difference));
    }

    Map<Integer, Usage> byLane(Difference difference) {
      return between.count(
          difference.state(),
          difference.live(sweptLanes).cutoffs(),
          difference.dead(sweptLanes),
          snapshot,
          sweptLanes);
    }

    java.util.Collection<byte[]> records(Difference difference, int most) {
      return LaneCounter.records(
          difference.state(),
          difference.live(sweptLanes).cutoffs(),
          difference.dead(sweptLanes),
          snapshot,
          sweptLanes,
          most);
    }

    /** Counts documents written since. Returns false if there are too many. */
    boolean catchUp(Difference before, Difference after, int most) {
      Part current = new Part(owner);
      try {
        Optional<Set<ByteKey>> keys = written(current.position, most);
        if (keys.isEmpty()) {
          return false;
        }
        for (ByteKey key : keys.get()) {
          counted =
              counted
                  .minus(one(snapshot, key.array(), sweptLanes, before))
                  .plus(one(current.snapshot, key.array(), current.sweptLanes, after));
        }
        Snapshot past = snapshot;
        snapshot = current.snapshot;
        current.snapshot = past;
        sweptLanes = current.sweptLanes;
        position = current.position;
        caughtUp = keys.get().size();
        return true;
      } finally {
        current.snapshot.close();
      }
    }

    private static Usage one(
        Reader reader, byte[] key, SweptLanes sweptLanes, Difference difference) {
      byte[] record = reader.read(Space.RECORDS, key);
      return record != null
              && difference.live(sweptLanes).isLive(record, key)
              && difference.dead(sweptLanes).expired(record)
          ? new Usage(1, RecordFormat.document(record).length())
          : Usage.NONE;
    }

    /** Returns the keys of documents written up to a position; empty if there are too many. */
    private Optional<Set<ByteKey>> written(long end, int most) {
      Set<ByteKey> keys = new HashSet<>();
      CollectionSpec spec = owner.compiled().spec();
      ShardFeedReader feed = new ShardFeedReader(owner);
      long at = position;
      while (at < end) {
        List<Change> changes;
        try {
          changes = feed.read(at, FEED_PAGE);
        } catch (EngineException trimmed) {
          if (trimmed.reason() == Reason.TRIMMED) {
            return Optional.empty();
          }
          throw trimmed;
        }
        for (Change change : changes) {
          keys.add(new ByteKey(PrimaryKey.of(spec, change.key()).bytes()));
        }
        at = changes.isEmpty() ? end : changes.getLast().position();
        if (keys.size() > most) {
          return Optional.empty();
        }
      }
      return Optional.of(keys);
    }
  }

  /** Takes a snapshot of each shard. */
  RunningCount(List<ShardOwner> owners) {
    try {
      owners.forEach(owner -> parts.add(new Part(owner)));
    } catch (RuntimeException failed) {
      close();
      throw failed;
    }
  }

  /**
   * Returns false if the store has no snapshots: the count must then run under the locks of the
   * shards.
   */
  boolean consistent() {
    return parts.stream().allMatch(part -> part.snapshot.consistent());
  }

  /** Counts all documents on the snapshots. */
  Usage count(Difference difference) {
    parts.forEach(part -> part.count(difference));
    return counted();
  }

  /** Counts all documents on the snapshots by the rule that expires them. */
  SortedMap<String, Usage> countByRule(Difference difference) {
    SortedMap<String, Usage> byRule = new TreeMap<>();
    for (Part part : parts) {
      part.byLane(difference)
          .forEach(
              (lane, usage) -> byRule.merge(difference.state().ruleOf(lane), usage, Usage::plus));
    }
    return byRule;
  }

  /** Returns some of the documents that are counted. */
  List<Document> some(Difference difference, int most) {
    List<Document> some = new ArrayList<>();
    for (Part part : parts) {
      part.records(difference, most - some.size()).stream()
          .map(RecordFormat::document)
          .forEach(some::add);
    }
    return some;
  }

  /**
   * Counts the documents again that were written since.
   *
   * @param before the difference counted so far
   * @param after the difference to count for them
   * @param most how many documents may have been written
   * @return false if there are more: the count is then invalid
   */
  boolean catchUp(Difference before, Difference after, int most) {
    for (Part part : parts) {
      if (!part.catchUp(before, after, most)) {
        return false;
      }
    }
    return true;
  }

  /** Returns how many documents the last {@link #catchUp} has counted. */
  int caughtUp() {
    return parts.stream().mapToInt(part -> part.caughtUp).sum();
  }

  /** Returns the count so far. */
  Usage counted() {
    return parts.stream().map(part -> part.counted).reduce(Usage.NONE, Usage::plus);
  }

  @Override
  public void close() {
    parts.forEach(part -> part.snapshot.close());
  }
}
