package dev.mayfly.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;

/**
 * Puts, deletes and range deletes to be committed together, in one growable buffer. Arguments are
 * copied, so the caller may reuse its arrays at once. Not thread-safe; reusable by {@link #clear}.
 *
 * <p>Operations take effect in the order they were added: after {@code put(k, v1)}, {@code
 * delete(k)}, {@code put(k, v2)} the value of k is v2.
 *
 * <p>Keys and values may be empty. Limits, the same for all stores: {@link #MAX_KEY_BYTES}, {@link
 * #MAX_VALUE_BYTES}, {@link #MAX_BATCH_BYTES}; an operation that exceeds them fails with an {@link
 * IllegalArgumentException} and changes nothing.
 */
public final class Batch {
  /** Limit of the narrowest store: Cassandra has 65,535 bytes for a whole clustering key. */
  public static final int MAX_KEY_BYTES = 60_000;

  public static final int MAX_VALUE_BYTES = 64 << 20;
  public static final int MAX_BATCH_BYTES = 1 << 30;

  private static final VarHandle BIG_ENDIAN_INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final byte[] NO_BYTES = {};
  private static final Space[] SPACES = Space.values();

  /** The length that means "no upper bound". */
  private static final int OPEN = -1;

  private static final int MAX_HEADER_BYTES = 9;

  /** Kind of an operation, in the high half of its first byte; the low half is the space. */
  private static final int PUT = 0x10;

  private static final int DELETE = 0x20;
  private static final int DELETE_RANGE = 0x30;

  /*
   * The buffer is a sequence of operations. Each is one byte for kind and space, the lengths of its
   * two arrays (4 bytes each, big-endian; a delete has but one), then the bytes of the arrays.
   */
  private byte[] buffer;
  private int size;
  private int operations;

  public Batch() {
    this(512);
  }

  /** Creates a batch with an initial buffer of this size. */
  public Batch(int expectedBytes) {
    buffer = new byte[Math.max(expectedBytes, 64)];
  }

  /**
   * Returns a batch with the operations that {@link #copyTo} has written. The array belongs to the
   * batch.
   *
   * @throws IllegalArgumentException if these are not the bytes of a batch
   */
  public static Batch of(byte[] encoded) {
    Batch batch = new Batch(encoded);
    int at = 0;
    while (at < encoded.length) {
      at = batch.checkedEnd(at);
      batch.operations++;
    }
    batch.size = at;
    return batch;
  }

  private Batch(byte[] buffer) {
    this.buffer = buffer;
  }

  /** Returns the end of the operation at a position. */
  private int checkedEnd(int at) {
    try {
      int kind = buffer[at] & 0xf0;
      Objects.checkIndex(buffer[at] & 0x0f, SPACES.length);
      int first = lengthAt(at + 1);
      int second = kind == DELETE ? 0 : Math.max(lengthAt(at + 5), 0);
      int start = kind == DELETE ? at + 5 : at + MAX_HEADER_BYTES;
      if (first < 0 || kind < PUT || kind > DELETE_RANGE) {
        throw new IllegalArgumentException("not an operation: " + buffer[at]);
      }
      return Objects.checkFromIndexSize(start, Math.addExact(first, second), buffer.length)
          + first
          + second;
    } catch (IndexOutOfBoundsException | ArithmeticException damaged) {
      throw new IllegalArgumentException("not the bytes of a batch", damaged);
    }
  }

  /** Writes all operations, {@link #bytes} of them, to be read by {@link #of}. */
  public void copyTo(ByteBuffer target) {
    target.put(buffer, 0, size);
  }

  public Batch put(Space space, byte[] key, byte[] value) {
    return put(space, key, 0, key.length, value, 0, value.length);
  }

  public Batch put(
      Space space,
      byte[] key,
      int keyOffset,
      int keyLength,
      byte[] value,
      int valueOffset,
      int valueLength) {
    checkKey(key, keyOffset, keyLength);
    checkSlice(value, valueOffset, valueLength, MAX_VALUE_BYTES, "value");
    begin(PUT, space, keyLength + valueLength);
    length(keyLength);
    length(valueLength);
    bytes(key, keyOffset, keyLength);
    bytes(value, valueOffset, valueLength);
    return this;
  }

  public Batch delete(Space space, byte[] key) {
    return delete(space, key, 0, key.length);
  }

  public Batch delete(Space space, byte[] key, int keyOffset, int keyLength) {
    checkKey(key, keyOffset, keyLength);
    begin(DELETE, space, keyLength);
    length(keyLength);
    bytes(key, keyOffset, keyLength);
    return this;
  }

  /** Deletes the keys at or after {@code from} and before {@code to}. */
  public Batch deleteRange(Space space, byte[] from, byte[] to) {
    return deleteRange(space, Range.of(from, to));
  }

  /** Deletes the keys of a range that exist at this point of the batch. */
  public Batch deleteRange(Space space, Range range) {
    if (range.isEmpty()) {
      return this;
    }
    byte[] from = range.from() == null ? NO_BYTES : range.from();
    byte[] to = range.to() == null ? NO_BYTES : range.to();
    checkKey(from, 0, from.length);
    checkKey(to, 0, to.length);
    begin(DELETE_RANGE, space, from.length + to.length);
    length(from.length);
    length(range.to() == null ? OPEN : to.length);
    bytes(from, 0, from.length);
    bytes(to, 0, to.length);
    return this;
  }

  /** Adds all operations of another batch, after those of this one. */
  public Batch addAll(Batch other) {
    reserve(other.size);
    System.arraycopy(other.buffer, 0, buffer, size, other.size);
    size += other.size;
    operations += other.operations;
    return this;
  }

  /** Returns the number of puts, deletes and range deletes. */
  public int operations() {
    return operations;
  }

  /** Returns the size in bytes: keys, values and a few bytes per operation. */
  public long bytes() {
    return size;
  }

  public boolean isEmpty() {
    return operations == 0;
  }

  /** Removes all operations and keeps the buffer. */
  public Batch clear() {
    size = 0;
    operations = 0;
    return this;
  }

  /**
   * Receives one call per operation, in order. The buffer belongs to the batch and may be read
   * during the call only.
   */
  public interface Visitor {
    void put(
        Space space, byte[] buffer, int keyOffset, int keyLength, int valueOffset, int valueLength);

    void delete(Space space, byte[] buffer, int keyOffset, int keyLength);

    /**
     * Never an empty range.
     *
     * @param toLength negative if the range has no upper bound
     */
    void deleteRange(
        Space space, byte[] buffer, int fromOffset, int fromLength, int toOffset, int toLength);
  }

  /** Passes every operation to the visitor, in the order they were added. */
  public void replay(Visitor visitor) {
    int at = 0;
    while (at < size) {
      Space space = SPACES[buffer[at] & 0x0f];
      at =
          switch (buffer[at] & 0xf0) {
            case PUT -> replayPut(space, at + 1, visitor);
            case DELETE -> replayDelete(space, at + 1, visitor);
            case DELETE_RANGE -> replayDeleteRange(space, at + 1, visitor);
            default -> throw new AssertionError("not an operation: " + buffer[at]);
          };
    }
  }

  private int replayPut(Space space, int at, Visitor visitor) {
    int keyLength = lengthAt(at);
    int valueLength = lengthAt(at + 4);
    int key = at + 8;
    int value = key + keyLength;
    visitor.put(space, buffer, key, keyLength, value, valueLength);
    return value + valueLength;
  }

  private int replayDelete(Space space, int at, Visitor visitor) {
    int keyLength = lengthAt(at);
    int key = at + 4;
    visitor.delete(space, buffer, key, keyLength);
    return key + keyLength;
  }

  private int replayDeleteRange(Space space, int at, Visitor visitor) {
    int fromLength = lengthAt(at);
    int toLength = lengthAt(at + 4);
    int from = at + 8;
    int to = from + fromLength;
    visitor.deleteRange(space, buffer, from, fromLength, to, toLength);
    return to + Math.max(toLength, 0);
  }

  private static void checkKey(byte[] key, int offset, int length) {
    checkSlice(key, offset, length, MAX_KEY_BYTES, "key");
  }

  private static void checkSlice(byte[] bytes, int offset, int length, int limit, String what) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (length > limit) {
      throw new IllegalArgumentException(what + " of " + length + " bytes exceeds " + limit);
    }
  }

  private void begin(int kind, Space space, int payload) {
    reserve((long) MAX_HEADER_BYTES + payload);
    buffer[size++] = (byte) (kind | space.code());
    operations++;
  }

  /** Makes room for more bytes. */
  private void reserve(long more) {
    long needed = size + more;
    if (needed > MAX_BATCH_BYTES) {
      throw new IllegalArgumentException(
          "batch of " + needed + " bytes exceeds " + MAX_BATCH_BYTES);
    }
    if (needed > buffer.length) {
      buffer = Arrays.copyOf(buffer, (int) Math.max(needed, Math.min(2L * size, MAX_BATCH_BYTES)));
    }
  }

  private void length(int length) {
    BIG_ENDIAN_INT.set(buffer, size, length);
    size += Integer.BYTES;
  }

  private int lengthAt(int at) {
    return (int) BIG_ENDIAN_INT.get(buffer, at);
  }

  private void bytes(byte[] source, int offset, int length) {
    System.arraycopy(source, offset, buffer, size, length);
    size += length;
  }
}
