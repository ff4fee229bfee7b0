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
 */
final class LogFile {
  private static final int BLOCK = 32 << 10;

  /** Checksum, length and type; recycled logs also have the number of the log. */
  private static final int HEADER = 7;

  private static final int RECYCLABLE_HEADER = HEADER + Integer.BYTES;
  private static final int MASK_DELTA = 0xa282ead8;

  /** A commit begins with its sequence number and the number of its operations. */
  private static final int COMMIT_HEADER = Long.BYTES + Integer.BYTES;

  private final ByteBuffer block = ByteBuffer.allocate(BLOCK).order(ByteOrder.LITTLE_ENDIAN);
  private final CRC32C checksum = new CRC32C();
  private final byte[] commit = new byte[COMMIT_HEADER];

  /** Number of bytes of the current commit's header read so far; negative outside a commit. */
  private int known = -1;

  private long commitStart;
  private long damagedAt = -1;
  private long wholeAfterDamage;
  private long commits;
  private long lastByte = -1;
  private long firstSequence = -1;
  private long nextSequence = -1;

  private enum Part {
    FULL,
    FIRST,
    MIDDLE,
    LAST,
    /** A record about the log itself. */
    NOTE
  }

  /**
   * Result of reading a log.
   *
   * @param bytesAfter size from the damage on
   * @param wholeAfterDamage complete commits after the damage
   * @param commits all complete commits
   * @param firstSequence of the commits before the damage
   * @param nextSequence the one that follows the commits before the damage
   */
  record Reading(
      Path log,
      OptionalLong damagedAt,
      long bytesAfter,
      long wholeAfterDamage,
      long commits,
      OptionalLong firstSequence,
      OptionalLong nextSequence) {}

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

  private LogFile() {}

  static Reading read(Path file) throws IOException {
    LogFile log = new LogFile();
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      for (long start = 0; log.fill(channel); start += BLOCK) {
        log.block(start);
      }
    }
    return log.reading(file);
  }

  private Reading reading(Path file) {
    if (known >= 0) {
      damaged(commitStart);
    }
    // zeros at the end of a file were never written
    boolean broken = damagedAt >= 0 && lastByte >= damagedAt;
    return new Reading(
        file,
        broken ? OptionalLong.of(damagedAt) : OptionalLong.empty(),
        broken ? lastByte + 1 - damagedAt : 0,
        wholeAfterDamage,
        commits,
        firstSequence < 0 ? OptionalLong.empty() : OptionalLong.of(firstSequence),
        nextSequence < 0 ? OptionalLong.empty() : OptionalLong.of(nextSequence));
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
    while (at + HEADER <= block.limit()) {
      Part part = partAt(at);
      if (part == null) {
        damaged(start + at);
        // a damaged length hides where the next record begins: it may be anywhere
        at++;
      } else {
        part(part, start + at, at + headerAt(at), length(at));
        at += headerAt(at) + length(at);
      }
    }
    if (at < block.limit() && block.limit() < BLOCK) {
      damaged(start + at);
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
    int type = Byte.toUnsignedInt(block.get(at + 6));
    boolean recyclable = (type >= 5 && type <= 8) || type == 11 || type == 131;
    return recyclable ? RECYCLABLE_HEADER : HEADER;
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
    return right ? part : null;
  }

  private void part(Part part, long position, int payload, int length) {
    switch (part) {
      case FULL, FIRST -> {
        if (known >= 0) {
          damaged(commitStart);
        }
        commitStart = position;
        known = 0;
        take(payload, length);
      }
      case MIDDLE, LAST -> {
        if (known < 0) {
          damaged(position);
        } else {
          take(payload, length);
        }
      }
      case NOTE -> {}
    }
    if (part == Part.FULL || (part == Part.LAST && known >= 0)) {
      whole();
    }
  }

  private void take(int payload, int length) {
    int more = Math.min(COMMIT_HEADER - known, length);
    System.arraycopy(block.array(), payload, commit, known, more);
    known += more;
  }

  private void whole() {
    commits++;
    if (damagedAt >= 0) {
      wholeAfterDamage++;
    } else if (known == COMMIT_HEADER) {
      ByteBuffer head = ByteBuffer.wrap(commit).order(ByteOrder.LITTLE_ENDIAN);
      firstSequence = firstSequence < 0 ? head.getLong(0) : firstSequence;
      nextSequence = head.getLong(0) + Integer.toUnsignedLong(head.getInt(Long.BYTES));
    }
    known = -1;
  }

  /** Records the first damage only; damage in the middle of a commit damages the commit. */
  private void damaged(long position) {
    if (damagedAt < 0) {
      damagedAt = known >= 0 ? commitStart : position;
    }
    known = -1;
  }
}
