package dev.mayfly.engine.read;

import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Reader;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Space;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The records of several ranges, in no particular order, read by who asks for them and a companion.
 *
 * <p>Whoever is done with a range takes the next that nobody has taken. What the companion has read
 * comes in batches, of which few wait; who asks takes those first, and reads a batch itself when
 * there is none. It is closed when the companion has ended. Belongs to one thread at a time.
 */
final class ParallelScan implements AutoCloseable {
  private static final int BATCH_RECORDS = 256;
  private static final int BATCH_BYTES = 256 << 10;
  private static final int BATCHES_WAITING = 4;

  /** Tells that the companion has ended. */
  private static final List<byte[]> END = List.of();

  private final Reader reader;
  private final List<Range> ranges;
  private final AtomicInteger taken = new AtomicInteger();
  private final BlockingQueue<List<byte[]>> read = new ArrayBlockingQueue<>(BATCHES_WAITING);
  private final Part own;
  private List<byte[]> batch = END;
  private int at;
  private boolean alone;
  private volatile boolean closed;
  private volatile @Nullable Throwable failure;

  /**
   * @param readers make what reads the record that a scan is at, for one thread
   */
  private ParallelScan(
      Reader reader, List<Range> ranges, Supplier<Function<Scan, byte[]>> readers) {
    this.reader = reader;
    this.ranges = ranges;
    this.own = new Part(readers.get());
  }

  /** Begins, with a companion if there is one to spare. */
  static ParallelScan begin(
      Reader reader,
      List<Range> ranges,
      Supplier<Function<Scan, byte[]>> readers,
      ScanWorkers scanWorkers) {
    ParallelScan scan = new ParallelScan(reader, ranges, readers);
    Part theirs = scan.new Part(readers.get());
    scan.alone = !scanWorkers.start(() -> scan.accompany(theirs));
    return scan;
  }

  /** The next record, or null when there is none. */
  byte @Nullable [] next() {
    if (at == batch.size()) {
      batch = nextBatch();
      at = 0;
    }
    return batch.isEmpty() ? null : batch.get(at++);
  }

  private List<byte[]> nextBatch() {
    List<byte[]> theirs = alone ? null : read.poll();
    if (theirs == null) {
      List<byte[]> mine = own.batch();
      if (!mine.isEmpty() || alone) {
        return mine;
      }
      theirs = take();
    }
    if (theirs.isEmpty()) {
      alone = true;
      rethrow();
      return own.batch();
    }
    return theirs;
  }

  /** Waits for the companion, whatever else is wanted of this thread: it is not left behind. */
  private List<byte[]> take() {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return read.take();
        } catch (InterruptedException _) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void rethrow() {
    switch (failure) {
      case null -> {}
      case RuntimeException refused -> throw refused;
      case Error error -> throw error;
      case Throwable other -> throw new IllegalStateException(other);
    }
  }

  /** What the companion does. */
  private void accompany(Part part) {
    try (part) {
      List<byte[]> found = part.batch();
      while (!found.isEmpty() && !closed) {
        read.put(found);
        found = part.batch();
      }
    } catch (Throwable e) {
      failure = e;
    }
    end();
  }

  private void end() {
    try {
      read.put(END);
    } catch (InterruptedException e) {
      throw new AssertionError("nobody interrupts a companion", e);
    }
  }

  @Override
  public void close() {
    closed = true;
    own.close();
    while (!alone) {
      alone = take().isEmpty();
    }
  }

  /** What one thread reads. */
  private final class Part implements AutoCloseable {
    private final Function<Scan, byte[]> record;
    private @Nullable Scan scan;

    Part(Function<Scan, byte[]> record) {
      this.record = record;
    }

    /** The next records, none when there are none left that nobody has taken. */
    List<byte[]> batch() {
      List<byte[]> found = new ArrayList<>(BATCH_RECORDS);
      int bytes = 0;
      while (found.size() < BATCH_RECORDS && bytes < BATCH_BYTES) {
        Scan next = advance();
        if (next == null) {
          break;
        }
        byte[] one = record.apply(next);
        bytes += one.length;
        found.add(one);
      }
      return found;
    }

    /** The scan at the next record; null when there is none. */
    private @Nullable Scan advance() {
      while (scan == null || !scan.next()) {
        close();
        int number = taken.getAndIncrement();
        if (number >= ranges.size()) {
          return null;
        }
        scan = reader.scan(Space.RECORDS, ranges.get(number), Direction.UP);
      }
      return scan;
    }

    @Override
    public void close() {
      if (scan != null) {
        scan.close();
        scan = null;
      }
    }
  }
}
