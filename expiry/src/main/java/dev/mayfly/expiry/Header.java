package dev.mayfly.expiry;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Header of every stored entry: the bytes from which the expiry of its document is decided.
 *
 * <p>Layout, big-endian (see {@code docs/formats/entries.md}):
 *
 * <pre>
 *   flags     1   bits 0-1 own ttl: 0 none, 1 never, 2 seconds follow; bit 2 covers the last write;
 *                 bits 3-7 number of explicit places
 *   sequence  8   of the last write or touch
 *   written   6   epoch milliseconds of the last write
 *   ttl       4   only when flags say so
 *   places   10   each: lane (2), place (8); after a touch the last two are the instant of the
 *                 touch, as lane -2, and the version, as lane -1
 *   age       1-9 sequence minus the sequence of the insert, as a varint
 * </pre>
 *
 * Stateless. The methods read in place, without decoding or allocation.
 */
public final class Header {
  /** The place of a document that is not in a lane: above every cutoff. */
  public static final long NO_PLACE = Long.MAX_VALUE;

  /** Maximum length in bytes. */
  public static final int MAX_LENGTH = 1 + 8 + 6 + 4 + 31 * 10 + 9;

  /** Minimum length in bytes. */
  public static final int MIN_LENGTH = 16;

  /** Maximum number of explicit places, with those that a touch adds. */
  public static final int MAX_PLACES = 31;

  /** Number of places that a touch adds. */
  public static final int TOUCH_PLACES = 2;

  /** The lane number of the version, in headers that a touch has written. */
  static final int VERSION = -1;

  /** The lane number of the last touch, in headers that a touch has written. */
  static final int TOUCHED = -2;

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
   * Writes a header at an offset and returns the offset after it. The array must have room for
   * {@link #MAX_LENGTH} bytes.
   *
   * @param coversWrite whether the entry is rewritten with every write of its document, so that the
   *     write time in it is current
   */
  public static int write(HeaderFields fields, boolean coversWrite, byte[] to, int at) {
    int kind =
        fields.ttl() == HeaderFields.NO_TTL
            ? 0
            : fields.ttl() == HeaderFields.NEVER ? TTL_NEVER : TTL_SECONDS;
    to[at] = (byte) (kind | (coversWrite ? COVERS_WRITE : 0) | fields.count() << COUNT_SHIFT);
    LONG.set(to, at + SEQUENCE_AT, fields.sequence());
    SHORT.set(to, at + WRITTEN_AT, (short) (fields.writtenAt() >> 32));
    INT.set(to, at + WRITTEN_AT + 2, (int) fields.writtenAt());
    int next = at + FIXED;
    if (kind == TTL_SECONDS) {
      INT.set(to, next, fields.ttl());
      next += 4;
    }
    for (int i = 0; i < fields.count(); i++) {
      SHORT.set(to, next, (short) fields.laneAt(i));
      LONG.set(to, next + 2, fields.placeAt(i));
      next += PLACE_SIZE;
    }
    return writeVarint(fields.sequence() - fields.born(), to, next);
  }

  /** The length of the header at an offset. */
  public static int length(byte[] entry, int at) {
    int next = agesAt(entry, at);
    while (entry[next] < 0) {
      next++;
    }
    return next + 1 - at;
  }

  /** The maximum length of a header with these flags. */
  public static int bound(byte flags) {
    return FIXED + 4 + ((flags & 0xFF) >> COUNT_SHIFT) * PLACE_SIZE + 9;
  }

  /**
   * The version of the document: the sequence of its last write. It differs from {@link #sequence}
   * if a touch has written the header since.
   */
  public static long version(byte[] entry, int at) {
    return touched(entry, at)
        ? (long) LONG.get(entry, agesAt(entry, at) - PLACE_SIZE + 2)
        : sequence(entry, at);
  }

  /** Epoch milliseconds of the last use: of the last touch, or of the last write if it is later. */
  public static long usedAt(byte[] entry, int at) {
    long writtenAt = writtenAt(entry, at);
    return touched(entry, at)
        ? Math.max(
            writtenAt, (long) LONG.get(entry, agesAt(entry, at) - TOUCH_PLACES * PLACE_SIZE + 2))
        : writtenAt;
  }

  /** Returns whether a touch has written the header. */
  private static boolean touched(byte[] entry, int at) {
    return (entry[at] & 0xFF) >> COUNT_SHIFT >= TOUCH_PLACES
        && (short) SHORT.get(entry, agesAt(entry, at) - PLACE_SIZE) == (short) VERSION;
  }

  /** The sequence with which the header was written, by a write or a touch. */
  public static long sequence(byte[] entry, int at) {
    return (long) LONG.get(entry, at + SEQUENCE_AT);
  }

  /** The sequence of the insert: distinguishes documents that had the same id one after another. */
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
    // one read of eight bytes, of which the last six are the time: every scan calls this
    return (long) LONG.get(entry, at + WRITTEN_AT - 2) << 16 >> 16;
  }

  /** The last write in epoch milliseconds, rounded down to a second, like {@code _ts}. */
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

  /** Returns whether the write time in this header is that of the last write. */
  public static boolean coversWrite(byte[] entry, int at) {
    return (entry[at] & COVERS_WRITE) != 0;
  }

  /** Clears {@link #coversWrite} in a header and returns the same array. */
  public static byte[] uncovered(byte[] header) {
    header[0] &= ~COVERS_WRITE;
    return header;
  }

  /** The place in a lane, or {@link #NO_PLACE} if this header does not contain it. */
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
   * Returns whether the stored entries of a record need not be rewritten: their expiry fields equal
   * those of a new entry. The sequence may differ, because later marks have higher sequences than
   * both.
   */
  public static boolean sameExpiry(byte[] record, byte[] entry) {
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
