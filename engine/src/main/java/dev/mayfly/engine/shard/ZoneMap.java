package dev.mayfly.engine.shard;

import dev.mayfly.expiry.Cutoffs;
import dev.mayfly.expiry.Header;
import dev.mayfly.expiry.Lane;
import dev.mayfly.store.Direction;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Zone map of the records or of one index: ranges of keys, each with the latest places of the
 * documents in it.
 *
 * <p>Keys that are put in ascending order, such as object ids and times of creation, form zones of
 * {@value #ZONE_ENTRIES} entries: a key above all others starts or extends the last zone, of which
 * all entries are known. A put elsewhere raises the places of its zone. Other zones are inserted
 * for dead entries that a scan has met. Below the first zone nothing is known.
 *
 * <p>A zone ends where the next one starts. Writers are serialized; readers take no lock, so that a
 * zone must never cover more than its places say: places are raised before a border is removed, and
 * readers look for the end of a zone before they read its places.
 */
final class ZoneMap {
  static final int ZONE_ENTRIES = 1024;

  private static final int MAX_ZONES = 4096;

  private final ExpiryLanes lanes;
  private final ConcurrentNavigableMap<byte[], Zone> zones =
      new ConcurrentSkipListMap<>(Arrays::compareUnsigned);

  /** From which generation of snapshots on zones of ascending keys are valid. */
  private final long since;

  /** No key above this one was ever put. Guarded by the monitor. */
  private byte[] highest;

  /** The last zone if all its entries are known. Guarded by the monitor. */
  private @Nullable Zone tail;

  private int tailEntries;
  private int size;

  /** The latest places of a set of documents. Only ever raised. */
  static final class Places {
    /**
     * For each lane the latest place of all documents, {@link Header#NO_PLACE} if one is not in the
     * lane; then the latest place of those that are. Last, whether one is in no lane.
     */
    private final AtomicLongArray latest;

    Places(ExpiryLanes lanes) {
      int count = lanes.kept().size();
      latest = new AtomicLongArray(2 * count + 1);
      for (int i = 0; i < 2 * count; i++) {
        latest.set(i, Long.MIN_VALUE);
      }
    }

    /** Adds a document by the header of an entry. One thread at a time. */
    void raise(ExpiryLanes lanes, byte[] entry, int at) {
      List<Lane> kept = lanes.kept();
      boolean expires = false;
      for (int i = 0; i < kept.size(); i++) {
        Lane lane = kept.get(i);
        boolean covered =
            lane.number() < Lane.FIRST_EXPLICIT
                ? Header.coversWrite(entry, at)
                : Header.sequence(entry, at) >= lane.since();
        long place = covered ? Header.place(entry, at, lane.number()) : Header.NO_PLACE;
        raise(2 * i, place);
        if (place != Header.NO_PLACE) {
          expires = true;
          raise(2 * i + 1, place);
        }
      }
      raise(2 * kept.size(), expires ? 0 : 1);
    }

    void raise(Places other) {
      for (int i = 0; i < latest.length(); i++) {
        raise(i, other.latest.get(i));
      }
    }

    private void raise(int at, long place) {
      if (place > latest.get(at)) {
        latest.set(at, place);
      }
    }

    /**
     * Returns whether rules expire all documents: all in one lane, or each in the lanes in which it
     * is.
     */
    boolean expired(ExpiryLanes lanes, Cutoffs cutoffs) {
      List<Lane> kept = lanes.kept();
      boolean each = latest.get(2 * kept.size()) == 0;
      for (int i = 0; i < kept.size(); i++) {
        long cutoff = cutoffs.of(kept.get(i).number());
        if (cutoff != Long.MIN_VALUE && latest.get(2 * i) <= cutoff) {
          return true;
        }
        long last = latest.get(2 * i + 1);
        each &= last == Long.MIN_VALUE || (cutoff != Long.MIN_VALUE && last <= cutoff);
      }
      return each;
    }
  }

  /** A range of keys from its start to the start of the next zone. */
  private static final class Zone {
    private final Places places;

    /** The generation of snapshots from which on it is valid. */
    private volatile long since;

    Zone(Places places, long since) {
      this.places = places;
      this.since = since;
    }
  }

  /**
   * @param highest no key above this one exists
   * @param since the present generation of snapshots
   */
  ZoneMap(ExpiryLanes lanes, byte[] highest, long since) {
    this.lanes = lanes;
    this.highest = highest;
    this.since = since;
  }

  ExpiryLanes lanes() {
    return lanes;
  }

  synchronized byte[] highest() {
    return highest;
  }

  /** Records an entry that is about to be stored. */
  synchronized void put(byte[] buffer, int key, int keyLength, int value) {
    int order = Arrays.compareUnsigned(buffer, key, key + keyLength, highest, 0, highest.length);
    if (order <= 0 && size == 0) {
      return;
    }
    byte[] copy = Arrays.copyOfRange(buffer, key, key + keyLength);
    if (order > 0) {
      highest = copy;
      append(copy).places.raise(lanes, buffer, value);
    } else {
      Map.Entry<byte[], Zone> zone = zones.floorEntry(copy);
      if (zone != null) {
        zone.getValue().places.raise(lanes, buffer, value);
      }
    }
  }

  /** The zone of a key that is above all others. */
  private Zone append(byte[] key) {
    Zone last = tail;
    if (last == null || tailEntries == ZONE_ENTRIES) {
      last = new Zone(new Places(lanes), since);
      tail = last;
      tailEntries = 0;
      zones.put(key, last);
      size++;
      join();
    }
    tailEntries++;
    return last;
  }

  /** Joins pairs of zones of the lower half when there are too many: what is newer stays exact. */
  private void join() {
    if (size <= MAX_ZONES) {
      return;
    }
    Iterator<Map.Entry<byte[], Zone>> all = zones.entrySet().iterator();
    for (int i = 0; i < MAX_ZONES / 4; i++) {
      Zone first = all.next().getValue();
      Zone second = all.next().getValue();
      first.since = Math.max(first.since, second.since);
      first.places.raise(second.places);
      all.remove();
      size--;
    }
  }

  /**
   * Adds a zone for a range.
   *
   * @param latest the places of all its entries
   * @param generation of snapshots, from which on it is valid
   */
  synchronized void insert(byte[] from, byte[] to, Places latest, long generation) {
    if (!zones.containsKey(to)) {
      Map.Entry<byte[], Zone> covering = zones.floorEntry(to);
      Zone rest =
          covering == null ? unknown() : new Zone(new Places(lanes), covering.getValue().since);
      if (covering != null) {
        rest.places.raise(covering.getValue().places);
        if (covering.getValue().equals(tail)) {
          // its later entries belong to the rest
          tail = rest;
        }
      }
      zones.put(to, rest);
      size++;
    }
    Places places = new Places(lanes);
    places.raise(latest);
    Zone known = zones.put(from, new Zone(places, generation));
    size += known == null ? 1 : 0;
    Iterator<byte[]> inner = zones.subMap(from, false, to, false).keySet().iterator();
    while (inner.hasNext()) {
      inner.next();
      inner.remove();
      size--;
    }
    join();
  }

  /** A zone of which nothing is known. */
  private Zone unknown() {
    return new Zone(new Places(lanes), Long.MAX_VALUE);
  }

  /** As {@link ExpiryZones.Skipper#next}. */
  byte @Nullable [] skip(byte[] key, long asOf, Cutoffs cutoffs, Direction direction) {
    return direction == Direction.UP ? skipUp(key, asOf, cutoffs) : skipDown(key, asOf, cutoffs);
  }

  private byte @Nullable [] skipUp(byte[] key, long asOf, Cutoffs cutoffs) {
    byte[] reached = null;
    byte[] start = zones.floorKey(key);
    while (start != null) {
      byte[] end = zones.higherKey(start);
      if (!expired(start, asOf, cutoffs)) {
        return reached;
      }
      reached = end == null ? ExpiryZones.END : end;
      start = end;
    }
    return reached;
  }

  private byte @Nullable [] skipDown(byte[] key, long asOf, Cutoffs cutoffs) {
    byte[] reached = null;
    byte[] start = zones.floorKey(key);
    while (start != null && expired(start, asOf, cutoffs)) {
      reached = start;
      start = zones.lowerKey(start);
    }
    return reached;
  }

  /** Returns whether all entries of the zone that starts at a key are expired. */
  private boolean expired(byte[] start, long asOf, Cutoffs cutoffs) {
    Zone zone = zones.get(start);
    return zone != null && zone.since <= asOf && zone.places.expired(lanes, cutoffs);
  }
}
