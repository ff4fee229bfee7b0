package dev.mayfly.engine.shard;

/**
 * Write group that shares the shard's lock with other groups. Closing it releases its locks,
 * whether it was committed or not.
 *
 * @param holder the keys that it has locked
 * @param position its place among the groups in progress
 * @param hold its hold on the shard's lock
 */
record SharedGroup(
    ShardOwner owner,
    WriteGroup group,
    WriteBuffers buffers,
    KeyLocks.Holder holder,
    CommittedPositions.Entry position,
    int hold)
    implements AutoCloseable {
  @Override
  public void close() {
    owner.close(this);
  }
}
