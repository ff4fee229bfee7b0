package dev.mayfly.engine.shard;

import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Lock table of one shard: the keys that writes in progress use. Two writes that have no key in
 * common are decided and committed concurrently.
 *
 * <p>A key is a session, a primary key or a unique index key. The table stores 64-bit hashes: two
 * keys with the same hash exclude each other, which costs time only. Safe for many threads.
 */
final class KeyLocks {
  /** Attempts in a row, then attempts with a yield between them, before a thread sleeps. */
  private static final int SPINS = 50;

  private static final int YIELDS = 400;
  private static final long SHORTEST_SLEEP_NANOS = 20_000;
  private static final long LONGEST_SLEEP_NANOS = 1_000_000;

  /**
   * Number of sleeps before a thread gives up, about a second. Most holders need microseconds, or
   * the time of a read from disk. Two bulk writes with unique keys may wait for each other: one of
   * them gives up.
   */
  private static final int SLEEPS = 1000;

  private final ConcurrentHashMap<Long, Holder> held = new ConcurrentHashMap<>();

  /** Kinds of keys; each has its own hashes. */
  enum Kind {
    SESSION(0x9E3779B97F4A7C15L),
    DOCUMENT(0xC2B2AE3D27D4EB4FL),
    UNIQUE_KEY(0x165667B19E3779F9L);

    private final long seed;

    Kind(long seed) {
      this.seed = seed;
    }
  }

  /** A holder of no key yet. */
  Holder holder() {
    return new Holder();
  }

  /** The hash that stands for a key. */
  static long hash(Kind kind, byte[] key) {
    long hash = kind.seed;
    for (byte next : key) {
      hash = (hash ^ next) * 0x100000001B3L;
    }
    hash = (hash ^ hash >>> 32) * 0xD6E8FEB86659FD93L;
    return hash ^ hash >>> 32;
  }

  /** The keys of one write group. Belongs to one thread at a time. */
  final class Holder {
    private Long[] keys = new Long[2];
    private int count;

    private Holder() {}

    /** Locks a key unless another holder has it. */
    boolean tryLock(Long key) {
      Holder before = held.putIfAbsent(key, this);
      if (before == null) {
        add(key);
      }
      return before == null || before == this;
    }

    /** Locks a key; returns false if another holder keeps it for long. */
    boolean lock(Long key) {
      for (int i = 0; i < SPINS + YIELDS + SLEEPS; i++) {
        if (tryLock(key)) {
          return true;
        }
        pause(i);
      }
      return false;
    }

    /** Locks several keys, in one order for all threads, so that no two wait for each other. */
    boolean lockAll(long[] wanted) {
      if (wanted.length > 1) {
        Arrays.sort(wanted);
      }
      for (long key : wanted) {
        if (!lock(key)) {
          return false;
        }
      }
      return true;
    }

    private void add(Long key) {
      if (count == keys.length) {
        keys = Arrays.copyOf(keys, count * 2);
      }
      keys[count++] = key;
    }

    /** Returns whether this holder has locked a key. */
    boolean has(long key) {
      return held.get(key) == this;
    }

    /** Releases all keys. */
    void release() {
      for (int i = 0; i < count; i++) {
        held.remove(keys[i]);
      }
      count = 0;
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // yielding is an optimization only
  private static void pause(int attempt) {
    if (attempt < SPINS) {
      Thread.onSpinWait();
    } else if (attempt < SPINS + YIELDS) {
      Thread.yield();
    } else {
      long longer = SHORTEST_SLEEP_NANOS * (attempt - SPINS - YIELDS + 1L);
      LockSupport.parkNanos(Math.min(longer, LONGEST_SLEEP_NANOS));
    }
  }

  /** Returns whether no key is locked. */
  boolean isEmpty() {
    return held.isEmpty();
  }
}
