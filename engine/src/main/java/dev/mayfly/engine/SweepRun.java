package dev.mayfly.engine;

/**
 * Run of the sweep: what it removed from one collection by one rule, from the first expired
 * document until it had caught up.
 *
 * @param rule {@code default}, {@code own}, {@code id} or {@code index:} and its name
 * @param nanos time spent, without pauses for the foreground
 */
public record SweepRun(Namespace namespace, String rule, Usage swept, long nanos) {
  public SweepRun plus(SweepRun other) {
    return new SweepRun(namespace, rule, swept.plus(other.swept), nanos + other.nanos);
  }
}
