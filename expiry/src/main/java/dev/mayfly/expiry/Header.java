package dev.mayfly.expiry;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The few bytes in front of every stored entry that tell the life of its document.
 *
 * <p>Layout, big-endian (see {@code docs/formats/entries.md}):
 *
 * <pre>
 *   flags     1   bits 0-1 own ttl: 0 none, 1 never, 2 seconds follow; bit 2 covers the last write;
 *                 bits 3-7 number of explicit places
 *   sequence  8   of the last write
 *   written   6   epoch milliseconds of the last write
 *   ttl       4   only when flags say so
 *   places   10   each: lane (2), place (8)
 *   age       1-9 sequence minus the sequence of the insert, as a varint
 * </pre>
 *
 * The methods read in place: no decoding, no allocation.
 */
public final class Header {
  /** The place of a document that is not in a lane: above every cutoff. */
  public static final long NO_PLACE = Long.MAX_VALUE;

  /** The longest header. */
  public static final int MAX_LENGTH = 1 + 8 + 6 + 4 + 31 * 10 + 9;

  /** The shortest header. */
  public static final int MIN_LENGTH = 16;

  /** How many explicit places a header holds. */
  public static final int MAX_PLACES = 31;

  private static final int TTL_NEVER = 1;
  private static final int TTL_SECONDS = 2;
  private static final int TTL_MASK = 3;
  private static final int COVERS_WRITE = 4;
  private static final int COUNT_SHIFT = 3;

  private static final int SEQUENCE_AT = 1;
  private static final int WRITTEN_AT = 9;
  private static final int FIXED = 15;
  private static final int PLACE_SIZE = 10;
  private static final long MILLIS = 1000;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);

  private Header() {}

  /**
   * Writes a header at {@code at} and returns the offset after it; needs {@link #MAX_LENGTH} room.
   *
   * @param coversWrite whether the entry is rewritten with every write of its document, so that the
   *     time of the last write found in it can be relied upon
   */
  public static int write(HeaderFields life, boolean coversWrite, byte[] to, int at) {
    int kind =
        life.ttl() == HeaderFields.NO_TTL
            ? 0
            : life.ttl() == HeaderFields.NEVER ? TTL_NEVER : TTL_SECONDS;
    to[at] = (byte) (kind | (coversWrite ? COVERS_WRITE : 0) | life.count() << COUNT_SHIFT);
    LONG.set(to, at + SEQUENCE_AT, life.sequence());
    SHORT.set(to, at + WRITTEN_AT, (short) (life.writtenAt() >> 32));
    INT.set(to, at + WRITTEN_AT + 2, (int) life.writtenAt());
    int next = at + FIXED;
    if (kind == TTL_SECONDS) {
      INT.set(to, next, life.ttl());
      next += 4;
    }
    for (int i = 0; i < life.count(); i++) {
      SHORT.set(to, next, (short) life.laneAt(i));
      LONG.set(to, next + 2, life.placeAt(i));
      next += PLACE_SIZE;
    }
    return writeVarint(life.sequence() - life.born(), to, next);
  }

  /** The length of the header at {@code at}. */
  public static int length(byte[] entry, int at) {
    int next = agesAt(entry, at);
    while (entry[next] < 0) {
      next++;
    }
    return next + 1 - at;
  }

  /** How long a header with these flags can be. */
  public static int bound(byte flags) {
    return FIXED + 4 + ((flags & 0xFF) >> COUNT_SHIFT) * PLACE_SIZE + 9;
  }

  /** The sequence of the last write. */
  public static long sequence(byte[] entry, int at) {
    return (long) LONG.get(entry, at + SEQUENCE_AT);
  }

  /** The sequence of the insert: tells one life of an id from the next. */
  public static long born(byte[] entry, int at) {
    int next = agesAt(entry, at);
    long age = 0;
    for (int shift = 0; ; shift += 7) {
      byte b = entry[next++];
      age |= (long) (b & 0x7F) << shift;
      if (b >= 0) {
        return sequence(entry, at) - age;
      }
    }
  }

  /** Epoch milliseconds of the last write. */
  public static long writtenAt(byte[] entry, int at) {
    // eight bytes of which the last six are meant: one read in the check that every scan makes
    return (long) LONG.get(entry, at + WRITTEN_AT - 2) << 16 >> 16;
  }

  /** The last write in whole seconds, as milliseconds: what {@code _ts} says. */
  public static long writtenSecond(byte[] entry, int at) {
    return Math.floorDiv(writtenAt(entry, at), MILLIS) * MILLIS;
  }

  /**
   * The document's own {@code ttl}: seconds, {@link HeaderFields#NEVER} or {@link
   * HeaderFields#NO_TTL}.
   */
  public static int ttl(byte[] entry, int at) {
    return switch (entry[at] & TTL_MASK) {
      case TTL_NEVER -> HeaderFields.NEVER;
      case TTL_SECONDS -> (int) INT.get(entry, at + FIXED);
      default -> HeaderFields.NO_TTL;
    };
  }

  /** Whether the time of the last write found here can be relied upon. */
  public static boolean coversWrite(byte[] entry, int at) {
    return (entry[at] & COVERS_WRITE) != 0;
  }

  /** Marks a header of its own as one whose time of the last write cannot be relied upon. */
  public static byte[] uncovered(byte[] header) {
    header[0] &= ~COVERS_WRITE;
    return header;
  }

  /** The place in a lane as far as this header tells it, or {@link #NO_PLACE}. */
  public static long place(byte[] entry, int at, int lane) {
    int flags = entry[at];
    int kind = flags & TTL_MASK;
    if (lane == Lane.INHERITED) {
      return kind == 0 ? writtenSecond(entry, at) : NO_PLACE;
    }
    int next = at + FIXED;
    if (lane == Lane.OWN) {
      return kind == TTL_SECONDS
          ? writtenSecond(entry, at) + (int) INT.get(entry, next) * MILLIS
          : NO_PLACE;
    }
    if (kind == TTL_SECONDS) {
      next += 4;
    }
    for (int i = (flags & 0xFF) >> COUNT_SHIFT; i > 0; i--) {
      if ((short) SHORT.get(entry, next) == (short) lane) {
        return (long) LONG.get(entry, next + 2);
      }
      next += PLACE_SIZE;
    }
    return NO_PLACE;
  }

  /**
   * True when the entries of a record need not be rewritten: they tell the same life as the entry
   * to be written would, but for the sequence, which matters to no mark that is to come.
   */
  public static boolean sameLife(byte[] record, byte[] entry) {
    if (((record[0] ^ entry[0]) & ~COVERS_WRITE) != 0) {
      return false;
    }
    if (coversWrite(entry, 0) && writtenSecond(record, 0) != writtenSecond(entry, 0)) {
      return false;
    }
    return Arrays.equals(record, FIXED, agesAt(record, 0), entry, FIXED, agesAt(entry, 0))
        && born(record, 0) == born(entry, 0);
  }

  private static int agesAt(byte[] entry, int at) {
    int flags = entry[at];
    int ttl = (flags & TTL_MASK) == TTL_SECONDS ? 4 : 0;
    return at + FIXED + ttl + ((flags & 0xFF) >> COUNT_SHIFT) * PLACE_SIZE;
  }

  private static int writeVarint(long value, byte[] to, int at) {
    long rest = value;
    int next = at;
    while ((rest & ~0x7FL) != 0) {
      to[next++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    to[next] = (byte) rest;
    return next + 1;
  }
}
