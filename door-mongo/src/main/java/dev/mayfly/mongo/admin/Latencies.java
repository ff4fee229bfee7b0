package dev.mayfly.mongo.admin;

import dev.mayfly.value.DocumentWriter;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Latency histogram with MongoDB's buckets: powers of two in microseconds; from 2048 microseconds
 * on, also the middle between two of them. Thread-safe.
 */
final class Latencies {
  private static final int POWERS_OF_TWO = 12;
  private static final int BUCKETS = 51;

  /** The lower bound of each bucket, in microseconds. */
  private static final long[] LOWER_BOUNDS = lowerBounds();

  private final AtomicLongArray counts = new AtomicLongArray(BUCKETS);

  void add(long micros) {
    counts.incrementAndGet(bucket(Math.max(micros, 0)));
  }

  /** Writes the sum of several histograms, without empty buckets. */
  static void write(List<Latencies> all, DocumentWriter to) {
    to.startArray("histogram");
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      int at = bucket;
      long count = all.stream().mapToLong(one -> one.counts.get(at)).sum();
      if (count > 0) {
        to.startDocument().put("micros", LOWER_BOUNDS[bucket]).put("count", count).end();
      }
    }
    to.end();
  }

  private static int bucket(long micros) {
    int found = Arrays.binarySearch(LOWER_BOUNDS, micros);
    return found >= 0 ? found : -found - 2;
  }

  private static long[] lowerBounds() {
    long[] from = new long[BUCKETS];
    for (int i = 1; i < BUCKETS; i++) {
      int beyond = i - POWERS_OF_TWO;
      boolean middle = beyond >= 0 && beyond % 2 == 0;
      from[i] = beyond < 0 ? 1L << i : middle ? 3L << (10 + beyond / 2) : 1L << (12 + beyond / 2);
    }
    return from;
  }
}
