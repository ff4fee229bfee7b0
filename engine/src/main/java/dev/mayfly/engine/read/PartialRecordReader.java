package dev.mayfly.engine.read;

import dev.mayfly.engine.shard.ExpiryZones;
import dev.mayfly.expiry.Cutoffs;
import dev.mayfly.expiry.Header;
import dev.mayfly.expiry.Verdict;
import dev.mayfly.query.RootFields;
import dev.mayfly.store.Scan;
import dev.mayfly.value.Excerpt;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.function.Function;

/**
 * Reads the records of scans: whole, or only some fields. Of an expired record it reads the header
 * only, which is enough to judge it. It skips ranges of expired records that the zone map knows.
 * For one thread.
 */
final class PartialRecordReader {
  private final Cutoffs cutoffs;
  private final ExpiryZones.Skipper skipper;
  private final boolean whole;
  private final Excerpt excerpt;
  private final Function<MemorySegment, byte[]> look = this::read;
  private final byte[] header = new byte[Header.MAX_LENGTH];
  private boolean expired;

  PartialRecordReader(RootFields wanted, Cutoffs cutoffs, ExpiryZones.Skipper skipper) {
    this.cutoffs = cutoffs;
    this.skipper = skipper;
    this.whole = wanted.all();
    this.excerpt = new Excerpt(wanted.names());
  }

  /** Starts with a new scan. */
  void begin() {
    expired = false;
  }

  /** Moves a scan to the next record; returns false if there is none, or only expired ones. */
  @SuppressWarnings("ReferenceEquality") // the constant, not an empty key
  boolean advance(Scan scan) {
    if (!expired) {
      skipper.live();
    } else if (skipper.dead()) {
      byte[] next = skipper.next(scan.key());
      if (next == ExpiryZones.END) {
        return false;
      }
      if (next != null) {
        scan.seek(next);
      }
    }
    return scan.next();
  }

  /** Reads the record that a scan is at. */
  byte[] read(Scan scan) {
    // a whole record is copied faster without a look, and expired ones come in runs
    if (whole && !expired) {
      byte[] record = scan.value();
      expired = cutoffs.judge(record, 0) == Verdict.EXPIRED;
      return record;
    }
    return scan.look(look);
  }

  /** The document is read as well if the header does not show whether it is live. */
  private byte[] read(MemorySegment record) {
    int bound = Header.bound(record.get(ValueLayout.JAVA_BYTE, 0));
    int copied = (int) Math.min(bound, record.byteSize());
    MemorySegment.copy(record, ValueLayout.JAVA_BYTE, 0, header, 0, copied);
    Verdict verdict = cutoffs.judge(header, 0);
    expired = verdict == Verdict.EXPIRED;
    int length = Header.length(header, 0);
    if (expired) {
      return Arrays.copyOf(header, length);
    }
    return whole || verdict == Verdict.UNKNOWN
        ? record.toArray(ValueLayout.JAVA_BYTE)
        : excerpt.of(record, length);
  }
}
