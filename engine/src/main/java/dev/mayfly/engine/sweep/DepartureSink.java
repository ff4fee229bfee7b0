package dev.mayfly.engine.sweep;

import dev.mayfly.engine.catalog.CompiledCollection;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.shard.WriteGroup;
import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.List;

/**
 * Sweep sink that records the departure of parents, if other documents follow them: these stay dead
 * when a compaction has dropped the record of the parent.
 */
public final class DepartureSink implements SweepSink {
  private final ShardOwner owner;

  /**
   * @param owner of the swept shard
   */
  public DepartureSink(ShardOwner owner) {
    this.owner = owner;
  }

  @Override
  public Slice begin(CompiledCollection compiled) {
    return new DepartureSlice();
  }

  private final class DepartureSlice implements Slice {
    private final boolean followed = owner.view().family().isFollowed();
    private final List<byte[]> keys = new ArrayList<>();
    private final List<Long> deadlines = new ArrayList<>();
    private long bytes;

    @Override
    public boolean needsDocuments() {
      return false;
    }

    @Override
    public void add(byte[] primaryKey, byte[] spelledKey, long deadline, Document document) {
      if (followed) {
        keys.add(primaryKey);
        deadlines.add(deadline);
        bytes += primaryKey.length;
      }
    }

    @Override
    public long bytes() {
      return bytes;
    }

    @Override
    public void deliver(WriteGroup group) {
      for (int i = 0; i < keys.size(); i++) {
        group.depart(keys.get(i), deadlines.get(i), /* deleted= */ false);
      }
    }
  }
}
