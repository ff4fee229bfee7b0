package dev.mayfly.store.rocksdb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.OptionalLong;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reader of the framing of one write-ahead log of RocksDB: blocks of 32 KiB that contain records
 * with checksum, length and type; a commit is one record or several, from a first to a last. Unlike
 * RocksDB's own reader it continues after damage, to find out whether complete commits follow.
 *
 * <p>A recycled log is overwritten from its start: after its last commit follow remains of an older
 * log, whose number is in its records. They are no damage, unless a record of this log follows.
 */
final class LogFile {
  private static final int BLOCK = 32 << 10;

  /** Checksum, length and type; recycled logs also have the number of the log. */
  private static final int HEADER = 7;

  private static final int RECYCLABLE_HEADER = HEADER + Integer.BYTES;
  private static final int MASK_DELTA = 0xa282ead8;

  /** A commit begins with its sequence number and the number of its operations; then its note. */
  private static final int COMMIT_HEADER = Long.BYTES + Integer.BYTES;

  private static final int COMMIT_START = COMMIT_HEADER + FlushNote.BYTES;

  private final ByteBuffer block = ByteBuffer.allocate(BLOCK).order(ByteOrder.LITTLE_ENDIAN);
  private final CRC32C checksum = new CRC32C();
  private final byte[] commit = new byte[COMMIT_START];

  /** Low half of the log's number, as in the records of a recycled log. */
  private final int number;

  /** Number of bytes of the current commit's start read so far; negative outside a commit. */
  private int known = -1;

  /** Whether its records are those of a recycled log, or of one that will be recycled. */
  private boolean recyclable;

  /** Whether the damage is in or before a commit of this log, not where an older log begins. */
  private boolean torn;

  private long commitStart;
  private long damagedAt = -1;
  private long wholeAfterDamage;
  private long commits;
  private long lastByte = -1;
  private long firstSequence = -1;
  private long nextSequence = -1;
  private long flushed = -1;

  private enum Part {
    FULL,
    FIRST,
    MIDDLE,
    LAST,
    /** A record about the log itself. */
    NOTE,
    /** A record of the log that this one overwrites. */
    OLD
  }

  /**
   * Result of reading a log.
   *
   * @param bytesAfter size from the damage on
   * @param wholeAfterDamage complete commits after the damage
   * @param commits all complete commits
   * @param firstSequence of the commits before the damage
   * @param nextSequence the one that follows the commits before the damage
   * @param flushed the highest sequence in a {@link FlushNote}; empty if no commit has one
   */
  record Reading(
      Path log,
      OptionalLong damagedAt,
      long bytesAfter,
      long wholeAfterDamage,
      long commits,
      OptionalLong firstSequence,
      OptionalLong nextSequence,
      OptionalLong flushed) {}

  /** By record type: normal, recycled, and notes. */
  private static final Map<Integer, Part> PARTS =
      Map.ofEntries(
          Map.entry(1, Part.FULL),
          Map.entry(2, Part.FIRST),
          Map.entry(3, Part.MIDDLE),
          Map.entry(4, Part.LAST),
          Map.entry(5, Part.FULL),
          Map.entry(6, Part.FIRST),
          Map.entry(7, Part.MIDDLE),
          Map.entry(8, Part.LAST),
          Map.entry(9, Part.NOTE),
          Map.entry(10, Part.NOTE),
          Map.entry(11, Part.NOTE),
          Map.entry(130, Part.NOTE),
          Map.entry(131, Part.NOTE));

  private LogFile(int number) {
    this.number = number;
  }

  /**
   * @param number of the log, which is its name
   */
  static Reading read(Path file, long number) throws IOException {
    LogFile log = new LogFile((int) number);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      for (long start = 0; log.fill(channel); start += BLOCK) {
        log.block(start);
      }
    }
    return log.reading(file);
  }

  private Reading reading(Path file) {
    if (known >= 0) {
      damaged(commitStart, true);
    }
    // zeros at the end of a file were never written, and the rest belongs to an older log
    boolean broken = damagedAt >= 0 && (recyclable ? torn : lastByte >= damagedAt);
    return new Reading(
        file,
        broken ? OptionalLong.of(damagedAt) : OptionalLong.empty(),
        broken ? lastByte + 1 - damagedAt : 0,
        wholeAfterDamage,
        commits,
        known(firstSequence),
        known(nextSequence),
        known(flushed));
  }

  private static OptionalLong known(long sequence) {
    return sequence < 0 ? OptionalLong.empty() : OptionalLong.of(sequence);
  }

  private boolean fill(FileChannel channel) throws IOException {
    block.clear();
    int read;
    do {
      read = channel.read(block);
    } while (read > 0 && block.hasRemaining());
    block.flip();
    return block.limit() > 0;
  }

  private void block(long start) {
    noteLastByte(start);
    int at = 0;
    // what is too short for a header at the end of a block is not used
    while (at + (recyclable ? RECYCLABLE_HEADER : HEADER) <= block.limit()) {
      Part part = partAt(at);
      if (part == null) {
        boolean own = isRecyclable(at) && isOwn(at);
        recyclable |= own;
        damaged(start + at, own);
        // a damaged length hides where the next record begins: it may be anywhere
        at++;
      } else {
        part(part, start + at, at + headerAt(at), length(at));
        at += headerAt(at) + length(at);
      }
    }
    if (at < block.limit() && block.limit() < BLOCK) {
      damaged(start + at, false);
    }
  }

  private void noteLastByte(long start) {
    for (int at = block.limit() - 1; at >= 0; at--) {
      if (block.get(at) != 0) {
        lastByte = start + at;
        return;
      }
    }
  }

  private int length(int at) {
    return Short.toUnsignedInt(block.getShort(at + 4));
  }

  private int headerAt(int at) {
    return isRecyclable(at) ? RECYCLABLE_HEADER : HEADER;
  }

  private boolean isRecyclable(int at) {
    int type = Byte.toUnsignedInt(block.get(at + 6));
    return (type >= 5 && type <= 8) || type == 11 || type == 131;
  }

  private boolean isOwn(int at) {
    return at + RECYCLABLE_HEADER <= block.limit() && block.getInt(at + HEADER) == number;
  }

  /** Returns the kind of the record at a position; null if there is none or it is damaged. */
  private @Nullable Part partAt(int at) {
    Part part = PARTS.get(Byte.toUnsignedInt(block.get(at + 6)));
    int end = at + headerAt(at) + length(at);
    if (part == null || end > block.limit()) {
      return null;
    }
    // of the type and everything after it
    checksum.reset();
    checksum.update(block.array(), at + 6, end - at - 6);
    int sum = (int) checksum.getValue();
    boolean right = ((sum >>> 15) | (sum << 17)) + MASK_DELTA == block.getInt(at);
    if (!right) {
      return null;
    }
    recyclable |= isRecyclable(at);
    return isRecyclable(at) && !isOwn(at) ? Part.OLD : part;
  }

  private void part(Part part, long position, int payload, int length) {
    switch (part) {
      case FULL, FIRST -> {
        if (known >= 0) {
          damaged(commitStart, true);
        }
        commitStart = position;
        known = 0;
        take(payload, length);
      }
      case MIDDLE, LAST -> {
        if (known < 0) {
          damaged(position, true);
        } else {
          take(payload, length);
        }
      }
      case NOTE -> {}
      case OLD -> damaged(position, false);
    }
    if (part == Part.FULL || (part == Part.LAST && known >= 0)) {
      whole();
    }
  }

  private void take(int payload, int length) {
    int more = Math.min(COMMIT_START - known, length);
    System.arraycopy(block.array(), payload, commit, known, more);
    known += more;
  }

  private void whole() {
    if (known == COMMIT_START) {
      flushed = Math.max(flushed, FlushNote.read(commit, COMMIT_HEADER).orElse(-1));
    }
    torn |= damagedAt >= 0;
    if (known >= COMMIT_HEADER) {
      ByteBuffer head = ByteBuffer.wrap(commit).order(ByteOrder.LITTLE_ENDIAN);
      commit(head.getLong(0), Integer.toUnsignedLong(head.getInt(Long.BYTES)));
    }
    known = -1;
  }

  /** Counts a commit, unless it is but a note. */
  private void commit(long sequence, long operations) {
    if (operations == 0) {
      return;
    }
    commits++;
    if (damagedAt >= 0) {
      wholeAfterDamage++;
    } else {
      firstSequence = firstSequence < 0 ? sequence : firstSequence;
      nextSequence = sequence + operations;
    }
  }

  /**
   * Records the first damage only; damage in the middle of a commit damages the commit.
   *
   * @param own whether a record of this log is damaged
   */
  private void damaged(long position, boolean own) {
    if (damagedAt < 0) {
      damagedAt = known >= 0 ? commitStart : position;
      torn = own || known >= 0;
    }
    known = -1;
  }
}
