package dev.mayfly.query;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Working memory of all queries of a process: a share of the heap.
 *
 * <p>Every query reserves what it keeps beyond a small amount. A query that gets no more continues
 * in files, if allowed, or fails; others are not affected. Safe for many threads.
 */
public final class QueryMemory {
  /** The working memory of this process: a third of the heap. */
  public static final QueryMemory PROCESS = new QueryMemory(Runtime.getRuntime().maxMemory() / 3);

  /** Unit of reservation; every holding has this much free of charge. */
  private static final long CHUNK = 256 << 10;

  /** Releases the memory of holdings that were not closed. */
  private static final Cleaner CLEANER = Cleaner.create();

  private final long limit;
  private final AtomicLong taken = new AtomicLong();

  public QueryMemory(long limit) {
    this.limit = limit;
  }

  /** Creates an empty holding of at most {@code most} bytes. */
  public Holding holding(long most) {
    return new Holding(this, most);
  }

  /** Returns a holding without a limit: for memory that is counted elsewhere. */
  public static Holding unlimited() {
    return new QueryMemory(Long.MAX_VALUE).holding(Long.MAX_VALUE);
  }

  /** Returns the number of reserved bytes. */
  public long taken() {
    return taken.get();
  }

  private boolean take(long bytes) {
    long before = taken.getAndAdd(bytes);
    if (before + bytes > limit) {
      taken.addAndGet(-bytes);
      return false;
    }
    return true;
  }

  private void give(long bytes) {
    taken.addAndGet(-bytes);
  }

  /** The reservation of one holding. */
  private static final class Taken implements Runnable {
    private final QueryMemory from;
    private long bytes;

    Taken(QueryMemory from) {
      this.from = from;
    }

    @Override
    public void run() {
      from.give(bytes);
      bytes = 0;
    }
  }

  /** Memory of one stage, sort or evaluation. For one thread at a time. */
  public static final class Holding implements AutoCloseable {
    private final Taken taken;
    private final long most;
    private boolean watched;

    private Holding(QueryMemory from, long most) {
      this.taken = new Taken(from);
      this.most = most;
    }

    /**
     * Changes the size of this holding to {@code bytes}; returns false, and changes nothing, if
     * that is not possible.
     */
    public boolean hold(long bytes) {
      long wanted = bytes <= CHUNK ? 0 : (bytes + CHUNK - 1) / CHUNK * CHUNK;
      long more = wanted - taken.bytes;
      if (bytes > most || (more > 0 && !taken.from.take(more))) {
        return false;
      }
      if (more < 0) {
        taken.from.give(-more);
      }
      taken.bytes = wanted;
      if (more > 0 && !watched) {
        watched = true;
        CLEANER.register(this, taken);
      }
      return true;
    }

    @Override
    public void close() {
      hold(0);
    }
  }
}
