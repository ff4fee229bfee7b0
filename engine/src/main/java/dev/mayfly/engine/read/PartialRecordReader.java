package dev.mayfly.engine.read;

import dev.mayfly.expiry.Cutoffs;
import dev.mayfly.expiry.Header;
import dev.mayfly.expiry.Verdict;
import dev.mayfly.query.RootFields;
import dev.mayfly.store.Scan;
import dev.mayfly.value.Excerpt;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Function;

/**
 * Reader of some fields of records, in place, without copying whole records. Used by one thread.
 */
final class PartialRecordReader {
  private final Cutoffs cutoffs;
  private final Excerpt excerpt;
  private final byte[] header = new byte[Header.MAX_LENGTH];

  private PartialRecordReader(RootFields wanted, Cutoffs cutoffs) {
    this.cutoffs = cutoffs;
    this.excerpt = new Excerpt(wanted.names());
  }

  /** Returns the function that reads the current record of a scan: all of it, or some fields. */
  static Function<Scan, byte[]> of(RootFields wanted, Cutoffs cutoffs) {
    if (wanted.all()) {
      return Scan::value;
    }
    Function<MemorySegment, byte[]> look = new PartialRecordReader(wanted, cutoffs)::excerpt;
    return scan -> scan.look(look);
  }

  /**
   * Returns the record with some fields only; the whole record if its document is needed to decide
   * expiry.
   */
  private byte[] excerpt(MemorySegment record) {
    int bound = Header.bound(record.get(ValueLayout.JAVA_BYTE, 0));
    int copied = (int) Math.min(bound, record.byteSize());
    MemorySegment.copy(record, ValueLayout.JAVA_BYTE, 0, header, 0, copied);
    return cutoffs.judge(header, 0) == Verdict.UNKNOWN
        ? record.toArray(ValueLayout.JAVA_BYTE)
        : excerpt.of(record, Header.length(header, 0));
  }
}
