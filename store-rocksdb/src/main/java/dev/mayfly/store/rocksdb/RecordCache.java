package dev.mayfly.store.rocksdb;

import dev.mayfly.store.Batch;
import dev.mayfly.store.Reader;
import dev.mayfly.store.Space;
import java.util.Arrays;
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
 * <p>Records that a compaction drops stay: who reads them knows that they are dead.
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

  /** What lies in a slot; nothing was ever there, if null. */
  private sealed interface Slot {}

  /** A record as it is stored, and perhaps another one of the same slot. */
  private static final class Entry implements Slot {
    final int shard;
    final byte[] key;
    final byte[] value;
    final @Nullable Entry other;

    Entry(int shard, byte[] key, byte[] value, @Nullable Entry other) {
      this.shard = shard;
      this.key = key;
      this.value = value;
      this.other = other;
    }

    /** The same record beside another one, in an object of its own. */
    Entry beside(@Nullable Entry next) {
      return new Entry(shard, key, value, next);
    }

    boolean isOf(int number, byte[] buffer, int offset, int length) {
      return shard == number && Arrays.equals(key, 0, key.length, buffer, offset, offset + length);
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

  /** Reads what is not here; where it must not wait it may say {@link Reader#ELSEWHERE}. */
  interface Source {
    byte @Nullable [] read(byte[] key);
  }

  byte @Nullable [] read(int shard, byte[] key, Source source) {
    int at = slot(shard, key, 0, key.length);
    Slot seen = slots.get(at);
    for (Entry entry = entries(seen); entry != null; entry = entry.other) {
      if (entry.isOf(shard, key, 0, key.length)) {
        return entry.value;
      }
    }
    byte[] value = source.read(key);
    boolean open = !(seen instanceof Taken) && !Reader.isElsewhere(value);
    if (open && value != null && value.length <= longest) {
      Entry before = entries(seen);
      Entry other = before == null ? null : before.beside(null);
      fill(at, seen, new Entry(shard, key.clone(), value, other));
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
      // what is taken stays: once round is enough, also when a range is deleted just now
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

  /**
   * Forgets all of a shard, when a part of it goes at once. No slot stays what it was, or somebody
   * who has looked at one and reads that shard just now would put there what is gone.
   */
  void forget(int shard) {
    for (int at = 0; at < slots.length(); at++) {
      Slot seen = slots.get(at);
      while (!replace(at, seen, without(shard, seen))) {
        seen = slots.get(at);
      }
    }
  }

  private static Slot without(int shard, @Nullable Slot seen) {
    Entry left = rest(entries(seen), entry -> entry.shard == shard);
    return seen instanceof Taken(int writers, boolean shared, var _)
        ? new Taken(writers, shared, left)
        : slotOf(left);
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

  private int slot(int shard, byte[] buffer, int offset, int length) {
    int hash = shard;
    for (int i = offset; i < offset + length; i++) {
      hash = 31 * hash + buffer[i];
    }
    int mixed = hash * 0x9E3779B9;
    return (mixed ^ mixed >>> 15) & (slots.length() - 1);
  }

  /** The slots that some batches are about to change. Taken by one thread, given back by it. */
  final class Writes implements Batch.Visitor, AutoCloseable {
    private int shard;
    private int[] taken = new int[8];
    private @Nullable Entry[] renewed = new Entry[8];
    private int count;
    private boolean committed;

    private Writes() {}

    /** Takes the slots of what a batch writes to a shard. */
    Writes take(Batch batch, int number) {
      shard = number;
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
          renewed[count - 1] =
              new Entry(shard, name, Arrays.copyOfRange(buffer, value, value + length), null);
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
        for (int at = 0; at < slots.length(); at++) {
          take(at, entry -> entry.shard == shard);
        }
      }
    }

    /** Takes the slot of a record; true when it was there. */
    private boolean take(byte[] buffer, int key, int keyLength) {
      return take(
          slot(shard, buffer, key, keyLength), entry -> entry.isOf(shard, buffer, key, keyLength));
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
        Entry rest = rest(entries(seen), written);
        Taken next =
            seen instanceof Taken before
                ? new Taken(before.writers() + 1, true, rest)
                : new Taken(1, false, rest);
        if (replace(at, seen, next)) {
          return size(next) < size(seen);
        }
      }
    }

    /** Gives the slots back. */
    @Override
    public void close() {
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
