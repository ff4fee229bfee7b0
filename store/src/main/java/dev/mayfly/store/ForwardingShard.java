package dev.mayfly.store;

import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A shard that passes its calls to another one. Subclasses override what they change. {@link
 * #readAll} and {@link #erase} keep their defaults: they call {@link #read} and {@link #commit} of
 * this object, so that overrides see them. A subclass that overrides {@code commit} must override
 * {@link #tryCommit}, too; one that overrides {@code sync}, {@link #trySync}, {@link #trySyncHere}
 * and {@link #wakeAfterFlush}.
 */
public abstract class ForwardingShard implements Shard {
  private final Shard shard;

  protected ForwardingShard(Shard shard) {
    this.shard = shard;
  }

  /** Returns the shard that receives the calls. */
  protected final Shard delegate() {
    return shard;
  }

  @Override
  public int number() {
    return shard.number();
  }

  @Override
  public long epoch() {
    return shard.epoch();
  }

  @Override
  public byte @Nullable [] read(Space space, byte[] key) {
    return shard.read(space, key);
  }

  @Override
  public byte @Nullable [] readIfCached(Space space, byte[] key) {
    return shard.readIfCached(space, key);
  }

  @Override
  public boolean isRemote() {
    return shard.isRemote();
  }

  @Override
  public Scan scan(Space space, Range range, Direction direction) {
    return shard.scan(space, range, direction);
  }

  @Override
  public Snapshot snapshot() {
    return shard.snapshot();
  }

  @Override
  public Optional<Snapshot> nonBlockingSnapshot() {
    return shard.nonBlockingSnapshot();
  }

  @Override
  public long commit(Batch batch) {
    return shard.commit(batch);
  }

  @Override
  public OptionalLong tryCommit(Batch batch) {
    return shard.tryCommit(batch);
  }

  @Override
  public void sync(long ticket) {
    shard.sync(ticket);
  }

  @Override
  public boolean trySync(long ticket) {
    return shard.trySync(ticket);
  }

  @Override
  public boolean trySyncHere(long ticket) {
    return shard.trySyncHere(ticket);
  }

  @Override
  public void wakeAfterFlush(long ticket, Runnable wake) {
    shard.wakeAfterFlush(ticket, wake);
  }

  @Override
  public long syncedThrough() {
    return shard.syncedThrough();
  }

  @Override
  public void forgetDropped() {
    shard.forgetDropped();
  }
}
