package dev.mayfly.engine.sweep;

import dev.mayfly.engine.Usage;
import dev.mayfly.engine.shard.ExpiryZones;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.expiry.Header;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Scan;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/**
 * Rebuild of the zone maps of a shard in the background, after a restart or a change of the lanes:
 * reads the headers of records and index entries in slices, so that the next mass expiry finds
 * zones. Very large shards are not read: there, a zone is added where a reader meets dead entries.
 * Used by one thread at a time.
 */
public final class ZoneRebuild {
  /** A shard with fewer documents is read quickly without zones. */
  private static final long MIN_DOCUMENTS = 256;

  private static final long MAX_DOCUMENTS = 50_000_000;

  /** Maximum size of the documents of a shard whose records are read. */
  private static final long MAX_BYTES = 4L << 30;

  private static final int MIN_ZONE_ENTRIES = 1024;

  /** A map has room for about twice as many zones. */
  private static final int MAX_ZONES = 2048;

  private final ShardOwner owner;

  public ZoneRebuild(ShardOwner owner) {
    this.owner = owner;
  }

  /**
   * Reads some entries; returns whether there are more.
   *
   * @param budget how many entries to read, or one zone if that is more
   */
  public boolean slice(int budget) {
    Usage stored = owner.documentCounts().totals().stored();
    boolean wanted = stored.documents() >= MIN_DOCUMENTS && stored.documents() <= MAX_DOCUMENTS;
    boolean records = stored.bytes() <= MAX_BYTES;
    if (!wanted || !owner.zones().hasUnread(records)) {
      return false;
    }
    int most = (int) Math.max(MIN_ZONE_ENTRIES, stored.documents() / MAX_ZONES);
    Optional<ExpiryZones.Reading> reading = begin(records, most);
    if (reading.isEmpty()) {
      return false;
    }
    boolean finished = false;
    try {
      read(reading.get(), Math.max(budget, most));
      finished = finish(reading.get());
    } finally {
      if (!finished) {
        reading.get().abandon();
      }
    }
    return owner.zones().hasUnread(records);
  }

  private Optional<ExpiryZones.Reading> begin(boolean records, int most) {
    owner.lock().lock();
    try {
      return owner.closed() ? Optional.empty() : owner.zones().read(records, most);
    } finally {
      owner.lock().unlock();
    }
  }

  private void read(ExpiryZones.Reading reading, int budget) {
    try (Scan scan = owner.shard().scan(reading.space(), reading.range(), Direction.UP)) {
      for (int i = 0; i < budget; i++) {
        if (!scan.next()) {
          reading.ended();
          return;
        }
        reading.add(scan.key(), scan.look(ZoneRebuild::header));
      }
    }
  }

  /** Copies the header of a record or an index entry. */
  private static byte[] header(MemorySegment value) {
    byte[] header = new byte[Header.bound(value.get(ValueLayout.JAVA_BYTE, 0))];
    int length = (int) Math.min(value.byteSize(), header.length);
    MemorySegment.copy(value, ValueLayout.JAVA_BYTE, 0, header, 0, length);
    return header;
  }

  /** Returns whether the reading was valid: not if a commit has failed meanwhile. */
  private boolean finish(ExpiryZones.Reading reading) {
    owner.lock().lock();
    try {
      boolean valid = !owner.inDoubt() && !owner.closed();
      if (valid) {
        reading.finish();
      }
      return valid;
    } finally {
      owner.lock().unlock();
    }
  }
}
