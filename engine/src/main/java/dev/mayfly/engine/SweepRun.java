package dev.mayfly.engine;

/**
 * What the sweep has removed from one collection by one rule, from when it found something to do
 * until it had caught up.
 *
 * @param rule {@code default}, {@code own}, {@code id} or {@code index:} and its name
 * @param nanos spent on it, without the rests that the foreground was left
 */
public record SweepRun(Namespace namespace, String rule, Usage swept, long nanos) {
  public SweepRun plus(SweepRun other) {
    return new SweepRun(namespace, rule, swept.plus(other.swept), nanos + other.nanos);
  }
}
