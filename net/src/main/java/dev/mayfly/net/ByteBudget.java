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
 * #FREE_BYTES} of it. While there is none it does not read, so that its peer waits; nothing fails.
 * Claims of up to {@link #FREE_BYTES} are always granted and not counted.
 *
 * <p>It cannot deadlock: a claim is granted as a whole, so a connection that waits holds nothing of
 * the share it waits for. A reply that grows may wait for the share of large replies while it holds
 * some of that of small ones, never the other way round. Messages of different {@linkplain Kind
 * kinds} have shares of their own: large messages wait for large ones only. Within a share claims
 * are granted in the order they came. A share that is not in use grants any claim, however large. A
 * peer that is {@linkplain Claim#expectBy expected} to send or to read and does not is
 * disconnected, but only while its share is used up.
 *
 * <p>Example: of 128 MiB each kind has 25 MiB. A message of 48 MB is granted when no other of its
 * kind is in flight; messages of 100 KB meanwhile pass.
 *
 * <p>Safe for many threads.
 */
public final class ByteBudget {
  /** What every connection may use without a claim. */
  public static final int FREE_BYTES = 16 << 10;

  /** What memory is claimed for. */
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
      if (bytes <= MOST_MEDIUM) {
        return MEDIUM;
      }
      return bytes <= MOST_LARGE ? LARGE : LARGEST;
    }

    private static Kind ofReply(long bytes) {
      return bytes <= MOST_MEDIUM ? MEDIUM_REPLY : LARGE_REPLY;
    }
  }

  private static final long MOST_MEDIUM = 1 << 20;
  private static final long MOST_LARGE = 17 << 20;
  private static final long NOT_EXPECTED = Long.MAX_VALUE;
  private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final long shareBytes;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition granted = lock.newCondition();

  // Guarded by lock.
  private final Map<Kind, Share> shares = new EnumMap<>(Kind.class);
  private final Set<Claim> holders = new HashSet<>();

  private volatile boolean repliesUsedUp;

  /** What is used of a kind, and the claims that wait for more. Guarded by lock. */
  private static final class Share {
    private long used;
    private final Deque<Claim> queue = new ArrayDeque<>();
  }

  /**
   * A budget.
   *
   * @param bytes of all kinds together; each has an equal share
   */
  public ByteBudget(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("a budget is not negative: " + bytes);
    }
    this.shareBytes = bytes / Kind.values().length;
    for (Kind kind : Kind.values()) {
      shares.put(kind, new Share());
    }
  }

  private Share share(Kind kind) {
    return Objects.requireNonNull(shares.get(kind));
  }

  /** A budget that grants every claim at once. */
  public static ByteBudget unlimited() {
    return new ByteBudget(Long.MAX_VALUE);
  }

  /** How many bytes are claimed. */
  public long usedBytes() {
    lock.lock();
    try {
      return shares.values().stream().mapToLong(share -> share.used).sum();
    } finally {
      lock.unlock();
    }
  }

  /** How many bytes there are of each kind. */
  public long shareBytes() {
    return shareBytes;
  }

  /** How many claims wait. */
  public int waiting() {
    lock.lock();
    try {
      return shares.values().stream().mapToInt(share -> share.queue.size()).sum();
    } finally {
      lock.unlock();
    }
  }

  /**
   * A claim that holds nothing yet.
   *
   * @param onLate disconnects the peer; called by any thread, at most once
   */
  public Claim claim(Runnable onLate) {
    return new Claim(onLate);
  }

  /**
   * Disconnects peers that are late, where others wait for what they hold.
   *
   * @param nanos the time of {@link Claim#expectBy}
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

  /** Whether there is no memory for replies now. */
  public boolean repliesUsedUp() {
    return repliesUsedUp;
  }

  private void noteReplies() {
    repliesUsedUp = usedUp(Kind.MEDIUM_REPLY) || usedUp(Kind.LARGE_REPLY);
  }

  private boolean fits(Kind kind, long bytes) {
    long taken = share(kind).used;
    return taken == 0 || bytes <= shareBytes - taken;
  }

  /** Grants what fits now. Returns the claims whose owners are to be called. */
  private List<Runnable> grantWaiting() {
    List<Runnable> called = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      Deque<Claim> queue = share(kind).queue;
      for (Claim next = queue.peek();
          next != null && fits(kind, next.wanted);
          next = queue.peek()) {
        queue.remove();
        Runnable callback = next.onGranted;
        next.hold(kind, next.wanted);
        if (callback != null) {
          called.add(callback);
        }
      }
    }
    noteReplies();
    granted.signalAll();
    return called;
  }

  /**
   * What one connection holds for one message or one reply. Its owner is one thread at a time;
   * {@link #close} is for any.
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

    /** How many bytes are held. */
    public long held() {
      return held;
    }

    /**
     * Claims memory for a message, without waiting.
     *
     * @param onGranted called once, by another thread, when it is granted later
     * @return true when it is granted already
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
     * Claims memory for a reply that holds none of its kind, and waits until it is granted.
     *
     * @param check called now and then; the wait ends when it throws
     * @return false when the claim was closed meanwhile
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
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      } finally {
        lock.unlock();
        if (!done) {
          giveBack(0, false);
        }
      }
      return done;
    }

    /** Holds the bytes, or queues for them. */
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
      noteReplies();
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
      noteReplies();
    }

    /**
     * Makes the claim of a reply larger, without waiting. Returns false when that is too much; the
     * claim is then as it was.
     *
     * @param bytes of the reply as a whole
     */
    public boolean growReply(long bytes) {
      if (bytes <= Math.max(held, FREE_BYTES)) {
        return true;
      }
      lock.lock();
      try {
        // claims ahead, so that a growing reply claims rarely
        long generous = Math.max(bytes, 2 * held);
        return !closed && (grown(generous) || grown(bytes));
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
     * Makes the claim of a reply that may still grow larger, without waiting. It takes more than is
     * needed, so that it never has to wait for more of a share that it holds some of.
     *
     * @param bytes of the reply so far
     * @return false when that is too much now; the claim is then as it was
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
     * As {@link #extendReply}, but waits until it is granted.
     *
     * @param check called now and then; the wait ends when it throws
     * @return false when the claim was closed meanwhile
     */
    public boolean awaitExtended(long bytes, Runnable check) {
      if (bytes <= Math.max(held, FREE_BYTES)) {
        return true;
      }
      if (held > MOST_MEDIUM) {
        countReply(bytes);
        return true;
      }
      return awaitReply(extended(bytes), check);
    }

    private static long extended(long bytes) {
      return bytes <= MOST_MEDIUM ? MOST_MEDIUM : Math.max(bytes, MOST_LARGE);
    }

    /** Counts a reply that is there already, whether or not it is too much. */
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

    /** Whether its share is used up while it holds some of it. */
    public boolean isShort() {
      lock.lock();
      try {
        return held > 0 && usedUp(kind);
      } finally {
        lock.unlock();
      }
    }

    /** Whether the memory for replies is {@linkplain #repliesUsedUp used up}. */
    public boolean isScarce() {
      return repliesUsedUp;
    }

    /** Holds what a reply has turned out to need, after it was claimed by a guess. */
    public void settleReply(long bytes) {
      if (bytes <= FREE_BYTES) {
        release();
      } else if (bytes >= held) {
        countReply(bytes);
      } else {
        giveBack(bytes, false);
      }
    }

    /** Sets the deadline by which the peer has to send or read more. */
    public void expectBy(long nanos) {
      expected = nanos;
    }

    /** Clears the deadline of the peer: the server is working. */
    public void expectNothing() {
      expected = NOT_EXPECTED;
    }

    /** Gives all of it back, for the next message or reply of the same connection. */
    public void release() {
      if (held > 0) {
        giveBack(0, false);
      }
    }

    /** Gives all of it back for good, and ends a wait for it. From any thread. */
    public void close() {
      giveBack(0, true);
    }

    private void giveBack(long kept, boolean forGood) {
      List<Runnable> called;
      lock.lock();
      try {
        closed |= forGood;
        shares.values().forEach(share -> share.queue.remove(this));
        wanted = 0;
        share(kind).used -= held - kept;
        held = kept;
        expected = NOT_EXPECTED;
        if (kept == 0) {
          holders.remove(this);
        }
        called = grantWaiting();
      } finally {
        lock.unlock();
      }
      called.forEach(Runnable::run);
    }
  }
}
