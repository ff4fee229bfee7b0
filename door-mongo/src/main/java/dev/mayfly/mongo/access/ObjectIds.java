package dev.mayfly.mongo.access;

import dev.mayfly.value.Value;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Generates ObjectIds for documents without an {@code _id}: seconds, a random number of this
 * server, a counter. Safe for many threads.
 */
public final class ObjectIds {
  private static final int LENGTH = 12;
  private static final int RANDOM_AT = 4;
  private static final int RANDOM_LENGTH = 5;

  private final byte[] random = new byte[RANDOM_LENGTH];
  private final AtomicInteger counter;

  public ObjectIds() {
    SecureRandom source = new SecureRandom();
    source.nextBytes(random);
    counter = new AtomicInteger(source.nextInt());
  }

  /** A new unique id with this time. */
  public Value next(long epochMillis) {
    byte[] id = new byte[LENGTH];
    bigEndian((int) (epochMillis / 1000), id, 0, RANDOM_AT);
    System.arraycopy(random, 0, id, RANDOM_AT, RANDOM_LENGTH);
    bigEndian(counter.getAndIncrement(), id, RANDOM_AT + RANDOM_LENGTH, 3);
    return Value.objectId(id);
  }

  private static void bigEndian(int number, byte[] to, int offset, int length) {
    for (int i = 0; i < length; i++) {
      to[offset + i] = (byte) (number >>> (8 * (length - 1 - i)));
    }
  }
}
