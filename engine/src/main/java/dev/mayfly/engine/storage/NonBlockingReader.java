package dev.mayfly.engine.storage;

import dev.mayfly.engine.WouldBlock;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Reader;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Space;
import org.jspecify.annotations.Nullable;

/** Reads what is in memory; for all else {@link WouldBlock} is thrown. */
public record NonBlockingReader(Reader reader) implements Reader {
  @Override
  public byte @Nullable [] read(Space space, byte[] key) {
    byte[] read = reader.readIfCached(space, key);
    if (Reader.isElsewhere(read)) {
      throw new WouldBlock();
    }
    return read;
  }

  @Override
  public Scan scan(Space space, Range range, Direction direction) {
    throw new WouldBlock();
  }
}
