package dev.mayfly.store.rocksdb;

import dev.mayfly.store.Direction;
import dev.mayfly.store.Scan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/** RocksDB iterator, bounded to a range of one shard. */
final class RocksScan implements Scan {
  private static final int USUAL_KEY_BYTES = 256;

  private final CloseGuard closeGuard = new CloseGuard("the scan");
  private final Prefix prefix;
  private final Direction direction;
  private final RocksIterator iterator;
  private final ReadOptions options;
  private final Slice from;
  private final Slice to;
  private final OpenHandles openHandles;
  private final PinnedValue inPlace;

  /** Buffer for the current key with its prefix. */
  private byte[] keyBuffer = new byte[USUAL_KEY_BYTES];

  /** Target of the next seek with its prefix; null for the start of the range. */
  private byte @Nullable [] target;

  private State state = State.BEFORE;

  private enum State {
    /** The next move is a seek. */
    BEFORE,
    /** At an entry. */
    AT,
    /** After the last entry. */
    AFTER
  }

  /**
   * Takes ownership of an iterator and its options.
   *
   * @param options with the bounds {@code from} and {@code to} set; all three are closed with the
   *     scan, as RocksDB reads the bounds as long as it iterates
   */
  RocksScan(
      Prefix prefix,
      Direction direction,
      RocksIterator iterator,
      ReadOptions options,
      Slice from,
      Slice to,
      OpenHandles openHandles) {
    this.prefix = prefix;
    this.direction = direction;
    this.iterator = iterator;
    this.options = options;
    this.from = from;
    this.to = to;
    this.openHandles = openHandles;
    this.inPlace = new PinnedValue(iterator);
    openHandles.add(this, this::close);
  }

  @Override
  public boolean next() {
    long stamp = closeGuard.enter();
    try {
      move();
      return state == State.AT;
    } finally {
      closeGuard.exit(stamp);
    }
  }

  private void move() {
    switch (state) {
      case BEFORE -> moveToTarget();
      case AT -> moveOn();
      case AFTER -> {
        return;
      }
    }
    if (iterator.isValid()) {
      state = State.AT;
    } else {
      state = State.AFTER;
      checkComplete();
    }
  }

  /** RocksDB keeps a seek within the bounds. */
  private void moveToTarget() {
    switch (direction) {
      case UP -> {
        if (target == null) {
          iterator.seekToFirst();
        } else {
          iterator.seek(target);
        }
      }
      case DOWN -> {
        if (target == null) {
          iterator.seekToLast();
        } else {
          iterator.seekForPrev(target);
        }
      }
    }
  }

  private void moveOn() {
    switch (direction) {
      case UP -> iterator.next();
      case DOWN -> iterator.prev();
    }
  }

  /** An iterator ends early and without an exception at what it cannot read: checks its status. */
  private void checkComplete() {
    try {
      iterator.status();
    } catch (RocksDBException e) {
      throw Failures.ofRead("scan shard " + prefix.shard(), e);
    }
  }

  @Override
  public byte[] key() {
    long stamp = closeGuard.enter();
    try {
      checkAtEntry();
      int length = iterator.key(keyBuffer);
      if (length > keyBuffer.length) {
        keyBuffer = new byte[length];
        iterator.key(keyBuffer);
      }
      return Prefix.strip(keyBuffer, length);
    } finally {
      closeGuard.exit(stamp);
    }
  }

  @Override
  public byte[] value() {
    long stamp = closeGuard.enter();
    try {
      checkAtEntry();
      return iterator.value();
    } finally {
      closeGuard.exit(stamp);
    }
  }

  @Override
  public <T> T look(Function<MemorySegment, T> look) {
    if (!PinnedValue.offered()) {
      return Scan.super.look(look);
    }
    long stamp = closeGuard.enter();
    try (Arena call = Arena.ofConfined()) {
      checkAtEntry();
      return look.apply(inPlace.value(call));
    } finally {
      closeGuard.exit(stamp);
    }
  }

  private void checkAtEntry() {
    if (state != State.AT) {
      throw new IllegalStateException("the scan is not at an entry");
    }
  }

  @Override
  public void seek(byte[] key) {
    closeGuard.exit(closeGuard.enter());
    target = prefix.before(key);
    state = State.BEFORE;
  }

  @Override
  public void close() {
    closeGuard.close(
        () -> {
          iterator.close();
          options.close();
          from.close();
          to.close();
          openHandles.remove(this);
        });
  }
}
