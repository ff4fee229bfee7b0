package dev.mayfly.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;

/**
 * Measures two implementations of the same work in alternating rounds, so that noise affects both.
 */
final class Rounds {
  private static final double NANOS_PER_MICRO = 1000;

  private Rounds() {}

  /** One round of work. */
  interface Round {
    /** Runs round {@code number} and returns the number of operations. */
    long run(int number) throws Exception;
  }

  /**
   * Result: medians of all rounds.
   *
   * @param ours CPU time of the thread per operation, in microseconds
   * @param raw the same for the baseline
   * @param ratio median of the ratios of CPU time
   * @param wallRatio median of the ratios of elapsed time; not reliable on a busy machine
   * @param bytes allocated by our operation on the Java heap
   */
  record Figure(double ours, double raw, double ratio, double wallRatio, double bytes) {}

  /** CPU time and elapsed time of one operation, in microseconds, and the bytes it allocates. */
  private record Spent(double processor, double wall, double bytes) {}

  /** Runs both alternately; the first {@code warmUp} rounds are not counted. */
  static Figure compare(int warmUp, int rounds, Round ours, Round raw) throws Exception {
    double[] first = new double[rounds];
    double[] second = new double[rounds];
    double[] ratios = new double[rounds];
    double[] wallRatios = new double[rounds];
    double[] bytes = new double[rounds];
    for (int i = 0; i < warmUp + rounds; i++) {
      boolean oursFirst = i % 2 == 0;
      Spent a = oursFirst ? time(ours, i) : new Spent(0, 0, 0);
      Spent b = time(raw, i);
      a = oursFirst ? a : time(ours, i);
      if (i >= warmUp) {
        first[i - warmUp] = a.processor();
        second[i - warmUp] = b.processor();
        ratios[i - warmUp] = a.processor() / b.processor();
        wallRatios[i - warmUp] = a.wall() / b.wall();
        bytes[i - warmUp] = a.bytes();
      }
    }
    return new Figure(
        median(first), median(second), median(ratios), median(wallRatios), median(bytes));
  }

  /**
   * Compares rounds that differ only in their position, two of each side: the outer two of four are
   * ours, the inner two raw. All four run in order, each time starting with another one. The result
   * is the sum of their lower quartiles.
   */
  static Figure compareSpread(int warmUp, int rounds, List<Round> four) throws Exception {
    double[][] processor = new double[four.size()][rounds];
    double[][] wall = new double[four.size()][rounds];
    double[][] bytes = new double[four.size()][rounds];
    for (int i = 0; i < warmUp + rounds; i++) {
      for (int k = 0; k < four.size(); k++) {
        int which = (i + k) % four.size();
        Spent spent = time(four.get(which), i);
        if (i >= warmUp) {
          processor[which][i - warmUp] = spent.processor();
          wall[which][i - warmUp] = spent.wall();
          bytes[which][i - warmUp] = spent.bytes();
        }
      }
    }
    return new Figure(
        outer(processor) / 2,
        inner(processor) / 2,
        outer(processor) / inner(processor),
        outer(wall) / inner(wall),
        outer(bytes) / 2);
  }

  private static double outer(double[][] four) {
    return lowerQuartile(four[0]) + lowerQuartile(four[3]);
  }

  private static double inner(double[][] four) {
    return lowerQuartile(four[1]) + lowerQuartile(four[2]);
  }

  private static Spent time(Round round, int number) throws Exception {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long allocated = threads.getCurrentThreadAllocatedBytes();
    long processor = threads.getCurrentThreadCpuTime();
    long start = System.nanoTime();
    double operations = Math.max(round.run(number), 1);
    double micros = NANOS_PER_MICRO * operations;
    double wall = (System.nanoTime() - start) / micros;
    return new Spent(
        (threads.getCurrentThreadCpuTime() - processor) / micros,
        wall,
        (threads.getCurrentThreadAllocatedBytes() - allocated) / operations);
  }

  private static double lowerQuartile(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 4];
  }

  static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
