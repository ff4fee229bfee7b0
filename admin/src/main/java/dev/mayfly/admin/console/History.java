package dev.mayfly.admin.console;

import dev.mayfly.metrics.Metrics;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.function.LongSupplier;

/**
 * Load of the server during the last hour, in steps of ten seconds, in memory. Safe for many
 * threads.
 */
public final class History implements Metrics.OperationObserver {
  /** Milliseconds between two calls of {@link #sample}. */
  public static final long STEP_MILLIS = 10_000;

  private static final int MOST = 360;

  /** Latencies are counted by powers of two of microseconds. */
  private static final int BUCKETS = 40;

  private static final long MICRO = 1_000;
  private static final double MEDIAN = 0.5;
  private static final double SLOWEST = 0.99;

  private final LongSupplier clock;
  private final Gauges gauges;
  private final Map<String, Door> doors;
  private final DoubleAdder requestUnits = new DoubleAdder();
  private final Deque<Document> points = new ArrayDeque<>();
  private long sweptBefore;

  /** Values that are read at each step. */
  public interface Gauges {
    /** Documents swept since the start. */
    long swept();

    long lagMillis();

    long diskBytes();

    long heapBytes();
  }

  /** Operations of one door in the current step. */
  private static final class Door {
    private final AtomicLongArray latencies = new AtomicLongArray(BUCKETS);
    private final AtomicLongArray outcomes = new AtomicLongArray(2);

    void add(boolean done, long nanos) {
      outcomes.incrementAndGet(done ? 1 : 0);
      int bucket = Long.SIZE - Long.numberOfLeadingZeros(Math.max(0, nanos) / MICRO);
      latencies.incrementAndGet(Math.min(bucket, BUCKETS - 1));
    }

    long[] takeLatencies() {
      long[] taken = new long[BUCKETS];
      for (int i = 0; i < BUCKETS; i++) {
        taken[i] = latencies.getAndSet(i, 0);
      }
      return taken;
    }
  }

  /** What one door has done in a step. */
  @SuppressWarnings("ArrayRecordComponent") // nobody changes or compares it
  private record Step(long done, long refused, long[] latencies) {
    /** Returns the upper bound of the bucket that contains a quantile, in microseconds. */
    long quantile(double share) {
      long all = 0;
      for (long count : latencies) {
        all += count;
      }
      long rank = (long) Math.ceil(all * share);
      long seen = 0;
      for (int i = 0; i < latencies.length; i++) {
        seen += latencies[i];
        if (rank > 0 && seen >= rank) {
          return 1L << i;
        }
      }
      return 0;
    }
  }

  /**
   * Creates an empty history.
   *
   * @param clock epoch milliseconds
   */
  public History(LongSupplier clock, Gauges gauges) {
    this.clock = clock;
    this.gauges = gauges;
    this.doors = Map.of("mongo", new Door(), "cosmos", new Door());
  }

  @Override
  public void operation(String door, boolean done, long nanos) {
    Door counted = doors.get(door);
    if (counted != null) {
      counted.add(done, nanos);
    }
  }

  @Override
  public void requestUnits(double units) {
    requestUnits.add(units);
  }

  /** Ends a step. */
  public synchronized void sample() {
    Map<String, Step> steps = new TreeMap<>();
    doors.forEach(
        (name, door) ->
            steps.put(
                name,
                new Step(
                    door.outcomes.getAndSet(1, 0),
                    door.outcomes.getAndSet(0, 0),
                    door.takeLatencies())));
    long swept = gauges.swept();
    DocumentWriter point = Document.writer().put("at", Value.date(clock.getAsLong()));
    write("operations", steps, step -> step.done() + step.refused(), point);
    write("refused", steps, Step::refused, point);
    write("p50Micros", steps, step -> step.quantile(MEDIAN), point);
    write("p99Micros", steps, step -> step.quantile(SLOWEST), point);
    points.addLast(
        point
            .put("requestUnits", requestUnits.sumThenReset())
            .put("swept", swept - sweptBefore)
            .put("lagMillis", gauges.lagMillis())
            .put("diskUsed", gauges.diskBytes())
            .put("heapUsed", gauges.heapBytes())
            .build());
    sweptBefore = swept;
    if (points.size() > MOST) {
      points.removeFirst();
    }
  }

  /** A figure of a step. */
  private interface Figure {
    long of(Step step);
  }

  private static void write(
      String name, Map<String, Step> steps, Figure figure, DocumentWriter point) {
    point.startDocument(name);
    steps.forEach((door, step) -> point.put(door, figure.of(step)));
    point.end();
  }

  /** Returns the steps, oldest first. */
  synchronized Document list() {
    List<Value> all = new ArrayList<>();
    points.forEach(point -> all.add(Value.of(point)));
    return Document.writer().put("stepMillis", STEP_MILLIS).put("points", Value.array(all)).build();
  }
}
