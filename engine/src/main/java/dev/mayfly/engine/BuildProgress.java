package dev.mayfly.engine;

/**
 * Progress of an index build.
 *
 * @param what the index or the rule whose lane is built
 * @param records records read since the engine was opened
 * @param total about how many records there are
 */
public record BuildProgress(String what, long records, long total) {
  /** Between 0 and 100. */
  public int percent() {
    return total == 0 ? 0 : (int) Math.min(records * 100 / total, 99);
  }
}
