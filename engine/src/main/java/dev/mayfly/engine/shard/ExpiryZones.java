package dev.mayfly.engine.shard;

import dev.mayfly.engine.catalog.CompiledCollection;
import dev.mayfly.engine.catalog.IndexState;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.expiry.Cutoffs;
import dev.mayfly.store.Batch;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Shard;
import dev.mayfly.store.Space;
import dev.mayfly.store.StoreException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Zone maps of a shard: for ranges of the keys of its records and of each index, the latest place
 * of all documents in the range ({@link ZoneMap}). When that place has expired, a scan skips the
 * range by one seek, at the first instant after a mass expiry as well as later.
 *
 * <p>Every put is recorded before it is committed. Zones are therefore valid for any snapshot that
 * is taken after them. They are kept in memory only. Changes of the set of maps are made under the
 * shard's lock; everything else is safe for many threads.
 *
 * <pre>{@code
 * ExpiryZones.View zones = owner.zones().view();
 * Snapshot snapshot = owner.shard().snapshot();
 * ExpiryZones.Skipper skipper = zones.checked().ofRecords(cutoffs, Direction.UP);
 * byte[] next = skipper.next(keyOfADeadRecord);
 * }</pre>
 */
public final class ExpiryZones {
  private static final int RECORDS = -1;
  private static final int MAX_RANGES = 16;

  /** What {@link Skipper#next} returns if nothing after the key is live. */
  public static final byte[] END = {};

  private final Shard shard;
  private final AtomicLong generation = new AtomicLong();

  /** By index, and {@link #RECORDS}. Replaced as a whole. */
  private volatile Map<Integer, ZoneMap> maps = Map.of();

  /** Whether the highest keys have to be read before there can be zones. */
  private volatile boolean unread = true;

  ExpiryZones(Shard shard, CompiledCollection compiled) {
    this.shard = shard;
    changed(compiled);
  }

  /**
   * Keeps the maps in step with a changed collection. Zones are given up if the lanes change. The
   * caller holds the shard's lock.
   */
  final void changed(CompiledCollection compiled) {
    ExpiryLanes lanes = ExpiryLanes.of(compiled);
    if (lanes.isEmpty()) {
      unread = true;
      maps = Map.of();
      return;
    }
    unread = unread && !isEmpty();
    if (unread) {
      return;
    }
    Map<Integer, ZoneMap> next = new HashMap<>();
    next.put(RECORDS, mapOf(RECORDS, lanes, new byte[0]));
    for (IndexState index : compiled.state().indexes()) {
      // the number of an index is never used for another: a new one has no entries
      next.put(index.id(), mapOf(index.id(), lanes, Layout.indexPrefix(index.id())));
    }
    maps = Map.copyOf(next);
  }

  /**
   * Returns whether the shard certainly has no records. A change of the collection is stored when
   * this is called, so it must not fail: if the disk does, the highest keys are read later.
   */
  private boolean isEmpty() {
    try (Scan any = shard.scan(Space.RECORDS, Range.all(), Direction.UP)) {
      return !any.next();
    } catch (StoreException failure) {
      return false;
    }
  }

  private ZoneMap mapOf(int number, ExpiryLanes lanes, byte[] lowest) {
    ZoneMap known = maps.get(number);
    if (known == null) {
      return new ZoneMap(lanes, lowest, lowest, generation.get());
    }
    return known.lanes().sameLanes(lanes)
        ? known
        : new ZoneMap(lanes, lowest, known.highest(), generation.get());
  }

  /** Frees all zones, because the collection was dropped. The caller holds the shard's lock. */
  void clear() {
    maps = Map.of();
  }

  /**
   * Reads the highest keys after a restart, so that there can be zones after them. Does nothing if
   * that was done. The caller holds the shard's lock.
   */
  void open(CompiledCollection compiled) {
    if (!unread(compiled)) {
      return;
    }
    ExpiryLanes lanes = ExpiryLanes.of(compiled);
    long now = generation.get();
    Map<Integer, ZoneMap> next = new HashMap<>();
    byte[] lowest = new byte[0];
    next.put(RECORDS, new ZoneMap(lanes, lowest, highest(Space.RECORDS, Range.all(), lowest), now));
    for (IndexState index : compiled.state().indexes()) {
      byte[] prefix = Layout.indexPrefix(index.id());
      byte[] highest = highest(Space.ENTRIES, Range.prefix(prefix), prefix);
      next.put(index.id(), new ZoneMap(lanes, prefix, highest, now));
    }
    unread = false;
    maps = Map.copyOf(next);
  }

  private byte[] highest(Space space, Range range, byte[] otherwise) {
    try (Scan last = shard.scan(space, range, Direction.DOWN)) {
      return last.next() ? last.key() : otherwise;
    }
  }

  /** Returns whether {@link #open} has something to do. */
  boolean unread(CompiledCollection compiled) {
    return unread && !compiled.kept().isEmpty();
  }

  /** Entries of one map that were stored before it, and that a background task reads. */
  public final class Reading {
    private final ZoneMap map;
    private final ZoneMap.Reading slice;
    private final Space space;

    private Reading(ZoneMap map, ZoneMap.Reading slice, Space space) {
      this.map = map;
      this.slice = slice;
      this.space = space;
    }

    public Space space() {
      return space;
    }

    public Range range() {
      return Range.of(slice.from, slice.to);
    }

    /** Adds the next entry of the range. */
    public void add(byte[] key, byte[] entry) {
      slice.add(key, entry);
    }

    /** Records that there is no further entry in the range. */
    public void ended() {
      slice.ended();
    }

    /** Adds zones for the entries that were read. The caller holds the shard's lock exclusively. */
    @SuppressWarnings("ReferenceEquality") // the same map, not an equal one
    public void finish() {
      int number = space == Space.RECORDS ? RECORDS : Layout.indexOf(slice.from, 0);
      if (maps.get(number) != map) {
        return;
      }
      // views of the next generation must find the zones complete
      long next = generation.get() + 1;
      map.end(slice, next);
      generation.set(next);
    }

    /** Ends it without a result. */
    public void abandon() {
      map.abandon();
    }
  }

  /** Returns whether entries were stored before the maps were made and are not read yet. */
  public boolean hasUnread(boolean ofRecords) {
    return unread(ofRecords).isPresent();
  }

  /** Returns whether stored entries have no zones yet. */
  public boolean isIncomplete() {
    return unread || hasUnread(true);
  }

  private Optional<Map.Entry<Integer, ZoneMap>> unread(boolean ofRecords) {
    return maps.entrySet().stream()
        .filter(map -> map.getValue().hasUnread() && (ofRecords || map.getKey() != RECORDS))
        .findFirst();
  }

  /**
   * Begins to read entries that were stored before the maps were made. The caller holds the shard's
   * lock exclusively, and reads what is stored from now on.
   *
   * @param ofRecords whether records are read, or index entries only
   * @param most the maximum number of entries of a zone
   */
  public Optional<Reading> read(boolean ofRecords, int most) {
    return unread(ofRecords)
        .map(
            map ->
                new Reading(
                    map.getValue(),
                    map.getValue().read(most),
                    map.getKey() == RECORDS ? Space.RECORDS : Space.ENTRIES));
  }

  /** Records what a batch puts. Called before the batch is committed. */
  void committing(Batch batch) {
    Map<Integer, ZoneMap> current = maps;
    if (!current.isEmpty()) {
      batch.replay(new Puts(current));
    }
  }

  /** Passes the puts of a batch to the maps. */
  private record Puts(Map<Integer, ZoneMap> maps) implements Batch.Visitor {
    @Override
    public void put(Space space, byte[] buffer, int key, int keyLength, int value, int length) {
      ZoneMap map =
          switch (space) {
            case RECORDS -> maps.get(RECORDS);
            case ENTRIES -> maps.get(Layout.indexOf(buffer, key));
            case QUEUES, META -> null;
          };
      if (map != null) {
        map.put(buffer, key, keyLength, value);
      }
    }

    @Override
    public void delete(Space from, byte[] buffer, int key, int keyLength) {}

    @Override
    public void deleteRange(
        Space from, byte[] buffer, int low, int lowLength, int high, int highLength) {}
  }

  /**
   * Returns the zones as they are now; to be called before the snapshot is taken that is scanned.
   */
  public View view() {
    return new View(maps, generation.get());
  }

  /** The zones of one moment. */
  public final class View {
    private final Map<Integer, ZoneMap> known;
    private final long asOf;

    private View(Map<Integer, ZoneMap> known, long asOf) {
      this.known = known;
      this.asOf = asOf;
    }

    /**
     * Returns the zones to use for a snapshot that was taken since; none if others have replaced
     * them meanwhile.
     */
    @SuppressWarnings("ReferenceEquality") // the same maps, not equal ones
    public View checked() {
      return known == maps ? this : new View(Map.of(), asOf);
    }

    public Skipper ofRecords(Cutoffs cutoffs, Direction direction) {
      return new Skipper(known.get(RECORDS), asOf, cutoffs, direction);
    }

    public Skipper ofIndex(int index, Cutoffs cutoffs, Direction direction) {
      return new Skipper(known.get(index), asOf, cutoffs, direction);
    }
  }

  /** Finds where a scan may go on after dead entries. For one thread. */
  public static final class Skipper {
    /** Dead entries in a row before zones are looked up, and before they are looked up again. */
    private static final int PATIENCE = 16;

    /** Knows no zones. */
    public static final Skipper NONE = new Skipper(null, 0, Cutoffs.NONE, Direction.UP);

    private final @Nullable ZoneMap map;
    private final long asOf;
    private final Cutoffs cutoffs;
    private final Direction direction;
    private int dead;

    private Skipper(@Nullable ZoneMap map, long asOf, Cutoffs cutoffs, Direction direction) {
      this.map = map;
      this.asOf = asOf;
      this.cutoffs = cutoffs;
      this.direction = direction;
    }

    /** Records that an entry is live. */
    public void live() {
      if (map != null) {
        dead = 0;
      }
    }

    /** Records that an entry is dead; returns whether {@link #next} is worth a call. */
    public boolean dead() {
      return map != null && ++dead % PATIENCE == 0;
    }

    /**
     * Returns where to seek to: everything between the key and that one is dead. Null if that is
     * not known, {@link #END} if nothing after the key is live.
     */
    public byte @Nullable [] next(byte[] key) {
      return map == null ? null : map.skip(key, asOf, cutoffs, direction);
    }
  }

  /**
   * Adds a zone for a range of dead entries that was read; nothing was put into it since. Returns
   * whether scans can skip it. The caller holds the shard's lock.
   *
   * @param latest the places of all entries in the range
   */
  public boolean remember(Space space, byte[] from, byte[] to, Latest latest, Cutoffs cutoffs) {
    ZoneMap map = maps.get(space == Space.RECORDS ? RECORDS : Layout.indexOf(from, 0));
    if (map == null
        || !map.lanes().sameLanes(latest.lanes)
        || !latest.places.expired(latest.lanes, cutoffs)) {
      return false;
    }
    // views of the next generation must find the zone complete
    long next = generation.get() + 1;
    map.insert(from, to, latest.places, next);
    generation.set(next);
    return true;
  }

  /**
   * Returns ranges of records or of index entries whose documents are all at or below the last
   * places of their lanes, the longest first; not more than a few per index. The caller holds the
   * shard's lock.
   *
   * @param last as in {@link ZoneMap.Places#areUpTo}
   */
  public List<Range> emptied(Space space, IntToLongFunction last) {
    List<Range> ranges = new ArrayList<>();
    maps.forEach(
        (number, map) -> {
          if ((number == RECORDS) == (space == Space.RECORDS)) {
            map.rangesUpTo(generation.get(), last).stream().limit(MAX_RANGES).forEach(ranges::add);
          }
        });
    return ranges;
  }

  /** The latest places of all entries that a scan has read. For one thread. */
  public static final class Latest {
    private final ExpiryLanes lanes;
    private final ZoneMap.Places places;

    public Latest(CompiledCollection compiled) {
      this.lanes = ExpiryLanes.of(compiled);
      this.places = new ZoneMap.Places(lanes);
    }

    public void add(byte[] entry) {
      places.raise(lanes, entry, 0);
    }
  }
}
