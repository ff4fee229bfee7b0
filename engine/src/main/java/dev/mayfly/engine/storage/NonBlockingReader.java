package dev.mayfly.engine.storage;

import dev.mayfly.engine.WouldBlock;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Reader;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Shard;
import dev.mayfly.store.Space;
import org.jspecify.annotations.Nullable;

/**
 * Reader of cached data of a shard; throws {@link WouldBlock} if data is not cached, and for every
 * scan.
 */
public record NonBlockingReader(Shard shard) implements Reader {
  @Override
  public byte @Nullable [] read(Space space, byte[] key) {
    byte[] read = shard.readIfCached(space, key);
    if (Shard.isNotCached(read)) {
      throw new WouldBlock();
    }
    return read;
  }

  @Override
  public Scan scan(Space space, Range range, Direction direction) {
    throw new WouldBlock();
  }
}
