package dev.mayfly.query;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Working memory of all queries of a process: a share of the heap.
 *
 * <p>Whatever a query keeps beyond a little is taken from here. A query that gets no more goes on
 * in files, if it may, or fails; others go on. Safe for many threads.
 */
public final class QueryMemory {
  /** That of this process: a third of the heap. */
  public static final QueryMemory PROCESS = new QueryMemory(Runtime.getRuntime().maxMemory() / 3);

  /** What is taken and given back at once; as much is free for everyone. */
  private static final long CHUNK = 256 << 10;

  /** Gives back what was held by something that nobody has closed. */
  private static final Cleaner CLEANER = Cleaner.create();

  private final long limit;
  private final AtomicLong taken = new AtomicLong();

  public QueryMemory(long limit) {
    this.limit = limit;
  }

  /** Something that will hold memory, nothing yet and at most so many bytes. */
  public Holding holding(long most) {
    return new Holding(this, most);
  }

  /** What nobody limits: for what is counted elsewhere. */
  public static Holding unlimited() {
    return new QueryMemory(Long.MAX_VALUE).holding(Long.MAX_VALUE);
  }

  /** How many bytes are taken. */
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

  /** What one holder has taken. */
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

  /** The memory that one stage, sort or evaluation holds. For one thread at a time. */
  public static final class Holding implements AutoCloseable {
    private final Taken taken;
    private final long most;
    private boolean watched;

    private Holding(QueryMemory from, long most) {
      this.taken = new Taken(from);
      this.most = most;
    }

    /** Holds so many bytes in all from now on; false, and as before, when it cannot. */
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
