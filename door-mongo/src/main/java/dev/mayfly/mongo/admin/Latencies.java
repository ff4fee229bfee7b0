package dev.mayfly.mongo.admin;

import dev.mayfly.value.DocumentWriter;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How many requests took how long, in MongoDB's steps: powers of two in microseconds, and from two
 * milliseconds on the middle between two of them as well. Safe for many threads.
 */
final class Latencies {
  private static final int WHOLE_STEPS = 12;
  private static final int STEPS = 51;

  /** The shortest time of each step. */
  private static final long[] FROM = steps();

  private final AtomicLongArray counts = new AtomicLongArray(STEPS);

  void add(long micros) {
    counts.incrementAndGet(step(Math.max(micros, 0)));
  }

  /** Writes the steps in which there are any, those of several together. */
  static void write(List<Latencies> all, DocumentWriter to) {
    to.startArray("histogram");
    for (int step = 0; step < STEPS; step++) {
      int at = step;
      long count = all.stream().mapToLong(one -> one.counts.get(at)).sum();
      if (count > 0) {
        to.startDocument().put("micros", FROM[step]).put("count", count).end();
      }
    }
    to.end();
  }

  private static int step(long micros) {
    int found = Arrays.binarySearch(FROM, micros);
    return found >= 0 ? found : -found - 2;
  }

  private static long[] steps() {
    long[] from = new long[STEPS];
    for (int i = 1; i < STEPS; i++) {
      int beyond = i - WHOLE_STEPS;
      boolean middle = beyond >= 0 && beyond % 2 == 0;
      from[i] = beyond < 0 ? 1L << i : middle ? 3L << (10 + beyond / 2) : 1L << (12 + beyond / 2);
    }
    return from;
  }
}
