package dev.mayfly.store;

import java.util.Optional;

/**
 * A store that passes every call to another one, for stores that observe or disturb: recorders,
 * fault injection. Subclasses override what they change. A subclass that wraps shards in {@link
 * #own} must also override {@link #together}, because a store accepts only its own shards there.
 */
public abstract class ForwardingStore implements Store {
  private final Store store;

  protected ForwardingStore(Store store) {
    this.store = store;
  }

  /** Returns the store that receives the calls. */
  protected final Store delegate() {
    return store;
  }

  @Override
  public Shard own(int shard) {
    return store.own(shard);
  }

  @Override
  public void drop(int shard) {
    store.drop(shard);
  }

  @Override
  public Optional<CrossShard> together() {
    return store.together();
  }

  @Override
  public boolean install(CompactionFilter filter) {
    return store.install(filter);
  }

  @Override
  public void reclaim(int shard, Space space) {
    store.reclaim(shard, space);
  }

  @Override
  public void abortReclaims() {
    store.abortReclaims();
  }

  @Override
  public boolean hasRoom() {
    return store.hasRoom();
  }

  @Override
  public StoreStats stats() {
    return store.stats();
  }

  @Override
  public long bytesOnDisk(int shard) {
    return store.bytesOnDisk(shard);
  }

  @Override
  public long bytesOnDisk(int shard, Space space, Range range) {
    return store.bytesOnDisk(shard, space, range);
  }

  @Override
  public void checkpoint() {
    store.checkpoint();
  }

  @Override
  public void close() {
    store.close();
  }
}
