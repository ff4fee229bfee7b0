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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Parallel scan of several ranges of records, in no particular order, by the caller and one worker
 * thread.
 *
 * <p>Each of the two takes the next free range when it has finished one. The worker passes its
 * records in batches through a bounded queue. The caller takes these batches first, and reads one
 * itself if the queue is empty. {@link #close} waits for the end of the worker. Used by one thread
 * at a time.
 */
final class ParallelScan implements AutoCloseable {
  private static final int BATCH_RECORDS = 256;
  private static final int BATCH_BYTES = 256 << 10;
  private static final int BATCHES_WAITING = 4;

  /** Marks the end of the worker's batches. */
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
   * @param readers makes a reader for each thread
   */
  private ParallelScan(Reader reader, List<Range> ranges, Supplier<PartialRecordReader> readers) {
    this.reader = reader;
    this.ranges = ranges;
    this.own = new Part(readers.get());
  }

  /** Starts the scan, with a worker if one is available. */
  static ParallelScan begin(
      Reader reader,
      List<Range> ranges,
      Supplier<PartialRecordReader> readers,
      ScanWorkers scanWorkers) {
    ParallelScan scan = new ParallelScan(reader, ranges, readers);
    Part theirs = scan.new Part(readers.get());
    scan.alone = !scanWorkers.start(() -> scan.work(theirs));
    return scan;
  }

  /** Returns the next record, or null at the end. */
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

  /** Waits for a batch of the worker, even if this thread is interrupted. */
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

  /** Runs in the worker thread. */
  private void work(Part part) {
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
      throw new AssertionError("a scan worker is never interrupted", e);
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

  /** The ranges that one thread reads. */
  private final class Part implements AutoCloseable {
    private final PartialRecordReader records;
    private @Nullable Scan scan;

    Part(PartialRecordReader records) {
      this.records = records;
    }

    /** Returns the next records; empty if no range is left. */
    List<byte[]> batch() {
      List<byte[]> found = new ArrayList<>(BATCH_RECORDS);
      int bytes = 0;
      while (found.size() < BATCH_RECORDS && bytes < BATCH_BYTES) {
        Scan next = advance();
        if (next == null) {
          break;
        }
        byte[] one = records.read(next);
        bytes += one.length;
        found.add(one);
      }
      return found;
    }

    /** Returns the scan at its next record; null if no range is left. */
    private @Nullable Scan advance() {
      while (scan == null || !records.advance(scan)) {
        close();
        int number = taken.getAndIncrement();
        if (number >= ranges.size()) {
          return null;
        }
        scan = reader.scan(Space.RECORDS, ranges.get(number), Direction.UP);
        records.begin();
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
