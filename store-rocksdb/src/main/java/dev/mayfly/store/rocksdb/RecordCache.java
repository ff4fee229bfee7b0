package dev.mayfly.store.rocksdb;

import dev.mayfly.store.Batch;
import dev.mayfly.store.Shard;
import dev.mayfly.store.Space;
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
 * Records that were lately read one by one, ready on the heap: a document that is in use, such as a
 * session, is read and updated without a way into native code.
 *
 * <p>It never shows what is not stored. A key has one slot, shared with others; the last two that
 * were read are there. Whoever reads looks at the slot before it reads the store, and puts what it
 * found there only if the slot is still the same; whoever writes takes the slot before it commits
 * and gives it back, changed, afterwards. A slot that is taken shows nothing of what is written and
 * takes nothing.
 *
 * <p>What is here of a shard is of one generation: to forget all of it is to begin the next one.
 * What is left of generations before is not shown, and makes room for other records by and by.
 *
 * <p>Records that a compaction drops stay until their shard is forgotten: until then, who reads
 * them knows that they are dead.
 */
final class RecordCache {
  /**
   * There is a slot for so many bytes. Three records in use that share one drive each other out: of
   * records of 1 KB one in two hundred meets two others.
   */
  private static final int BYTES_PER_SLOT = 1 << 7;

  /** What an entry takes beside its key and value: two arrays, the object and the slot. */
  private static final int ENTRY_OVERHEAD = 64;

  private final AtomicReferenceArray<@Nullable Slot> slots;
  private final long mostBytes;
  private final int longest;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicInteger hand = new AtomicInteger();
  private final Map<Integer, Region> regions = new ConcurrentHashMap<>();

  /** What is here of one shard. */
  static final class Region {
    private final int shard;
    private final AtomicInteger generation = new AtomicInteger();

    /** Commits in progress that delete a range: nothing is shown and nothing is taken meanwhile. */
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

  /** What lies in a slot; nothing was ever there, if null. */
  private sealed interface Slot {}

  /** A record as it is stored, and perhaps another one of the same slot. */
  private static final class Entry implements Slot {
    final Region region;
    final int generation;
    final byte[] key;
    final byte[] value;
    final @Nullable Entry other;

    Entry(Region region, int generation, byte[] key, byte[] value, @Nullable Entry other) {
      this.region = region;
      this.generation = generation;
      this.key = key;
      this.value = value;
      this.other = other;
    }

    /** The same record beside another one, in an object of its own. */
    Entry beside(@Nullable Entry next) {
      return new Entry(region, generation, key, value, next);
    }

    /** Whether it was forgotten. */
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

  /** Nothing any more: every one is different from all that were there before. */
  private static final class Empty implements Slot {}

  /**
   * Commits in progress may change what belongs here.
   *
   * @param shared whether it was taken while it was taken: nobody knows then whose commit was last
   * @param rest what they leave as it is
   */
  private record Taken(int writers, boolean shared, @Nullable Entry rest) implements Slot {}

  /**
   * @param mostBytes what all entries may take; with 0 nothing is ever kept
   */
  RecordCache(long mostBytes) {
    long wanted = Math.clamp(mostBytes / BYTES_PER_SLOT, 1, 1 << 24);
    this.slots = new AtomicReferenceArray<>(Integer.highestOneBit((int) wanted));
    this.mostBytes = mostBytes;
    this.longest = (int) Math.min(mostBytes / 16, 1 << 20);
  }

  /** Reads on a cache miss; a non-blocking source may return {@link Shard#NOT_CACHED}. */
  interface Source {
    byte @Nullable [] read(byte[] key);
  }

  /** What is here of a shard, now and later. */
  Region region(int shard) {
    return regions.computeIfAbsent(shard, Region::new);
  }

  byte @Nullable [] read(Region region, byte[] key, Source source) {
    int at = slot(region, key, 0, key.length);
    // before the slot and the store are looked at: what is older than that is not shown later
    int generation = region.generation.get();
    boolean steady = region.rangeDeletes.get() == 0;
    Slot seen = slots.get(at);
    for (Entry entry = entries(seen); steady && entry != null; entry = entry.other) {
      if (entry.generation == generation && entry.isOf(region, key, 0, key.length)) {
        return entry.value;
      }
    }
    byte[] value = source.read(key);
    boolean open = steady && !(seen instanceof Taken) && !Shard.isNotCached(value);
    if (open && value != null && value.length <= longest) {
      Entry before = entries(seen);
      Entry other = before == null || before.isPast() ? null : before.beside(null);
      fill(at, seen, new Entry(region, generation, key.clone(), value, other));
    }
    return value;
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
      // what is taken stays: once round is enough
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

  /** Gives up whatever comes next, going round. */
  private void evictNext() {
    int at = hand.getAndIncrement() & (slots.length() - 1);
    Slot seen = slots.get(at);
    if (seen instanceof Entry) {
      replace(at, seen, new Empty());
    }
  }

  private boolean replace(int at, @Nullable Slot seen, Slot next) {
    boolean done = slots.compareAndSet(at, seen, next);
    if (done) {
      account(seen, next);
    }
    return done;
  }

  /** Forgets all of a shard, when a part of it goes at once. Touches none of it. */
  void forget(int shard) {
    region(shard).generation.incrementAndGet();
  }

  private static Slot slotOf(@Nullable Entry entries) {
    return entries == null ? new Empty() : entries;
  }

  /** What remains of entries, in objects of its own. */
  private static @Nullable Entry rest(@Nullable Entry entries, Predicate<Entry> leaves) {
    if (entries == null) {
      return null;
    }
    Entry others = rest(entries.other, leaves);
    return leaves.test(entries) ? others : entries.beside(others);
  }

  /** What the entries take. */
  long bytes() {
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

  /** The slots that some batches are about to change. Taken by one thread, given back by it. */
  final class Writes implements Batch.Visitor, AutoCloseable {
    private final List<Region> ranges = new ArrayList<>(0);
    private @Nullable Region region;
    private int[] taken = new int[8];
    private @Nullable Entry[] renewed = new Entry[8];
    private int count;
    private boolean committed;

    private Writes() {}

    /** Takes the slots of what a batch writes to a shard. */
    Writes take(Batch batch, int number) {
      region = region(number);
      batch.replay(this);
      return this;
    }

    /** Says that the batches have been committed: what was here before is renewed by them. */
    void commit() {
      committed = true;
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
      return new Entry(current(), current().generation.get(), key, value, null);
    }

    /** Takes the slot of a record; true when it was there. */
    private boolean take(byte[] buffer, int key, int keyLength) {
      Region of = current();
      return take(
          slot(of, buffer, key, keyLength), entry -> entry.isOf(of, buffer, key, keyLength));
    }

    /** Takes a slot; true when something was there that is written. */
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
                ? new Taken(before.writers() + 1, true, rest)
                : new Taken(1, false, rest);
        if (replace(at, seen, next)) {
          return has(entries(seen), written);
        }
      }
    }

    private static boolean has(@Nullable Entry entries, Predicate<Entry> written) {
      return entries != null
          && ((!entries.isPast() && written.test(entries)) || has(entries.other, written));
    }

    /** Gives the slots back. */
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

    private static Slot without(Taken held, @Nullable Entry renewed) {
      if (held.writers() > 1) {
        return new Taken(held.writers() - 1, true, held.rest());
      }
      return renewed == null || held.shared() ? slotOf(held.rest()) : renewed.beside(held.rest());
    }
  }

  /** Begins to take slots; close it when the commit is over, however it went. */
  Writes writes() {
    return new Writes();
  }
}
