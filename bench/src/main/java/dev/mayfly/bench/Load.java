package dev.mayfly.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;

/**
 * Closed-loop load: several clients repeat an operation, each as soon as its last reply has
 * arrived.
 */
final class Load {
  private Load() {}

  /** One operation of a client. */
  interface Work {
    void once(Random random) throws Exception;
  }

  /** Result of all clients. */
  static final class Done {
    private final double seconds;
    private final long processorNanos;
    private final long[] nanos;

    /**
     * @param seconds from the start to the last reply
     * @param processorNanos CPU time of the threads of all clients
     * @param nanos durations of all operations, ascending
     */
    private Done(double seconds, long processorNanos, long[] nanos) {
      this.seconds = seconds;
      this.processorNanos = processorNanos;
      this.nanos = nanos;
    }

    long processorNanos() {
      return processorNanos;
    }

    int operations() {
      return nanos.length;
    }

    double perSecond() {
      return nanos.length / seconds;
    }

    /** Percentile of the durations, in microseconds. */
    double percentile(double percent) {
      int at = Math.min(nanos.length - 1, (int) (nanos.length * percent / 100));
      return at < 0 ? 0 : nanos[at] / 1000.0;
    }
  }

  /** Runs clients for some seconds. */
  static Done seconds(int clients, double seconds, Work work) throws Exception {
    long end = System.nanoTime() + (long) (seconds * 1e9);
    return until(clients, () -> System.nanoTime() - end >= 0, work);
  }

  /** Runs clients until a condition holds. */
  static Done until(int clients, BooleanSupplier ended, Work work) throws Exception {
    CountDownLatch ready = new CountDownLatch(clients);
    long start = System.nanoTime();
    List<Future<Times>> running = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
      for (int i = 0; i < clients; i++) {
        Random random = new Random(start + i);
        Callable<Times> client =
            () -> {
              ready.countDown();
              ready.await();
              return repeat(ended, work, random);
            };
        running.add(threads.submit(client));
      }
    }
    double took = (System.nanoTime() - start) / 1e9;
    LongStream.Builder all = LongStream.builder();
    long processorNanos = 0;
    for (Future<Times> client : running) {
      client.get().addTo(all);
      processorNanos += client.get().processorNanos;
    }
    return new Done(took, processorNanos, all.build().sorted().toArray());
  }

  private static Times repeat(BooleanSupplier ended, Work work, Random random) throws Exception {
    Times times = new Times();
    ThreadMXBean counters = ManagementFactory.getThreadMXBean();
    long processor = counters.getCurrentThreadCpuTime();
    while (!ended.getAsBoolean()) {
      long start = System.nanoTime();
      work.once(random);
      times.add(System.nanoTime() - start);
    }
    times.processorNanos = counters.getCurrentThreadCpuTime() - processor;
    return times;
  }

  /** Growable array of durations. */
  private static final class Times {
    private long[] nanos = new long[1 << 12];
    private int size;
    private long processorNanos;

    void add(long time) {
      if (size == nanos.length) {
        nanos = Arrays.copyOf(nanos, 2 * size);
      }
      nanos[size++] = time;
    }

    void addTo(LongStream.Builder all) {
      Arrays.stream(nanos, 0, size).forEach(all);
    }
  }
}
