package dev.mayfly.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Compares several servers, in alternating rounds, and prints one row per operation. The first
 * server is Mayfly; the last column shows the bytes that it allocates per operation.
 */
final class Contest {
  private final List<String> servers;
  private final int rounds;

  Contest(List<String> servers, int rounds) {
    this.servers = List.copyOf(servers);
    this.rounds = rounds;
  }

  /**
   * Result of one round.
   *
   * @param micros CPU time of the server per operation
   * @param bytes allocated on the server's Java heap per operation; NaN if unknown
   */
  record Round(double perSecond, double micros, double bytes) {
    /** Result of a server that does not support the operation. */
    static final Round NONE = new Round(Double.NaN, Double.NaN, Double.NaN);
  }

  /** Runs one round on one server. */
  interface Runner {
    Round run(int server) throws Exception;
  }

  void head(String what) {
    StringBuilder text =
        new StringBuilder(String.format(Locale.ROOT, "%-14s %7s", what, "clients"));
    for (String server : servers) {
      text.append(String.format(Locale.ROOT, " | %10s %7s", server + "/s", "cpu us"));
    }
    text.append(" |");
    for (String other : servers.subList(1, servers.size())) {
      text.append(String.format(Locale.ROOT, " %11s", "of " + other));
    }
    text.append(" | ").append(String.format(Locale.ROOT, "%9s", "bytes"));
    System.out.println(text);
  }

  /** The first round of a row is a warm-up. */
  void line(String label, int clients, Runner runner) throws Exception {
    List<List<Round>> done =
        servers.stream().map(_ -> (List<Round>) new ArrayList<Round>()).toList();
    for (int number = 0; number <= rounds; number++) {
      for (int server : turn(number)) {
        Round round = runner.run(server);
        if (number > 0) {
          done.get(server).add(round);
        }
      }
    }
    StringBuilder text = new StringBuilder(String.format(Locale.ROOT, "%-14s %7d", label, clients));
    for (List<Round> server : done) {
      text.append(" | ").append(figures(server));
    }
    text.append(" |");
    for (List<Round> other : done.subList(1, done.size())) {
      text.append(' ').append(ratio(done.getFirst(), other));
    }
    text.append(" | ").append(bytes(done.getFirst()));
    System.out.println(text);
  }

  /** Order of the servers in a round; each round starts with another one. */
  private List<Integer> turn(int number) {
    List<Integer> order = new ArrayList<>(IntStream.range(0, servers.size()).boxed().toList());
    Collections.rotate(order, number);
    return order;
  }

  private static String figures(List<Round> rounds) {
    double perSecond = Rounds.median(rounds.stream().mapToDouble(Round::perSecond).toArray());
    double micros = Rounds.median(rounds.stream().mapToDouble(Round::micros).toArray());
    return Double.isNaN(perSecond)
        ? String.format(Locale.ROOT, "%10s %7s", "-", "-")
        : String.format(Locale.ROOT, "%,10.0f %,7.0f", perSecond, micros);
  }

  private static String bytes(List<Round> rounds) {
    double bytes = Rounds.median(rounds.stream().mapToDouble(Round::bytes).toArray());
    return Double.isNaN(bytes)
        ? String.format(Locale.ROOT, "%9s", "-")
        : String.format(Locale.ROOT, "%,9.0f", bytes);
  }

  /** Median of the ratios of all rounds. */
  private static String ratio(List<Round> ours, List<Round> others) {
    double[] ratios = new double[ours.size()];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = ours.get(i).perSecond() / others.get(i).perSecond();
    }
    double ratio = Rounds.median(ratios);
    return Double.isNaN(ratio)
        ? String.format(Locale.ROOT, "%11s", "-")
        : String.format(Locale.ROOT, "%11.2f", ratio);
  }
}
