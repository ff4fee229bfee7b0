package dev.mayfly.engine.read;

import dev.mayfly.engine.liveness.Liveness;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Reader;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Snapshot;
import dev.mayfly.store.Space;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sampler of the live records of a shard: some at each of several places in the order of keys, so
 * that its cost does not depend on the size of the collection. Stateless.
 */
public final class RecordSampler {
  private static final int PLACES = 50;

  /** How many records are read for one that is live. */
  private static final int MAX_READ = 10;

  private RecordSampler() {}

  /**
   * Returns about as many records as wanted.
   *
   * @param spread whether to take them from several places, and not the first ones
   */
  public static List<byte[]> sample(ShardOwner owner, long now, int most, boolean spread) {
    Liveness liveness = owner.liveness(now);
    List<byte[]> sampled = new ArrayList<>();
    try (Snapshot snapshot = owner.shard().snapshot()) {
      List<Range> places = spread ? places(snapshot) : List.of(Range.all());
      for (int i = 0; i < places.size(); i++) {
        int quota = Math.ceilDiv(most - sampled.size(), places.size() - i);
        add(snapshot, places.get(i), liveness, quota, sampled);
      }
    }
    return sampled;
  }

  private static List<Range> places(Reader reader) {
    byte[] first = end(reader, Direction.UP);
    byte[] last = end(reader, Direction.DOWN);
    return first == null || last == null
        ? List.of()
        : RangeSplitter.of(Range.all(), first, last, PLACES);
  }

  private static void add(
      Reader reader, Range range, Liveness liveness, int quota, List<byte[]> sampled) {
    int left = quota;
    int reads = quota * MAX_READ;
    try (Scan scan = reader.scan(Space.RECORDS, range, Direction.UP)) {
      while (left > 0 && reads-- > 0 && scan.next()) {
        byte[] record = scan.value();
        if (liveness.isLive(record, scan.key())) {
          sampled.add(record);
          left--;
        }
      }
    }
  }

  private static byte @Nullable [] end(Reader reader, Direction direction) {
    try (Scan scan = reader.scan(Space.RECORDS, Range.all(), direction)) {
      return scan.next() ? scan.key() : null;
    }
  }
}
