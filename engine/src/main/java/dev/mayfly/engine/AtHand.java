package dev.mayfly.engine;

import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Reader;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Space;
import org.jspecify.annotations.Nullable;

/** Reads what is in memory; for all else {@link NotAtOnce} is thrown. */
record AtHand(Reader reader) implements Reader {
  @Override
  public byte @Nullable [] read(Space space, byte[] key) {
    byte[] read = reader.readAtHand(space, key);
    if (Reader.isElsewhere(read)) {
      throw new NotAtOnce();
    }
    return read;
  }

  @Override
  public Scan scan(Space space, Range range, Direction direction) {
    throw new NotAtOnce();
  }
}
