package dev.mayfly.engine;

/**
 * How far a build is.
 *
 * @param what the index or the rule whose lane is built
 * @param records how many records it has come by since the engine was opened
 * @param total about how many there are
 */
public record BuildProgress(String what, long records, long total) {
  /** Between 0 and 100. */
  public int percent() {
    return total == 0 ? 0 : (int) Math.min(records * 100 / total, 99);
  }
}
