package dev.mayfly.engine.local;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.read.SoonestScan.After;
import java.util.Arrays;
import java.util.HexFormat;

/** Position in the order of deadline, shard and primary key. */
record DeadlinePlace(long deadline, int shard, ByteKey primaryKey)
    implements Comparable<DeadlinePlace> {
  static final DeadlinePlace START = new DeadlinePlace(Long.MIN_VALUE, 0, new ByteKey(new byte[0]));

  /** Returns the position after all documents with a deadline. */
  static DeadlinePlace after(long deadline) {
    return new DeadlinePlace(deadline, Integer.MAX_VALUE, new ByteKey(new byte[0]));
  }

  /** The position after which to read another shard. */
  After in(int other) {
    if (equals(START)) {
      return After.NOTHING;
    }
    if (other == shard) {
      return new After(deadline, primaryKey);
    }
    return new After(other < shard ? deadline : deadline - 1, null);
  }

  @Override
  public int compareTo(DeadlinePlace other) {
    int order = Long.compare(deadline, other.deadline);
    order = order == 0 ? Integer.compare(shard, other.shard) : order;
    return order == 0
        ? Arrays.compareUnsigned(primaryKey.array(), other.primaryKey.array())
        : order;
  }

  String text() {
    return deadline + "." + shard + "." + HexFormat.of().formatHex(primaryKey.array());
  }

  static DeadlinePlace of(String text) {
    String[] parts = text.split("\\.", -1);
    try {
      if (parts.length == 3) {
        return new DeadlinePlace(
            Long.parseLong(parts[0]),
            Integer.parseInt(parts[1]),
            new ByteKey(HexFormat.of().parseHex(parts[2])));
      }
    } catch (IllegalArgumentException invalid) {
      // as below
    }
    throw new EngineException(Reason.BAD_HINT, "'" + text + "' is not a position");
  }
}
