package dev.mayfly.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Cache of recently read records on the heap: a document in use, such as a session, is read and
 * updated without a call into native code or to a server.
 *
 * <p>It never returns stale records. A key has one slot, shared with others; a slot holds the last
 * two records that were read. A reader looks at the slot before it reads the store, and inserts the
 * result only if the slot has not changed; a writer takes the slot before it commits and releases
 * it, changed, afterwards. A taken slot neither returns nor accepts the records that are being
 * written.
 *
 * <p>Snapshots read from it, too. A slot keeps the number of the last commit that took it, as the
 * store counts commits: its records are those of every snapshot with that number or a higher one. A
 * record that such a snapshot reads from the store is the current one.
 *
 * <p>Entries of a shard belong to a generation: starting the next one forgets them all. Entries of
 * earlier generations are not returned, and are evicted over time.
 *
 * <p>Records that a compaction drops stay until their shard is forgotten: until then, readers
 * recognize them as expired.
 */
public final class RecordCache {
  /**
   * Bytes per slot. Three records in use that share a slot evict one another: of records of 1 KB
   * one in two hundred shares with two others.
   */
  private static final int BYTES_PER_SLOT = 1 << 7;

  /** Memory of an entry besides its key and value: two arrays, the object and the slot. */
  private static final int ENTRY_OVERHEAD = 64;

  private final AtomicReferenceArray<@Nullable Slot> slots;
  private final long mostBytes;
  private final int longest;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicInteger hand = new AtomicInteger();
  private final Map<Integer, Region> regions = new ConcurrentHashMap<>();

  /** The entries of one shard. */
  public static final class Region {
    private final int shard;
    private final AtomicInteger generation = new AtomicInteger();

    /** Commits in progress that delete a range: the cache returns and accepts nothing meanwhile. */
    private final AtomicInteger rangeDeletes = new AtomicInteger();

    private Region(int shard) {
      this.shard = shard;
    }

    private void beginRangeDelete() {
      rangeDeletes.incrementAndGet();
      generation.incrementAndGet();
    }

    private void endRangeDelete() {
      generation.incrementAndGet();
      rangeDeletes.decrementAndGet();
    }
  }

  /** Content of a slot; null if it was never used. */
  private sealed interface Slot {
    /** The number of the last commit that took the slot and released it. */
    long changed();
  }

  /** A record as it is stored, and possibly another one of the same slot. */
  private static final class Entry implements Slot {
    final Region region;
    final int generation;
    final byte[] key;
    final byte[] value;
    final @Nullable Entry other;
    final long changed;

    Entry(
        Region region,
        int generation,
        byte[] key,
        byte[] value,
        @Nullable Entry other,
        long changed) {
      this.region = region;
      this.generation = generation;
      this.key = key;
      this.value = value;
      this.other = other;
      this.changed = changed;
    }

    /** Returns a copy of this record with another one beside it. */
    Entry beside(@Nullable Entry next, long slotChanged) {
      return new Entry(region, generation, key, value, next, slotChanged);
    }

    @Override
    public long changed() {
      return changed;
    }

    /** Returns whether the entry was forgotten. */
    boolean isPast() {
      return generation != region.generation.get();
    }

    boolean isOf(Region wanted, byte[] buffer, int offset, int length) {
      return region == wanted && Arrays.equals(key, 0, key.length, buffer, offset, offset + length);
    }

    long size() {
      long alone = (long) ENTRY_OVERHEAD + key.length + value.length;
      return other == null ? alone : alone + other.size();
    }
  }

  /** An empty slot; each instance differs from all earlier contents. */
  private static final class Empty implements Slot {
    private final long changed;

    Empty(long changed) {
      this.changed = changed;
    }

    @Override
    public long changed() {
      return changed;
    }
  }

  /**
   * Commits in progress may change records of this slot.
   *
   * @param shared whether several commits have taken it: the order of their writes is unknown then
   * @param rest records that they leave unchanged
   */
  private record Taken(int writers, boolean shared, @Nullable Entry rest, long changed)
      implements Slot {}

  /**
   * @param mostBytes memory for all entries; 0 disables the cache
   */
  public RecordCache(long mostBytes) {
    long wanted = Math.clamp(mostBytes / BYTES_PER_SLOT, 1, 1 << 24);
    this.slots = new AtomicReferenceArray<>(Integer.highestOneBit((int) wanted));
    this.mostBytes = mostBytes;
    this.longest = (int) Math.min(mostBytes / 16, 1 << 20);
  }

  /** Reads on a cache miss; a non-blocking source may return {@link Shard#NOT_CACHED}. */
  public interface Source {
    byte @Nullable [] read(byte[] key);
  }

  /** Returns the entries of a shard, now and later. */
  public Region region(int shard) {
    return regions.computeIfAbsent(shard, Region::new);
  }

  /** Reads the current record. */
  public byte @Nullable [] read(Region region, byte[] key, Source source) {
    // read before the slot and the store: older entries are not returned later
    return read(new View(region, region.generation.get(), Long.MAX_VALUE), key, true, source);
  }

  /**
   * State of a shard that is read.
   *
   * @param generation of the shard, read before the state was fixed
   * @param sequence number of a snapshot; the highest for the current state
   */
  public record View(Region region, int generation, long sequence) {
    /** Returns whether no range was deleted since. */
    private boolean isSteady() {
      return region.generation.get() == generation && region.rangeDeletes.get() == 0;
    }

    private boolean shows(@Nullable Slot slot) {
      return slot == null || slot.changed() <= sequence;
    }
  }

  /** Returns the generation of a shard, for a snapshot that is taken afterwards. */
  public static int generation(Region region) {
    return region.generation.get();
  }

  /**
   * Reads the record of a view.
   *
   * @param keep whether to insert it
   * @param source reads from the same view
   */
  public byte @Nullable [] read(View view, byte[] key, boolean keep, Source source) {
    Region region = view.region();
    int generation = view.generation();
    int at = slot(region, key, 0, key.length);
    boolean steady = view.isSteady();
    Slot seen = slots.get(at);
    steady &= view.shows(seen);
    for (Entry entry = entries(seen); steady && entry != null; entry = entry.other) {
      if (entry.generation == generation && entry.isOf(region, key, 0, key.length)) {
        return entry.value;
      }
    }
    byte[] value = source.read(key);
    boolean open = keep && steady && !(seen instanceof Taken) && !Shard.isNotCached(value);
    if (open && value != null && value.length <= longest) {
      long changed = changed(seen);
      Entry before = entries(seen);
      Entry other = before == null || before.isPast() ? null : before.beside(null, changed);
      fill(at, seen, new Entry(region, generation, key.clone(), value, other, changed));
    }
    return value;
  }

  private static long changed(@Nullable Slot slot) {
    return slot == null ? 0 : slot.changed();
  }

  private static @Nullable Entry entries(@Nullable Slot slot) {
    return switch (slot) {
      case Entry entry -> entry;
      case Taken taken -> taken.rest();
      case Empty _ -> null;
      case null -> null;
    };
  }

  private void fill(int at, @Nullable Slot seen, Entry fresh) {
    if (slots.compareAndSet(at, seen, fresh)) {
      account(seen, fresh);
      // taken slots stay: one round is enough
      for (int left = slots.length(); left > 0 && bytes.get() > mostBytes; left--) {
        evictNext();
      }
    }
  }

  private void account(@Nullable Slot before, Slot after) {
    long change = size(after) - size(before);
    if (change != 0) {
      bytes.addAndGet(change);
    }
  }

  private static long size(@Nullable Slot slot) {
    Entry entries = entries(slot);
    return entries == null ? 0 : entries.size();
  }

  /** Evicts the next slot in round-robin order. */
  private void evictNext() {
    int at = hand.getAndIncrement() & (slots.length() - 1);
    Slot seen = slots.get(at);
    if (seen instanceof Entry entry) {
      replace(at, seen, new Empty(entry.changed()));
    }
  }

  private boolean replace(int at, @Nullable Slot seen, Slot next) {
    boolean done = slots.compareAndSet(at, seen, next);
    if (done) {
      account(seen, next);
    }
    return done;
  }

  /** Forgets all entries of a shard without visiting them. */
  public void forget(int shard) {
    region(shard).generation.incrementAndGet();
  }

  /** Forgets a shard for good: a later owner starts with a new region. */
  public void remove(int shard) {
    Region dropped = regions.remove(shard);
    if (dropped != null) {
      dropped.generation.incrementAndGet();
    }
  }

  private static Slot slotOf(@Nullable Entry entries, long changed) {
    return entries == null ? new Empty(changed) : entries.beside(entries.other, changed);
  }

  /** Returns copies of the remaining entries. */
  private static @Nullable Entry rest(@Nullable Entry entries, Predicate<Entry> leaves) {
    if (entries == null) {
      return null;
    }
    Entry others = rest(entries.other, leaves);
    return leaves.test(entries) ? others : entries.beside(others, entries.changed);
  }

  /** Returns the memory of all entries. */
  public long bytes() {
    return bytes.get();
  }

  private int slot(Region region, byte[] buffer, int offset, int length) {
    int hash = region.shard;
    for (int i = offset; i < offset + length; i++) {
      hash = 31 * hash + buffer[i];
    }
    int mixed = hash * 0x9E3779B9;
    return (mixed ^ mixed >>> 15) & (slots.length() - 1);
  }

  /** Slots that some batches are about to change. Taken and released by one thread. */
  public final class Writes implements Batch.Visitor, AutoCloseable {
    private final List<Region> ranges = new ArrayList<>(0);
    private @Nullable Region region;
    private int[] taken = new int[8];
    private @Nullable Entry[] renewed = new Entry[8];
    private int count;
    private boolean committed;

    /** Without a commit nothing is known: no snapshot may use the slots until the next commit. */
    private long latest = Long.MAX_VALUE;

    private Writes() {}

    /** Takes the slots of the records that a batch writes to a shard. */
    public Writes take(Batch batch, int number) {
      region = region(number);
      batch.replay(this);
      return this;
    }

    /**
     * Reports that the batches were committed: they update the entries.
     *
     * @param sequence number of the commit or of a later one: the store counts commits
     */
    public void commit(long sequence) {
      committed = true;
      latest = sequence;
    }

    @Override
    public void put(Space space, byte[] buffer, int key, int keyLength, int value, int length) {
      if (space == Space.RECORDS) {
        boolean kept = take(buffer, key, keyLength);
        if (kept && length <= longest) {
          byte[] name = Arrays.copyOfRange(buffer, key, key + keyLength);
          renewed[count - 1] = entry(name, Arrays.copyOfRange(buffer, value, value + length));
        }
      }
    }

    @Override
    public void delete(Space space, byte[] buffer, int key, int keyLength) {
      if (space == Space.RECORDS) {
        take(buffer, key, keyLength);
      }
    }

    @Override
    public void deleteRange(
        Space space, byte[] buffer, int from, int fromLength, int to, int toLength) {
      if (space == Space.RECORDS) {
        Region whole = current();
        whole.beginRangeDelete();
        ranges.add(whole);
      }
    }

    private Region current() {
      return Objects.requireNonNull(region, "no batch is being taken");
    }

    private Entry entry(byte[] key, byte[] value) {
      return new Entry(current(), current().generation.get(), key, value, null, 0);
    }

    /** Takes the slot of a record; returns whether it was cached. */
    private boolean take(byte[] buffer, int key, int keyLength) {
      Region of = current();
      return take(
          slot(of, buffer, key, keyLength), entry -> entry.isOf(of, buffer, key, keyLength));
    }

    /** Takes a slot; returns whether it held a record that is written. */
    private boolean take(int at, Predicate<Entry> written) {
      if (count == taken.length) {
        taken = Arrays.copyOf(taken, count * 2);
        renewed = Arrays.copyOf(renewed, count * 2);
      }
      taken[count++] = at;
      while (true) {
        Slot seen = slots.get(at);
        Entry rest = rest(entries(seen), entry -> entry.isPast() || written.test(entry));
        Taken next =
            seen instanceof Taken before
                ? new Taken(before.writers() + 1, true, rest, before.changed())
                : new Taken(1, false, rest, changed(seen));
        if (replace(at, seen, next)) {
          return has(entries(seen), written);
        }
      }
    }

    private static boolean has(@Nullable Entry entries, Predicate<Entry> written) {
      return entries != null
          && ((!entries.isPast() && written.test(entries)) || has(entries.other, written));
    }

    /** Releases the slots. */
    @Override
    public void close() {
      ranges.forEach(Region::endRangeDelete);
      for (int i = 0; i < count; i++) {
        giveBack(taken[i], committed ? renewed[i] : null);
      }
    }

    private void giveBack(int at, @Nullable Entry entry) {
      while (slots.get(at) instanceof Taken held) {
        if (replace(at, held, without(held, entry))) {
          return;
        }
      }
    }

    private Slot without(Taken held, @Nullable Entry renewed) {
      // another commit that was released before may have a higher number
      long changed = held.shared() ? Math.max(held.changed(), latest) : latest;
      if (held.writers() > 1) {
        return new Taken(held.writers() - 1, true, held.rest(), changed);
      }
      return renewed == null || held.shared()
          ? slotOf(held.rest(), changed)
          : renewed.beside(held.rest(), changed);
    }
  }

  /** Begins to take slots; close it after the commit, whether it succeeded or not. */
  public Writes writes() {
    return new Writes();
  }
}
