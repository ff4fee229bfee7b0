package dev.mayfly.engine.storage;

import dev.mayfly.engine.ByteKey;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Encoding of all stored keys; specified in {@code docs/formats/layout.md}.
 *
 * <pre>
 *   RECORDS  primary key                           -> header, document
 *   ENTRIES  index(4) values primary-key           -> header, length of the primary key
 *   ENTRIES  index(4) partition-key values (unique) -> header, primary key
 *   QUEUES   'C' born(8)                           -> primary key              (capped: arrival)
 *   QUEUES   'E' position(8)                       -> image of an expired document
 *   QUEUES   'F' position(8)                       -> change or group of expiries
 *   QUEUES   'G' primary-key                       -> departures of parents with the key
 *   QUEUES   'L' lane(2) place(8) primary-key      -> header, document size, spelled key
 *   META     'A' index(4)                          -> multikey parts of the index
 *   META     'B' target(4)                         -> progress of a build
 *   META     'D'                                   -> bytes swept and not reclaimed
 *   META     'E'                                   -> progress of the delivery of images
 *   META     'K'                                   -> positions at which times go back
 *   META     'N'                                   -> counts repaired by a check
 *   META     'Q' session(sized) block(4)            -> receipts of later statements
 *   META     'R' session                           -> receipts of its last write number
 *   META     'S' lane(2)                           -> sweep progress of the lane
 *   META     'T'                                   -> end and totals of the trimmed feed
 *   META     'Z'                                   -> feed position of the lazy indexes
 * </pre>
 *
 * All numbers in keys are big-endian; places and positions have their sign bit flipped.
 */
public final class Layout {
  static final int LANE_PREFIX = 3;
  static final int LANE_KEY_HEAD = LANE_PREFIX + 8;

  private static final byte ARRIVAL = 'C';
  private static final byte EXPIRED = 'E';
  private static final byte FEED = 'F';
  private static final byte GONE = 'G';
  private static final byte LANE = 'L';

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);

  private Layout() {}

  public static byte[] feed(long position) {
    return numbered(FEED, position);
  }

  public static long position(byte[] feedKey) {
    return (long) LONG.get(feedKey, 1) ^ Long.MIN_VALUE;
  }

  public static byte[] feedPrefix() {
    return new byte[] {FEED};
  }

  public static byte[] arrival(long born) {
    return numbered(ARRIVAL, born);
  }

  public static byte[] arrivalPrefix() {
    return new byte[] {ARRIVAL};
  }

  /** Key of the image of a document whose expiry has a position in the feed. */
  public static byte[] archive(long position) {
    return numbered(EXPIRED, position);
  }

  /** Key of the progress of the delivery of images. */
  public static byte[] archived() {
    return new byte[] {EXPIRED};
  }

  /** Key of the departures of the parents that had a primary key. */
  public static byte[] departed(byte[] primaryKey) {
    byte[] key = new byte[1 + primaryKey.length];
    key[0] = GONE;
    System.arraycopy(primaryKey, 0, key, 1, primaryKey.length);
    return key;
  }

  public static byte[] departedPrefix() {
    return new byte[] {GONE};
  }

  public static byte[] departedPrimaryKey(byte[] departedKey) {
    return Arrays.copyOfRange(departedKey, 1, departedKey.length);
  }

  private static byte[] numbered(byte tag, long number) {
    byte[] key = new byte[9];
    key[0] = tag;
    LONG.set(key, 1, number ^ Long.MIN_VALUE);
    return key;
  }

  public static byte[] lane(int lane, long place, byte[] primaryKey) {
    byte[] key = Arrays.copyOf(lanePlace(lane, place), LANE_KEY_HEAD + primaryKey.length);
    System.arraycopy(primaryKey, 0, key, LANE_KEY_HEAD, primaryKey.length);
    return key;
  }

  /** The lowest key of a place. */
  static byte[] lanePlace(int lane, long place) {
    byte[] key = new byte[LANE_KEY_HEAD];
    key[0] = LANE;
    SHORT.set(key, 1, (short) lane);
    LONG.set(key, LANE_PREFIX, place ^ Long.MIN_VALUE);
    return key;
  }

  /** The first key above all keys of a place. */
  public static byte[] lanePlaceEnd(int lane, long place) {
    return place == Long.MAX_VALUE ? laneEnd(lane) : lanePlace(lane, place + 1);
  }

  public static byte[] lanePrefix(int lane) {
    byte[] key = new byte[LANE_PREFIX];
    key[0] = LANE;
    SHORT.set(key, 1, (short) lane);
    return key;
  }

  public static byte[] laneEnd(int lane) {
    return lanePrefix(lane + 1);
  }

  public static long place(byte[] laneKey) {
    return (long) LONG.get(laneKey, LANE_PREFIX) ^ Long.MIN_VALUE;
  }

  public static byte[] lanePrimaryKey(byte[] laneKey) {
    return Arrays.copyOfRange(laneKey, LANE_KEY_HEAD, laneKey.length);
  }

  public static byte[] indexPrefix(int index) {
    byte[] key = new byte[4];
    INT.set(key, 0, index);
    return key;
  }

  /** Returns the index of an entry key. */
  public static int indexOf(byte[] buffer, int key) {
    return (int) INT.get(buffer, key);
  }

  public static byte[] arrays(int index) {
    return tagged('A', index);
  }

  public static byte[] buildProgress(int target) {
    return tagged('B', target);
  }

  /** Key of the build progress of a lane. */
  public static byte[] laneBuildProgress(int lane) {
    return buildProgress(0x4000_0000 | lane);
  }

  private static byte[] tagged(char tag, int number) {
    byte[] key = new byte[5];
    key[0] = (byte) tag;
    INT.set(key, 1, number);
    return key;
  }

  /** Key of the feed position up to which the lazy indexes are updated. */
  public static byte[] lazyIndexed() {
    return new byte[] {'Z'};
  }

  public static byte[] swept(int lane) {
    byte[] key = new byte[3];
    key[0] = 'S';
    SHORT.set(key, 1, (short) lane);
    return key;
  }

  /** Key of the bytes that were swept and are not reclaimed. */
  public static byte[] owed() {
    return new byte[] {'D'};
  }

  /** Key of the positions at which the times of changes go back. */
  public static byte[] feedTimes() {
    return new byte[] {'K'};
  }

  /** Key of the repaired counts, and the position as of which they hold. */
  public static byte[] checkpoint() {
    return new byte[] {'N'};
  }

  public static byte[] receipt(ByteKey session) {
    byte[] key = new byte[1 + session.array().length];
    key[0] = 'R';
    System.arraycopy(session.array(), 0, key, 1, session.array().length);
    return key;
  }

  public static byte[] receiptPrefix() {
    return new byte[] {'R'};
  }

  public static ByteKey receiptSession(byte[] receiptKey) {
    return new ByteKey(Arrays.copyOfRange(receiptKey, 1, receiptKey.length));
  }

  /** Prefix of the keys of all blocks of a session. */
  public static byte[] receiptBlocks(ByteKey session) {
    return new ByteBuilder().put('Q').sized(session.array()).bytes();
  }

  public static byte[] receiptBlock(ByteKey session, int block) {
    byte[] prefix = receiptBlocks(session);
    byte[] key = Arrays.copyOf(prefix, prefix.length + 4);
    INT.set(key, prefix.length, block);
    return key;
  }

  public static byte[] totals() {
    return new byte[] {'T'};
  }

  /** The next key: no key is between the two. */
  public static byte[] after(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }
}
