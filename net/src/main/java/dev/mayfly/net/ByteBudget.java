package dev.mayfly.net;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Memory budget for the bytes in flight of all connections: messages that are being received,
 * unpacked or answered, and replies that are being built or written.
 *
 * <p>A connection claims memory for a whole message before it receives more than the first {@link
 * #FREE_BYTES} of it. While there is not enough memory, the connection does not read, and its peer
 * waits. Nothing fails. Claims of up to {@link #FREE_BYTES} are always granted and not counted.
 *
 * <p>Messages and replies of different {@linkplain Kind kinds} have separate shares of the budget,
 * so a small message never waits for a large one. Within a share, claims are granted in the order
 * of arrival. A share that is not in use grants any claim, however large. A peer that does not send
 * or read before its {@linkplain Claim#expectBy deadline} is disconnected, but only while its share
 * is used up.
 *
 * <p>There is no deadlock. A claim is granted as a whole, so a connection that waits for a share
 * holds nothing of it. A growing reply may wait for the share of large replies while it holds
 * memory of the share of small replies, never the other way round.
 *
 * <p>Example: with a budget of 128 MiB, each of the five kinds has 25 MiB. A message of 48 MB is
 * granted when no other message of its kind is in flight; messages of 100 KB are not affected.
 *
 * <p>Safe for many threads.
 */
public final class ByteBudget {
  /** Bytes that every connection may use without a claim. */
  public static final int FREE_BYTES = 16 << 10;

  /** Share of the budget that a claim belongs to. */
  public enum Kind {
    /** A message of up to 1 MiB. */
    MEDIUM,
    /** A message of up to 17 MiB: a document of the largest size and the command around it. */
    LARGE,
    /** Any larger message. */
    LARGEST,
    /** A reply of up to 1 MiB. */
    MEDIUM_REPLY,
    /** A larger reply. */
    LARGE_REPLY;

    private static Kind ofMessage(long bytes) {
      if (bytes <= MAX_MEDIUM) {
        return MEDIUM;
      }
      return bytes <= MAX_LARGE ? LARGE : LARGEST;
    }

    private static Kind ofReply(long bytes) {
      return bytes <= MAX_MEDIUM ? MEDIUM_REPLY : LARGE_REPLY;
    }
  }

  private static final long MAX_MEDIUM = 1 << 20;
  private static final long MAX_LARGE = 17 << 20;
  private static final long NOT_EXPECTED = Long.MAX_VALUE;
  private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final long shareBytes;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition granted = lock.newCondition();

  // Guarded by lock.
  private final Map<Kind, Share> shares = new EnumMap<>(Kind.class);
  private final Set<Claim> holders = new HashSet<>();

  private volatile boolean repliesUsedUp;

  /** Memory in use for one kind, and the claims that wait for more. Guarded by lock. */
  private static final class Share {
    private long used;
    private final Deque<Claim> queue = new ArrayDeque<>();
  }

  /**
   * Creates a budget.
   *
   * @param bytes total of all kinds, which have equal shares
   */
  public ByteBudget(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("budget must not be negative: " + bytes);
    }
    this.shareBytes = bytes / Kind.values().length;
    for (Kind kind : Kind.values()) {
      shares.put(kind, new Share());
    }
  }

  private Share share(Kind kind) {
    return Objects.requireNonNull(shares.get(kind));
  }

  /** Returns a budget that grants every claim at once. */
  public static ByteBudget unlimited() {
    return new ByteBudget(Long.MAX_VALUE);
  }

  /** Returns the number of bytes that are claimed. */
  public long usedBytes() {
    lock.lock();
    try {
      return shares.values().stream().mapToLong(share -> share.used).sum();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the bytes of each share. */
  public long shareBytes() {
    return shareBytes;
  }

  /** Returns the number of claims that wait. */
  public int waiting() {
    lock.lock();
    try {
      return shares.values().stream().mapToInt(share -> share.queue.size()).sum();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Creates a claim that holds nothing yet.
   *
   * @param onLate disconnects the peer; called by any thread, at most once
   */
  public Claim claim(Runnable onLate) {
    return new Claim(onLate);
  }

  /**
   * Disconnects peers that missed their deadline and whose share is used up.
   *
   * @param nanos current time, on the clock of {@link Claim#expectBy}
   */
  public void disconnectLate(long nanos) {
    List<Claim> late = new ArrayList<>();
    lock.lock();
    try {
      for (Claim holder : holders) {
        long expected = holder.expected;
        if (expected != NOT_EXPECTED && expected - nanos < 0 && usedUp(holder.kind)) {
          late.add(holder);
        }
      }
    } finally {
      lock.unlock();
    }
    late.forEach(claim -> claim.onLate.run());
  }

  private boolean usedUp(Kind kind) {
    return share(kind).used > shareBytes || !share(kind).queue.isEmpty();
  }

  /** Whether a share for replies is used up. */
  public boolean repliesUsedUp() {
    return repliesUsedUp;
  }

  private void updateRepliesUsedUp() {
    repliesUsedUp = usedUp(Kind.MEDIUM_REPLY) || usedUp(Kind.LARGE_REPLY);
  }

  private boolean fits(Kind kind, long bytes) {
    long used = share(kind).used;
    return used == 0 || bytes <= shareBytes - used;
  }

  /** Grants waiting claims that fit. Returns the callbacks to run after the lock is released. */
  private List<Runnable> grantWaiting() {
    List<Runnable> callbacks = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      Deque<Claim> queue = share(kind).queue;
      for (Claim next = queue.peek();
          next != null && fits(kind, next.wanted);
          next = queue.peek()) {
        queue.remove();
        Runnable callback = next.onGranted;
        next.hold(kind, next.wanted);
        if (callback != null) {
          callbacks.add(callback);
        }
      }
    }
    updateRepliesUsedUp();
    granted.signalAll();
    return callbacks;
  }

  /**
   * Memory that a connection claims for one message or one reply. Used by one thread at a time,
   * except {@link #close}.
   */
  public final class Claim {
    private final Runnable onLate;
    private volatile long held;
    private volatile long expected = NOT_EXPECTED;

    // Guarded by lock.
    private Kind kind = Kind.MEDIUM_REPLY;
    private long wanted;
    private @Nullable Runnable onGranted;
    private boolean closed;

    private Claim(Runnable onLate) {
      this.onLate = onLate;
    }

    /** Returns the number of bytes that are held. */
    public long held() {
      return held;
    }

    /**
     * Claims memory for a message, without waiting.
     *
     * @param onGranted called once, by another thread, if the claim is granted later
     * @return true if the claim was granted now
     */
    public boolean message(long bytes, Runnable onGranted) {
      lock.lock();
      try {
        return take(Kind.ofMessage(bytes), bytes, onGranted);
      } finally {
        lock.unlock();
      }
    }

    /**
     * Claims memory for a message, and waits until it is granted.
     *
     * @return false when the claim was closed meanwhile
     */
    public boolean awaitMessage(long bytes) {
      return await(Kind.ofMessage(bytes), bytes, () -> {});
    }

    /**
     * Claims memory for a reply and waits until it is granted. The claim must not hold memory of
     * the kind that it claims.
     *
     * @param check called about every 100 ms during the wait, which ends when it throws
     * @return false if the claim was closed meanwhile
     */
    public boolean awaitReply(long bytes, Runnable check) {
      return await(Kind.ofReply(bytes), bytes, check);
    }

    private boolean await(Kind of, long bytes, Runnable check) {
      boolean done = false;
      lock.lock();
      try {
        done = take(of, bytes, null);
        while (!done && !closed) {
          check.run();
          var _ = granted.awaitNanos(CHECK_NANOS);
          done = wanted == 0;
        }
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      } finally {
        lock.unlock();
        if (!done) {
          releaseTo(0, false);
        }
      }
      return done;
    }

    /** Returns true if the bytes are held now; otherwise queues the claim. */
    private boolean take(Kind of, long bytes, @Nullable Runnable callback) {
      if (closed) {
        return false;
      }
      if (bytes <= FREE_BYTES) {
        return true;
      }
      Deque<Claim> queue = share(of).queue;
      if (queue.isEmpty() && fits(of, bytes)) {
        hold(of, bytes);
        return true;
      }
      wanted = bytes;
      onGranted = callback;
      queue.add(this);
      updateRepliesUsedUp();
      return false;
    }

    private void hold(Kind of, long bytes) {
      share(kind).used -= held;
      share(of).used += bytes;
      kind = of;
      held = bytes;
      wanted = 0;
      onGranted = null;
      holders.add(this);
      updateRepliesUsedUp();
    }

    /**
     * Enlarges the claim of a reply, without waiting. Returns false, and leaves the claim
     * unchanged, if there is not enough memory.
     *
     * @param bytes size of the whole reply
     */
    public boolean growReply(long bytes) {
      if (bytes <= Math.max(held, FREE_BYTES)) {
        return true;
      }
      lock.lock();
      try {
        // doubles the claim, so that a growing reply claims rarely
        long doubled = Math.max(bytes, 2 * held);
        return !closed && (grown(doubled) || grown(bytes));
      } finally {
        lock.unlock();
      }
    }

    private boolean grown(long bytes) {
      Kind of = Kind.ofReply(bytes);
      long more = of == kind ? bytes - held : bytes;
      boolean fits = share(of).queue.isEmpty() && fits(of, more);
      if (fits) {
        hold(of, bytes);
      }
      return fits;
    }

    /**
     * Enlarges the claim of a reply that may still grow, without waiting. It claims the largest
     * size of the reply's kind, so that a later claim never waits for a share of which it already
     * holds memory.
     *
     * @param bytes size of the reply so far
     * @return false if there is not enough memory now; the claim is then unchanged
     */
    public boolean extendReply(long bytes) {
      if (bytes <= Math.max(held, FREE_BYTES)) {
        return true;
      }
      lock.lock();
      try {
        return !closed && grown(extended(bytes));
      } finally {
        lock.unlock();
      }
    }

    /**
     * As {@link #extendReply}, but waits until the memory is granted.
     *
     * @param check called about every 100 ms during the wait, which ends when it throws
     * @return false if the claim was closed meanwhile
     */
    public boolean awaitExtended(long bytes, Runnable check) {
      if (bytes <= Math.max(held, FREE_BYTES)) {
        return true;
      }
      if (held > MAX_MEDIUM) {
        countReply(bytes);
        return true;
      }
      return awaitReply(extended(bytes), check);
    }

    private static long extended(long bytes) {
      return bytes <= MAX_MEDIUM ? MAX_MEDIUM : Math.max(bytes, MAX_LARGE);
    }

    /** Counts a reply that is already in memory, even if it exceeds the share. */
    public void countReply(long bytes) {
      if (bytes <= Math.max(held, FREE_BYTES)) {
        return;
      }
      lock.lock();
      try {
        if (!closed) {
          hold(Kind.ofReply(bytes), bytes);
        }
      } finally {
        lock.unlock();
      }
    }

    /** Whether this claim holds memory of a share that is used up. */
    public boolean isShort() {
      lock.lock();
      try {
        return held > 0 && usedUp(kind);
      } finally {
        lock.unlock();
      }
    }

    /** Whether a share for replies is {@linkplain #repliesUsedUp used up}. */
    public boolean isScarce() {
      return repliesUsedUp;
    }

    /** Adjusts the claim to the actual size of a reply whose size was estimated before. */
    public void settleReply(long bytes) {
      if (bytes <= FREE_BYTES) {
        release();
      } else if (bytes >= held) {
        countReply(bytes);
      } else {
        releaseTo(bytes, false);
      }
    }

    /** Sets the deadline, in nanoseconds, by which the peer must send or read more. */
    public void expectBy(long nanos) {
      expected = nanos;
    }

    /** Clears the deadline of the peer, while the server works on its request. */
    public void expectNothing() {
      expected = NOT_EXPECTED;
    }

    /** Releases all memory. The claim can be used for the next message or reply. */
    public void release() {
      if (held > 0) {
        releaseTo(0, false);
      }
    }

    /** Releases all memory and ends a wait; later claims fail. From any thread. */
    public void close() {
      releaseTo(0, true);
    }

    private void releaseTo(long kept, boolean close) {
      List<Runnable> callbacks;
      lock.lock();
      try {
        closed |= close;
        shares.values().forEach(share -> share.queue.remove(this));
        wanted = 0;
        share(kind).used -= held - kept;
        held = kept;
        expected = NOT_EXPECTED;
        if (kept == 0) {
          holders.remove(this);
        }
        callbacks = grantWaiting();
      } finally {
        lock.unlock();
      }
      callbacks.forEach(Runnable::run);
    }
  }
}
