package dev.mayfly.engine.shard;

import dev.mayfly.expiry.Cutoffs;
import dev.mayfly.expiry.Header;
import dev.mayfly.expiry.Lane;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Zone map of the records or of one index: ranges of keys, each with the latest places of the
 * documents in it.
 *
 * <p>Keys that are put in ascending order, such as object ids and times of creation, form zones of
 * {@value #ZONE_ENTRIES} entries: a key above all others starts or extends the last zone, of which
 * all entries are known. A put elsewhere raises the places of its zone. The first zone of a map
 * that was empty contains all lower keys. Other zones are inserted for dead entries that a scan has
 * met, and for entries that were stored before the map was made ({@link Reading}). Where there is
 * no zone, nothing is known.
 *
 * <p>While all documents of the last zone have the same places, another place starts a new zone:
 * documents that are inserted together and expire together share no zone with later ones.
 *
 * <p>A zone ends where the next one starts. Readers take no lock, so that a zone must never cover
 * more than its places say. Places are raised before a border is removed, a zone is closed before
 * it is removed, and readers look for the end of a zone before they check whether it is closed and
 * read its places.
 *
 * <p>A put takes no lock either unless its key is above all others. It raises the places of its
 * zone and then checks that the zone is not being joined with another one: a writer that joins
 * zones marks the second one first and reads its places then, so that one of the two sees the
 * other.
 */
final class ZoneMap {
  static final int ZONE_ENTRIES = 1024;

  /** A zone whose documents have the same places has at least this number before it ends. */
  private static final int MIN_ZONE_ENTRIES = 64;

  private static final int MAX_ZONES = 4096;

  /** Maximum number of puts during a {@link Reading}; with more, it has no result. */
  private static final int MAX_MISSED = 10_000;

  private final ExpiryLanes lanes;
  private final byte[] lowest;
  private final ConcurrentNavigableMap<byte[], Zone> zones =
      new ConcurrentSkipListMap<>(Arrays::compareUnsigned);

  /** From which generation of snapshots on zones of ascending keys are valid. */
  private final long since;

  /**
   * No key above this one was ever put. Changed under the monitor, after the zone of the key is in
   * the map.
   */
  private volatile byte[] highest;

  /** The last zone if all its entries are known. Guarded by the monitor. */
  private @Nullable Zone tail;

  private int tailEntries;

  /** Whether all documents that were appended to the last zone have the same places. */
  private boolean tailUniform;

  private int size;

  /**
   * From which key on entries were stored before this map and are not read yet; null if there are
   * none. Changed under the shard's lock.
   */
  private volatile byte @Nullable [] unread;

  /** No entry above this key was stored before this map. */
  private final byte[] unreadEnd;

  /** Null if nothing is being read. */
  private volatile @Nullable Reading reading;

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

    private static long place(Lane lane, byte[] entry, int at) {
      boolean covered =
          lane.number() < Lane.FIRST_EXPLICIT
              ? Header.coversWrite(entry, at)
              : Header.sequence(entry, at) >= lane.since();
      return covered ? Header.place(entry, at, lane.number()) : Header.NO_PLACE;
    }

    /** Returns whether the document of an entry has exactly these places. */
    boolean equal(ExpiryLanes lanes, byte[] entry, int at) {
      List<Lane> kept = lanes.kept();
      for (int i = 0; i < kept.size(); i++) {
        if (place(kept.get(i), entry, at) != latest.get(2 * i)) {
          return false;
        }
      }
      return true;
    }

    /** Adds a document by the header of an entry. */
    void raise(ExpiryLanes lanes, byte[] entry, int at) {
      List<Lane> kept = lanes.kept();
      boolean expires = false;
      for (int i = 0; i < kept.size(); i++) {
        long place = place(kept.get(i), entry, at);
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
      long known = latest.get(at);
      while (place > known && !latest.compareAndSet(at, known, place)) {
        known = latest.get(at);
      }
    }

    /**
     * Returns whether rules expire all documents: all in one lane, or each in the lanes in which it
     * is.
     */
    boolean expired(ExpiryLanes lanes, Cutoffs cutoffs) {
      return areUpTo(lanes, cutoffs::of);
    }

    /**
     * Returns whether all documents are at or below the last place of a lane: all in one lane, or
     * each in the lanes in which it is.
     *
     * @param last the last place of a lane, less than {@link Header#NO_PLACE}; {@link
     *     Long#MIN_VALUE} for none
     */
    boolean areUpTo(ExpiryLanes lanes, IntToLongFunction last) {
      List<Lane> kept = lanes.kept();
      boolean each = latest.get(2 * kept.size()) == 0;
      for (int i = 0; i < kept.size(); i++) {
        long cutoff = last.applyAsLong(kept.get(i).number());
        if (cutoff != Long.MIN_VALUE && latest.get(2 * i) <= cutoff) {
          return true;
        }
        long highest = latest.get(2 * i + 1);
        each &= highest == Long.MIN_VALUE || (cutoff != Long.MIN_VALUE && highest <= cutoff);
      }
      return each;
    }
  }

  /** A range of keys from its start to the start of the next zone. */
  private static final class Zone {
    private final Places places;

    /** The generation of snapshots from which on it is valid. */
    private volatile long since;

    /** Whether its range belongs to the zone before it, or is about to. */
    private volatile boolean joined;

    Zone(Places places, long since) {
      this.places = places;
      this.since = since;
    }

    /** Called before it is removed: readers that have found it do not know where it ends. */
    void close() {
      since = Long.MAX_VALUE;
    }

    boolean expired(ExpiryLanes lanes, long asOf, Cutoffs cutoffs) {
      return since <= asOf && places.expired(lanes, cutoffs);
    }
  }

  /**
   * Reading of the entries that were stored before this map, of one slice of them. The map keeps
   * what is put meanwhile. For one thread.
   */
  static final class Reading {
    private final ExpiryLanes lanes;
    private final int most;
    private final Queue<Missed> missed = new ConcurrentLinkedQueue<>();
    private final AtomicInteger misses = new AtomicInteger();
    private final List<byte[]> starts = new ArrayList<>();
    private final List<Places> found = new ArrayList<>();
    final byte[] from;
    final byte[] to;
    private byte[] next;
    private int entries;
    private boolean uniform;

    /** An entry that was put meanwhile. */
    private static final class Missed {
      private final byte[] key;
      private final Places places;

      Missed(byte[] key, Places places) {
        this.key = key;
        this.places = places;
      }
    }

    private Reading(ExpiryLanes lanes, byte[] from, byte[] to, int most) {
      this.lanes = lanes;
      this.from = from;
      this.to = to;
      this.next = from;
      this.most = most;
    }

    /** Adds the next entry of the range. */
    void add(byte[] key, byte[] entry) {
      boolean same = uniform && found.getLast().equal(lanes, entry, 0);
      if (found.isEmpty() || entries == most || (uniform && !same && entries >= MIN_ZONE_ENTRIES)) {
        starts.add(found.isEmpty() ? from : key);
        found.add(new Places(lanes));
        entries = 0;
        uniform = true;
      } else {
        uniform = same;
      }
      entries++;
      found.getLast().raise(lanes, entry, 0);
      next = Arrays.copyOf(key, key.length + 1);
    }

    /** Records that there is no further entry in the range. */
    void ended() {
      next = to;
      if (found.isEmpty()) {
        starts.add(from);
        found.add(new Places(lanes));
      }
    }

    private void missed(byte[] buffer, int key, int keyLength, int value) {
      boolean inside =
          Arrays.compareUnsigned(buffer, key, key + keyLength, from, 0, from.length) >= 0
              && Arrays.compareUnsigned(buffer, key, key + keyLength, to, 0, to.length) < 0;
      if (inside && misses.incrementAndGet() <= MAX_MISSED) {
        Places places = new Places(lanes);
        places.raise(lanes, buffer, value);
        missed.add(new Missed(Arrays.copyOfRange(buffer, key, key + keyLength), places));
      }
    }

    private boolean complete() {
      return !found.isEmpty() && misses.get() <= MAX_MISSED;
    }
  }

  /**
   * @param lowest no key is below this one
   * @param highest no key above this one exists; the same as {@code lowest} if there is none
   * @param since the present generation of snapshots
   */
  ZoneMap(ExpiryLanes lanes, byte[] lowest, byte[] highest, long since) {
    this.lanes = lanes;
    this.lowest = lowest;
    this.highest = highest;
    this.since = since;
    this.unread = Arrays.equals(lowest, highest) ? null : lowest;
    this.unreadEnd = Arrays.copyOf(highest, highest.length + 1);
  }

  byte[] lowest() {
    return lowest;
  }

  /** Returns whether entries that were stored before this map are not read yet. */
  boolean hasUnread() {
    return unread != null;
  }

  /**
   * Begins to read the next entries that were stored before this map. The caller holds the shard's
   * lock exclusively, and reads what is stored from now on.
   *
   * @param most the maximum number of entries of a zone
   */
  synchronized Reading read(int most) {
    byte[] above = zones.ceilingKey(unreadEnd);
    Reading begun =
        new Reading(
            lanes,
            Objects.requireNonNull(unread, "all is read"),
            above == null ? unreadEnd : above,
            most);
    reading = begun;
    return begun;
  }

  /**
   * Ends a reading and adds the zones that it has found, unless too much was put meanwhile. The
   * caller holds the shard's lock exclusively.
   *
   * @param generation as in {@link #insert}
   */
  void end(Reading ended, long generation) {
    reading = null;
    if (!ended.complete()) {
      return;
    }
    for (int i = 0; i < ended.found.size(); i++) {
      boolean last = i == ended.found.size() - 1;
      insert(
          ended.starts.get(i),
          last ? ended.next : ended.starts.get(i + 1),
          ended.found.get(i),
          generation);
    }
    for (Reading.Missed missed : ended.missed) {
      Objects.requireNonNull(zones.floorEntry(missed.key)).getValue().places.raise(missed.places);
    }
    unread = Arrays.equals(ended.next, ended.to) ? null : ended.next;
  }

  /** Ends a reading that has failed. */
  void abandon() {
    reading = null;
  }

  ExpiryLanes lanes() {
    return lanes;
  }

  byte[] highest() {
    return highest;
  }

  /** Records an entry that is about to be stored. Not concurrent with {@link #insert}. */
  void put(byte[] buffer, int key, int keyLength, int value) {
    Reading begun = reading;
    if (begun != null) {
      begun.missed(buffer, key, keyLength, value);
    }
    if (isAbove(highest, buffer, key, keyLength)) {
      putHighest(Arrays.copyOfRange(buffer, key, key + keyLength), buffer, value);
    } else if (!zones.isEmpty()) {
      byte[] copy = Arrays.copyOfRange(buffer, key, key + keyLength);
      if (!raise(copy, buffer, value)) {
        // another thread joins zones: after that, the key has its final zone
        synchronized (this) {
          raise(copy, buffer, value);
        }
      }
    }
  }

  private static boolean isAbove(byte[] highest, byte[] buffer, int key, int keyLength) {
    return Arrays.compareUnsigned(buffer, key, key + keyLength, highest, 0, highest.length) > 0;
  }

  private synchronized void putHighest(byte[] key, byte[] buffer, int value) {
    long start = HeldTime.start();
    if (Arrays.compareUnsigned(key, highest) > 0) {
      append(key, buffer, value);
      highest = key;
    } else {
      raise(key, buffer, value);
    }
    HeldTime.end(HeldTime.Section.ZONES, start);
  }

  /** Raises the places of the zone of a key; returns false if the zone is being joined. */
  private boolean raise(byte[] key, byte[] buffer, int value) {
    Map.Entry<byte[], Zone> zone = zones.floorEntry(key);
    if (zone == null) {
      return true;
    }
    zone.getValue().places.raise(lanes, buffer, value);
    return !zone.getValue().joined;
  }

  /** Adds a key that is above all others to the last zone, or starts a new one. */
  private void append(byte[] key, byte[] buffer, int value) {
    Zone last = tail;
    boolean same = last != null && tailUniform && last.places.equal(lanes, buffer, value);
    boolean full = tailEntries == ZONE_ENTRIES;
    if (last == null || full || (tailUniform && !same && tailEntries >= MIN_ZONE_ENTRIES)) {
      boolean first = last == null && Arrays.equals(lowest, highest);
      last = new Zone(new Places(lanes), since);
      tail = last;
      tailEntries = 0;
      tailUniform = true;
      zones.put(first ? lowest : key, last);
      size++;
      join();
    } else {
      tailUniform = same;
    }
    tailEntries++;
    last.places.raise(lanes, buffer, value);
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
      second.joined = true;
      first.since = Math.max(first.since, second.since);
      first.places.raise(second.places);
      second.close();
      all.remove();
      size--;
    }
  }

  /**
   * Adds a zone for a range. The caller holds the shard's lock exclusively: nothing is put.
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
          tailUniform = false;
        }
      }
      zones.put(to, rest);
      size++;
    }
    Places places = new Places(lanes);
    places.raise(latest);
    Zone known = zones.put(from, new Zone(places, generation));
    if (known == null) {
      size++;
    } else {
      known.close();
    }
    Iterator<Zone> inner = zones.subMap(from, false, to, false).values().iterator();
    while (inner.hasNext()) {
      inner.next().close();
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
    Map.Entry<byte[], Zone> zone = zones.floorEntry(key);
    if (zone == null) {
      return null;
    }
    byte[] reached = null;
    Iterator<Map.Entry<byte[], Zone>> rest =
        zones.tailMap(zone.getKey(), false).entrySet().iterator();
    while (zone != null) {
      Map.Entry<byte[], Zone> next = rest.hasNext() ? rest.next() : null;
      if (!zone.getValue().expired(lanes, asOf, cutoffs)) {
        return reached;
      }
      reached = next == null ? ExpiryZones.END : next.getKey();
      zone = next;
    }
    return reached;
  }

  private byte @Nullable [] skipDown(byte[] key, long asOf, Cutoffs cutoffs) {
    byte[] reached = null;
    for (Map.Entry<byte[], Zone> zone : zones.headMap(key, true).descendingMap().entrySet()) {
      if (!zone.getValue().expired(lanes, asOf, cutoffs)) {
        return reached;
      }
      reached = zone.getKey();
    }
    return reached;
  }

  /**
   * Returns the ranges whose documents are all at or below the last places of their lanes, the
   * longest first. The caller prevents writes.
   *
   * @param asOf the present generation of snapshots
   */
  synchronized List<Range> rangesUpTo(long asOf, IntToLongFunction last) {
    List<Run> runs = new ArrayList<>();
    Run open = null;
    for (Map.Entry<byte[], Zone> zone : zones.entrySet()) {
      Zone known = zone.getValue();
      boolean found = known.since <= asOf && known.places.areUpTo(lanes, last);
      if (open != null) {
        open.end = zone.getKey();
      }
      if (!found) {
        open = null;
      } else if (open == null) {
        open = new Run(zone.getKey());
        runs.add(open);
      } else {
        open.zones++;
      }
    }
    if (open != null) {
      // no key above the highest was ever put
      open.end = Arrays.copyOf(highest, highest.length + 1);
    }
    runs.sort(Comparator.comparingInt((Run run) -> run.zones).reversed());
    return runs.stream().map(run -> Range.of(run.start, run.end)).toList();
  }

  /** Consecutive zones. */
  private static final class Run {
    final byte[] start;
    byte[] end;
    int zones = 1;

    Run(byte[] start) {
      this.start = start;
      this.end = start;
    }
  }
}
